"""The farthest point of a convex geom in a direction: all that the general narrow phase knows of a shape.

Spheres and capsules are a point and a segment (their core) in a skin of their radius; any shape can be given
a skin (`d.ccd_skin`), and geom2 can be moved (`d.ccd_shift`). A height field is one prism of it, in d.ccd_prism.
Elements of flexes are numbers below 0: see element.py.
"""

import math

import numpy as np

from tumble.physics.algebra.mat3 import load9, mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import add3, add_scaled3, dot3, load3, norm3, scale3, sub3
from tumble.physics.collision.convex.element import corner as element_corner
from tumble.physics.collision.convex.element import element_bound, element_holds, element_radius, farthest_corner, middle_of
from tumble.physics.collision.convex.hull import highest_vertex, mesh_vertex
from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.enums import mjtGeom

SPHERE, CAPSULE, ELLIPSOID = int(mjtGeom.mjGEOM_SPHERE), int(mjtGeom.mjGEOM_CAPSULE), int(mjtGeom.mjGEOM_ELLIPSOID)
CYLINDER, BOX = int(mjtGeom.mjGEOM_CYLINDER), int(mjtGeom.mjGEOM_BOX)
MESH, PRISM, SDF = int(mjtGeom.mjGEOM_MESH), int(mjtGeom.mjGEOM_HFIELD), int(mjtGeom.mjGEOM_SDF)

_ROUNDING = 1e-6  # of a geom's radius: a point so far beyond it is in it


@kernel
def core_radius(m, d, g):
    """Radius to add around the core of a geom [m]."""
    if g < 0:
        return element_radius(d, g)
    return m.geom_size[g, 0] if m.geom_type[g] == SPHERE or m.geom_type[g] == CAPSULE else 0.0


@kernel
def has_corners(m, g):
    """True if a geom's core is the hull of finitely many points."""
    return g < 0 or (m.geom_type[g] != ELLIPSOID and m.geom_type[g] != CYLINDER)


@kernel
def seat(d, g):
    """Position of a geom in the world: the origin near which a pair is computed. Of an element its first corner."""
    return load3(d.geom_xpos, g) if g >= 0 else element_corner(d, g, 0)


@kernel
def bound(m, d, g):
    """Radius of the ball around a geom [m]."""
    return m.geom_rbound[g] if g >= 0 else element_bound(d, g)


@kernel
def centre(m, d, g):
    """A point inside a geom, in world axes."""
    if g < 0:
        return middle_of(d, g)
    place = load3(d.geom_xpos, g)
    if m.geom_type[g] == PRISM:
        middle = (0.0, 0.0, 0.0)
        for k in range(6):
            middle = add_scaled3(middle, 1.0 / 6.0, load3(d.ccd_prism, k))
        return add3(place, mat_vec(load9(d.geom_xmat, g), middle))
    return place


@kernel
def _toward(size, x):
    """The end of a span that a direction points to; the upper one where it points to neither."""
    return size if x >= 0.0 else -size


@kernel
def _prism_corner(d, side, v):
    """Farthest of the six corners of the prism in d.ccd_prism."""
    best, at = -1e300, 0
    for k in range(6):
        height = dot3(load3(d.ccd_prism, k), v)
        if height > best:
            best, at = height, k
    d.ccd_start[side] = at
    return load3(d.ccd_prism, at)


@kernel
def _local_support(m, d, g, side, v):
    """Farthest point of a core in its own frame, in the direction v (any length)."""
    kind = m.geom_type[g]
    if kind == MESH or kind == SDF:  # of a field its hull, which elements of flexes collide with
        return mesh_vertex(m, highest_vertex(m, d, side, m.geom_dataid[g], v))
    size = load3(m.geom_size, g)
    if kind == BOX:
        d.ccd_start[side] = (1 if v[0] >= 0.0 else 0) + (2 if v[1] >= 0.0 else 0) + (4 if v[2] >= 0.0 else 0)
        return _toward(size[0], v[0]), _toward(size[1], v[1]), _toward(size[2], v[2])
    if kind == CAPSULE:
        d.ccd_start[side] = 1 if v[2] >= 0.0 else 0
        return 0.0, 0.0, _toward(size[1], v[2])
    if kind == CYLINDER:
        length = math.sqrt(v[0] * v[0] + v[1] * v[1])
        scale = size[0] / length if length > mjMINVAL else 0.0
        return scale * v[0], scale * v[1], _toward(size[1], v[2])
    if kind == ELLIPSOID:
        scaled = (size[0] * v[0], size[1] * v[1], size[2] * v[2])
        length = norm3(scaled)
        if length > mjMINVAL:
            return size[0] * scaled[0] / length, size[1] * scaled[1] / length, size[2] * scaled[2] / length
        return size[0], 0.0, 0.0
    if kind == PRISM:
        return _prism_corner(d, side, v)
    d.ccd_start[side] = 0
    return 0.0, 0.0, 0.0


@kernel
def support(m, d, g, side, origin, v):
    """Farthest point of the core of a geom, in world axes relative to an origin.

    side: 0 or 1; d.ccd_start[side] tells a mesh where to start, and becomes the corner that was found.
    """
    mat = load9(d.geom_xmat, g)
    local = _local_support(m, d, g, side, mat_t_vec(mat, v))
    return add3(sub3(load3(d.geom_xpos, g), origin), mat_vec(mat, local))


@kernel
def any_support(m, d, g, side, origin, v):
    """The same of a geom or of an element of a flex."""
    if g < 0:
        return sub3(farthest_corner(d, g, side, v), origin)
    return support(m, d, g, side, origin, v)


@kernel
def _in_mesh(m, mesh, p, room):
    """True if a point of a mesh's frame is below all its polygons, or at most a length above."""
    first = m.mesh_polyadr[mesh]
    for f in range(first, first + m.mesh_polynum[mesh]):
        corner = mesh_vertex(m, m.mesh_vertadr[mesh] + m.mesh_polyvert[m.mesh_polyvertadr[f]])
        if dot3(load3(m.mesh_polynormal, f), sub3(p, corner)) > room:
            return False
    return m.mesh_polynum[mesh] > 0


@kernel
def holds(m, d, g, side, p):
    """True if a point, in world axes relative to the centre of geom1, is in a geom's core in its skin. Prisms are not asked.

    A skin counts as if it had the corners of the core: that is the same above flat sides.
    """
    world = add3(p, seat(d, d.hit_geom1))
    if g < 0:
        return element_holds(d, g, world, d.ccd_skin[side] + _ROUNDING * element_bound(d, g))
    kind, size = m.geom_type[g], load3(m.geom_size, g)
    x = mat_t_vec(load9(d.geom_xmat, g), sub3(world, load3(d.geom_xpos, g)))
    room = d.ccd_skin[side] + _ROUNDING * m.geom_rbound[g]
    if kind == MESH:
        return _in_mesh(m, m.geom_dataid[g], x, room)
    if kind == BOX:
        return abs(x[0]) <= size[0] + room and abs(x[1]) <= size[1] + room and abs(x[2]) <= size[2] + room
    if kind == CYLINDER:
        return math.sqrt(x[0] * x[0] + x[1] * x[1]) <= size[0] + room and abs(x[2]) <= size[1] + room
    across = math.sqrt(x[0] * x[0] + x[1] * x[1])
    return (kind == SPHERE or kind == CAPSULE) and across <= room and abs(x[2]) <= room + (size[1] if kind == CAPSULE else 0.0)


@kernel
def _store_vertex(d, k, a, b):
    """Store the points of both shapes as vertex k, with the corners that were found."""
    w = d.ccd_vertex
    w[k, 0], w[k, 1], w[k, 2] = sub3(a, b)
    w[k, 3], w[k, 4], w[k, 5] = a
    w[k, 6], w[k, 7], w[k, 8] = b
    d.ccd_corner[k, 0], d.ccd_corner[k, 1] = d.ccd_start[0], d.ccd_start[1]


@kernel
def add_vertex(m, d, k, v):
    """Store as vertex k the farthest point of shape1 - shape2 in the unit direction v, with the points it is made of.

    Everything is relative to the centre of geom1, where numbers are small.
    """
    g, h = d.hit_geom1, d.hit_geom2
    back = scale3(-1.0, v)
    shift = (d.ccd_shift[0], d.ccd_shift[1], d.ccd_shift[2])
    if h >= 0:
        origin = load3(d.geom_xpos, g)
        a = add_scaled3(support(m, d, g, 0, origin, v), d.ccd_skin[0], v)
        b = add_scaled3(add3(support(m, d, h, 1, origin, back), shift), d.ccd_skin[1], back)
        _store_vertex(d, k, a, b)
        return
    origin = seat(d, g)
    a = add_scaled3(any_support(m, d, g, 0, origin, v), d.ccd_skin[0], v)
    b = add_scaled3(add3(sub3(farthest_corner(d, h, 1, back), origin), shift), d.ccd_skin[1], back)
    _store_vertex(d, k, a, b)


@kernel
def vertex(d, k):
    """The point of the difference in vertex k."""
    w, k = d.ccd_vertex, np.uint64(k)  # unsigned: no negative index to be turned round
    return w[k, 0], w[k, 1], w[k, 2]


@kernel
def copy_vertex(d, k, source):
    """Make vertex k a copy of another."""
    for i in range(9):
        d.ccd_vertex[k, i] = d.ccd_vertex[source, i]
    for i in range(2):
        d.ccd_corner[k, i] = d.ccd_corner[source, i]


@kernel
def swap_vertices(d, j, k):
    """Exchange two vertices."""
    w, c = d.ccd_vertex, d.ccd_corner
    for i in range(9):
        w[j, i], w[k, i] = w[k, i], w[j, i]
    for i in range(2):
        c[j, i], c[k, i] = c[k, i], c[j, i]
