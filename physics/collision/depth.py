"""How deep a point lies in a primitive shape: the signed distance to the surface, for points inside.

Exact but for the ellipsoid, where it is the level function divided by its slope, so that the error is of the second order
in the depth.
"""

import math

from physics.algebra.vec3 import norm3
from physics.kernel import kernel
from physics.state.constants import mjMINVAL
from physics.state.enums import mjtGeom

PLANE, SPHERE, CAPSULE = int(mjtGeom.mjGEOM_PLANE), int(mjtGeom.mjGEOM_SPHERE), int(mjtGeom.mjGEOM_CAPSULE)
ELLIPSOID, CYLINDER, BOX = int(mjtGeom.mjGEOM_ELLIPSOID), int(mjtGeom.mjGEOM_CYLINDER), int(mjtGeom.mjGEOM_BOX)


@kernel
def inner_distance(kind, size, x):
    """Signed distance [m] to the surface of a shape of a point x in its frame, negative inside; 0 for all outside.

    Points inside another shape than plane, sphere, capsule, ellipsoid, cylinder and box are not known: 0.
    """
    dist = 0.0
    if kind == PLANE:
        dist = x[2]
    elif kind == SPHERE:
        dist = norm3(x) - size[0]
    elif kind == CAPSULE:
        dist = norm3((x[0], x[1], x[2] - min(max(x[2], -size[1]), size[1]))) - size[0]
    elif kind == ELLIPSOID:
        dist = ellipsoid_distance(size, x)
    elif kind == CYLINDER:
        dist = max(math.hypot(x[0], x[1]) - size[0], abs(x[2]) - size[1])
    elif kind == BOX:
        dist = max(abs(x[0]) - size[0], abs(x[1]) - size[1], abs(x[2]) - size[2])
    return min(dist, 0.0)


@kernel
def ellipsoid_distance(size, x):
    """k (k - 1) / |grad k^2 / 2|, where k is the part of the way from the centre to the surface at which x is."""
    u = (x[0] / size[0], x[1] / size[1], x[2] / size[2])
    k, slope = norm3(u), norm3((u[0] / size[0], u[1] / size[1], u[2] / size[2]))
    if slope < mjMINVAL:
        return -min(size[0], size[1], size[2])
    return k * (k - 1.0) / slope
