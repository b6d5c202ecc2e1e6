"""Signed distance of any geom from a point in its frame: what collisions, rays and distances of sdf geoms read.

A mesh is its convex hull, as where it meets other shapes, unless it has an octree: inside, the distance is that of the
nearest face's plane, and outside, of the farthest: exact next to a face, too small next to an edge, of the right sign always.
A height field is what lies below its triangles, down to its base; its distance is that of the triangle's plane above or below.
"""

import math

from tumble.physics.algebra.mat3 import load9, mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import dot3, load3, sub3
from tumble.physics.collision.convex.hull import mesh_vertex
from tumble.physics.collision.ray.hfield_rays import sample_height
from tumble.physics.collision.sdf.call import distance_by
from tumble.physics.collision.sdf.octree import octree
from tumble.physics.collision.sdf.primitive import primitive_distance
from tumble.physics.kernel import exact
from tumble.physics.parallel.atomic import address_of
from tumble.physics.state.constants import mjMAXPLUGINPRM
from tumble.physics.state.enums import mjtGeom

MESH, HFIELD, SDF = int(mjtGeom.mjGEOM_MESH), int(mjtGeom.mjGEOM_HFIELD), int(mjtGeom.mjGEOM_SDF)
_BYTES = 8 * mjMAXPLUGINPRM
_STEP = 1e-6  # of a geom's bounding radius: where a slope is taken over it, rounding and curvature err alike


@exact
def _function(m, d, plugin, p):
    """Signed distance by the function of a plugin instance; far away if it is not bound."""
    if m.sdf_fn[plugin] == 0:
        return 1e300
    attributes = address_of(m.plugin_prm) + _BYTES * plugin
    return distance_by(m.sdf_fn[plugin], address_of(d), attributes, p[0], p[1], p[2])


@exact
def _slope(m, d, plugin, h, p):
    """Gradient of a function, by central differences of width h."""
    gx = _function(m, d, plugin, (p[0] + h, p[1], p[2])) - _function(m, d, plugin, (p[0] - h, p[1], p[2]))
    gy = _function(m, d, plugin, (p[0], p[1] + h, p[2])) - _function(m, d, plugin, (p[0], p[1] - h, p[2]))
    gz = _function(m, d, plugin, (p[0], p[1], p[2] + h)) - _function(m, d, plugin, (p[0], p[1], p[2] - h))
    return 0.5 * gx / h, 0.5 * gy / h, 0.5 * gz / h


@exact
def _hull(m, mesh, p):
    """Signed distance and gradient of a mesh's convex hull; far outside of one without faces, which is flat."""
    best, out = -1e300, (0.0, 0.0, 1.0)
    vertices, adr = m.mesh_vertadr[mesh], m.mesh_polyadr[mesh]
    for k in range(adr, adr + m.mesh_polynum[mesh]):
        normal = load3(m.mesh_polynormal, k)
        height = dot3(normal, sub3(p, mesh_vertex(m, vertices + m.mesh_polyvert[m.mesh_polyvertadr[k]])))
        if height > best:
            best, out = height, normal
    return (best if m.mesh_polynum[mesh] > 0 else 1e300), out


@exact
def _ground(m, field, p):
    """Distance from the plane of the triangle of a height field above or below a point, and the upward normal of it."""
    sx, sy = m.hfield_size[field, 0], m.hfield_size[field, 1]
    ncol, nrow = m.hfield_ncol[field], m.hfield_nrow[field]
    dx, dy = 2.0 * sx / (ncol - 1), 2.0 * sy / (nrow - 1)
    x, y = min(max((p[0] + sx) / dx, 0.0), ncol - 1.0), min(max((p[1] + sy) / dy, 0.0), nrow - 1.0)
    column, row = min(int(x), ncol - 2), min(int(y), nrow - 2)
    low, high = sample_height(m, field, row, column), sample_height(m, field, row + 1, column + 1)
    if x - column >= y - row:  # below the diagonal
        corner = sample_height(m, field, row, column + 1)
        by_x, by_y = corner - low, high - corner
    else:
        corner = sample_height(m, field, row + 1, column)
        by_x, by_y = high - corner, corner - low
    height = low + by_x * (x - column) + by_y * (y - row)
    up = 1.0 / math.sqrt(1.0 + (by_x / dx) ** 2 + (by_y / dy) ** 2)
    return (p[2] - height) * up, (-by_x / dx * up, -by_y / dy * up, up)


@exact
def _hfield(m, field, p):
    """Signed distance and gradient of a height field: its surface, four walls and the bottom of its base."""
    best, out = _ground(m, field, p)
    x, y, bottom = abs(p[0]) - m.hfield_size[field, 0], abs(p[1]) - m.hfield_size[field, 1], -p[2] - m.hfield_size[field, 3]
    if x > best:
        best, out = x, (math.copysign(1.0, p[0]), 0.0, 0.0)
    if y > best:
        best, out = y, (0.0, math.copysign(1.0, p[1]), 0.0)
    if bottom > best:
        best, out = bottom, (0.0, 0.0, -1.0)
    return best, out


@exact
def field(m, d, g, p):
    """Signed distance [m] and its gradient (3,) of a geom of any type, at a point p in its frame."""
    kind, data = m.geom_type[g], m.geom_dataid[g]
    if kind == SDF and m.geom_plugin[g] >= 0:
        plugin = m.geom_plugin[g]
        return _function(m, d, plugin, p), _slope(m, d, plugin, _STEP * m.geom_rbound[g], p)
    if kind == HFIELD:
        return _hfield(m, data, p)
    if kind == MESH or kind == SDF:
        return octree(m, data, p) if m.mesh_octnum[data] > 0 else _hull(m, data, p)
    return primitive_distance(kind, load3(m.geom_size, g), p)


@exact
def distance_at(m, d, g, p):
    """Signed distance [m] of a geom at a point p in its frame, where its gradient is not wanted."""
    if m.geom_type[g] == SDF and m.geom_plugin[g] >= 0:
        return _function(m, d, m.geom_plugin[g], p)
    value, _ = field(m, d, g, p)
    return value


@exact
def world_field(m, d, g, x):
    """Signed distance [m] and gradient (3,) of a geom at a world point."""
    mat = load9(d.geom_xmat, g)
    value, slope = field(m, d, g, mat_t_vec(mat, sub3(x, load3(d.geom_xpos, g))))
    return value, mat_vec(mat, slope)


@exact
def world_distance(m, d, g, x):
    """Signed distance [m] of a geom at a world point."""
    return distance_at(m, d, g, mat_t_vec(load9(d.geom_xmat, g), sub3(x, load3(d.geom_xpos, g))))
