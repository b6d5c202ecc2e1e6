"""Derivatives by velocity of the forces of dampers and actuators.

Elements outside the pattern are left out: what a tendon or actuator couples that spans two trees, or two branches of one. So is
that a joint or tendon limits the force of its actuators together (actuatorfrcrange), as in MuJoCo: at that limit the step is
damped more than the force is. A derivative that is not exact makes a step less stable, not less accurate to first order.
"""

from tumble.physics.dynamics.actuator.actuation import control, is_disabled, is_usable, next_activation
from tumble.physics.dynamics.actuator.muscle import muscle_gain_slope
from tumble.physics.dynamics.asleep import ASLEEP, actuator_state, is_awake, some_asleep, tendon_state
from tumble.physics.dynamics.derivative.pattern import clear_derivative, diagonal, is_above
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.enums import mjtBias, mjtDisableBit, mjtGain

NO_DAMPER, NO_ACTUATION = int(mjtDisableBit.mjDSBL_DAMPER), int(mjtDisableBit.mjDSBL_ACTUATION)
GAIN_AFFINE, GAIN_MUSCLE = int(mjtGain.mjGAIN_AFFINE), int(mjtGain.mjGAIN_MUSCLE)
BIAS_AFFINE = int(mjtBias.mjBIAS_AFFINE)


@stage
def smooth_derivative(m, d):
    """Reads ten_J, actuator_moment, actuator_force, act; writes qDeriv: what dampers and actuators make of it."""
    clear_derivative(m, d)
    if m.nu > 0 and not m.opt_disableflags & NO_ACTUATION:
        actuator_derivative(m, d)
    if not m.opt_disableflags & NO_DAMPER:
        for k in range(d.awake_nrun):
            for i in range(d.awake_dof[k, 0], d.awake_dof[k, 1]):
                d.qDeriv[diagonal(m, i)] -= m.dof_damping[i]
        for t in range(m.ntendon):
            if m.tendon_damping[t] != 0.0 and tendon_state(m, d, t) != ASLEEP:
                tendon_derivative(m, d, t)


@kernel
def tendon_derivative(m, d, t):
    """qDeriv -= J' damping J of a tendon, within the pattern: what joins two branches of a tree, or two trees, is left out."""
    skip = some_asleep(m, d)
    for p in range(d.ten_J_rownnz[t]):
        i = d.ten_J_colind[t, p]
        if skip and not is_awake(m, d, i):
            continue
        s = m.tendon_damping[t] * d.ten_J[t, i]
        d.qDeriv[diagonal(m, i)] -= s * d.ten_J[t, i]
        for q in range(p):
            j = d.ten_J_colind[t, q]
            if is_above(m, j, i):
                add_pair(m, d, i, j, -s * d.ten_J[t, j])


@kernel
def add_pair(m, d, i, j, value):
    """Add to the elements (i, j) and (j, i) of qDeriv, where dof j is above dof i."""
    d.qDeriv[m.D_rowadr[i] + m.D_diag[j]] += value
    d.qDeriv[diagonal(m, j) + i - j] += value


@kernel
def actuator_derivative(m, d):
    """qDeriv += J' (dforce/dvelocity) J of every actuator, within the pattern; columns of its moment ascend or not."""
    skip = some_asleep(m, d)
    for k in range(m.nu):
        if is_disabled(m, k) or (skip and actuator_state(m, d, k) == ASLEEP):
            continue
        slope = force_slope(m, d, k)
        if slope == 0.0:
            continue
        begin, end = d.moment_rowadr[k], d.moment_rowadr[k] + d.moment_rownnz[k]
        for a in range(begin, end):
            i, s = d.moment_colind[a], slope * d.actuator_moment[a]
            if skip and not is_awake(m, d, i):
                continue
            d.qDeriv[diagonal(m, i)] += s * d.actuator_moment[a]
            for c in range(begin, end):
                j = d.moment_colind[c]
                if j < i and is_above(m, j, i):
                    add_pair(m, d, i, j, s * d.actuator_moment[c])


@kernel
def force_slope(m, d, k):
    """Derivative [N s/m or N m s] of the force of actuator k by its velocity; 0 where its range holds the force."""
    bias, gain = m.actuator_biastype[k], m.actuator_gaintype[k]
    if bias != BIAS_AFFINE and gain != GAIN_AFFINE and gain != GAIN_MUSCLE:
        return 0.0
    force = d.actuator_force[k]
    if m.actuator_forcelimited[k] and (force <= m.actuator_forcerange[k, 0] or force >= m.actuator_forcerange[k, 1]):
        return 0.0
    slope = m.actuator_biasprm[k, 2] if bias == BIAS_AFFINE else 0.0
    by_gain = 0.0
    if gain == GAIN_AFFINE:
        by_gain = m.actuator_gainprm[k, 2]
    elif gain == GAIN_MUSCLE:
        by_gain = muscle_gain_slope(m, k, d.actuator_length[k], d.actuator_velocity[k])
    return slope + by_gain * gain_input(m, d, k) if by_gain != 0.0 else slope


@kernel
def gain_input(m, d, k):
    """Input of actuator k's gain: its effective control, or its last activation."""
    if m.actuator_actnum[k] == 0:
        return control(m, d, k, is_usable(m, d, k))  # none where it is not a number
    last = m.actuator_actadr[k] + m.actuator_actnum[k] - 1
    return next_activation(m, d, k, last) if m.actuator_actearly[k] else d.act[last]
