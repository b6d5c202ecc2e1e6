"""Elements of flexes, vertices, and which elements take part in collisions."""

import numpy as np

from tumble.physics.algebra.vec3 import cross3, dot3, load3, scale3, store3, sub3
from tumble.physics.collision.convex.element import FIRST, SECOND, corner, element_radius, middle_of, store_element
from tumble.physics.kernel import kernel

_NOTHING = (0.0, 0.0, 0.0)


@kernel
def vertex_of(m, f, e, k):
    """Vertex k of element e of flex f, counted from the flex's first."""
    return m.flex_elem[m.flex_elemdataadr[f] + e * (m.flex_dim[f] + 1) + k] + 0


@kernel
def place_of(m, d, f, v):
    """World position of vertex v of flex f."""
    return load3(d.flexvert_xpos, m.flex_vertadr[f] + v)


@kernel
def load_element(m, d, g, f, e):
    """Make element e of flex f the first or second shape of the narrow phase, g: FIRST or SECOND."""
    dim = m.flex_dim[f]
    a, b = place_of(m, d, f, vertex_of(m, f, e, 0)), place_of(m, d, f, vertex_of(m, f, e, 1))
    c = place_of(m, d, f, vertex_of(m, f, e, 2)) if dim > 1 else b
    last = place_of(m, d, f, vertex_of(m, f, e, 3)) if dim > 2 else c
    store_element(d, g, dim + 1, a, b, c, last, m.flex_radius[f])


@kernel
def takes_part(m, f, e):
    """True if an element collides: of solids those of the outer layers do."""
    return m.flex_dim[f] < 3 or m.flex_elemlayer[m.flex_elemadr[f] + e] < m.flex_activelayers[f]


@kernel
def has_body(m, f, e, b):
    """True if a vertex of element e of flex f belongs to body b."""
    if m.flex_interp[f] != 0:
        return False
    found = False
    for k in range(m.flex_dim[f] + 1):
        found |= m.flex_vertbodyid[m.flex_vertadr[f] + vertex_of(m, f, e, k)] == b
    return found


@kernel
def shares_vertex(m, f, e1, e2):
    """True if two elements of a flex have a vertex in common."""
    n, start, corners = m.flex_dim[f] + 1, m.flex_elemdataadr[f], m.flex_elem
    a, b, shared = start + e1 * n, start + e2 * n, 0
    for i in range(a, a + n):
        v = corners[np.uint64(i)]  # unsigned: no negative index to be turned round
        for j in range(b, b + n):
            shared |= corners[np.uint64(j)] == v  # without a way out: most are neighbours
    return shared != 0


@kernel
def shares_body(m, f1, e1, f2, e2):
    """True if two elements have a body in common, as those at pins of one body do; interpolated vertices have none."""
    found = False
    if m.flex_interp[f1] == 0:
        for k in range(m.flex_dim[f1] + 1):
            found |= has_body(m, f2, e2, m.flex_vertbodyid[m.flex_vertadr[f1] + vertex_of(m, f1, e1, k)])
    return found


@kernel
def boxes_overlap(a, i, b, j, margin):
    """True if two boxes of centre and half sizes, rows of arrays, are within a margin [m] along each axis of the world."""
    return (
        abs(a[i, 0] - b[j, 0]) <= a[i, 3] + b[j, 3] + margin and abs(a[i, 1] - b[j, 1]) <= a[i, 4] + b[j, 4] + margin
        and abs(a[i, 2] - b[j, 2]) <= a[i, 5] + b[j, 5] + margin
    )  # fmt: skip


@kernel
def bound_flexes(m, d):
    """flex_box <- the boxes around all flexes; half sides of -1 of one without elements."""
    for f in range(m.nflex):
        centre, half = _bounds(m, d, f)
        store3(d.flex_box, 2 * f, centre)
        store3(d.flex_box, 2 * f + 1, half)


@kernel
def flex_box(d, f):
    """Centre and half sides of the box around a flex."""
    return load3(d.flex_box, 2 * f), load3(d.flex_box, 2 * f + 1)


@kernel
def _bounds(m, d, f):
    """The same, from those of its elements."""
    low, high = (1e300, 1e300, 1e300), (-1e300, -1e300, -1e300)
    box, first = d.flexelem_aabb, m.flex_elemadr[f]
    for e in range(first, first + m.flex_elemnum[f]):
        low = (
            min(low[0], box[e, 0] - box[e, 3]), min(low[1], box[e, 1] - box[e, 4]), min(low[2], box[e, 2] - box[e, 5])
        )  # fmt: skip
        high = (
            max(high[0], box[e, 0] + box[e, 3]), max(high[1], box[e, 1] + box[e, 4]), max(high[2], box[e, 2] + box[e, 5])
        )  # fmt: skip
    if not low[0] <= high[0]:
        return _NOTHING, (-1.0, -1.0, -1.0)
    return (
        (0.5 * (high[0] + low[0]), 0.5 * (high[1] + low[1]), 0.5 * (high[2] + low[2])),
        (0.5 * (high[0] - low[0]), 0.5 * (high[1] - low[1]), 0.5 * (high[2] - low[2])),
    )


@kernel
def stirs(m, d, f):
    """True if anything of a flex is awake, or moves with a mocap body."""
    if d.ntree_awake == m.ntree:
        return True
    if m.flex_interp[f] != 0:
        for n in range(m.flex_nodeadr[f], m.flex_nodeadr[f] + m.flex_nodenum[f]):
            if d.body_stirs[m.flex_nodebodyid[n]] != 0:
                return True
        return False
    moves = 0
    for v in range(m.flex_vertadr[f], m.flex_vertadr[f] + m.flex_vertnum[f]):
        moves |= d.body_stirs[m.flex_vertbodyid[v]]
    return moves != 0


_ROUNDING = 1e-9  # of the gap that is asked for


@kernel
def _beyond(d, g, origin, way):
    """Distance of an element's nearest corner beyond a point, along a direction, in its length."""
    return min(
        min(dot3(way, sub3(corner(d, g, 0), origin)), dot3(way, sub3(corner(d, g, 1), origin))),
        min(dot3(way, sub3(corner(d, g, 2), origin)), dot3(way, sub3(corner(d, g, 3), origin))),
    )


@kernel
def _beyond_edges(d, g, other, room):
    """True if an element is beyond a side of a triangle by this square [m^2]: by the planes across it through its edges."""
    a, b, c = corner(d, g, 0), corner(d, g, 1), corner(d, g, 2)
    normal = cross3(sub3(b, a), sub3(c, a))
    for k in range(3):
        p, q = (a, b) if k == 0 else ((b, c) if k == 1 else (c, a))
        out = cross3(sub3(q, p), normal)
        gap = _beyond(d, other, p, out)
        if gap > 0.0 and gap * gap > room * dot3(out, out):
            return True
    return False


@kernel
def are_apart(d, triangles, margin):
    """True if an axis shows that the loaded elements are farther apart than the margin [m]. triangles: both are."""
    room = (1.0 + _ROUNDING) * (element_radius(d, FIRST) + element_radius(d, SECOND) + margin)
    if not room >= 0.0:
        return False
    room *= room
    middle = middle_of(d, FIRST)
    way = sub3(middle_of(d, SECOND), middle)
    gap = _beyond(d, SECOND, middle, way) + _beyond(d, FIRST, middle, scale3(-1.0, way))
    if gap > 0.0 and gap * gap > room * dot3(way, way):
        return True
    return triangles and (_beyond_edges(d, FIRST, SECOND, room) or _beyond_edges(d, SECOND, FIRST, room))
