"""Muscles: active force by length and velocity, passive force by length, and activation dynamics.

Lengths are scaled so that the actuator's lengthrange becomes the operating range gainprm[0:2], in optimal lengths L0.
Sources: MuJoCo documentation, Modeling, Muscles; Millard et al. 2013, Flexing computational muscle (the activation's
time constants, which depend on the activation).
"""

from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMINVAL


@kernel
def peak_force(m, i, prm):
    """Largest active force at rest [N]: as written, or so that it accelerates the joints by `scale`."""
    return prm[i, 2] if prm[i, 2] >= 0.0 else prm[i, 3] / max(mjMINVAL, m.actuator_acc0[i])


@kernel
def optimal_length(m, i, prm):
    """L0 [m]."""
    return (m.actuator_lengthrange[i, 1] - m.actuator_lengthrange[i, 0]) / max(mjMINVAL, prm[i, 1] - prm[i, 0])


@kernel
def scaled_length(m, i, prm, length):
    """Length in units of L0."""
    return prm[i, 0] + (length - m.actuator_lengthrange[i, 0]) / max(mjMINVAL, optimal_length(m, i, prm))


@kernel
def muscle_gain(m, i, length, velocity):
    """Force [N] of muscle i at full activation, negative: it pulls."""
    prm = m.actuator_gainprm
    x = scaled_length(m, i, prm, length)
    v = velocity / max(mjMINVAL, optimal_length(m, i, prm) * prm[i, 6])
    by_length = bump(prm[i, 4], x, 0.5 * (prm[i, 4] + 1.0), 0.5 * (1.0 + prm[i, 5]), prm[i, 5])
    by_velocity, _ = velocity_factor(v, prm[i, 8])
    return -peak_force(m, i, prm) * by_length * by_velocity


@kernel
def muscle_gain_slope(m, i, length, velocity):
    """Derivative of muscle_gain by velocity [N s/m]."""
    prm = m.actuator_gainprm
    x = scaled_length(m, i, prm, length)
    unit = max(mjMINVAL, optimal_length(m, i, prm) * prm[i, 6])
    by_length = bump(prm[i, 4], x, 0.5 * (prm[i, 4] + 1.0), 0.5 * (1.0 + prm[i, 5]), prm[i, 5])
    _, slope = velocity_factor(velocity / unit, prm[i, 8])
    return -peak_force(m, i, prm) * by_length * slope / unit


@kernel
def muscle_bias(m, i, length):
    """Passive force [N] of muscle i, negative: it pulls when stretched beyond L0, at first quadratic, then linear."""
    prm = m.actuator_biasprm
    x, middle = scaled_length(m, i, prm, length), 0.5 * (1.0 + prm[i, 5])
    part = (x - 1.0) / max(mjMINVAL, middle - 1.0)
    curve = 0.0 if x <= 1.0 else (0.5 * part * part if x <= middle else part - 0.5)
    return -peak_force(m, i, prm) * prm[i, 7] * curve


@kernel
def bump(low, x, left, right, high):
    """Four parabolas: 0 up to `low`, 1/2 at `left`, 1 at 1, 1/2 at `right`, 0 from `high` on."""
    if x <= low or x >= high:
        return 0.0
    if x <= left:
        return 0.5 * square((x - low) / max(mjMINVAL, left - low))
    if x <= 1.0:
        return 1.0 - 0.5 * square((1.0 - x) / max(mjMINVAL, 1.0 - left))
    if x <= right:
        return 1.0 - 0.5 * square((x - 1.0) / max(mjMINVAL, right - 1.0))
    return 0.5 * square((high - x) / max(mjMINVAL, high - right))


@kernel
def square(x):
    """x squared."""
    return x * x


@kernel
def velocity_factor(v, most):
    """Force factor and its slope at a velocity: 0 at the fastest shortening (-1), 1 at rest, `most` when lengthening."""
    y = most - 1.0
    if v <= -1.0:
        return 0.0, 0.0
    if v <= 0.0:
        return (v + 1.0) * (v + 1.0), 2.0 * (v + 1.0)
    if v <= y:
        return most - (y - v) * (y - v) / max(mjMINVAL, y), 2.0 * (y - v) / max(mjMINVAL, y)
    return most, 0.0


@kernel
def muscle_rate(u, act, rise, fall, smooth):
    """Rate of activation [1/s]; rise, fall: time constants [s]; smooth: width of the passage from one to the other."""
    u, level = min(max(u, 0.0), 1.0), 0.5 + 1.5 * min(max(act, 0.0), 1.0)
    rise, fall, gap = rise * level, fall / level, u - act
    if smooth < mjMINVAL:
        tau = rise if gap > 0.0 else fall
    else:
        tau = fall + (rise - fall) * smooth_step(gap / smooth + 0.5)
    return gap / max(mjMINVAL, tau)


@kernel
def smooth_step(x):
    """0 up to 0, 1 from 1 on, and between them a polynomial that is flat to second order at both ends."""
    x = min(max(x, 0.0), 1.0)
    return x * x * x * (10.0 + x * (6.0 * x - 15.0))
