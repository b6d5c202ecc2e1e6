"""A few axes that show most elements that are near to be apart: those of a cloth are mostly beside each other.

An axis is a proof: whatever the search would find along others, it would be no contact.
"""

from tumble.physics.algebra.vec3 import cross3, dot3, scale3, sub3
from tumble.physics.collision.convex.flex_element import FIRST, SECOND, corner, element_radius, middle_of
from tumble.physics.kernel import kernel

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
