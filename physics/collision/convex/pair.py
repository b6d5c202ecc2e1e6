"""Pairs of convex geoms without a closed form: one point, by distance walk and expanding polytope.

Half the margin is a skin around each geom: a positive distance within the margin is a depth of the skins. Round geoms
are treated as their cores (a point, a segment), whose skin is added in the end: mostly the cores are apart, and then
their distance tells everything, and exactly. Where cores, or other geoms in their skins, overlap, the polytope tells how deep.
"""

from physics.algebra.vec3 import add3, add_scaled3, load3, scale3
from physics.collision.convex.epa import penetration
from physics.collision.convex.faces import has_faces, touch_faces
from physics.collision.convex.gjk import combine, nearest
from physics.collision.convex.support import core_radius, has_corners
from physics.collision.convex.wobble import MULTICCD, TURNS, touch_distinct, turn_apart, turn_back, wobbles
from physics.collision.hit import touch
from physics.kernel import kernel, stage


@kernel
def _dress(m, d, skin1, skin2):
    """Give both geoms a skin [m], and no place to start a search from."""
    d.ccd_skin[0], d.ccd_skin[1] = skin1, skin2
    d.ccd_start[0], d.ccd_start[1] = -1, -1
    d.ccd_exact = 1 if has_corners(m, d.hit_geom1) and has_corners(m, d.hit_geom2) and skin1 + skin2 == 0.0 else 0


@kernel
def _apart(m, d, limit):
    """Signed distance of the shapes as they are dressed, normal, and nearest points, where they are apart by more than rounding.

    0 if they are not, 1e300 beyond the limit [m].
    """
    none = (0.0, 0.0, 0.0)
    n, weights, v, gap = nearest(m, d, limit)
    if gap >= 1e300:
        return 1e300, none, none, none
    if gap <= m.opt_ccd_tolerance:
        return 0.0, none, none, none
    return gap, scale3(-1.0 / gap, v), combine(d, n, weights, 3), combine(d, n, weights, 6)


@kernel
def _inside(m, d):
    """The same where they overlap by more than rounding: the distance is negative; 0 if they do not.

    The walk can end at a face of its simplex which the origin is in but for rounding: the polytope then tells.
    """
    none = (0.0, 0.0, 0.0)
    d.ccd_start[0], d.ccd_start[1] = -1, -1
    n, _, _, gap = nearest(m, d, 0.0)
    if gap > m.opt_ccd_tolerance:
        return 0.0, none, none, none
    depth, normal, p1, p2 = penetration(m, d, n)
    return -depth, normal, p1, p2


@kernel
def _skin_to_skin(m, d, margin, limit):
    """Signed distance of the surfaces with half a margin around each, normal, nearest or deepest points; 1e300 beyond the limit.

    limit: [m]; 0: points that overlap alone. The points are relative to the centre of geom1.
    """
    r1, r2 = core_radius(m, d.hit_geom1), core_radius(m, d.hit_geom2)
    half = 0.5 * margin
    s1, s2 = (r1 + half if r1 > 0.0 else 0.0), (r2 + half if r2 > 0.0 else 0.0)
    dist, none = 0.0, (0.0, 0.0, 0.0)
    normal, p1, p2 = none, none, none
    _dress(m, d, half if r1 == 0.0 else 0.0, half if r2 == 0.0 else 0.0)
    if s1 + s2 + limit > 0.0:
        dist, normal, p1, p2 = _apart(m, d, s1 + s2 + limit)
    if dist == 0.0:
        dist, normal, p1, p2 = _inside(m, d)
    if dist > -m.opt_ccd_tolerance and dist <= 0.0 and s1 + s2 > 0.0:  # the cores just touch: too little to tell a direction
        _dress(m, d, r1 + half, r2 + half)
        s1, s2 = 0.0, 0.0
        dist, normal, p1, p2 = _inside(m, d)
    if dist == 0.0 or not dist - s1 - s2 <= limit:
        return 1e300, none, none, none
    dist -= s1 + s2
    return dist, normal, add_scaled3(p1, s1, normal), add_scaled3(p2, -s2, normal)


@kernel
def convex_contact(m, d, margin):
    """Signed distance of the two surfaces of d.hit_geom1, d.hit_geom2, normal, and points of contact on both skins.

    margin: skins are half of this [m]. The points are relative to the centre of geom1; the distance is 1e300 beyond the margin.
    """
    dist, normal, p1, p2 = _skin_to_skin(m, d, margin, 0.0)
    return dist + margin, normal, p1, p2


@kernel
def convex_points(m, d, limit):
    """Signed distance of the two surfaces of d.hit_geom1, d.hit_geom2, normal, and their nearest or deepest points.

    The points are relative to the centre of geom1; the distance is 1e300 if it is beyond the limit [m].
    """
    return _skin_to_skin(m, d, 0.0, limit)


@kernel
def _midpoint(d, p1, p2):
    """Midway between two points that are relative to the centre of geom1, in world axes."""
    return add3(load3(d.geom_xpos, d.hit_geom1), scale3(0.5, add3(p1, p2)))


@stage
def convex_convex(m, d):
    """The point midway between where the skins meet, along the shortest way out; with multiccd, up to five."""
    dist, normal, p1, p2 = convex_contact(m, d, d.hit_margin)
    if dist >= 1e300:
        return
    many = m.opt_enableflags & MULTICCD
    faceted = many and d.hit_margin == 0.0 and has_faces(m, d.hit_geom1) and has_faces(m, d.hit_geom2)
    if faceted and touch_faces(m, d, normal):
        return
    touch(d, dist, _midpoint(d, p1, p2), normal)
    if not many or faceted or not wobbles(m, d):
        return
    for k in range(TURNS):
        turn_apart(d, k)
        gap, _, p1, p2 = convex_contact(m, d, d.hit_margin)
        if gap < 1e300:
            touch_distinct(m, d, dist, _midpoint(d, p1, p2))
        turn_back(d)
