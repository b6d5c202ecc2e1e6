"""Pairs of convex geoms without a closed form: one point, by distance walk and expanding polytope.

Each geom's margin is a skin around it. Round cores (a point, a segment) are treated with their skins left away first:
where they are apart, their distance tells everything, and exactly. Else the shapes with their skins overlap, and
the polytope tells how deep. A positive distance within the margin is thus a depth of the skins.
"""

from physics.algebra.vec3 import add3, add_scaled3, load3, scale3
from physics.collision.epa import penetration
from physics.collision.gjk import combine, nearest
from physics.collision.hit import touch
from physics.collision.support import core_radius
from physics.kernel import kernel, stage


@kernel
def _dress(d, skin1, skin2):
    """Give both geoms a skin [m], and no place to start a search from."""
    d.ccd_skin[0], d.ccd_skin[1] = skin1, skin2
    d.ccd_start[0], d.ccd_start[1] = -1, -1


@kernel
def _apart(m, d, r1, r2, limit):
    """What `convex_points` returns, where the cores without skins of r1 and r2 are apart; also whether they are."""
    none = (0.0, 0.0, 0.0)
    n, weights, v, gap = nearest(m, d, limit + r1 + r2)
    if gap >= 1e300 or gap - r1 - r2 > limit:
        return True, 1e300, none, none, none
    if gap <= m.opt_ccd_tolerance:
        return False, 0.0, none, none, none
    normal = scale3(-1.0 / gap, v)
    p1, p2 = combine(d, n, weights, 3), combine(d, n, weights, 6)
    return True, gap - r1 - r2, normal, add_scaled3(p1, r1, normal), add_scaled3(p2, -r2, normal)


@kernel
def _inside(m, d, skin1, skin2):
    """What `convex_points` returns, where the shapes in these skins overlap."""
    none = (0.0, 0.0, 0.0)
    _dress(d, skin1, skin2)
    n, _, _, gap = nearest(m, d, 0.0)
    if gap > 0.0:
        return 1e300, none, none, none
    depth, normal, p1, p2 = penetration(m, d, n)
    if depth < 0.0:
        return 1e300, none, none, none
    return -depth, normal, p1, p2


@kernel
def convex_contact(m, d, margin):
    """Signed distance of the two surfaces of d.hit_geom1, d.hit_geom2, normal, and points of contact on both skins.

    margin: skins are half of this [m]. The points are relative to the centre of geom1; the distance is 1e300 beyond the margin.
    """
    g, h = d.hit_geom1, d.hit_geom2
    r1, r2 = core_radius(m, g), core_radius(m, h)
    half = 0.5 * margin
    if r1 + r2 > 0.0:
        s1, s2 = (r1 + half if r1 > 0.0 else 0.0), (r2 + half if r2 > 0.0 else 0.0)
        _dress(d, half if r1 == 0.0 else 0.0, half if r2 == 0.0 else 0.0)
        apart, dist, normal, p1, p2 = _apart(m, d, s1, s2, 0.0)
        if apart:
            return dist + margin, normal, p1, p2
    dist, normal, p1, p2 = _inside(m, d, r1 + half, r2 + half)
    return dist + margin, normal, p1, p2


@kernel
def convex_points(m, d, limit):
    """Signed distance of the two surfaces of d.hit_geom1, d.hit_geom2, normal, and their nearest or deepest points.

    The points are relative to the centre of geom1; the distance is 1e300 where it is beyond the limit [m].
    """
    r1, r2 = core_radius(m, d.hit_geom1), core_radius(m, d.hit_geom2)
    _dress(d, 0.0, 0.0)
    apart, dist, normal, p1, p2 = _apart(m, d, r1, r2, limit)
    if not apart:
        dist, normal, p1, p2 = _inside(m, d, r1, r2)
    return dist, normal, p1, p2


@stage
def convex_convex(m, d):
    """The point midway between where the skins meet, along the shortest way out."""
    dist, normal, p1, p2 = convex_contact(m, d, d.hit_margin)
    if dist < 1e300:
        touch(d, dist, add3(load3(d.geom_xpos, d.hit_geom1), scale3(0.5, add3(p1, p2))), normal)
