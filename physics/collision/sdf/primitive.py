"""Signed distances [m] of primitive shapes from a point in their frame, negative inside, and their outward gradients (3,).

Exact everywhere, but for the ellipsoid: there it is the value of its level function over the slope, exact at the surface.
Where the gradient is not unique (an axis, a medial plane) it is one of those that there are.
"""

import math

from tumble.physics.algebra.vec3 import norm3, unit3
from tumble.physics.kernel import exact
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.enums import mjtGeom

PLANE, SPHERE, CAPSULE = int(mjtGeom.mjGEOM_PLANE), int(mjtGeom.mjGEOM_SPHERE), int(mjtGeom.mjGEOM_CAPSULE)
ELLIPSOID, CYLINDER = int(mjtGeom.mjGEOM_ELLIPSOID), int(mjtGeom.mjGEOM_CYLINDER)


@exact
def _round(p, radius):
    """A ball about the origin."""
    out, length = unit3(p)
    return length - radius, out


@exact
def _signed(value, like):
    return -value if like < 0.0 else value


@exact
def _box(p, size):
    """Inside, the nearest face; outside, the nearest point."""
    a, b, c = abs(p[0]) - size[0], abs(p[1]) - size[1], abs(p[2]) - size[2]
    deepest = max(a, max(b, c))
    if deepest <= 0.0:
        if a == deepest:
            return deepest, (_signed(1.0, p[0]), 0.0, 0.0)
        if b == deepest:
            return deepest, (0.0, _signed(1.0, p[1]), 0.0)
        return deepest, (0.0, 0.0, _signed(1.0, p[2]))
    out, length = unit3((_signed(max(a, 0.0), p[0]), _signed(max(b, 0.0), p[1]), _signed(max(c, 0.0), p[2])))
    return length, out


@exact
def _cylinder(p, size):
    """As a box, of the distance from the axis and the height."""
    rho = math.sqrt(p[0] * p[0] + p[1] * p[1])
    x, y = (p[0] / rho, p[1] / rho) if rho > mjMINVAL else (1.0, 0.0)
    side, cap = rho - size[0], abs(p[2]) - size[1]
    up = _signed(1.0, p[2])
    if side <= 0.0 and cap <= 0.0:
        return (side, (x, y, 0.0)) if side >= cap else (cap, (0.0, 0.0, up))
    s, c = max(side, 0.0), max(cap, 0.0)
    length = math.sqrt(s * s + c * c)
    if length < mjMINVAL:
        return length, ((x, y, 0.0) if side >= cap else (0.0, 0.0, up))
    return length, (x * s / length, y * s / length, up * c / length)


@exact
def _ellipsoid(p, size):
    """(f - 1) f / |grad (f^2) / 2|, where f^2 is 1 at the surface: exact there, with the slope 1."""
    a = (p[0] / size[0], p[1] / size[1], p[2] / size[2])
    b = (a[0] / size[0], a[1] / size[1], a[2] / size[2])
    f, slope = norm3(a), norm3(b)
    if slope < mjMINVAL:  # the centre: the shortest way out
        least = min(size[0], min(size[1], size[2]))
        return -least, ((1.0, 0.0, 0.0) if size[0] == least else ((0.0, 1.0, 0.0) if size[1] == least else (0.0, 0.0, 1.0)))
    out, _ = unit3(b)
    return f * (f - 1.0) / slope, out


@exact
def primitive_distance(kind, size, p):
    """Signed distance and gradient. kind: a primitive's type; size: its sizes; p: the point."""
    if kind == PLANE:
        return p[2], (0.0, 0.0, 1.0)
    if kind == SPHERE:
        return _round(p, size[0])
    if kind == CAPSULE:
        return _round((p[0], p[1], p[2] - min(max(p[2], -size[1]), size[1])), size[0])
    if kind == ELLIPSOID:
        return _ellipsoid(p, size)
    if kind == CYLINDER:
        return _cylinder(p, size)
    return _box(p, size)
