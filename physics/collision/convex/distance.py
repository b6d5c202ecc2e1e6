"""The distance of two geoms, whether they may touch each other or not."""

from tumble.physics.algebra.mat3 import column, load9
from tumble.physics.algebra.vec3 import add3, add_scaled3, dot3, load3, scale3, sub3
from tumble.physics.collision.convex.pair import convex_points
from tumble.physics.collision.convex.support import core_radius, support
from tumble.physics.collision.filter import has_shape
from tumble.physics.collision.pairs.hfield_gap import hfield_gap, plane_hfield_gap
from tumble.physics.collision.sdf.sdf_distance import has_field, sdf_distance
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.enums import mjtGeom

PLANE, SPHERE, MESH = int(mjtGeom.mjGEOM_PLANE), int(mjtGeom.mjGEOM_SPHERE), int(mjtGeom.mjGEOM_MESH)
HFIELD = int(mjtGeom.mjGEOM_HFIELD)


@kernel
def geom_distance(m, d, g1, g2, limit):
    """Signed distance [m] of two geoms and their nearest (or deepest) points; the limit and zeros if it is not below it."""
    none = (0.0, 0.0, 0.0)
    dist, p1, p2 = limit, none, none
    if not has_shape(m, g1) or not has_shape(m, g2):
        return limit, none, none
    if has_field(m, g1, g2):
        dist, p1, p2 = sdf_distance(m, d, g1, g2)
    elif m.geom_type[g1] == PLANE:
        dist, p1, p2 = plane_distance(m, d, g1, g2)
    elif m.geom_type[g2] == PLANE:
        dist, p2, p1 = plane_distance(m, d, g2, g1)
    elif m.geom_type[g1] == HFIELD and is_convex(m, g2):
        dist, p1, p2 = hfield_gap(m, d, g1, g2, limit)
    elif m.geom_type[g2] == HFIELD and is_convex(m, g1):
        dist, p2, p1 = hfield_gap(m, d, g2, g1, limit)
    elif is_convex(m, g1) and is_convex(m, g2):
        d.hit_geom1, d.hit_geom2 = g1, g2
        dist, _, p1, p2 = convex_points(m, d, limit)
        origin = load3(d.geom_xpos, g1)
        p1, p2 = add3(origin, p1), add3(origin, p2)
    if dist >= limit:
        return limit, none, none
    return dist, p1, p2


@kernel
def is_convex(m, g):
    """True if the support function knows a geom."""
    return SPHERE <= m.geom_type[g] <= MESH


@kernel
def plane_distance(m, d, plane, g):
    """Distance of a plane without end and a geom, the point of the plane and that of the geom; 1e300: not known."""
    none = (0.0, 0.0, 0.0)
    if m.geom_type[g] == HFIELD:
        return plane_hfield_gap(m, d, plane, g)
    if not is_convex(m, g):
        return 1e300, none, none
    d.ccd_start[0] = -1
    origin, normal = load3(d.geom_xpos, plane), column(load9(d.geom_xmat, plane), 2)
    lowest = add_scaled3(add3(origin, support(m, d, g, 0, origin, scale3(-1.0, normal))), -core_radius(m, d, g), normal)
    dist = dot3(sub3(lowest, origin), normal)
    return dist, add_scaled3(lowest, -dist, normal), lowest


@stage
def gap_query(m, d):
    """The distance that d.gap_query asks for; writes d.gap_result: see their declaration."""
    dist, p1, p2 = geom_distance(m, d, int(d.gap_query[0]), int(d.gap_query[1]), d.gap_query[2])
    d.gap_result[0] = dist
    for k in range(3):
        d.gap_result[1 + k], d.gap_result[4 + k] = p1[k], p2[k]
