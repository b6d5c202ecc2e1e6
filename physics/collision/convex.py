"""Pairs of convex geoms without a closed form: one point, by distance walk and expanding polytope."""

from physics.algebra.vec3 import add3, add_scaled3, load3, scale3, sub3
from physics.collision.epa import penetration
from physics.collision.gjk import combine, nearest
from physics.collision.hit import touch
from physics.collision.support import core_radius
from physics.kernel import stage


@stage
def convex_convex(m, d):
    """The nearest points of the two surfaces, or the deepest ones along the shortest way out."""
    g, h = d.hit_geom1, d.hit_geom2
    r1, r2 = core_radius(m, g), core_radius(m, h)
    origin = load3(d.geom_xpos, g)
    n, weights, v, apart = nearest(m, d, sub3(origin, load3(d.geom_xpos, h)), d.hit_margin + r1 + r2)
    if apart >= 1e300:
        return
    if apart > 0.0:
        normal = scale3(-1.0 / apart, v)
        p1, p2 = combine(d, n, weights, 3), combine(d, n, weights, 6)
    else:
        depth, normal, p1, p2 = penetration(m, d, n)
        if depth < 0.0:
            return
        apart = -depth
    dist = apart - r1 - r2
    if dist <= d.hit_margin:
        p1, p2 = add_scaled3(p1, r1, normal), add_scaled3(p2, -r2, normal)
        touch(d, dist, add3(origin, scale3(0.5, add3(p1, p2))), normal)
