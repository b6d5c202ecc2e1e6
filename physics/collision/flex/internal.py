"""Contacts that keep a flex from inverting: vertices against elements next to them.

Of cables and cloth the pairs are told by flex_evpair: a vertex is a ball, an element a segment or a triangle. Of solids each
vertex of a tetrahedron is against the plane of the face opposite to it, which has a side that is inward.
"""

from tumble.physics.algebra.vec3 import add_scaled3, cross3, dot3, sub3, unit3
from tumble.physics.collision.convex.element import SECOND
from tumble.physics.collision.flex.contact import add_flex_contacts, set_side
from tumble.physics.collision.flex.element import load_element, place_of, vertex_of
from tumble.physics.collision.flex.primitive import across_of, segment_of, touch_triangle
from tumble.physics.collision.hit import touch
from tumble.physics.collision.pairs.sphere import touch_sphere_capsule
from tumble.physics.kernel import kernel

SOLID = 3


@kernel
def _opposite(k):
    """The vertices of face k of a tetrahedron, so that its normal is inward, and the one opposite to it."""
    if k == 0:
        return 0, 1, 2, 3
    if k == 1:
        return 0, 2, 3, 1
    return (0, 3, 1, 2) if k == 2 else (1, 3, 2, 0)


@kernel
def _faces(m, d, f, e):
    """Contacts of the four vertices of a tetrahedron with the faces opposite to them."""
    for k in range(4):
        i, j, h, v = _opposite(k)
        own = vertex_of(m, f, e, v)
        a, p = place_of(m, d, f, vertex_of(m, f, e, i)), place_of(m, d, f, own)
        b, c = place_of(m, d, f, vertex_of(m, f, e, j)), place_of(m, d, f, vertex_of(m, f, e, h))
        inward, area = unit3(cross3(sub3(c, a), sub3(b, a)))
        if not area > 0.0:
            continue
        height = dot3(sub3(p, a), inward)
        dist = height - 2.0 * m.flex_radius[f]
        if dist <= 0.0:
            d.hit_num = 0
            touch(d, dist, add_scaled3(p, -0.5 * height, inward), inward)
            set_side(d, 0, -1, f, e, -1)
            set_side(d, 1, -1, f, -1, own)
            first = d.hit_found
            add_flex_contacts(m, d, 0.0)
            if first < d.maxcon:
                d.contact_dim[first] = 1


@kernel
def _neighbours(m, d, f):
    """Contacts of vertices with the elements that flex_evpair names."""
    d.hit_margin = 0.0
    for k in range(m.flex_evpairadr[f], m.flex_evpairadr[f] + m.flex_evpairnum[f]):
        e, v = m.flex_evpair[k, 0] + 0, m.flex_evpair[k, 1] + 0
        load_element(m, d, SECOND, f, e)
        d.hit_num = 0
        p, radius = place_of(m, d, f, v), m.flex_radius[f]
        if m.flex_dim[f] == 1:
            middle, axis, half = segment_of(d, SECOND)
            touch_sphere_capsule(d, p, radius, middle, axis, half, radius, across_of(axis))
        else:
            touch_triangle(d, p, radius, SECOND)
        set_side(d, 0, -1, f, -1, v)
        set_side(d, 1, -1, f, e, -1)
        add_flex_contacts(m, d, 0.0)


@kernel
def inside_out(m, d, f):
    """Contacts that the flag `internal` of a flex asks for."""
    if m.flex_dim[f] == SOLID:
        for e in range(m.flex_elemnum[f]):
            _faces(m, d, f, e)
    _neighbours(m, d, f)
