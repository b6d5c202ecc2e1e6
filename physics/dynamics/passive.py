"""Passive forces: springs, dampers, gravity compensation and (through the fluid stage) the medium."""

from tumble.physics.algebra.quat import quat_sub, quat_unit
from tumble.physics.algebra.vec3 import load3
from tumble.physics.dynamics.asleep import ASLEEP, is_awake, some_asleep, tendon_state
from tumble.physics.dynamics.object import apply_force
from tumble.physics.kernel import kernel, run, stage
from tumble.physics.state.enums import mjtDisableBit, mjtJoint
from tumble.physics.state.stages import Entry

FREE, BALL = int(mjtJoint.mjJNT_FREE), int(mjtJoint.mjJNT_BALL)
NO_SPRING, NO_DAMPER = int(mjtDisableBit.mjDSBL_SPRING), int(mjtDisableBit.mjDSBL_DAMPER)
NO_GRAVITY = int(mjtDisableBit.mjDSBL_GRAVITY)
CONTACT_SPRINGS = int(Entry.CONTACT_SPRINGS)


@stage
def passive(m, d):
    """Reads qpos, qvel, ten_*, qfrc_fluid; writes qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_passive."""
    springs = not m.opt_disableflags & NO_SPRING
    dampers = not m.opt_disableflags & NO_DAMPER
    medium = m.opt_density != 0.0 or m.opt_viscosity != 0.0
    for k in range(d.awake_nrun):
        for i in range(d.awake_dof[k, 0], d.awake_dof[k, 1]):
            d.qfrc_spring[i] = 0.0
            d.qfrc_damper[i] = -m.dof_damping[i] * d.qvel[i] if dampers else 0.0
            d.qfrc_gravcomp[i] = 0.0
            if not medium:
                d.qfrc_fluid[i] = 0.0
    if springs or dampers:
        if springs:
            for k in range(d.awake_nrun):
                joint_springs(m, d, d.awake_joint[k, 0], d.awake_joint[k, 1])
        tendon_forces(m, d, springs, dampers)
        if m.stage[CONTACT_SPRINGS] != 0:
            run(m.stage[CONTACT_SPRINGS], m, d)
        if m.ngravcomp > 0 and not m.opt_disableflags & NO_GRAVITY:
            gravity_compensation(m, d)
    else:  # with both off, the reference computes no passive force at all
        for k in range(d.awake_nrun):
            for i in range(d.awake_dof[k, 0], d.awake_dof[k, 1]):
                d.qfrc_fluid[i] = 0.0
    for k in range(d.awake_nrun):
        for i in range(d.awake_dof[k, 0], d.awake_dof[k, 1]):
            d.qfrc_passive[i] = d.qfrc_spring[i] + d.qfrc_damper[i] + d.qfrc_fluid[i]
            if not m.jnt_actgravcomp[m.dof_jntid[i]]:
                d.qfrc_passive[i] += d.qfrc_gravcomp[i]


@kernel
def joint_springs(m, d, first, end):
    """qfrc_spring of the joints from `first` to `end`: -stiffness times the displacement from qpos_spring."""
    qpos, rest, out = d.qpos, m.qpos_spring, d.qfrc_spring
    for j in range(first, end):
        stiffness = m.jnt_stiffness[j]
        if stiffness == 0.0:
            continue
        q, i, kind = m.jnt_qposadr[j], m.jnt_dofadr[j], m.jnt_type[j]
        if kind == FREE:
            for k in range(3):
                out[i + k] = -stiffness * (qpos[q + k] - rest[q + k])
            q += 3
            i += 3
        if kind == FREE or kind == BALL:
            now = quat_unit((qpos[q], qpos[q + 1], qpos[q + 2], qpos[q + 3]))
            turn = quat_sub(now, (rest[q], rest[q + 1], rest[q + 2], rest[q + 3]))
            for k in range(3):
                out[i + k] = -stiffness * turn[k]
        else:
            out[i] = -stiffness * (qpos[q] - rest[q])


@kernel
def tendon_forces(m, d, springs, dampers):
    """Adds the tendons' springs, slack within lengthspring, and their dampers; to awake dofs only."""
    skip = some_asleep(m, d)
    for t in range(m.ntendon):
        if skip and tendon_state(m, d, t) == ASLEEP:
            continue
        length, force = d.ten_length[t], 0.0
        if length > m.tendon_lengthspring[t, 1]:
            force = m.tendon_stiffness[t] * (m.tendon_lengthspring[t, 1] - length)
        elif length < m.tendon_lengthspring[t, 0]:
            force = m.tendon_stiffness[t] * (m.tendon_lengthspring[t, 0] - length)
        damping = m.tendon_damping[t]
        for k in range(d.ten_J_rownnz[t]):
            i = d.ten_J_colind[t, k]
            if skip and not is_awake(m, d, i):
                continue
            if springs:
                d.qfrc_spring[i] += d.ten_J[t, i] * force
            if dampers:
                d.qfrc_damper[i] -= d.ten_J[t, i] * damping * d.ten_velocity[t]


@kernel
def gravity_compensation(m, d):
    """qfrc_gravcomp: lifts each body by its share of its weight, at its centre of mass."""
    g = m.opt_gravity
    for k in range(1, d.nbody_awake):
        b = d.body_awake_ind[k]
        if m.body_gravcomp[b] != 0.0:
            s = -m.body_mass[b] * m.body_gravcomp[b]
            apply_force(m, d, b, load3(d.xipos, b), (s * g[0], s * g[1], s * g[2]), (0.0, 0.0, 0.0), d.qfrc_gravcomp)
