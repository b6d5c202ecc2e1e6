"""Actuator lengths and moment arms, for joint and tendon transmissions, and their velocities."""

from tumble.physics.algebra.quat import quat_inv, quat_rot, quat_unit, quat_vel
from tumble.physics.algebra.vec3 import dot3
from tumble.physics.dynamics.asleep import ASLEEP, actuator_state, some_asleep, tendon_state
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.enums import mjtJoint, mjtTrn

FREE, BALL = int(mjtJoint.mjJNT_FREE), int(mjtJoint.mjJNT_BALL)
JOINT, IN_PARENT, TENDON = int(mjtTrn.mjTRN_JOINT), int(mjtTrn.mjTRN_JOINTINPARENT), int(mjtTrn.mjTRN_TENDON)


@stage
def transmission(m, d):
    """Reads qpos, ten_length, ten_J; writes actuator_length and the sparse actuator_moment."""
    at, skip = 0, some_asleep(m, d)
    for i in range(m.nu):
        if skip and actuator_state(m, d, i) == ASLEEP:
            at += d.moment_rownnz[i]
            continue
        d.moment_rowadr[i] = at
        if m.actuator_trntype[i] == TENDON:
            at = tendon_transmission(m, d, i, at)
        else:
            at = joint_transmission(m, d, i, at)
        d.moment_rownnz[i] = at - d.moment_rowadr[i]


@kernel
def tendon_transmission(m, d, i, at):
    """Length and moment of actuator i on a tendon, its row starting at `at`; returns where the next row starts."""
    t, gear = m.actuator_trnid[i, 0], m.actuator_gear[i, 0]
    d.actuator_length[i] = gear * d.ten_length[t]
    for k in range(d.ten_J_rownnz[t]):
        c = d.ten_J_colind[t, k]
        d.moment_colind[at] = c
        d.actuator_moment[at] = gear * d.ten_J[t, c]
        at += 1
    return at


@kernel
def joint_transmission(m, d, i, at):
    """Length and moment of actuator i on a joint, its row starting at `at`; returns where the next row starts."""
    j = m.actuator_trnid[i, 0]
    kind, q, first = m.jnt_type[j], m.jnt_qposadr[j], m.jnt_dofadr[j]
    gear = m.actuator_gear
    if kind == FREE:
        turn = (gear[i, 3], gear[i, 4], gear[i, 5])
        if m.actuator_trntype[i] == IN_PARENT:
            turn = quat_rot(quat_inv(quat_unit((d.qpos[q + 3], d.qpos[q + 4], d.qpos[q + 5], d.qpos[q + 6]))), turn)
        d.actuator_length[i] = 0.0
        for k in range(3):
            d.actuator_moment[at + k] = gear[i, k]
            d.actuator_moment[at + 3 + k] = turn[k]
        count = 6
    elif kind == BALL:
        quat = quat_unit((d.qpos[q], d.qpos[q + 1], d.qpos[q + 2], d.qpos[q + 3]))
        turn = (gear[i, 0], gear[i, 1], gear[i, 2])
        if m.actuator_trntype[i] == IN_PARENT:
            turn = quat_rot(quat_inv(quat), turn)
        d.actuator_length[i] = dot3(quat_vel(quat, 1.0), turn)
        for k in range(3):
            d.actuator_moment[at + k] = turn[k]
        count = 3
    else:
        d.actuator_length[i] = gear[i, 0] * d.qpos[q]
        d.actuator_moment[at] = gear[i, 0]
        count = 1
    for k in range(count):
        d.moment_colind[at + k] = first + k
    return at + count


@stage
def transmission_vel(m, d):
    """Reads qvel, ten_J, actuator_moment; writes ten_velocity, actuator_velocity."""
    skip = some_asleep(m, d)
    for t in range(m.ntendon):
        if skip and tendon_state(m, d, t) == ASLEEP:
            continue
        s = 0.0
        for k in range(d.ten_J_rownnz[t]):
            i = d.ten_J_colind[t, k]
            s += d.ten_J[t, i] * d.qvel[i]
        d.ten_velocity[t] = s
    for i in range(m.nu):
        if skip and actuator_state(m, d, i) == ASLEEP:
            continue
        s = 0.0
        for a in range(d.moment_rowadr[i], d.moment_rowadr[i] + d.moment_rownnz[i]):
            s += d.actuator_moment[a] * d.qvel[d.moment_colind[a]]
        d.actuator_velocity[i] = s
