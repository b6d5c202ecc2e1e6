"""Bodies that carry a flex's side of a contact, with weights: those of a vertex, or of an element's vertices.

Where vertices are interpolated, the nodes carry them. The weights of an element's vertices are as their distances from the
contact, inverted, which is the reference's choice: they sum to 1, but the contact is not at their weighted mean. A side's
velocity is the weighted sum of the velocities that the bodies have there, and its force is shared in the same way.
"""

from tumble.physics.algebra.vec3 import add_scaled3, load3, norm3, pick3, sub3
from tumble.physics.dynamics.contact_force import put_body
from tumble.physics.dynamics.flex.vertices import lagrange
from tumble.physics.kernel import Query, kernel
from tumble.physics.kernel.function import INT, D, M
from tumble.physics.state.constants import mjMINVAL


def _soft_side(m, d, c, side, n):
    """`contact_bodies` of a side of a contact that is of a flex."""
    f = d.contact_flex[c, side] + 0
    vertex, e = d.contact_vert[c, side] + 0, d.contact_elem[c, side] + 0
    if vertex >= 0:
        return _vertex(m, d, f, m.flex_vertadr[f] + vertex, n)
    other = d.contact_vert[c, 1 - side] if d.contact_flex[c, 1 - side] == f else -1
    return _element(m, d, f, e, load3(d.contact_pos, c), other, n)


soft_side = Query(_soft_side, (M, D, INT, INT, INT), INT)


@kernel
def _vertex(m, d, f, v, n):
    """Bodies and weights of vertex v, of all flexes' vertices."""
    if m.flex_interp[f] != 0:
        return _nodes(m, d, f, load3(m.flex_vert0, v), n)
    return put_body(d, n, m.flex_vertbodyid[v] + 0, 1.0)


@kernel
def _nearness(d, v, p):
    """One over the distance of a vertex from a point [1/m]."""
    return 1.0 / max(mjMINVAL, norm3(sub3(load3(d.flexvert_xpos, v), p)))


@kernel
def _element(m, d, f, e, p, other, n):
    """Bodies and weights of point p of an element; other: the vertex that touches it if that is of the same flex, else -1.

    A vertex does not carry the element that it touches: of a tetrahedron the face opposite to it does.
    """
    size, first = m.flex_dim[f] + 1, m.flex_vertadr[f]
    at = m.flex_elemdataadr[f] + e * size
    total = 0.0
    for k in range(at, at + size):
        if m.flex_elem[k] != other:
            total += _nearness(d, first + m.flex_elem[k], p)
    place = (0.0, 0.0, 0.0)
    for k in range(at, at + size):
        v = first + m.flex_elem[k]
        if m.flex_elem[k] == other:
            continue
        weight = _nearness(d, v, p) / total
        if m.flex_interp[f] == 0:
            n = put_body(d, n, m.flex_vertbodyid[v] + 0, weight)
        place = add_scaled3(place, weight, load3(m.flex_vert0, v))
    return n if m.flex_interp[f] == 0 else _nodes(m, d, f, place, n)


@kernel
def _nodes(m, d, f, place, n):
    """The nodes that carry a point whose coordinates in the grid are given, all of which sum to 1."""
    order, at = m.flex_interp[f], m.flex_nodeadr[f] + 0
    x, y, z = lagrange(order, place[0]), lagrange(order, place[1]), lagrange(order, place[2])
    for i in range(order + 1):
        for j in range(order + 1):
            for k in range(order + 1):
                weight = pick3(x, i) * pick3(y, j) * pick3(z, k)
                if weight != 0.0:
                    n = put_body(d, n, m.flex_nodebodyid[at] + 0, weight)
                at += 1
    return n
