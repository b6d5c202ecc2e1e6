"""Controls with a delay: an actuator sees what was asked of it some time ago.

Source: MuJoCo documentation, Modeling, Delays.
"""

from tumble.physics.algebra.history import read
from tumble.physics.kernel import stage


@stage
def delayed_ctrl(m, d):
    """Reads ctrl, history, time; writes ctrl_seen: the control of each actuator at time - delay, not clamped.

    A negative delay asks for the future: the newest sample is all there is, that of the step before.
    """
    for i in range(m.nu):
        if m.actuator_delay[i] != 0.0 and m.actuator_history[i, 0] > 0:
            n, at = m.actuator_history[i, 0], m.actuator_historyadr[i]
            read(d.history, at, n, 1, d.time - m.actuator_delay[i], m.actuator_history[i, 1], d.ctrl_seen, i)
        else:
            d.ctrl_seen[i] = d.ctrl[i]
