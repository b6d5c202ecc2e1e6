"""Positions as points of a curved space: along a velocity, and the velocity between two of them."""

from tumble.physics.algebra.quat import load4_at, quat_integrate, quat_inv, quat_mul, quat_unit, quat_vel
from tumble.physics.kernel import kernel
from tumble.physics.state.enums import mjtJoint

FREE, BALL = int(mjtJoint.mjJNT_FREE), int(mjtJoint.mjJNT_BALL)


@kernel
def integrate_joints(m, first, end, qpos, qvel, h):
    """qpos <- qpos moved along qvel for a time h, of the joints from `first` to `end`; quaternions stay unit."""
    for j in range(first, end):
        q, i, kind = m.jnt_qposadr[j], m.jnt_dofadr[j], m.jnt_type[j]
        if kind == FREE:
            for k in range(3):
                qpos[q + k] += h * qvel[i + k]
            q += 3
            i += 3
        if kind == FREE or kind == BALL:
            turned = quat_integrate(load4_at(qpos, q), (qvel[i], qvel[i + 1], qvel[i + 2]), h)
            qpos[q], qpos[q + 1], qpos[q + 2], qpos[q + 3] = turned
        else:
            qpos[q] += h * qvel[i]


@kernel
def differentiate_joints(m, qvel, h, qpos1, qpos2):
    """qvel <- the velocity that leads from qpos1 to qpos2 in a time h, the short way."""
    for j in range(m.njnt):
        q, i, kind = m.jnt_qposadr[j], m.jnt_dofadr[j], m.jnt_type[j]
        if kind == FREE:
            for k in range(3):
                qvel[i + k] = (qpos2[q + k] - qpos1[q + k]) / h
            q += 3
            i += 3
        if kind == FREE or kind == BALL:
            turn = quat_mul(quat_inv(load4_at(qpos1, q)), load4_at(qpos2, q))
            qvel[i], qvel[i + 1], qvel[i + 2] = quat_vel(turn, h)
        else:
            qvel[i] = (qpos2[q] - qpos1[q]) / h


@kernel
def normalize_joints(m, qpos):
    """Scale the quaternions in qpos to length 1."""
    for j in range(m.njnt):
        q, kind = m.jnt_qposadr[j], m.jnt_type[j]
        if kind == FREE:
            q += 3
        if kind == FREE or kind == BALL:
            qpos[q], qpos[q + 1], qpos[q + 2], qpos[q + 3] = quat_unit(load4_at(qpos, q))
