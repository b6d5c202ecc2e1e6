"""Rows of joint and tendon limits: one for each end of the range that is nearer than the margin."""

from tumble.physics.algebra.quat import quat_unit, quat_vel
from tumble.physics.algebra.vec3 import unit3
from tumble.physics.constraint.friction import moves, tendon_jacobian
from tumble.physics.constraint.impedance import DEFAULT_REF, load_imp, load_ref
from tumble.physics.constraint.row import put_row, put_scalar, range_row
from tumble.physics.dynamics.asleep import ASLEEP, some_asleep, tendon_state
from tumble.physics.kernel import kernel
from tumble.physics.state.enums import mjtConstraint, mjtJoint

JOINT = int(mjtConstraint.mjCNSTR_LIMIT_JOINT)
TENDON = int(mjtConstraint.mjCNSTR_LIMIT_TENDON)
BALL, SLIDE, HINGE = int(mjtJoint.mjJNT_BALL), int(mjtJoint.mjJNT_SLIDE), int(mjtJoint.mjJNT_HINGE)


@kernel
def joint_limits(m, d, r):
    """Rows from r on for the joints at their limits; returns the next row."""
    for k in range(d.awake_nrun):
        for j in range(d.awake_joint[k, 0], d.awake_joint[k, 1]):
            if m.jnt_limited[j]:
                if m.jnt_type[j] == BALL:
                    r = ball_limit(m, d, r, j)
                elif m.jnt_type[j] == SLIDE or m.jnt_type[j] == HINGE:
                    r = scalar_limit(m, d, r, j)
    return r


@kernel
def scalar_limit(m, d, r, j):
    """Rows for both ends of the range of a hinge or slide, the lower first."""
    i, margin = m.jnt_dofadr[j], m.jnt_margin[j]
    value = d.qpos[m.jnt_qposadr[j]]
    for end in range(2):
        side = 2.0 * end - 1.0
        dist = side * (m.jnt_range[j, end] - value)
        if dist < margin:
            at = range_row(m, d, r, i, i + 1)
            if at >= 0:
                d.efc_J[at] = -side
                put_joint(m, d, r, j, dist)
            r += 1
    return r


@kernel
def ball_limit(m, d, r, j):
    """The row that keeps the rotation angle of a ball joint below the larger number of its range."""
    i = m.jnt_dofadr[j]
    at = m.jnt_qposadr[j]
    q = d.qpos
    # Normalize a copy: users write qpos between steps and must read back what they wrote.
    axis, angle = unit3(quat_vel(quat_unit((q[at], q[at + 1], q[at + 2], q[at + 3])), 1.0))
    dist = max(m.jnt_range[j, 0], m.jnt_range[j, 1]) - angle
    if dist < m.jnt_margin[j]:
        at = range_row(m, d, r, i, i + 3)
        if at >= 0:
            for k in range(3):
                d.efc_J[at + k] = -axis[k]
            put_joint(m, d, r, j, dist)
        r += 1
    return r


@kernel
def put_joint(m, d, r, j, dist):
    """Row r as a limit of joint j that is dist away."""
    put_row(d, r, JOINT, j, dist, m.jnt_margin[j], 0.0)
    solref = load_ref(m, m.jnt_solref, j, DEFAULT_REF)
    put_scalar(d, r, solref, load_imp(m.jnt_solimp, j), m.dof_invweight0[m.jnt_dofadr[j]], False)


@kernel
def tendon_limits(m, d, r):
    """Rows from r on for the tendons at their limits, the lower end first; returns the next row."""
    skip = some_asleep(m, d)
    for t in range(m.ntendon):
        if m.tendon_limited[t] and moves(m, d, t) and not (skip and tendon_state(m, d, t) == ASLEEP):
            for end in range(2):
                side = 2.0 * end - 1.0
                dist = side * (m.tendon_range[t, end] - d.ten_length[t])
                if dist < m.tendon_margin[t]:
                    if tendon_jacobian(m, d, r, t, -side):
                        put_row(d, r, TENDON, t, dist, m.tendon_margin[t], 0.0)
                        solref = load_ref(m, m.tendon_solref_lim, t, DEFAULT_REF)
                        put_scalar(d, r, solref, load_imp(m.tendon_solimp_lim, t), m.tendon_invweight0[t], False)
                    r += 1
    return r
