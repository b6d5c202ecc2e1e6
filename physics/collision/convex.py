"""Pairs of convex geoms without a closed form: one point, by distance walk and expanding polytope."""

from physics.algebra.vec3 import add3, add_scaled3, load3, scale3, sub3
from physics.collision.epa import penetration
from physics.collision.gjk import combine, nearest
from physics.collision.hit import touch
from physics.collision.support import core_radius
from physics.kernel import kernel, stage


@kernel
def convex_points(m, d, limit):
    """Signed distance of the two surfaces of d.hit_geom1, d.hit_geom2, normal, and their nearest or deepest points.

    The points are relative to the centre of geom1; the distance is 1e300 where it is beyond the limit [m].
    """
    g, h = d.hit_geom1, d.hit_geom2
    r1, r2 = core_radius(m, g), core_radius(m, h)
    none = (0.0, 0.0, 0.0)
    d.ccd_start[0], d.ccd_start[1] = -1, -1
    n, weights, v, apart = nearest(m, d, sub3(load3(d.geom_xpos, g), load3(d.geom_xpos, h)), limit + r1 + r2)
    if apart >= 1e300:
        return 1e300, none, none, none
    if apart > 0.0:
        normal = scale3(-1.0 / apart, v)
        p1, p2 = combine(d, n, weights, 3), combine(d, n, weights, 6)
    else:
        depth, normal, p1, p2 = penetration(m, d, n)
        if depth < 0.0:
            return 1e300, none, none, none
        apart = -depth
    dist = apart - r1 - r2
    if dist > limit:
        return 1e300, none, none, none
    return dist, normal, add_scaled3(p1, r1, normal), add_scaled3(p2, -r2, normal)


@stage
def convex_convex(m, d):
    """The nearest points of the two surfaces, or the deepest ones along the shortest way out."""
    dist, normal, p1, p2 = convex_points(m, d, d.hit_margin)
    if dist < 1e300:
        touch(d, dist, add3(load3(d.geom_xpos, d.hit_geom1), scale3(0.5, add3(p1, p2))), normal)
