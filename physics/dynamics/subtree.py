"""Momentum of every subtree: velocity of its centre of mass, and angular momentum about it."""

from tumble.physics.algebra.mat3 import load9, mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import add3, add_scaled3, cross3, load3, scale3, store3, sub3
from tumble.physics.dynamics.object import point_velocity
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.constants import mjMINVAL


@stage
def subtree_vel(m, d):
    """Reads cvel, x*; writes subtree_linvel, subtree_angmom."""
    subtree_momenta(m, d)


@kernel
def subtree_momenta(m, d):
    """subtree_linvel [m/s] and subtree_angmom [kg m^2/s] of all bodies."""
    linvel, angmom, com = d.subtree_linvel, d.subtree_angmom, d.subtree_com
    for b in range(m.nbody):  # momentum of the body alone, and its spin about its own centre
        turn, v = point_velocity(m, d, b, load3(d.xipos, b))
        store3(linvel, b, scale3(m.body_mass[b], v))
        axes = load9(d.ximat, b)
        w = mat_t_vec(axes, turn)
        spin = (m.body_inertia[b, 0] * w[0], m.body_inertia[b, 1] * w[1], m.body_inertia[b, 2] * w[2])
        store3(angmom, b, mat_vec(axes, spin))
    for b in range(m.nbody - 1, 0, -1):
        p = m.body_parentid[b]
        store3(linvel, p, add3(load3(linvel, p), load3(linvel, b)))
    for b in range(m.nbody):
        store3(linvel, b, scale3(1.0 / max(mjMINVAL, m.body_subtreemass[b]), load3(linvel, b)))
    # About another point, angular momentum changes by the arm times the momentum: first from the body's own
    # centre to that of its subtree, then (leaves first) from the subtree's centre to that of the parent's.
    for b in range(m.nbody - 1, -1, -1):
        _, v = point_velocity(m, d, b, load3(d.xipos, b))
        own = cross3(sub3(load3(d.xipos, b), load3(com, b)), sub3(v, load3(linvel, b)))
        store3(angmom, b, add_scaled3(load3(angmom, b), m.body_mass[b], own))
    for b in range(m.nbody - 1, 0, -1):
        p = m.body_parentid[b]
        arm, rel = sub3(load3(com, b), load3(com, p)), sub3(load3(linvel, b), load3(linvel, p))
        moved = add_scaled3(load3(angmom, b), m.body_subtreemass[b], cross3(arm, rel))
        store3(angmom, p, add3(load3(angmom, p), moved))
    d.flg_subtreevel = 1
