"""The farthest point of a convex geom in a direction: all that the general narrow phase knows of a shape.

Spheres and capsules are a point and a segment (their core) with a radius that is added at the end:
their contacts are then as exact as those of the core.
"""

import math

from physics.algebra.mat3 import load9, mat_t_vec, mat_vec
from physics.algebra.vec3 import add3, dot3, load3, norm3, sub3
from physics.collision.hull import highest_vertex, mesh_vertex
from physics.kernel import kernel
from physics.state.constants import mjMINVAL
from physics.state.enums import mjtGeom

SPHERE, CAPSULE, ELLIPSOID = int(mjtGeom.mjGEOM_SPHERE), int(mjtGeom.mjGEOM_CAPSULE), int(mjtGeom.mjGEOM_ELLIPSOID)
CYLINDER, BOX = int(mjtGeom.mjGEOM_CYLINDER), int(mjtGeom.mjGEOM_BOX)
MESH, PRISM = int(mjtGeom.mjGEOM_MESH), int(mjtGeom.mjGEOM_HFIELD)


@kernel
def core_radius(m, g):
    """What is to be added around the core of a geom [m]."""
    return m.geom_size[g, 0] if m.geom_type[g] == SPHERE or m.geom_type[g] == CAPSULE else 0.0


@kernel
def _local_support(kind, size, v):
    """Farthest point of a core in its own frame, in the direction v (any length)."""
    if kind == BOX:
        return math.copysign(size[0], v[0]), math.copysign(size[1], v[1]), math.copysign(size[2], v[2])
    if kind == CAPSULE:
        return 0.0, 0.0, math.copysign(size[1], v[2])
    if kind == CYLINDER:
        length = math.sqrt(v[0] * v[0] + v[1] * v[1])
        scale = size[0] / length if length > mjMINVAL else 0.0
        return scale * v[0], scale * v[1], math.copysign(size[1], v[2])
    if kind == ELLIPSOID:
        scaled = (size[0] * v[0], size[1] * v[1], size[2] * v[2])
        length = norm3(scaled)
        if length > mjMINVAL:
            return size[0] * scaled[0] / length, size[1] * scaled[1] / length, size[2] * scaled[2] / length
        return size[0], 0.0, 0.0
    return 0.0, 0.0, 0.0


@kernel
def _prism_support(d, v):
    """Farthest of the six corners of the prism in d.ccd_prism."""
    best, corner = -1e300, (0.0, 0.0, 0.0)
    for k in range(6):
        p = load3(d.ccd_prism, k)
        height = dot3(p, v)
        if height > best:
            best, corner = height, p
    return corner


@kernel
def support(m, d, g, side, origin, v):
    """Farthest point of the core of a geom, in world axes relative to an origin.

    side: 0 or 1; a mesh starts its search at d.ccd_start[side]. A height field is the prism in d.ccd_prism.
    """
    mat, kind = load9(d.geom_xmat, g), m.geom_type[g]
    way = mat_t_vec(mat, v)
    if kind == MESH:
        local = mesh_vertex(m, highest_vertex(m, d, side, m.geom_dataid[g], way))
    elif kind == PRISM:
        local = _prism_support(d, way)
    else:
        local = _local_support(kind, load3(m.geom_size, g), way)
    return add3(sub3(load3(d.geom_xpos, g), origin), mat_vec(mat, local))


@kernel
def add_vertex(m, d, k, v):
    """Store as vertex k the farthest point of core1 - core2 in the direction v, with the points it is made of.

    Everything is relative to the centre of geom1, where numbers are small.
    """
    g, h = d.hit_geom1, d.hit_geom2
    origin = load3(d.geom_xpos, g)
    a = support(m, d, g, 0, origin, v)
    b = support(m, d, h, 1, origin, (-v[0], -v[1], -v[2]))
    w = d.ccd_vertex
    w[k, 0], w[k, 1], w[k, 2] = sub3(a, b)
    w[k, 3], w[k, 4], w[k, 5] = a
    w[k, 6], w[k, 7], w[k, 8] = b


@kernel
def vertex(d, k):
    """The point of the difference in vertex k."""
    w = d.ccd_vertex
    return w[k, 0], w[k, 1], w[k, 2]
