"""Actuator activations and forces, and the unconstrained acceleration they lead to.

Source: MuJoCo documentation, Computation, Actuation model.
"""

import math

from tumble.physics.algebra.ring_buffer import read
from tumble.physics.algebra.sparse import solve_part
from tumble.physics.algebra.vec3 import load3
from tumble.physics.callback.call import number
from tumble.physics.dynamics.actuator.muscle import muscle_bias, muscle_gain, muscle_rate
from tumble.physics.dynamics.actuator.pid import NONE, pid_force, pid_rates
from tumble.physics.dynamics.asleep import ASLEEP, actuator_state, is_awake, some_asleep, tendon_state
from tumble.physics.dynamics.object import apply_force
from tumble.physics.kernel import kernel, run, stage
from tumble.physics.state.constants import mjMAXVAL, mjMINVAL
from tumble.physics.state.enums import mjtBias, mjtDisableBit, mjtDyn, mjtGain, mjtTrn, mjtWarning
from tumble.physics.state.stages import Entry

NO_CLAMP, NO_ACTUATION = int(mjtDisableBit.mjDSBL_CLAMPCTRL), int(mjtDisableBit.mjDSBL_ACTUATION)
INTEGRATOR, FILTER, FILTEREXACT = int(mjtDyn.mjDYN_INTEGRATOR), int(mjtDyn.mjDYN_FILTER), int(mjtDyn.mjDYN_FILTEREXACT)
GAIN_AFFINE, BIAS_AFFINE = int(mjtGain.mjGAIN_AFFINE), int(mjtBias.mjBIAS_AFFINE)
MUSCLE, GAIN_MUSCLE, BIAS_MUSCLE = int(mjtDyn.mjDYN_MUSCLE), int(mjtGain.mjGAIN_MUSCLE), int(mjtBias.mjBIAS_MUSCLE)
DYN_USER, GAIN_USER, BIAS_USER = int(mjtDyn.mjDYN_USER), int(mjtGain.mjGAIN_USER), int(mjtBias.mjBIAS_USER)
ACT_DYN, ACT_GAIN, ACT_BIAS = int(Entry.ACT_DYN), int(Entry.ACT_GAIN), int(Entry.ACT_BIAS)
TENDON, BADCTRL = int(mjtTrn.mjTRN_TENDON), int(mjtWarning.mjWARN_BADCTRL)
DELAYED_CTRL = int(Entry.DELAYED_CTRL)


@stage
def actuation(m, d):
    """Reads ctrl, act, actuator_length, actuator_velocity; writes act_dot, actuator_force, qfrc_actuator."""
    if m.stage[DELAYED_CTRL] != 0:
        run(m.stage[DELAYED_CTRL], m, d)
    skip = some_asleep(m, d)
    clear_outputs(m, d, skip)
    if m.nu > 0 and not m.opt_disableflags & NO_ACTUATION:
        trusted = check_ctrl(m, d)
        for i in range(m.nu):
            if not (skip and actuator_state(m, d, i) == ASLEEP):
                activation_rate(m, d, i, trusted)
        for i in range(m.nu):
            if not is_disabled(m, i) and not (skip and actuator_state(m, d, i) == ASLEEP):
                actuator_output(m, d, i, trusted)
        if m.ntendon > 0:
            limit_tendons(m, d)
        for i in range(m.nu):
            if skip and actuator_state(m, d, i) == ASLEEP:
                continue
            if m.actuator_forcelimited[i]:
                d.actuator_force[i] = min(max(d.actuator_force[i], m.actuator_forcerange[i, 0]), m.actuator_forcerange[i, 1])
            for a in range(d.moment_rowadr[i], d.moment_rowadr[i] + d.moment_rownnz[i]):
                c = d.moment_colind[a]
                if not skip or is_awake(m, d, c):
                    d.qfrc_actuator[c] += d.actuator_moment[a] * d.actuator_force[i]
        joint_forces(m, d)


@kernel
def joint_forces(m, d):
    """Adds to qfrc_actuator the gravity compensation of joints with actgravcomp, and clamps it to their actfrcrange."""
    for k in range(d.awake_nrun):
        for i in range(d.awake_dof[k, 0], d.awake_dof[k, 1]):
            j = m.dof_jntid[i]
            if m.jnt_actgravcomp[j]:
                d.qfrc_actuator[i] += d.qfrc_gravcomp[i]
            if m.jnt_actfrclimited[j]:
                d.qfrc_actuator[i] = min(max(d.qfrc_actuator[i], m.jnt_actfrcrange[j, 0]), m.jnt_actfrcrange[j, 1])


@kernel
def clear_outputs(m, d, skip):
    """Zero actuator_force, act_dot and qfrc_actuator; skip: leave those of sleeping actuators and dofs as they are."""
    for i in range(m.nu):
        if not (skip and actuator_state(m, d, i) == ASLEEP):
            d.actuator_force[i] = 0.0
            for a in range(m.actuator_actadr[i], m.actuator_actadr[i] + m.actuator_actnum[i]):
                d.act_dot[a] = 0.0
    for k in range(d.awake_nrun):
        for i in range(d.awake_dof[k, 0], d.awake_dof[k, 1]):
            d.qfrc_actuator[i] = 0.0


@kernel
def check_ctrl(m, d):
    """True if all controls are usable; if one is not, all count as zero and a warning is raised."""
    for i in range(m.nu):
        if not is_usable(m, d, i):
            d.warning_number[BADCTRL] += 1
            d.warning_lastinfo[BADCTRL] = i
            return False
    return True


@kernel
def is_disabled(m, i):
    """True if actuator i is in a group that opt.disableactuator switches off."""
    group = m.actuator_group[i]
    return 0 <= group <= 30 and m.opt_disableactuator & (1 << group) != 0


@kernel
def arrived(m, d, i):
    """The control of actuator i after its delay."""
    return d.ctrl_seen[i] if m.nhistory > 0 else d.ctrl[i]


@kernel
def is_usable(m, d, i):
    """True if the control of actuator i is a number that is not huge; if it is huge, it may be clamped."""
    return abs(arrived(m, d, i)) <= mjMAXVAL or abs(control(m, d, i, True)) <= mjMAXVAL


@kernel
def control(m, d, i, trusted):
    """The control of actuator i as the actuator sees it: delayed, then clamped."""
    if not trusted:
        return 0.0
    u = arrived(m, d, i)
    if m.actuator_ctrllimited[i] and not m.opt_disableflags & NO_CLAMP and u == u:  # not-a-number stays: it must be seen
        u = min(max(u, m.actuator_ctrlrange[i, 0]), m.actuator_ctrlrange[i, 1])
    return u


@kernel
def activation_rate(m, d, i, trusted):
    """Activation rate of actuator i; of one that is switched off too, though its activation then stays."""
    if m.actuator_actnum[i] == 0:
        return
    u, last = control(m, d, i, trusted), m.actuator_actadr[i] + m.actuator_actnum[i] - 1
    kind, tau = m.actuator_dyntype[i], max(mjMINVAL, m.actuator_dynprm[i, 0])
    if kind == INTEGRATOR:
        d.act_dot[last] = u
    elif kind == FILTER or kind == FILTEREXACT:
        d.act_dot[last] = (u - d.act[last]) / tau
    elif kind == MUSCLE:
        rise, fall, smooth = m.actuator_dynprm[i, 0], m.actuator_dynprm[i, 1], m.actuator_dynprm[i, 2]
        d.act_dot[last] = muscle_rate(u, d.act[last], rise, fall, smooth)
    elif kind == DYN_USER and m.stage[ACT_DYN] != 0 and d.failed == 0:
        rate = number(m.stage[ACT_DYN], m, d, i)
        if m.actuator_actnum[i] == 1:  # of several, the callback has written all
            d.act_dot[last] = rate
    if m.actuator_plugin[i] >= 0:
        pid_rates(m, d, i, set_point(m, d, i, trusted, False))


@kernel
def asked(m, d, entry, i, otherwise):
    """Result of the user's callback for actuator i, by entry of the stage table; `otherwise` without one."""
    return number(m.stage[entry], m, d, i) if m.stage[entry] != 0 and d.failed == 0 else otherwise


@kernel
def set_point(m, d, i, trusted, early):
    """Number that the force of actuator i follows: its last activation, if early that after the step; else its control."""
    if m.actuator_actnum[i] == 0 or (m.actuator_plugin[i] >= 0 and m.actuator_dyntype[i] == NONE):
        return control(m, d, i, trusted)
    last = m.actuator_actadr[i] + m.actuator_actnum[i] - 1
    return next_activation(m, d, i, last) if early else d.act[last]


@kernel
def actuator_output(m, d, i, trusted):
    """Force of actuator i."""
    u = set_point(m, d, i, trusted, m.actuator_actearly[i])
    if m.actuator_plugin[i] >= 0:
        d.actuator_force[i] = pid_force(m, d, i, u)
        return
    length, velocity = d.actuator_length[i], d.actuator_velocity[i]
    gain = m.actuator_gainprm[i, 0]
    if m.actuator_gaintype[i] == GAIN_AFFINE:
        gain += m.actuator_gainprm[i, 1] * length + m.actuator_gainprm[i, 2] * velocity
    elif m.actuator_gaintype[i] == GAIN_MUSCLE:
        gain = muscle_gain(m, i, length, velocity)
    elif m.actuator_gaintype[i] == GAIN_USER:
        gain = asked(m, d, ACT_GAIN, i, 1.0)
    bias = 0.0
    if m.actuator_biastype[i] == BIAS_MUSCLE:
        bias = muscle_bias(m, i, length)
    elif m.actuator_biastype[i] == BIAS_AFFINE:
        bias = m.actuator_biasprm[i, 0] + m.actuator_biasprm[i, 1] * length + m.actuator_biasprm[i, 2] * velocity
    elif m.actuator_biastype[i] == BIAS_USER:
        bias = asked(m, d, ACT_BIAS, i, 0.0)
    d.actuator_force[i] = gain * u + bias


@kernel
def next_activation(m, d, i, a):
    """Activation a of actuator i one time step ahead, clamped to its range."""
    h, rate = m.opt_timestep, d.act_dot[a]
    if m.actuator_dyntype[i] == FILTEREXACT:
        tau = max(mjMINVAL, m.actuator_dynprm[i, 0])
        act = d.act[a] + rate * tau * (1.0 - math.exp(-h / tau))
    else:
        act = d.act[a] + rate * h
    return clamp_activation(m, i, act)


@kernel
def clamp_activation(m, i, act):
    """An activation of actuator i, clamped to its range if it has one."""
    return min(max(act, m.actuator_actrange[i, 0]), m.actuator_actrange[i, 1]) if m.actuator_actlimited[i] else act


@kernel
def limit_tendons(m, d):
    """Scales the forces of actuators that share a tendon so that their sum keeps its actfrcrange."""
    for t in range(m.ntendon):
        if not m.tendon_actfrclimited[t] or tendon_state(m, d, t) == ASLEEP:
            continue
        total = 0.0
        for i in range(m.nu):
            if m.actuator_trntype[i] == TENDON and m.actuator_trnid[i, 0] == t:
                total += d.actuator_force[i]
        allowed = min(max(total, m.tendon_actfrcrange[t, 0]), m.tendon_actfrcrange[t, 1])
        if allowed != total:
            for i in range(m.nu):
                if m.actuator_trntype[i] == TENDON and m.actuator_trnid[i, 0] == t:
                    d.actuator_force[i] *= allowed / total


@stage
def acceleration(m, d):
    """Reads all smooth forces; writes qfrc_smooth, qacc_smooth."""
    smooth = d.qfrc_smooth
    for k in range(d.awake_nrun):
        for i in range(d.awake_dof[k, 0], d.awake_dof[k, 1]):
            smooth[i] = d.qfrc_passive[i] - d.qfrc_bias[i] + d.qfrc_applied[i] + d.qfrc_actuator[i]
    xfrc = d.xfrc_applied
    for n in range(1, d.nbody_awake):
        b = d.body_awake_ind[n]
        used = False
        for k in range(6):
            used = used or xfrc[b, k] != 0.0
        if used:
            force, torque = (xfrc[b, 0], xfrc[b, 1], xfrc[b, 2]), (xfrc[b, 3], xfrc[b, 4], xfrc[b, 5])
            apply_force(m, d, b, load3(d.xipos, b), force, torque, smooth)
    for k in range(d.awake_nrun):
        first, end = d.awake_dof[k, 0], d.awake_dof[k, 1]
        for i in range(first, end):
            d.qacc_smooth[i] = smooth[i]
        solve_part(m.M_rownnz, m.M_rowadr, m.M_colind, d.qLD, d.qLDiagInv, d.qacc_smooth, first, end)


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
