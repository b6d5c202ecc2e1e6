"""PID controllers: the plugin mujoco.pid of actuators.

With the set point u, the length l and the velocity v of the actuator, and its error e = u - l, the force is

    kp e + ki (integral of e) + kd (du/dt - v)

The integral is that at the end of the step, so its term is bounded by imax in the step in which it reaches the bound. The set
point is the control, or by dyntype an activation, of which the rate du/dt is known; that of the control counts as 0. slewmax
bounds the change of the set point in a step; the previous one is an activation, which counts after time 0. As in the reference,
actearly concerns the force alone. The activations are, where they exist: integral of the error, previous set point, activation
of the dyntype.
Source: MuJoCo documentation, plugin/actuator; order of the activations and the law were measured.
"""

from tumble.physics.kernel import kernel
from tumble.physics.state.enums import mjtDyn
from tumble.physics.state.plugins import PID, PID_IMAX, PID_KD, PID_KI, PID_KP, PID_SLEW, plugin_number

NUMBER = plugin_number(PID.name)
NONE = int(mjtDyn.mjDYN_NONE)


@kernel
def pid_places(m, i):
    """Activations of controller i: the integral of its error, its previous set point, that of its dyntype; -1: missing."""
    k, at = int(m.actuator_plugin[i]), int(m.actuator_actadr[i])
    end = at + m.actuator_actnum[i]
    integral, previous, own = -1, -1, -1
    if m.plugin_prm[k, PID_KI] != 0.0 and at < end:
        integral = at
        at += 1
    if m.plugin_prm[k, PID_SLEW] >= 0.0 and at < end:
        previous = at
        at += 1
    if m.actuator_dyntype[i] != NONE and at < end:
        own = end - 1
    return integral, previous, own


@kernel
def slewed(m, d, i, previous, u):
    """The set point u of controller i, no farther from the previous one than slewmax lets it come in a step."""
    if previous < 0 or d.time <= 0.0:
        return u
    most = m.plugin_prm[m.actuator_plugin[i], PID_SLEW] * m.opt_timestep
    return min(max(u, d.act[previous] - most), d.act[previous] + most)


@kernel
def next_integral(m, d, i, integral, error):
    """Integral of the error of controller i at the end of the step, bounded by imax."""
    k = m.actuator_plugin[i]
    total = d.act[integral] + error * m.opt_timestep
    if m.plugin_prm[k, PID_IMAX] >= 0.0:
        most = m.plugin_prm[k, PID_IMAX] / abs(m.plugin_prm[k, PID_KI])
        total = min(max(total, -most), most)
    return total


@kernel
def pid_rates(m, d, i, u):
    """Rates of the activations of controller i but that of its dyntype. u: its set point."""
    if m.plugin[m.actuator_plugin[i]] != NUMBER:
        return
    integral, previous, _ = pid_places(m, i)
    u = slewed(m, d, i, previous, u)
    if integral >= 0:
        total = next_integral(m, d, i, integral, u - d.actuator_length[i])
        d.act_dot[integral] = (total - d.act[integral]) / m.opt_timestep
    if previous >= 0:
        d.act_dot[previous] = (u - d.act[previous]) / m.opt_timestep


@kernel
def pid_force(m, d, i, u):
    """Force of controller i. u: its set point."""
    k = m.actuator_plugin[i]
    if m.plugin[k] != NUMBER:
        return 0.0
    integral, previous, own = pid_places(m, i)
    error = slewed(m, d, i, previous, u) - d.actuator_length[i]
    rate = d.act_dot[own] if own >= 0 else 0.0
    force = m.plugin_prm[k, PID_KP] * error + m.plugin_prm[k, PID_KD] * (rate - d.actuator_velocity[i])
    if integral >= 0:
        force += m.plugin_prm[k, PID_KI] * next_integral(m, d, i, integral, error)
    return force
