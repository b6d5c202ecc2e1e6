"""An element of a flex as a convex shape: a segment, triangle or tetrahedron in a skin of the flex's radius.

The narrow phase names a geom by its number, and an element by a negative one: -1 is the element in the first place of
d.ccd_element, the shape1 of a pair, -2 that in the second. Four corners are always there: those of fewer repeat the last.
"""

from tumble.physics.algebra.vec3 import cross3, dot3, norm3, sub3
from tumble.physics.kernel import kernel

FIRST, SECOND = -1, -2  # in place of geoms
_COUNT, _RADIUS, _BOUND = 12, 13, 14  # after the coordinates of the corners


@kernel
def corner(d, g, k):
    """Corner k of an element, in the world."""
    a, row = d.ccd_element, -1 - g
    return a[row, 3 * k], a[row, 3 * k + 1], a[row, 3 * k + 2]


@kernel
def store_element(d, g, count, a, b, c, e, radius):
    """Make an element of so many of the corners a, b, c, e [m] the first or second shape; the rest are as the last."""
    to, row = d.ccd_element, -1 - g
    to[row, 0], to[row, 1], to[row, 2] = a
    to[row, 3], to[row, 4], to[row, 5] = b
    to[row, 6], to[row, 7], to[row, 8] = c
    to[row, 9], to[row, 10], to[row, 11] = e
    middle, reach = middle_of(d, g), 0.0
    for k in range(count):
        reach = max(reach, norm3(sub3(corner(d, g, k), middle)))
    to[row, _COUNT], to[row, _RADIUS], to[row, _BOUND] = float(count), radius, reach + radius


@kernel
def middle_of(d, g):
    """The middle of the box around an element's corners, as the reference takes it: searches that begin there find its points."""
    (ax, ay, az), (bx, by, bz) = corner(d, g, 0), corner(d, g, 1)
    (cx, cy, cz), (ex, ey, ez) = corner(d, g, 2), corner(d, g, 3)
    return (
        0.5 * (min(ax, bx, cx, ex) + max(ax, bx, cx, ex)), 0.5 * (min(ay, by, cy, ey) + max(ay, by, cy, ey)),
        0.5 * (min(az, bz, cz, ez) + max(az, bz, cz, ez)),
    )  # fmt: skip


@kernel
def is_triangle(d, g):
    """True if an element has three corners."""
    return d.ccd_element[-1 - g, _COUNT] == 3.0


@kernel
def element_radius(d, g):
    """Distance of the surface from the hull of the corners [m]."""
    return d.ccd_element[-1 - g, _RADIUS]


@kernel
def element_bound(d, g):
    """Radius of the ball around an element [m]."""
    return d.ccd_element[-1 - g, _BOUND]


@kernel
def farthest_corner(d, g, side, v):
    """The corner of an element that is farthest in a direction of any length; notes its number in d.ccd_start."""
    a, row = d.ccd_element, -1 - g
    best, at = -1e300, 0
    for k in range(4):
        height = a[row, 3 * k] * v[0] + a[row, 3 * k + 1] * v[1] + a[row, 3 * k + 2] * v[2]
        if height > best:
            best, at = height, k
    d.ccd_start[side] = at
    return corner(d, g, at)


@kernel
def _is_below(d, g, i, j, k, l, p, room):
    """True if a point is on the side of the face i, j, k that corner l is on, or at most a length beyond."""
    a = corner(d, g, i)
    normal = cross3(sub3(corner(d, g, j), a), sub3(corner(d, g, k), a))
    inward = 1.0 if dot3(normal, sub3(corner(d, g, l), a)) >= 0.0 else -1.0
    return inward * dot3(normal, sub3(p, a)) >= -room * norm3(normal)


@kernel
def element_holds(d, g, p, room):
    """True if a world point is in the hull of an element's four corners, or at most a length above its faces."""
    if d.ccd_element[-1 - g, _COUNT] < 4.0:
        return False  # flat: a point in it is rounding
    return (
        _is_below(d, g, 0, 1, 2, 3, p, room) and _is_below(d, g, 0, 1, 3, 2, p, room)
        and _is_below(d, g, 0, 2, 3, 1, p, room) and _is_below(d, g, 1, 2, 3, 0, p, room)
    )  # fmt: skip
