"""Pairs of convex geoms without a closed form: one point, by distance walk and expanding polytope.

Round geoms are treated as their cores (a point, a segment), whose radius is added in the end: mostly the cores are apart, and
then their distance tells everything, and exactly. Where cores overlap, the polytope tells how deep; where it does not end within
its iterations, or its tolerance is too coarse for the depth, the axis it has found is refined.
"""

from tumble.physics.algebra.vec3 import add3, add_scaled3, dot3, norm3, scale3, sub3, unit3
from tumble.physics.collision.convex.epa import penetration
from tumble.physics.collision.convex.faces import has_faces, touch_faces
from tumble.physics.collision.convex.gjk import combine, nearest
from tumble.physics.collision.convex.perturb import MULTICCD, TURNS, begin_turns, touch_distinct, turn_apart, turn_back
from tumble.physics.collision.convex.refine import clearance, forget_axis, is_still_apart, keep_axis, overlap, refine
from tumble.physics.collision.convex.support import centre, core_radius, has_corners, seat
from tumble.physics.collision.hit import touch
from tumble.physics.kernel import kernel, stage

_SHARPER = 1e-3  # of the tolerance: shapes with corners that are this far apart are apart


@kernel
def _dress(m, d, skin1, skin2):
    """Give both geoms a skin [m], in their places, and no place to start a search from."""
    d.ccd_skin[0], d.ccd_skin[1] = skin1, skin2
    d.ccd_shift[0], d.ccd_shift[1], d.ccd_shift[2] = 0.0, 0.0, 0.0
    d.ccd_start[0], d.ccd_start[1] = -1, -1
    d.ccd_exact = 1 if has_corners(m, d.hit_geom1) and has_corners(m, d.hit_geom2) and skin1 + skin2 == 0.0 else 0


@kernel
def _apart(m, d, limit):
    """Distance of the shapes as they are dressed, normal, and nearest points, where they are apart by more than rounding.

    0, and perhaps a likely normal, if they are not; 1e300 beyond the limit [m].
    """
    none = (0.0, 0.0, 0.0)
    n, weights, v, gap = nearest(m, d, limit)
    if gap >= 1e300:
        return 1e300, scale3(-1.0 / norm3(v), v), none, none
    if gap <= m.opt_ccd_tolerance * (_SHARPER if d.ccd_exact else 1.0):
        return 0.0, scale3(-1.0 / gap, v) if gap > 0.0 else none, none, none
    return gap, scale3(-1.0 / gap, v), combine(d, n, weights, 3), combine(d, n, weights, 6)


@kernel
def _inside(m, d):
    """The same where they overlap by more than rounding: the distance is negative; 0 if they just touch, 1e300 if they are apart.

    The walk can end at a face of its simplex which the origin is in but for rounding: the polytope then tells.
    """
    none = (0.0, 0.0, 0.0)
    d.ccd_start[0], d.ccd_start[1] = -1, -1
    n, _, v, gap = nearest(m, d, 0.0)
    if gap > m.opt_ccd_tolerance:
        return 1e300, scale3(-1.0 / norm3(v), v), none, none
    depth, normal, p1, p2 = penetration(m, d, n)
    return (1e300 if depth < 0.0 else -depth), normal, p1, p2


@kernel
def _likely_axis(m, d, axis, other):
    """Of two axes (zeros: none) and that through the centres, the one on which the cores overlap least."""
    best, _ = unit3(sub3(centre(m, d, d.hit_geom2), centre(m, d, d.hit_geom1)))
    least = overlap(m, d, best)
    for k in range(2):
        way = axis if k == 0 else other
        if dot3(way, way) > 0.0:
            far = overlap(m, d, way)
            if far < least:
                best, least = way, far
    return best


@kernel
def convex_points(m, d, limit):
    """Signed distance of the surfaces of d.hit_geom1, d.hit_geom2, normal, and their nearest or deepest points.

    limit: [m]; 0: points that overlap alone. Relative to the centre of geom1; the distance is 1e300 beyond the limit,
    and the normal then an axis that may show it, or zeros.
    """
    s1, s2 = core_radius(m, d, d.hit_geom1), core_radius(m, d, d.hit_geom2)
    reach = s1 + s2 + limit
    dist, none = 0.0, (0.0, 0.0, 0.0)
    normal, p1, p2 = none, none, none
    _dress(m, d, 0.0, 0.0)
    if reach > 0.0:
        dist, normal, p1, p2 = _apart(m, d, reach)
    d.ccd_sure = 1 if d.ccd_exact or dist >= clearance(m, d) else 0
    if dist == 0.0:
        axis = normal
        d.ccd_sure = 0
        dist, normal, p1, p2 = _inside(m, d)
        if reach > 0.0 and d.ccd_sure == 0:
            dist = min(dist, 0.0)
            normal = _likely_axis(m, d, normal, axis)
    if dist >= 1e300 or (dist == 0.0 and reach == 0.0):
        return 1e300, normal, none, none
    if d.ccd_sure < 1:
        finer, axis, q1, q2 = refine(m, d, normal)
        deeper = finer < dist - _SHARPER * clearance(m, d)
        if finer > -1e300 and (d.ccd_sure == 0 or not deeper):
            dist, normal, p1, p2 = finer, axis, q1, q2
    dist -= s1 + s2
    if not dist <= limit:
        return 1e300, normal, none, none
    return dist, normal, add_scaled3(p1, s1, normal), add_scaled3(p2, -s2, normal)


@kernel
def _core_and_skin(m, d, g, half):
    """Radius to add in the end, and skin to search with [m], of a geom or element with half a margin around it."""
    r = core_radius(m, d, g)
    if g < 0:
        return 0.0, r + half
    return (r + half, 0.0) if r > 0.0 else (0.0, half)


@kernel
def _skin_to_skin(m, d, margin):
    """The same with half the margin as a skin around each geom, and points on the skins; d.ccd_sure: right to the tolerance.

    A distance within the margin is a depth of the skins: it is what the reference finds, with its points on flat sides. So is
    the depth of an element's skin.
    """
    (s1, skin1), (s2, skin2) = _core_and_skin(m, d, d.hit_geom1, 0.5 * margin), _core_and_skin(m, d, d.hit_geom2, 0.5 * margin)
    dist, none = 0.0, (0.0, 0.0, 0.0)
    normal, p1, p2 = none, none, none
    _dress(m, d, skin1, skin2)
    if s1 + s2 > 0.0:
        dist, normal, p1, p2 = _apart(m, d, s1 + s2)
    d.ccd_sure = 1
    if dist == 0.0:
        dist, normal, p1, p2 = _inside(m, d)
        if dist > -m.opt_ccd_tolerance and (dist <= 0.0 or s1 + s2 > 0.0):  # they just touch: too little to tell a direction
            d.ccd_sure = 0
    dist += margin - s1 - s2
    if dist > margin:
        return 1e300, normal, none, none
    return dist, normal, add_scaled3(p1, s1, normal), add_scaled3(p2, -s2, normal)


@kernel
def convex_contact(m, d, margin):
    """The same as `convex_points` for a contact within a margin [m]: where the reference is right to the tolerance, its points.

    The points' middle is that of the contact; they are on the surfaces, or on skins of half the margin.
    """
    if margin > 0.0 or d.hit_geom1 < 0 or d.hit_geom2 < 0:
        dist, normal, p1, p2 = _skin_to_skin(m, d, margin)
        if d.ccd_sure == 1:
            return dist, normal, p1, p2
    return convex_points(m, d, margin)


@kernel
def midpoint(d, p1, p2):
    """Midway between two points that are relative to the centre of geom1, in world axes."""
    return add3(seat(d, d.hit_geom1), scale3(0.5, add3(p1, p2)))


@stage
def convex_convex(m, d):
    """The point midway between where the skins meet, along the shortest way out; with multiccd, up to five."""
    if is_still_apart(m, d):
        return
    dist, normal, p1, p2 = convex_contact(m, d, d.hit_margin)
    if dist >= 1e300:
        keep_axis(d, normal)
        return
    forget_axis(d)
    many = m.opt_enableflags & MULTICCD
    faceted = many and d.hit_margin == 0.0 and has_faces(m, d.hit_geom1) and has_faces(m, d.hit_geom2)
    if faceted and touch_faces(m, d, normal):
        return
    touch(d, dist, midpoint(d, p1, p2), normal)
    if not many or faceted or not begin_turns(m, d):
        return
    for k in range(TURNS):
        turn_apart(d, k)
        gap, _, p1, p2 = convex_contact(m, d, d.hit_margin)
        if gap < 1e300:
            touch_distinct(m, d, dist, midpoint(d, p1, p2))
        turn_back(d)
