"""The end of a step for histories: controls and readings of this time go into their buffers."""

from tumble.physics.algebra.ring_buffer import copy_sample, insert
from tumble.physics.kernel import stage
from tumble.physics.sensor.delayed import is_delayed, is_due


@stage
def keep_history(m, d):
    """Reads ctrl, sensordata, sensor_fresh, time, which still is that of the step's beginning; writes history.

    The control is kept as it was set: not clamped, and of actuators that are disabled too.
    """
    for i in range(m.nu):
        n = m.actuator_history[i, 0]
        if n > 0:
            d.history[insert(d.history, m.actuator_historyadr[i], n, 1, d.time)] = d.ctrl[i]
    for s in range(m.nsensor):
        n, at, dim = m.sensor_history[s, 0], m.sensor_historyadr[s], m.sensor_dim[s]
        if n <= 0 or not is_due(m, d, s):
            continue
        if m.sensor_interval[s, 0] > 0.0:
            d.history[at] += m.sensor_interval[s, 0]
        to = insert(d.history, at, n, dim, d.time)
        copy_sample(d.sensor_fresh if is_delayed(m, s) else d.sensordata, m.sensor_adr[s], dim, d.history, to)
