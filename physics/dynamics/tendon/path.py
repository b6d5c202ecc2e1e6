"""Tendons that run through space: their paths over sites, geoms and pulleys, lengths and moment arms.

A path is a row of branches; a pulley ends a branch, and divides all that follows by its divisor. Between two sites the
path is straight, or goes over a geom. The length of a straight piece changes with the motion of its ends; that of an
arc does not, to first order, for the path is the shortest there is.
"""

from tumble.physics.algebra.spatial import load6
from tumble.physics.algebra.vec3 import add3, cross3, dot3, load3, sub3, unit3
from tumble.physics.dynamics.asleep import ASLEEP, some_asleep, tendon_state
from tumble.physics.dynamics.object import last_dof
from tumble.physics.dynamics.tendon.wrap import wrap
from tumble.physics.kernel import Stage, kernel, stage
from tumble.physics.state.enums import mjtWrap
from tumble.physics.state.model import Model

JOINT, PULLEY, SITE = int(mjtWrap.mjWRAP_JOINT), int(mjtWrap.mjWRAP_PULLEY), int(mjtWrap.mjWRAP_SITE)
ON_SITE, ON_PULLEY = -1, -2  # in wrap_obj


def tendon_stage(m: Model) -> Stage:
    """The stage that a model's tendons need: that for fixed ones, or that for all."""
    return tendon_paths if is_spatial(m) else tendon


def is_spatial(m: Model) -> bool:
    """True if any tendon runs through space."""
    return bool((m.wrap_type != JOINT).any())


def has_moving_armature(m: Model) -> bool:
    """True if a tendon has armature and a Jacobian that changes with the configuration."""
    return bool((m.tendon_armature[m.wrap_type[m.tendon_adr] != JOINT] > 0).any())


@stage
def tendon_paths(m, d):
    """Reads qpos, poses, cdof, subtree_com; writes ten_length, ten_J... (as `tendon`), ten_wrapadr, ten_wrapnum, wrap_..."""
    at = 0
    for i in range(m.nv):
        d.work_dof[i] = 0.0  # becomes 1 for each dof that moves a tendon's path, until its columns are gathered
    for t in range(m.ntendon):
        d.ten_wrapadr[t] = at
        d.ten_wrapnum[t] = 0
        if m.tendon_num[t] > 0 and m.wrap_type[m.tendon_adr[t]] == JOINT:
            fixed_tendon(m, d, t)
        else:
            at = spatial_tendon(m, d, t, at)
            d.ten_wrapnum[t] = at - d.ten_wrapadr[t]


@kernel
def spatial_tendon(m, d, t, at):
    """Path, length and moment arms of one tendon; at: where its points begin. Returns where they end."""
    for i in range(m.nv):
        d.ten_J[t, i] = 0.0
    length, share, moved = 0.0, 1.0, (m.nv, 0)
    w, last = m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t] - 1
    while w <= last:
        if m.wrap_type[w] == PULLEY:
            share = 1.0 / m.wrap_prm[w]
            at = put_point(d, at, ON_PULLEY, (0.0, 0.0, 0.0))
            w += 1
            continue
        site = m.wrap_objid[w]
        p0, b0 = load3(d.site_xpos, site), m.site_bodyid[site]
        at = put_point(d, at, ON_SITE, p0)
        w += 1
        if w > last or m.wrap_type[w] == PULLEY:
            continue
        if m.wrap_type[w] == SITE:
            site = m.wrap_objid[w]
            piece, moved = straight(m, d, t, moved, p0, b0, load3(d.site_xpos, site), m.site_bodyid[site], share)
            length += piece
            continue
        geom, site = m.wrap_objid[w], m.wrap_objid[w + 1]
        p1, b1 = load3(d.site_xpos, site), m.site_bodyid[site]
        arc, q0, q1 = wrap(m, d, m.wrap_type[w], geom, int(m.wrap_prm[w]), p0, p1)
        if arc < 0.0:
            piece, moved = straight(m, d, t, moved, p0, b0, p1, b1, share)
            length += piece
        else:
            over = m.geom_bodyid[geom]
            before, moved = straight(m, d, t, moved, p0, b0, q0, over, share)
            after, moved = straight(m, d, t, moved, q1, over, p1, b1, share)
            length += share * arc + before + after
            at = put_point(d, put_point(d, at, geom, q0), geom, q1)
        w += 1
    gather_columns(m, d, t, moved)
    d.ten_length[t] = length
    return at


@kernel
def put_point(d, at, what, point):
    """Note a point of the path and what it lies on; returns where the next goes."""
    row, half = at // 2, at % 2
    d.wrap_obj[row, half] = what
    for k in range(3):
        d.wrap_xpos[row, 3 * half + k] = point[k]
    return at + 1


@kernel
def straight(m, d, t, moved, p0, b0, p1, b1, share):
    """Adds the moment arms of a straight piece between points of two bodies; returns its share of the length.

    moved: the first of the dofs that move the path, and the one after the last; the second result is the same with those here.
    """
    along, length = unit3(sub3(p1, p0))
    i0, i1 = last_dof(m, b0), last_dof(m, b1)
    arm0, arm1 = sub3(p0, load3(d.subtree_com, m.body_rootid[b0])), sub3(p1, load3(d.subtree_com, m.body_rootid[b1]))
    first, end = moved
    end = max(end, i0 + 1, i1 + 1) if i0 != i1 else end
    while i0 != i1:  # dofs that move both bodies alike do not change the length
        i = max(i0, i1)
        v = load6(d.cdof, i)
        arm = arm0 if i == i0 else arm1
        rate = dot3(along, add3((v[3], v[4], v[5]), cross3((v[0], v[1], v[2]), arm)))
        d.ten_J[t, i] += -share * rate if i == i0 else share * rate
        d.work_dof[i] = 1.0
        first = min(first, i)
        if i == i0:
            i0 = m.dof_parentid[i]
        else:
            i1 = m.dof_parentid[i]
    return share * length, (first, end)


@kernel
def gather_columns(m, d, t, moved):
    """Pattern of the row: the dofs that are marked in work_dof, ascending, and no longer marked then. moved: as in `straight`."""
    count = 0
    for i in range(moved[0], moved[1]):
        if d.work_dof[i] != 0.0:
            d.work_dof[i] = 0.0
            d.ten_J_colind[t, count] = i
            count += 1
    d.ten_J_rownnz[t] = count
    d.ten_J_rowadr[t] = t * m.nv


@stage
def tendon(m, d):
    """Reads qpos; writes ten_length, ten_J (a dense row each) and its pattern ten_J_rownnz, _rowadr, _colind."""
    skip = some_asleep(m, d)
    for t in range(m.ntendon):
        if not (skip and tendon_state(m, d, t) == ASLEEP):
            fixed_tendon(m, d, t)


@kernel
def fixed_tendon(m, d, t):
    """Length and moment arms of one tendon."""
    nv = m.nv
    for i in range(nv):
        d.ten_J[t, i] = 0.0
    length, count = 0.0, 0
    d.ten_J_rowadr[t] = t * nv
    for w in range(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t]):
        j = m.wrap_objid[w]
        i = m.jnt_dofadr[j]
        length += m.wrap_prm[w] * d.qpos[m.jnt_qposadr[j]]
        # insert the dof into the row's ascending columns; a joint listed twice adds up
        k = count
        while k > 0 and d.ten_J_colind[t, k - 1] > i:
            k -= 1
        if k == 0 or d.ten_J_colind[t, k - 1] != i:
            for s in range(count, k, -1):
                d.ten_J_colind[t, s] = d.ten_J_colind[t, s - 1]
            d.ten_J_colind[t, k] = i
            count += 1
        d.ten_J[t, i] += m.wrap_prm[w]
    d.ten_J_rownnz[t] = count
    d.ten_length[t] = length
