"""Strain of a cloth at its vertices: what equality constraints `flexvert` keep at zero.

Around vertex v the matrix F, 3 by 2, is the linear map that takes the edges u that met there at qpos0, in the plane of
flex_vert0, closest to the edges x that meet there now:  F = sum m x u' M, where M, flex_vertmetric, is the inverse of
sum m u u' and m the weight of an edge, which is the mass at its other end, or that of v where nothing can move the other end.
With C = F'F the two strains are the invariants (tr C - 2) sqrt m, which lengths change, and (det C - 1) sqrt m, which the area
changes, m the mass of v: zero where the cloth is only moved and bent, and at vertices that nothing can move.
Averages of several edges leave the cloth free to bend, where fixed edges lock it.
Rows of the Jacobian lie one behind the other in flexvert_J, as if it had one dimension.
Source: Chen, Kry, Vouga 2019, Locking-free simulation of isometric thin plates.
"""

import math

from tumble.physics.algebra.spatial import load6
from tumble.physics.algebra.vec3 import add3, add_scaled3, cross3, dot3, load3, scale3, sub3
from tumble.physics.dynamics.object import last_dof
from tumble.physics.kernel import kernel


@kernel
def flat_edge(m, f, v, w):
    """The edge from vertex v to w of flex f as it was at qpos0, in the plane of the cloth [m]."""
    x = 2.0 * m.flex_size[f, 0] * (m.flex_vert0[w, 0] - m.flex_vert0[v, 0])
    return x, 2.0 * m.flex_size[f, 1] * (m.flex_vert0[w, 1] - m.flex_vert0[v, 1])


@kernel
def other_end(m, f, v, k):
    """The vertex at the other end of edge k of those that meet in vertex v."""
    e = m.flex_edgeadr[f] + m.flex_vertedge[k // 2, k % 2]
    vertex = m.flex_vertadr[f]
    return vertex + m.flex_edge[e, 0] + m.flex_edge[e, 1] - (v - vertex)


@kernel
def moving_mass(m, v):
    """The mass of the body of vertex v [kg]; 0 if it is static."""
    b = m.flex_vertbodyid[v]
    return m.body_mass[b] if m.body_weldid[b] > 0 else 0.0


@kernel
def edge_weight(m, v, w):
    """The weight of the edge from vertex v to w in the map around v [kg]."""
    mass = moving_mass(m, w)
    return mass if mass > 0.0 else moving_mass(m, v)


@kernel
def measure_strain(m, d, f):
    """flexvert_length and flexvert_J of flex f, from flexvert_xpos, cdof, subtree_com."""
    first = m.flex_vertadr[f]
    for v in range(first, first + m.flex_vertnum[f]):
        root = math.sqrt(moving_mass(m, v))
        c1, c2 = map_columns(m, d, f, v)
        c11, c12, c22 = dot3(c1, c1), dot3(c1, c2), dot3(c2, c2)
        d.flexvert_length[v, 0] = root * (c11 + c22 - 2.0)
        d.flexvert_length[v, 1] = root * (c11 * c22 - c12 * c12 - 1.0)
        strain_jacobian(m, d, f, v, 0, scale3(2.0 * root, c1), scale3(2.0 * root, c2))
        s = 2.0 * root
        by1 = sub3(scale3(s * c22, c1), scale3(s * c12, c2))
        by2 = sub3(scale3(s * c11, c2), scale3(s * c12, c1))
        strain_jacobian(m, d, f, v, 1, by1, by2)


@kernel
def map_columns(m, d, f, v):
    """The two columns of F around vertex v."""
    here, a, b = load3(d.flexvert_xpos, v), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    begin = m.flex_vertedgeadr[v]
    for k in range(begin, begin + m.flex_vertedgenum[v]):
        w = other_end(m, f, v, k)
        x, y = flat_edge(m, f, v, w)
        edge = sub3(load3(d.flexvert_xpos, w), here)
        mass = edge_weight(m, v, w)
        a, b = add_scaled3(a, mass * x, edge), add_scaled3(b, mass * y, edge)
    q = m.flex_vertmetric
    return (add3(scale3(q[v, 0], a), scale3(q[v, 2], b)), add3(scale3(q[v, 1], a), scale3(q[v, 3], b)))


@kernel
def strain_jacobian(m, d, f, v, row, by1, by2):
    """Row `row` of vertex v in flexvert_J; by1, by2: derivatives of the strain by the columns of F."""
    q = m.flex_vertmetric
    at, count = m.flexvert_J_rowadr[v, row], m.flexvert_J_rownnz[v, row]
    for k in range(at, at + count):
        d.flexvert_J[k // 2, k % 2] = 0.0
    total, begin = (0.0, 0.0, 0.0), m.flex_vertedgeadr[v]
    for k in range(begin, begin + m.flex_vertedgenum[v]):
        w = other_end(m, f, v, k)
        x, y = flat_edge(m, f, v, w)
        mass = edge_weight(m, v, w)
        pull = add3(scale3(mass * (q[v, 0] * x + q[v, 1] * y), by1), scale3(mass * (q[v, 2] * x + q[v, 3] * y), by2))
        add_point(m, d, w, pull, at, count)
        total = sub3(total, pull)
    add_point(m, d, v, total, at, count)


@kernel
def add_point(m, d, v, pull, at, count):
    """Add pull . J of vertex v to the row of `count` numbers that begins at `at`, its columns ascending."""
    b = m.flex_vertbodyid[v]
    moment = cross3(sub3(load3(d.flexvert_xpos, v), load3(d.subtree_com, m.body_rootid[b])), pull)
    i, k = last_dof(m, b), at + count - 1
    while i >= 0:
        while k >= at and m.flexvert_J_colind[k // 2, k % 2] > i:
            k -= 1
        if k >= at and m.flexvert_J_colind[k // 2, k % 2] == i:
            s = load6(d.cdof, i)
            d.flexvert_J[k // 2, k % 2] += dot3((s[0], s[1], s[2]), moment) + dot3((s[3], s[4], s[5]), pull)
        i = m.dof_parentid[i]
