"""Centres of mass, and the bodies' inertias, motion axes and velocities about the centre of their tree."""

from tumble.physics.algebra.mat3 import column, load9, mat_t_vec, mat_vec
from tumble.physics.algebra.spatial import add_scaled6, cross_motion, load6, store6
from tumble.physics.algebra.vec3 import add3, add_scaled3, cross3, load3, scale3, store3, sub3
from tumble.physics.dynamics.object import point_velocity
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.enums import mjtJoint, mjtSleepState

FREE, BALL, SLIDE = int(mjtJoint.mjJNT_FREE), int(mjtJoint.mjJNT_BALL), int(mjtJoint.mjJNT_SLIDE)
ASLEEP = int(mjtSleepState.mjS_ASLEEP)
STILL = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@stage
def com_pos(m, d):
    """Reads x*, masses; writes subtree_com, cinert, cdof."""
    subtree_centres(m, d)
    cinert, root = d.cinert, m.body_rootid
    for k in range(10):
        cinert[0, k] = 0.0
    for k in range(1, d.nbody_awake):
        b = d.body_awake_ind[k]
        inertia_about(m, d, b, sub3(load3(d.xipos, b), load3(d.subtree_com, root[b])))
    for k in range(d.awake_nrun):
        for j in range(d.awake_joint[k, 0], d.awake_joint[k, 1]):
            motion_axes(m, d, j)


@kernel
def subtree_centres(m, d):
    """Centre of mass of every subtree, leaves first; those of sleeping trees are known."""
    com, xipos, mass, parent, present = d.subtree_com, d.xipos, m.body_mass, m.body_parentid, d.body_awake_ind
    for i in range(d.nbody_awake):
        b = present[i]
        for k in range(3):
            com[b, k] = mass[b] * xipos[b, k]
    for i in range(d.nparent_awake - 1, -1, -1):
        b = d.parent_awake_ind[i]
        p = parent[b]
        if d.body_awake[b] == ASLEEP:
            for k in range(3):
                com[p, k] += m.body_subtreemass[b] * com[b, k]
        else:
            for k in range(3):
                com[p, k] += com[b, k]
    for i in range(d.nbody_awake):
        b = present[i]
        total = m.body_subtreemass[b]
        if total < mjMINVAL:
            store3(com, b, load3(xipos, b))
        else:
            s = 1.0 / total
            for k in range(3):
                com[b, k] *= s


@kernel
def inertia_about(m, d, b, r):
    """cinert of body b about a point from which its centre of mass is at r, in world axes."""
    a, b1, c = m.body_inertia[b, 0], m.body_inertia[b, 1], m.body_inertia[b, 2]
    f, mass, out = load9(d.ximat, b), m.body_mass[b], d.cinert
    x, y, z = r
    # R diag(I) R' + mass (r'r - r r'), lower triangle in the order xx yy zz xy xz yz
    out[b, 0] = f[0] * f[0] * a + f[1] * f[1] * b1 + f[2] * f[2] * c + mass * (y * y + z * z)
    out[b, 1] = f[3] * f[3] * a + f[4] * f[4] * b1 + f[5] * f[5] * c + mass * (x * x + z * z)
    out[b, 2] = f[6] * f[6] * a + f[7] * f[7] * b1 + f[8] * f[8] * c + mass * (x * x + y * y)
    out[b, 3] = f[0] * f[3] * a + f[1] * f[4] * b1 + f[2] * f[5] * c - mass * x * y
    out[b, 4] = f[0] * f[6] * a + f[1] * f[7] * b1 + f[2] * f[8] * c - mass * x * z
    out[b, 5] = f[3] * f[6] * a + f[4] * f[7] * b1 + f[5] * f[8] * c - mass * y * z
    out[b, 6], out[b, 7], out[b, 8], out[b, 9] = mass * x, mass * y, mass * z, mass


@kernel
def motion_axes(m, d, j):
    """cdof of the dofs of joint j."""
    b, i, kind = m.jnt_bodyid[j], m.jnt_dofadr[j], m.jnt_type[j]
    cdof = d.cdof
    offset = sub3(load3(d.subtree_com, m.body_rootid[b]), load3(d.xanchor, j))
    if kind == FREE:
        for k in range(3):
            store6(cdof, i + k, STILL)
            cdof[i + k, 3 + k] = 1.0
        i += 3
    if kind == FREE or kind == BALL:
        mat = load9(d.xmat, b)
        for k in range(3):
            turning(cdof, i + k, column(mat, k), offset)
    elif kind == SLIDE:
        axis = load3(d.xaxis, j)
        store6(cdof, i, (0.0, 0.0, 0.0, axis[0], axis[1], axis[2]))
    else:
        turning(cdof, i, load3(d.xaxis, j), offset)


@kernel
def turning(cdof, i, axis, offset):
    """Motion of a rotation about an axis, seen from the point at `offset` from it."""
    lin = cross3(axis, offset)
    store6(cdof, i, (axis[0], axis[1], axis[2], lin[0], lin[1], lin[2]))


@stage
def com_vel(m, d):
    """Reads qvel, cdof; writes cvel, cdof_dot."""
    qvel, cdof, cvel, cdof_dot = d.qvel, d.cdof, d.cvel, d.cdof_dot
    store6(cvel, 0, STILL)
    for n in range(1, d.nbody_awake):
        b = d.body_awake_ind[n]
        v = load6(cvel, m.body_parentid[b])
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            i, kind = m.jnt_dofadr[j], m.jnt_type[j]
            if kind == FREE:
                for k in range(3):
                    store6(cdof_dot, i + k, STILL)
                    v = add_scaled6(v, qvel[i + k], load6(cdof, i + k))
                i += 3
            if kind == FREE or kind == BALL:
                # the three axes turn with the body, not with one another
                for k in range(3):
                    store6(cdof_dot, i + k, cross_motion(v, load6(cdof, i + k)))
                for k in range(3):
                    v = add_scaled6(v, qvel[i + k], load6(cdof, i + k))
            else:
                axis = load6(cdof, i)
                store6(cdof_dot, i, cross_motion(v, axis))
                v = add_scaled6(v, qvel[i], axis)
        store6(cvel, b, v)


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
