"""Penetration of two convex shapes by Minkowski portal refinement: the collision of the flag nativeccd disabled.

A ray goes from a point deep inside the difference (that of the centres) through the origin. A portal is a triangle of
points of the difference which that ray passes; it is moved outward until it is part of the boundary. The depth is the
distance from the origin to the portal: of the boundary where the ray leaves, which need not be the nearest. So depths
and normals of deep overlaps can be far from the least; shapes that do not overlap are told from those that do reliably.

Rows 0 to 3 of d.ccd_vertex are the inner point and the portal, row 4 is the newest point.
Source: G. Snethen, XenoCollide: complex collision made simple, in Game Programming Gems 7, 2008.
"""

import math

from tumble.physics.algebra.mat3 import load9, mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import add3, add_scaled3, cross3, dot3, load3, norm3, scale3, sub3
from tumble.physics.collision.convex.perturb import MULTICCD, TURNS, begin_turns, touch_distinct, turn_apart, turn_back
from tumble.physics.collision.convex.simplex import triangle_weights
from tumble.physics.collision.convex.support import (
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    SPHERE,
    add_vertex,
    centre,
    copy_vertex,
    core_radius,
    seat,
    swap_vertices,
    vertex,
)
from tumble.physics.collision.hit import touch
from tumble.physics.kernel import kernel, stage

_NONE, _FOUND, _AT_POINT, _ON_SEGMENT = 0, 1, 2, 3  # what the search for a portal found
_ZERO = 2.2e-16  # lengths and products below this are none
_RIM, _ASIDE = 0.05, 4.0  # a point this part of the half length below a cap, and no more times that from the side, is of the side
_MOST = 1000  # turns of the search: rounding could keep it turning for ever


@kernel
def _unit(v):
    length = norm3(v)
    if length == 0.0:
        return 0.0, 0.0, 0.0
    return scale3(1.0 / length, v)


@kernel
def _portal_normal(d):
    """Unit normal of the portal, away from the inner point."""
    a = vertex(d, 1)
    return _unit(cross3(sub3(vertex(d, 2), a), sub3(vertex(d, 3), a)))


@kernel
def _store_inner(m, d):
    """The difference of the centres as vertex 0; a little off the origin where they coincide."""
    origin = seat(d, d.hit_geom1)
    p, q = sub3(centre(m, d, d.hit_geom1), origin), sub3(centre(m, d, d.hit_geom2), origin)
    v = sub3(p, q)
    if max(abs(v[0]), abs(v[1]), abs(v[2])) < _ZERO:
        v = (v[0] + 10.0 * _ZERO, v[1], v[2])
    w = d.ccd_vertex
    w[0, 0], w[0, 1], w[0, 2] = v
    w[0, 3], w[0, 4], w[0, 5] = p
    w[0, 6], w[0, 7], w[0, 8] = q


@kernel
def _discover(m, d):
    """A portal that the ray from the inner point through the origin passes, in rows 1 to 3; what was found."""
    _store_inner(m, d)
    inner = vertex(d, 0)
    way = _unit(scale3(-1.0, inner))
    add_vertex(m, d, 1, way)
    if dot3(vertex(d, 1), way) < _ZERO:
        return _NONE
    way = cross3(inner, vertex(d, 1))
    if dot3(way, way) < _ZERO:
        return _AT_POINT if norm3(vertex(d, 1)) < _ZERO else _ON_SEGMENT
    way = _unit(way)
    add_vertex(m, d, 2, way)
    if dot3(vertex(d, 2), way) < _ZERO:
        return _NONE
    way = _unit(cross3(sub3(vertex(d, 1), inner), sub3(vertex(d, 2), inner)))
    if dot3(way, inner) > 0.0:  # the origin is on the other side
        swap_vertices(d, 1, 2)
        way = scale3(-1.0, way)
    for _ in range(_MOST):
        add_vertex(m, d, 3, way)
        if dot3(vertex(d, 3), way) < _ZERO:
            return _NONE
        if dot3(cross3(vertex(d, 1), vertex(d, 3)), inner) < -_ZERO:  # the ray passes beyond the edge 1-3
            copy_vertex(d, 2, 3)
        elif dot3(cross3(vertex(d, 3), vertex(d, 2)), inner) < -_ZERO:  # beyond the edge 3-2
            copy_vertex(d, 1, 3)
        else:
            return _FOUND
        way = _unit(cross3(sub3(vertex(d, 1), inner), sub3(vertex(d, 2), inner)))
    return _NONE


@kernel
def _reaches(d, way, tolerance):
    """True if vertex 4 is beyond the portal by no more than the tolerance: the portal is then in the boundary."""
    far = dot3(vertex(d, 4), way)
    return far - max(dot3(vertex(d, 1), way), dot3(vertex(d, 2), way), dot3(vertex(d, 3), way)) <= tolerance


@kernel
def _expand(d):
    """Replace the portal by the one of the three with vertex 4 that the ray passes."""
    out = cross3(vertex(d, 4), vertex(d, 0))
    if dot3(vertex(d, 1), out) > 0.0:
        k = 1 if dot3(vertex(d, 2), out) > 0.0 else 3
    else:
        k = 2 if dot3(vertex(d, 3), out) > 0.0 else 1
    copy_vertex(d, k, 4)


@kernel
def _refine(m, d):
    """Move the portal outward until the origin is behind it; whether it gets there."""
    for _ in range(_MOST):
        way = _portal_normal(d)
        if dot3(vertex(d, 1), way) >= -_ZERO:
            return True
        add_vertex(m, d, 4, way)
        if dot3(vertex(d, 4), way) < -_ZERO or _reaches(d, way, m.opt_ccd_tolerance):
            return False
        _expand(d)
    return False


@kernel
def _triple(d, i, j, k):
    return dot3(cross3(vertex(d, i), vertex(d, j)), vertex(d, k))


@kernel
def _contact_point(d):
    """Midpoint of where the origin is in both shapes, by its weights in the tetrahedron of the inner point and the portal."""
    w0, w1 = _triple(d, 1, 2, 3), _triple(d, 3, 2, 0)
    w2, w3 = _triple(d, 0, 1, 3), _triple(d, 2, 1, 0)
    total = w0 + w1 + w2 + w3
    if total < _ZERO:  # flat: weights in the portal
        way = _portal_normal(d)
        w0, w1 = 0.0, dot3(cross3(vertex(d, 2), vertex(d, 3)), way)
        w2, w3 = dot3(cross3(vertex(d, 3), vertex(d, 1)), way), dot3(cross3(vertex(d, 1), vertex(d, 2)), way)
        total = w1 + w2 + w3
    w, s = d.ccd_vertex, 0.5 / total
    x, y, z = 0.0, 0.0, 0.0
    for k in range(4):
        weight = s * (w0 if k == 0 else (w1 if k == 1 else (w2 if k == 2 else w3)))
        x, y, z = x + weight * (w[k, 3] + w[k, 6]), y + weight * (w[k, 4] + w[k, 7]), z + weight * (w[k, 5] + w[k, 8])
    return x, y, z


@kernel
def _push_out(m, d):
    """Move the portal to the boundary; depth, normal and point as in penetration_portal."""
    for k in range(_MOST):
        way = _portal_normal(d)
        add_vertex(m, d, 4, way)
        if k > m.opt_ccd_iterations or _reaches(d, way, m.opt_ccd_tolerance):
            break
        _expand(d)
    a, b, c = vertex(d, 1), vertex(d, 2), vertex(d, 3)
    x, y, z = triangle_weights(a, b, c)
    near = add_scaled3(add_scaled3(scale3(x, a), y, b), z, c)
    depth = norm3(near)
    if depth < _ZERO:
        return 0.0, _portal_normal(d), _contact_point(d)
    return depth, scale3(1.0 / depth, near), _contact_point(d)


@kernel
def penetration_portal(m, d):
    """Overlap of the dressed shapes: True if they do, depth [m], unit normal from geom1 to geom2, and the contact's point.

    The point is relative to the centre of geom1.
    """
    none = (0.0, 0.0, 0.0)
    found = _discover(m, d)
    if found == _NONE or (found == _FOUND and not _refine(m, d)):
        return False, 0.0, none, none
    if found == _FOUND:
        depth, normal, point = _push_out(m, d)
        return True, depth, normal, point
    w = d.ccd_vertex
    point = (0.5 * (w[1, 3] + w[1, 6]), 0.5 * (w[1, 4] + w[1, 7]), 0.5 * (w[1, 5] + w[1, 8]))
    v = vertex(d, 1)
    depth = math.sqrt(dot3(v, v))
    if depth < _ZERO:
        return False, 0.0, none, none  # they touch, without a direction
    return True, depth, scale3(1.0 / depth, v), point


@kernel
def _nearest_gradient(size, p):
    """Normal, of any length, of an ellipsoid with these semi-axes at its point that is nearest to p.

    There the offset from p is along the normal: the point is x_i = s_i^2 p_i / (s_i^2 + t), with t such that it is on the
    surface. Newton's method for t, from below: the function falls and is convex, so that it never goes too far.
    """
    a, b, c = size[0] * size[0], size[1] * size[1], size[2] * size[2]
    u, v, w = size[0] * abs(p[0]), size[1] * abs(p[1]), size[2] * abs(p[2])
    t = max(u - a, v - b, w - c)
    for _ in range(50):
        x, y, z = u / (a + t), v / (b + t), w / (c + t)
        over = x * x + y * y + z * z - 1.0
        slope = 2.0 * (x * x / (a + t) + y * y / (b + t) + z * z / (c + t))
        if not over > 1e-15 or slope == 0.0:
            break
        t += over / slope
    return p[0] / (a + t), p[1] / (b + t), p[2] / (c + t)


@kernel
def surface_normal(m, d, g, point):
    """Outward unit normal of a round geom where a point is on its surface or near it; zeros where the geom is flat.

    A portal's normal is coarse where a surface is curved. Near the caps of a cylinder it could be of either: zeros.
    """
    kind, size, mat = m.geom_type[g], load3(m.geom_size, g), load9(d.geom_xmat, g)
    x, y, z = mat_t_vec(mat, sub3(point, load3(d.geom_xpos, g)))
    local = (0.0, 0.0, 0.0)
    if kind == SPHERE:
        local = (x, y, z)
    elif kind == CAPSULE:
        local = (x, y, z - min(max(z, -size[1]), size[1]))
    elif kind == ELLIPSOID:
        local = _nearest_gradient(size, (x, y, z))
    elif kind == CYLINDER:
        below, aside = size[1] - abs(z), abs(size[0] - math.sqrt(x * x + y * y))
        if below > _RIM * size[1] and aside < _ASIDE * below:
            local = (x, y, 0.0)
    return mat_vec(mat, _unit(local))


@kernel
def _portal_contact(m, d):
    """Contact within the margin: True if there is one, its distance [m], point and normal, in world axes."""
    d.ccd_start[0], d.ccd_start[1] = -1, -1
    overlap, depth, normal, point = penetration_portal(m, d)
    if not overlap:
        return False, 0.0, point, normal
    point = add3(seat(d, d.hit_geom1), point)
    if d.hit_geom2 >= 0:  # with elements of flexes the portal's own normal counts
        both = sub3(surface_normal(m, d, d.hit_geom1, point), surface_normal(m, d, d.hit_geom2, point))
        normal = _unit(both) if dot3(both, both) > 0.0 else normal
    return True, d.hit_margin - depth, point, normal


@kernel
def touch_portal(m, d):
    """Report the point of the pair d.hit_geom1, d.hit_geom2, each in a skin of half the margin, if there is one.

    Returns its distance, 1e300 if there is none.
    """
    half = 0.5 * d.hit_margin
    d.ccd_skin[0], d.ccd_skin[1] = core_radius(m, d, d.hit_geom1) + half, core_radius(m, d, d.hit_geom2) + half
    found, dist, point, normal = _portal_contact(m, d)
    if not found:
        return 1e300
    touch(d, dist, point, normal)
    return dist


@stage
def convex_portal(m, d):
    """One point of the pair d.hit_geom1, d.hit_geom2; with multiccd, up to five."""
    dist = touch_portal(m, d)
    if dist >= 1e300 or not m.opt_enableflags & MULTICCD or not begin_turns(m, d):
        return
    for k in range(TURNS):
        turn_apart(d, k)
        found, _, point, _ = _portal_contact(m, d)
        if found:
            touch_distinct(m, d, dist, point)
        turn_back(d)
