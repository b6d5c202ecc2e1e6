"""Edges of flexes: their lengths, how these change with the motion of the dofs, and their rates."""

import math

from tumble.physics.algebra.spatial import load6
from tumble.physics.algebra.vec3 import cross3, dot3, load3, scale3, sub3
from tumble.physics.dynamics.object import last_dof
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.constants import mjMINVAL

_VERTICES = 2  # flex_edgeequality: constraints act on the strain at vertices
CLOTH = 2  # dimension of flexes that have such a strain


@kernel
def holds_strains(m, f):
    """True if equality constraints of flex f act on the strain of a cloth at its vertices."""
    return m.flex_edgeequality[f] == _VERTICES and m.flex_dim[f] == CLOTH and not m.flex_rigid[f] and m.flex_interp[f] == 0


@kernel
def edges_matter(m, f):
    """True if anything acts along the edges of flex f: their constraint, springs, dampers, or elasticity that is damped."""
    if m.flex_rigid[f] or m.flex_interp[f] != 0:
        return False
    damped = m.flex_edgedamping[f] != 0.0 or m.flex_damping[f] != 0.0
    return damped or m.flex_edgestiffness[f] != 0.0 or m.flex_edgeequality[f] != _VERTICES


@kernel
def measure_edges(m, d, f):
    """flexedge_length and flexedge_J of flex f, from flexvert_xpos, cdof, subtree_com; not of rigid or interpolated ones."""
    first, vertex = m.flex_edgeadr[f], m.flex_vertadr[f]
    moving = edges_matter(m, f)
    for e in range(first, first + m.flex_edgenum[f]):
        v1, v2 = vertex + m.flex_edge[e, 0], vertex + m.flex_edge[e, 1]
        p1, p2 = load3(d.flexvert_xpos, v1), load3(d.flexvert_xpos, v2)
        along = sub3(p2, p1)
        length = math.sqrt(dot3(along, along))
        d.flexedge_length[e] = length
        if moving and m.flexedge_J_rownnz[e] > 0:  # rows are only there where a force or a constraint needs them
            unit = scale3(1.0 / length, along) if length > mjMINVAL else (1.0, 0.0, 0.0)
            edge_jacobian(m, d, e, m.flex_vertbodyid[v1], m.flex_vertbodyid[v2], p1, p2, unit)


@kernel
def edge_jacobian(m, d, e, b1, b2, p1, p2, unit):
    """Row e of flexedge_J: how fast the second end moves away from the first, along the edge, by each dof of either."""
    if m.flexedge_rigid[e]:
        for k in range(m.flexedge_J_rowadr[e], m.flexedge_J_rowadr[e] + m.flexedge_J_rownnz[e]):
            d.flexedge_J[k] = 0.0
        return
    # the rate of a point p along u is u . (move + axis x (p - com)) = u . move + axis . ((p - com) x u)
    turn1 = cross3(sub3(p1, load3(d.subtree_com, m.body_rootid[b1])), unit)
    turn2 = cross3(sub3(p2, load3(d.subtree_com, m.body_rootid[b2])), unit)
    i1, i2 = last_dof(m, b1), last_dof(m, b2)
    at = m.flexedge_J_rowadr[e] + m.flexedge_J_rownnz[e]
    while i1 >= 0 or i2 >= 0:
        i, rate = max(i1, i2), 0.0
        v = load6(d.cdof, i)
        axis, move = (v[0], v[1], v[2]), dot3((v[3], v[4], v[5]), unit)
        if i2 == i:
            rate = move + dot3(axis, turn2)
            i2 = m.dof_parentid[i]
        if i1 == i:
            rate -= move + dot3(axis, turn1)
            i1 = m.dof_parentid[i]
        at -= 1
        d.flexedge_J[at] = rate


@stage
def flex_velocity(m, d):
    """Reads flexedge_J, qvel; writes flexedge_velocity."""
    jac, columns, qvel = d.flexedge_J, m.flexedge_J_colind, d.qvel
    for f in range(m.nflex):
        skip = not edges_matter(m, f)
        first = m.flex_edgeadr[f]
        for e in range(first, first + m.flex_edgenum[f]):
            rate = 0.0
            if not skip:
                at = m.flexedge_J_rowadr[e]
                for k in range(at, at + m.flexedge_J_rownnz[e]):
                    rate += jac[k] * qvel[columns[k]]
            d.flexedge_velocity[e] = rate


@kernel
def bound_elements(m, d, f):
    """flexelem_aabb of flex f, radius included, from flexvert_xpos."""
    size, radius, vertex = m.flex_dim[f] + 1, m.flex_radius[f], m.flex_vertadr[f]
    first, at, boxes = m.flex_elemadr[f], m.flex_elemdataadr[f], d.flexelem_aabb
    for e in range(first, first + m.flex_elemnum[f]):
        x0, y0, z0 = load3(d.flexvert_xpos, vertex + m.flex_elem[at])
        x1, y1, z1 = x0, y0, z0
        for c in range(at + 1, at + size):
            x, y, z = load3(d.flexvert_xpos, vertex + m.flex_elem[c])
            x0, y0, z0 = min(x0, x), min(y0, y), min(z0, z)
            x1, y1, z1 = max(x1, x), max(y1, y), max(z1, z)
        boxes[e, 0], boxes[e, 1], boxes[e, 2] = 0.5 * (x1 + x0), 0.5 * (y1 + y0), 0.5 * (z1 + z0)
        boxes[e, 3] = 0.5 * (x1 - x0) + radius
        boxes[e, 4] = 0.5 * (y1 - y0) + radius
        boxes[e, 5] = 0.5 * (z1 - z0) + radius
        at += size


@kernel
def bound_volumes(m, d, f):
    """bvh_aabb_dyn of flex f, from flexelem_aabb: leaves are elements, and children stand behind their parents."""
    first, boxes, elements = m.flex_bvhadr[f], d.bvh_aabb_dyn, d.flexelem_aabb
    if first < 0:
        return
    element, back = m.flex_elemadr[f], m.nbvhstatic
    for n in range(first + m.flex_bvhnum[f] - 1, first - 1, -1):
        to, leaf = n - back, m.bvh_nodeid[n]
        if leaf >= 0:
            for k in range(6):
                boxes[to, k] = elements[element + leaf, k]
            continue
        a, b = first + m.bvh_child[n, 0] - back, first + m.bvh_child[n, 1] - back
        for k in range(3):
            low = min(boxes[a, k] - boxes[a, 3 + k], boxes[b, k] - boxes[b, 3 + k])
            high = max(boxes[a, k] + boxes[a, 3 + k], boxes[b, k] + boxes[b, 3 + k])
            boxes[to, k] = 0.5 * (high + low)
            boxes[to, 3 + k] = 0.5 * (high - low)
