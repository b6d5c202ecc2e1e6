"""Two geoms, one with a signed distance field: where they overlap most, or come nearest.

Let a, b be the signed distances of a point from the two surfaces. Where a = b, halfway, 2a is the gap there (or the depth,
negative) along the common normal, and a contact belongs where it is least. From points spread over what the boxes of the
geoms have in common, a search steps to a = b by Newton's method along grad a - grad b, then down the slope of a + b within
that surface. It ends at a local least gap; several that end in one place are one contact.

Inside a box or a cylinder the nearest face changes abruptly beneath an edge, and the distance to it is less than what the edge
has gone in. Outside, their distances are exact and smooth. So the search is made just outside of them: there too a + b is the
gap, as b is a distance within the other.
"""

import math

from tumble.physics.algebra.mat3 import column, load9, mat_vec
from tumble.physics.algebra.vec3 import add3, add_scaled3, dot3, load3, norm3, scale3, store3, sub3
from tumble.physics.collision.hit import touch
from tumble.physics.collision.pairs.plane_mesh import touch_lowest
from tumble.physics.collision.sdf.field import world_distance, world_field
from tumble.physics.kernel import exact, stage
from tumble.physics.state.constants import mjMAXCONPAIR
from tumble.physics.state.enums import mjtGeom

PLANE, CYLINDER, BOX = int(mjtGeom.mjGEOM_PLANE), int(mjtGeom.mjGEOM_CYLINDER), int(mjtGeom.mjGEOM_BOX)
FAR = 1e300
_FACING = 0.25  # |grad a - grad b|^2 below which the two surfaces do not face each other: no step to a = b there
_ENOUGH = 0.1  # part of the decrease that the slope promises which a step must keep
SAME = 0.01  # of the size of what is searched: contacts nearer to each other than this are one
_OUTSIDE = 0.02  # of the size of what is searched
_TRIES = 12  # halvings of a step
_LEVEL = 4  # steps to a = b after the search
MOST = 1000  # searches, and steps of one: a step of a model ends, whatever its options say
_FLAT = 1e-12  # squared slope of a + b at which a search ends
_SIDEWAYS = 0.1  # |grad a - grad b| below which two surfaces do not face each other


@exact
def halton(index, base):
    """Member `index` of the van der Corput sequence of a base: 0 to 1, filling it evenly."""
    part, value = 1.0, 0.0
    while index > 0:
        part /= base
        value += part * (index % base)
        index //= base
    return value


@exact
def bias(m, g, span):
    """Offset from geom g at which the search is made [m]; 0: halfway between the surfaces."""
    return _OUTSIDE * span if m.geom_type[g] == BOX or m.geom_type[g] == CYLINDER else 0.0


@exact
def _wanted(a, b, outside):
    """The difference of distances that a search is made at: 0, or that where a is as wanted outside."""
    return 0.0 if outside == 0.0 else max(0.0, -(a + b)) + 2.0 * outside


@exact
def _level(m, d, g, h, x, outside):
    """One Newton step from x to where the distances differ as wanted.

    Returns the new point, what the gradients at the old one say: the direction from g to h, its square, the slope of a + b.
    """
    a, ga = world_field(m, d, g, x)
    b, gb = world_field(m, d, h, x)
    across, slope = sub3(ga, gb), add3(ga, gb)
    square = dot3(across, across)
    if square > _FACING:
        x = add_scaled3(x, (b - a + _wanted(a, b, outside)) / square, across)
        slope = add_scaled3(slope, -dot3(slope, across) / square, across)
    return x, across, square, slope


@exact
def _gap(a, b, outside):
    """The gap that two distances tell of; outside of exact ones it is their sum."""
    return 2.0 * max(a, b) if outside == 0.0 else a + b


@exact
def _gap_at(m, d, g, h, x, outside):
    return _gap(world_distance(m, d, g, x), world_distance(m, d, h, x), outside)


@exact
def _stride(moved, turned, most):
    """The step that would have made the change of the slope zero (Barzilai and Borwein), at most one."""
    by = dot3(moved, turned)
    return min(dot3(moved, moved) / by, most) if by > 0.0 else most


@exact
def _descend(m, d, g, h, x, span, outside):
    """Up to opt_sdf_iterations steps from a point towards a local least gap. span: the longest step [m]."""
    stride = span
    last_x, last_slope = x, (0.0, 0.0, 0.0)
    for step in range(min(m.opt_sdf_iterations, MOST)):
        x, across, square, slope = _level(m, d, g, h, x, outside)
        steep = dot3(slope, slope)
        if not _FLAT < steep < 1.0 / _FLAT:  # not-a-number too
            break
        if step > 0:
            stride = _stride(sub3(x, last_x), sub3(slope, last_slope), span)
        last_x, last_slope = x, slope
        gap, moved = _gap_at(m, d, g, h, x, outside), False
        for _ in range(_TRIES):
            y = add_scaled3(x, -stride, slope)
            if square > _FACING:
                a, b = world_distance(m, d, g, y), world_distance(m, d, h, y)
                y = add_scaled3(y, (b - a + _wanted(a, b, outside)) / square, across)
            moved = _gap_at(m, d, g, h, y, outside) < gap - _ENOUGH * stride * steep
            if moved:
                x = y
                break
            stride *= 0.5
        if not moved:
            break
    return x


@exact
def nearest(m, d, g, h, x, span):
    """The local least gap that a search from a point ends at: gap, point halfway, unit normal from g to h.

    The gap is 1e300 if the surfaces do not face each other there. span: the longest step [m].
    """
    outside = bias(m, g, span)
    x = _descend(m, d, g, h, x, span, outside)
    normal, square = (1.0, 0.0, 0.0), 0.0
    for _ in range(_LEVEL):
        x, normal, square, _ = _level(m, d, g, h, x, outside)
    length = math.sqrt(square)
    if not length > _SIDEWAYS:
        return FAR, x, (1.0, 0.0, 0.0)
    normal = scale3(1.0 / length, normal)
    a, b = world_distance(m, d, g, x), world_distance(m, d, h, x)
    return _gap(a, b, outside), add_scaled3(x, 0.5 * (b - a), normal), normal


@exact
def reach(m, d, g, h, k):
    """From where to where the box of geom h reaches along axis k of geom g, from its origin [m]."""
    axis, mat = column(load9(d.geom_xmat, g), k), load9(d.geom_xmat, h)
    box = m.geom_aabb
    middle = dot3(axis, sub3(load3(d.geom_xpos, h), load3(d.geom_xpos, g)))
    middle += dot3(axis, mat_vec(mat, (box[h, 0], box[h, 1], box[h, 2])))
    half = 0.0
    for j in range(3):
        half += abs(dot3(axis, column(mat, j))) * box[h, 3 + j]
    return middle - half, middle + half


@exact
def _common(m, d, g, h, k, margin):
    """Overlap of two geoms' boxes along axis k of geom g [m]."""
    low, high = reach(m, d, g, h, k)
    if m.geom_type[g] == PLANE:
        return (low, min(high, margin)) if k == 2 else (low, high)
    middle, half = m.geom_aabb[g, k], m.geom_aabb[g, 3 + k] + margin
    return max(low, middle - half), min(high, middle + half)


@exact
def _place_of(d, x, near):
    """The contact that a point belongs to, -1: none."""
    for k in range(d.hit_num):
        if norm3(sub3(load3(d.hit_pos, k), x)) < near:
            return k
    return -1


@exact
def add(d, gap, x, normal, near):
    """Report a contact; of two in the same place the deeper."""
    k = _place_of(d, x, near)
    if k < 0:
        touch(d, gap, x, normal)
    elif gap < d.hit_dist[k]:
        d.hit_dist[k] = gap
        for j in range(3):
            d.hit_pos[k, j], d.hit_frame[k, j] = x[j], normal[j]


@stage
def sdf_pair(m, d):
    """Up to one contact for each of opt_sdf_initpoints starting points."""
    g, h, margin = d.hit_geom1, d.hit_geom2, d.hit_margin
    x0, x1 = _common(m, d, g, h, 0, margin)
    y0, y1 = _common(m, d, g, h, 1, margin)
    z0, z1 = _common(m, d, g, h, 2, margin)
    if x1 < x0 or y1 < y0 or z1 < z0:
        return
    size = (x1 - x0, y1 - y0, z1 - z0)
    span = 0.5 * norm3(size)
    origin, mat = load3(d.geom_xpos, g), load9(d.geom_xmat, g)
    for k in range(min(m.opt_sdf_initpoints, MOST)):
        if d.hit_num >= mjMAXCONPAIR or d.failed != 0:
            return
        start = (x0 + size[0] * halton(k, 2), y0 + size[1] * halton(k, 3), z0 + size[2] * halton(k, 5))
        gap, x, normal = nearest(m, d, g, h, add3(origin, mat_vec(mat, start)), span)
        if gap <= margin:
            add(d, gap, x, normal, SAME * span)


_COARSE = 0.02  # of the radius of the bounding sphere: how far the mesh may be from the surface


@stage
def plane_sdf(m, d):
    """Up to three points."""
    g, h, margin = d.hit_geom1, d.hit_geom2, d.hit_margin
    if m.geom_plugin[h] < 0:  # the mesh is the surface
        touch_lowest(m, d)
        return
    d.hit_margin = margin + _COARSE * m.geom_rbound[h]
    touch_lowest(m, d)
    d.hit_margin = margin
    found, d.hit_num = d.hit_num, 0
    for k in range(found):
        store3(d.hit_work, k, load3(d.hit_pos, k))
    for k in range(found):
        gap, x, normal = nearest(m, d, g, h, load3(d.hit_work, k), m.geom_rbound[h])
        if gap <= margin and d.failed == 0:
            add(d, gap, x, normal, SAME * m.geom_rbound[h])
