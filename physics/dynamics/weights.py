"""Inverse weights of dofs and bodies: the diagonal of M^-1, and of J M^-1 J' for the centre of mass of every body."""

from tumble.physics.algebra.quat import load4, quat_mul, quat_rot
from tumble.physics.algebra.spatial import load6
from tumble.physics.algebra.vec3 import add3, cross3, load3, sub3
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.enums import mjtEq, mjtObj


@kernel
def inverse_square(m, d, last):
    """x' M^-1 x of the x in work_dof, which is zero but for dof `last` and those above it; leaves zeros there.

    With M = L' D L it is the square of D^-1/2 L'^-1 x, and elimination with L' never leaves the chain of dofs.
    """
    x, total, i = d.work_dof, 0.0, last
    while i >= 0:
        xi = x[i]
        if xi != 0.0:
            start = m.M_rowadr[i]
            for a in range(start, start + m.M_rownnz[i] - 1):
                x[m.M_colind[a]] -= d.qLD[a] * xi
            total += xi * xi * d.qLDiagInv[i]
        x[i] = 0.0
        i = m.dof_parentid[i]
    return total


@stage
def inverse_weights(m, d):
    """Reads cdof, xipos, subtree_com, qLD; writes dof_invweight0, and body_invweight0: means over translations, rotations."""
    x = d.work_dof
    for i in range(m.nv):
        x[i] = 0.0
    for i in range(m.nv):
        x[i] = 1.0
        m.dof_invweight0[i] = inverse_square(m, d, i)
    for b in range(m.nbody):
        w = m.body_weldid[b]
        last = m.body_dofadr[w] + m.body_dofnum[w] - 1 if w > 0 else -1
        arm = sub3(load3(d.xipos, b), load3(d.subtree_com, m.body_rootid[b]))
        for part in range(2):
            total = 0.0
            for k in range(3):
                i = last
                while i >= 0:
                    v = load6(d.cdof, i)
                    turn = (v[0], v[1], v[2])
                    motion = turn if part == 1 else add3((v[3], v[4], v[5]), cross3(turn, arm))
                    x[i] = motion[0] if k == 0 else (motion[1] if k == 1 else motion[2])
                    i = m.dof_parentid[i]
                total += inverse_square(m, d, last)
            m.body_invweight0[b, part] = total / 3.0


CONNECT, WELD, SITE = int(mjtEq.mjEQ_CONNECT), int(mjtEq.mjEQ_WELD), int(mjtObj.mjOBJ_SITE)


@kernel
def held_frame(m, d, e, index, second):
    """Body, point and orientation at one end of a connect or weld: those that the constraint makes meet.

    The first body's frame is turned by the relative pose, so that it meets the second's as it is.
    """
    if m.eq_objtype[e] == SITE:
        b = m.site_bodyid[index]
        return b, load3(d.site_xpos, index), quat_mul(load4(d.xquat, b), load4(m.site_quat, index))
    # eq_data holds the point of the first body, then of the second; a weld has them the other way round.
    at = 3 * second if m.eq_type[e] == CONNECT else 3 - 3 * second
    q = load4(d.xquat, index)
    point = add3(load3(d.xpos, index), quat_rot(q, (m.eq_data[e, at], m.eq_data[e, at + 1], m.eq_data[e, at + 2])))
    if m.eq_type[e] == WELD and second == 0:
        q = quat_mul(q, (m.eq_data[e, 6], m.eq_data[e, 7], m.eq_data[e, 8], m.eq_data[e, 9]))
    return index, point, q
