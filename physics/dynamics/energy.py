"""Potential energy of gravity and springs, and kinetic energy."""

from tumble.physics.algebra.quat import quat_sub, quat_unit
from tumble.physics.algebra.vec3 import dot3, load3
from tumble.physics.kernel import kernel, run, stage
from tumble.physics.state.enums import mjtDisableBit, mjtJoint
from tumble.physics.state.stages import Entry

FREE, BALL = int(mjtJoint.mjJNT_FREE), int(mjtJoint.mjJNT_BALL)
NO_SPRING, NO_GRAVITY = int(mjtDisableBit.mjDSBL_SPRING), int(mjtDisableBit.mjDSBL_GRAVITY)
FLEX_ENERGY = int(Entry.FLEX_ENERGY)


@stage
def energy_pos(m, d):
    """Reads xipos, qpos, ten_length, flex...; writes energy[0]."""
    potential_energy(m, d)


@stage
def energy_vel(m, d):
    """Reads M, qvel; writes energy[1]."""
    kinetic_energy(m, d)


@kernel
def potential_energy(m, d):
    """energy[0]: bodies in gravity, joint and tendon springs, flexes [J]."""
    total = 0.0
    if not m.opt_disableflags & NO_GRAVITY:
        g = (m.opt_gravity[0], m.opt_gravity[1], m.opt_gravity[2])
        for b in range(1, m.nbody):
            total -= m.body_mass[b] * dot3(g, load3(d.xipos, b))
    if not m.opt_disableflags & NO_SPRING:
        for j in range(m.njnt):
            if m.jnt_stiffness[j] != 0.0:
                total += 0.5 * m.jnt_stiffness[j] * joint_displacement2(m, d, j)
        for t in range(m.ntendon):
            length = d.ten_length[t]
            stretch = max(0.0, length - m.tendon_lengthspring[t, 1]) + max(0.0, m.tendon_lengthspring[t, 0] - length)
            total += 0.5 * m.tendon_stiffness[t] * stretch * stretch
    d.energy[0] = total
    if not m.opt_disableflags & NO_SPRING and m.stage[FLEX_ENERGY] != 0:
        run(m.stage[FLEX_ENERGY], m, d)
    d.flg_energypos = 1


@kernel
def joint_displacement2(m, d, j):
    """Squared distance of joint j from the rest position of its spring [m^2 or rad^2]; a free joint adds both."""
    q, kind, qpos, rest = m.jnt_qposadr[j], m.jnt_type[j], d.qpos, m.qpos_spring
    total = 0.0
    if kind == FREE:
        for k in range(3):
            total += (qpos[q + k] - rest[q + k]) ** 2
        q += 3
    if kind in (FREE, BALL):
        unit = quat_unit((qpos[q], qpos[q + 1], qpos[q + 2], qpos[q + 3]))
        turn = quat_sub(unit, (rest[q], rest[q + 1], rest[q + 2], rest[q + 3]))
        total += dot3(turn, turn)
    else:
        total += (qpos[q] - rest[q]) ** 2
    return total


@kernel
def kinetic_energy(m, d):
    """energy[1]: half of qvel' M qvel, rotors and all [J]."""
    total = 0.0
    for i in range(m.nv):
        start = m.M_rowadr[i]
        last = start + m.M_rownnz[i] - 1
        total += 0.5 * d.M[last] * d.qvel[i] * d.qvel[i]
        for a in range(start, last):
            total += d.M[a] * d.qvel[i] * d.qvel[m.M_colind[a]]
    d.energy[1] = total
    d.flg_energyvel = 1
