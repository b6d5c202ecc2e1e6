"""Box against box: the axis of least penetration, then the points where the two surfaces overlap across it.

Fifteen axes can separate two boxes: three face normals of each, nine cross products of edges. The
one with the least overlap is the normal of all contacts. If it is a face's, the other box's nearest
face (or edge, or corner) is clipped against that face: up to eight points. If it is a pair of
edges', the two faces that meet at those edges and are most alike are laid on each other along the
normal, and clipped in the same way: two boxes crossed at a small angle rest on an area, not a point.

Work rows (of d.hit_work, three numbers each) are named below; the frame of the reference face has
its normal as z and its border at +-rect.
"""

import math

import numpy as np

from tumble.physics.algebra.mat3 import load9, mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import add3, add_scaled3, dot3, load3, norm3, pick3, scale3, store3, sub3
from tumble.physics.collision.convex.pair import convex_points
from tumble.physics.collision.hit import touch
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.constants import mjMINVAL

_AXES = 0  # 3 rows: axes of box 2 in the frame of box 1
_BACK = 3  # 3 rows: axes of box 1 in the frame of box 2
_QUAD = 9  # 4 rows: corners of the other box's face
_FLAT = 13  # 4 rows: the same, laid on the reference face along the normal

# Where faces lie on each other, two edges can seem as good as the faces by rounding, most of all edges that are nearly parallel,
# whose normal then points anywhere: points get lost. So faces that are as good but for rounding are tried first.
_PARALLEL = 1e-8  # sine of the angle between edges
_ROUNDING = 1e-15  # part of the boxes' half diagonals, over that sine
_NEAR = 1e-9  # part of the boxes' half diagonals: what a point can be beyond what is possible, by rounding
_TIE = 1e-12  # part of the boxes' half diagonals that is rounding

# The edges of a quad with corners 0, 1, 2, 3 = 0 + (1 - 0) + (2 - 0): first corner, then the corner that gives the direction.
# Arrays: an index that a tuple does not have would raise, and kernels never do.
_EDGE_START = np.array((0, 0, 1, 2))
_EDGE_ALONG = np.array((1, 2, 2, 1))


@kernel
def _into_face(face, v):
    """v in the frame of a face: the face's outward normal becomes z. face: axis, plus 3 on the negative side."""
    if face == 0:
        return -v[2], v[1], v[0]
    if face == 1:
        return v[0], -v[2], v[1]
    if face == 2:
        return v
    if face == 3:
        return v[2], v[1], -v[0]
    if face == 4:
        return v[0], v[2], -v[1]
    return -v[0], v[1], -v[2]


@kernel
def _out_of_face(face, v):
    """The inverse of _into_face."""
    if face == 0:
        return v[2], v[1], -v[0]
    if face == 1:
        return v[0], v[2], -v[1]
    if face == 2:
        return v
    if face == 3:
        return -v[2], v[1], v[0]
    if face == 4:
        return v[0], -v[2], v[1]
    return -v[0], v[1], -v[2]


@kernel
def _reach(w, base, k, size):
    """Half extent, along axis k of the frame in which rows base.. are, of a box of that half size."""
    return abs(w[base, k]) * size[0] + abs(w[base + 1, k]) * size[1] + abs(w[base + 2, k]) * size[2]


@kernel
def _edge_overlap(w, i, j, axis, length, size1, size2, away):
    """Overlap of the boxes along the unit normal to edge i of box 1 and edge j of box 2 (length: before scaling)."""
    total = 0.0
    for k in range(3):
        if k != i:
            total += pick3(size1, k) * abs(pick3(axis, k))
        if k != j:
            total += pick3(size2, k) * abs(w[_AXES + 3 - j - k, i]) / length
    return total - abs(away)


@kernel
def _best_axis(w, size1, size2, pos21, pos12, margin):
    """The axis of least overlap: 0-2 faces of box 1, 3-5 on their negative side, 6-11 those of box 2, 12 + 3 i + j edges.

    Returns -1 if the boxes are farther apart than the margin. And of edges: the face that is as good but for rounding (-1:
    none), the unit normal to them, in the frame of box 1, and whether it points from box 2 to box 1. And the least overlap [m].
    """
    best, code, axis, inverted = 1e300, -1, (0.0, 0.0, 0.0), False
    rounding, worst = _ROUNDING * (norm3(size1) + norm3(size2)), 0.0
    for i in range(3):
        x1, x2 = pick3(pos21, i), pick3(pos12, i)
        c1 = pick3(size1, i) + _reach(w, _AXES, i, size2) - abs(x1)
        c2 = pick3(size2, i) + _reach(w, _BACK, i, size1) - abs(x2)
        if c1 < -margin or c2 < -margin:
            return -1, -1, axis, inverted, best
        if c1 < best:
            best, code = c1, i + (3 if x1 < 0.0 else 0)
        if c2 < best:
            best, code = c2, i + (9 if x2 < 0.0 else 6)
    face, least = code, best
    for i in range(3):
        for j in range(3):
            a = load3(w, _AXES + j)
            if i == 0:
                cross = (0.0, -a[2], a[1])
            elif i == 1:
                cross = (a[2], 0.0, -a[0])
            else:
                cross = (-a[1], a[0], 0.0)
            length = norm3(cross)
            if length < _PARALLEL:
                continue
            cross = scale3(1.0 / length, cross)
            away = dot3(pos21, cross)
            c = _edge_overlap(w, i, j, cross, length, size1, size2, away)
            if c < -margin:
                return -1, -1, axis, inverted, best
            if c < best * (1.0 - 1e-12):
                best, code, axis, inverted, worst = c, 12 + 3 * i + j, cross, away < 0.0, rounding / length
    return code, (face if code >= 12 and least - best <= worst else -1), axis, inverted, best


@kernel
def _quad_edge(w, base, e):
    """Start and direction of an edge of a quad (rows base..)."""
    start = load3(w, base + _EDGE_START[e])
    return start, sub3(load3(w, base + _EDGE_ALONG[e]), load3(w, base))


@kernel
def _corner_of_rect(rect, k):
    """Corner k of the reference face: x, y."""
    return rect[0] if k >= 2 else -rect[0], rect[1] if k & 1 else -rect[1]


@kernel
def _outside(rect, v):
    """True if a point is outside the reference face, or on its border (the clipped edges end there)."""
    return abs(v[0]) >= rect[0] or abs(v[1]) >= rect[1]


@kernel
def _beyond(rect, v):
    """True if a point is outside the reference face by more than rounding."""
    return abs(v[0]) > (1.0 + _TIE) * rect[0] or abs(v[1]) > (1.0 + _TIE) * rect[1]


@kernel
def _is_there(d, point, near):
    """True if a point is already reported, but for a difference in each coordinate."""
    p, found = d.hit_pos, False
    for i in range(d.hit_num):
        found = found or max(abs(p[i, 0] - point[0]), abs(p[i, 1] - point[1]), abs(p[i, 2] - point[2])) <= near
    return found


@kernel
def _touch_face(d, pos, mat, face, high, sign, v, near):
    """Report a point v in the face's frame at depth v[2]; high: height of the face, sign: of the normal.

    near: so close [m] to another it is not reported; negative: it is in any case.
    """
    if v[2] <= d.hit_margin:
        point = add3(pos, mat_vec(mat, _out_of_face(face, (v[0], v[1], 0.5 * v[2] + high))))
        if near < 0.0 or not _is_there(d, point, near):
            touch(d, v[2], point, mat_vec(mat, _out_of_face(face, (0.0, 0.0, sign))))


@kernel
def _clip_to_rect(w, e, rect, side, way):
    """Intersection of edge e of the flat quad with a side of the reference face (x or y, on the side way = -1 or 1).

    Returns the place in [0, 1] along the edge, -1 if they do not cross, and the place along the side.
    """
    start, along = _quad_edge(w, _FLAT, e)
    a, b = (start[0], along[0]) if side == 0 else (start[1], along[1])
    c, dd = (start[1], along[1]) if side == 0 else (start[0], along[0])
    limit, across = (rect[0], rect[1]) if side == 0 else (rect[1], rect[0])
    if abs(b) <= max(mjMINVAL, _TIE * abs(dd)):  # parallel: then corners tell
        return -1.0, 0.0
    place = (way * limit - a) / b
    at = c + dd * place
    if place < 0.0 or place > 1.0 or abs(at) > across:
        return -1.0, 0.0
    return place, at


@kernel
def _area(w):
    """Signed area of the flat quad."""
    origin = load3(w, _FLAT)
    a, b = sub3(load3(w, _FLAT + 1), origin), sub3(load3(w, _FLAT + 2), origin)
    return a[0] * b[1] - b[0] * a[1]


@kernel
def _inside_quad(w, x, y, area):
    """Coordinates of a point of the reference face in the flat quad: in it where both are in [0, 1]."""
    origin = load3(w, _FLAT)
    a, b = sub3(load3(w, _FLAT + 1), origin), sub3(load3(w, _FLAT + 2), origin)
    x, y = x - origin[0], y - origin[1]
    return (x * b[1] - y * b[0]) / area, (y * a[0] - x * a[1]) / area


@kernel
def _face_contacts(d, w, axes, face, pos, mat, size, offset, other, sign):
    """Contacts on a face of the reference box (pos, mat, size): the other box's nearest feature, clipped.

    axes: work rows with the other box's axes in the reference frame; offset: its centre there; other: its size.
    """
    rect = _into_face(face, size)
    rect = (abs(rect[0]), abs(rect[1]), abs(rect[2]))
    near = _TIE * min(norm3(size), norm3(other))
    corner = add_scaled3(_into_face(face, offset), -rect[2], (0.0, 0.0, 1.0))
    sides = 0  # edges of the nearest corner that run along the face: none, one, or two that span the nearest face
    for i in range(3):
        turned = _into_face(face, load3(w, axes + i))
        reach = pick3(other, i) if turned[2] < 0.0 else -pick3(other, i)
        corner = add_scaled3(corner, reach, turned)
        if sides < 2 and abs(turned[2]) < 0.5:  # of a rotation's axes at most two; of a frame that is none, all three could
            sides += 1
            store3(w, _FLAT + sides, scale3(-2.0 * reach, turned))
    store3(w, _FLAT, corner)
    for k in range(1, sides + 1):
        store3(w, _FLAT + k, add3(corner, load3(w, _FLAT + k)))
    if sides == 2:
        store3(w, _FLAT + 3, sub3(add3(load3(w, _FLAT + 1), load3(w, _FLAT + 2)), corner))
    for e in range(sides * sides):
        start, along = _quad_edge(w, _FLAT, e)
        for side in range(2):
            for k in range(2):
                place, _ = _clip_to_rect(w, e, rect, side, 2.0 * k - 1.0)
                if place >= 0.0:
                    _touch_face(d, pos, mat, face, rect[2], sign, add_scaled3(start, place, along), -1.0)
    if sides == 2:
        for k in range(4):
            x, y = _corner_of_rect(rect, k)
            u, v = _inside_quad(w, x, y, _area(w))
            if -_TIE < u < 1.0 + _TIE and -_TIE < v < 1.0 + _TIE:
                z = corner[2] + u * (w[_FLAT + 1, 2] - corner[2]) + v * (w[_FLAT + 2, 2] - corner[2])
                border = not (0.0 < u < 1.0 and 0.0 < v < 1.0)
                _touch_face(d, pos, mat, face, rect[2], sign, (x, y, z), near if border else -1.0)
    for k in range(1 << sides):
        point = load3(w, _FLAT + k)
        if not _beyond(rect, point):
            border = k > 0 and _outside(rect, point)
            _touch_face(d, pos, mat, face, rect[2], sign, point, near if border else -1.0)


@kernel
def _touch_edges(d, pos, mat, face, high, normal, dist, upper, lower):
    """Report a point between two points, of box 2 and of the reference face, in the face's frame."""
    v = scale3(0.5, add3(upper, lower))
    point = _out_of_face(face, (v[0], v[1], v[2] + high))
    touch(d, dist, add3(pos, mat_vec(mat, point)), normal)


@kernel
def _facing(a, i):
    """The two axes other than i: first the one with the greater component (of a, absolute), then the other."""
    j, k = (1 if i != 1 else 0), (2 if i != 2 else 0)
    if abs(pick3(a, j)) < abs(pick3(a, k)):
        return k, j
    return j, k


@kernel
def _edge_contacts(d, w, i, j, axis, inverted, pos, mat, size1, offset, size2):
    """Contacts across edge i of box 1 and edge j of box 2: the faces next to them, projected onto each other along the axis."""
    margin = d.hit_margin
    outward = scale3(-1.0, axis) if inverted else axis  # from box 1 to box 2
    turned = _to_box2(w, axis)
    q, o = _facing(load3(w, _BACK + i), j)
    _, p = _facing(load3(w, _AXES + j), i)
    face = p if (pick3(axis, p) > 0.0) != inverted else p + 3

    rect = _into_face(face, size1)
    rect = (abs(rect[0]), abs(rect[1]), abs(rect[2]))
    slope = _into_face(face, axis)
    if abs(slope[2]) < mjMINVAL:
        return
    to_depth = (-1.0 if inverted else 1.0) / slope[2]
    centre = add_scaled3(_into_face(face, offset), -rect[2], (0.0, 0.0, 1.0))
    aq, ao = _into_face(face, load3(w, _AXES + q)), _into_face(face, load3(w, _AXES + o))
    aj = scale3(pick3(size2, j), _into_face(face, load3(w, _AXES + j)))
    rq = pick3(size2, q) if (pick3(turned, q) > 0.0) == inverted else -pick3(size2, q)
    ro = pick3(size2, o) if (pick3(turned, o) > 0.0) == inverted else -pick3(size2, o)
    near = add_scaled3(add_scaled3(centre, rq, aq), ro, ao)
    far = add_scaled3(near, -2.0 * rq, aq)
    store3(w, _QUAD, add3(near, aj))
    store3(w, _QUAD + 1, sub3(near, aj))
    store3(w, _QUAD + 2, add3(far, aj))
    store3(w, _QUAD + 3, sub3(far, aj))
    for k in range(4):
        v = load3(w, _QUAD + k)
        store3(w, _FLAT + k, add_scaled3(v, -v[2] / slope[2], slope))

    normal = mat_vec(mat, outward)
    for e in range(4):
        start, along = _quad_edge(w, _QUAD, e)
        for side in range(2):
            for k in range(2):
                place, at = _clip_to_rect(w, e, rect, side, 2.0 * k - 1.0)
                if place < 0.0:
                    continue
                upper = add_scaled3(start, place, along)
                if upper[2] * to_depth <= margin:
                    limit = (2.0 * k - 1.0) * (rect[0] if side == 0 else rect[1])
                    lower = (limit, at, 0.0) if side == 0 else (at, limit, 0.0)
                    _touch_edges(d, pos, mat, face, rect[2], normal, upper[2] * to_depth, upper, lower)
    crossings = d.hit_num
    area = _area(w)
    for k in range(4):
        x, y = _corner_of_rect(rect, k)
        u, v = _inside_quad(w, x, y, area)
        beside_u, beside_v = u < 0.0 or u > 1.0, v < 0.0 or v > 1.0
        if (beside_u and beside_v) or (crossings > 0 and (beside_u or beside_v)):
            continue
        u, v = min(max(u, 0.0), 1.0), min(max(v, 0.0), 1.0)
        first = load3(w, _QUAD)
        upper = add_scaled3(add_scaled3(first, u, sub3(load3(w, _QUAD + 1), first)), v, sub3(load3(w, _QUAD + 2), first))
        lower = (x, y, 0.0)
        gap = norm3(sub3(lower, upper))
        area = gap * gap  # the reference overwrites the area here, which leaves most later corners out; so do we
        if upper[2] <= 0.0 or gap <= margin:
            _touch_edges(d, pos, mat, face, rect[2], normal, math.copysign(gap, upper[2]), upper, lower)
    corners = d.hit_num
    for k in range(4):
        flat, upper = load3(w, _FLAT + k), load3(w, _QUAD + k)
        beside_x, beside_y = abs(flat[0]) > rect[0], abs(flat[1]) > rect[1]
        if crossings > 0 and (beside_x or beside_y):
            continue
        if crossings == 0 and corners != 0 and beside_x and beside_y:
            continue
        lower = (min(max(flat[0], -rect[0]), rect[0]), min(max(flat[1], -rect[1]), rect[1]), 0.0)
        aside = norm3(sub3(lower, (flat[0], flat[1], 0.0)))
        deep = upper[2] * to_depth
        gap = math.sqrt(aside * aside + deep * deep)
        if upper[2] <= 0.0 or gap <= margin:
            _touch_edges(d, pos, mat, face, rect[2], normal, math.copysign(gap, upper[2]), upper, lower)


@kernel
def _to_box2(w, v):
    """A vector of the frame of box 1 in that of box 2."""
    return dot3(load3(w, _AXES), v), dot3(load3(w, _AXES + 1), v), dot3(load3(w, _AXES + 2), v)


@kernel
def _side(v, pos, mat, size, margin):
    """1: a point is outside a box (grown by the margin) by a percent, -1: as much inside, 0: at its surface."""
    local = mat_t_vec(mat, sub3(v, pos))
    place = -1
    for k in range(3):
        x, s = abs(pick3(local, k)), pick3(size, k) + margin
        if x > 1.01 * s:
            return 1
        if 1.01 * x > s:
            place = 0
    return place


@kernel
def _same(d, i, j, near):
    """True if two points are one but for rounding."""
    p = d.hit_pos
    return max(abs(p[i, 0] - p[j, 0]), abs(p[i, 1] - p[j, 1]), abs(p[i, 2] - p[j, 2])) <= near


@kernel
def _away(v, pos, mat, size):
    """Distance of a point from a box [m]; 0 inside."""
    x = mat_t_vec(mat, sub3(v, pos))
    return norm3((max(abs(x[0]) - size[0], 0.0), max(abs(x[1]) - size[1], 0.0), max(abs(x[2]) - size[2], 0.0)))


@kernel
def _keep_good(d, overlap, pos1, mat1, size1, pos2, mat2, size2):
    """Drop points outside one box and not inside the other, points that a later one repeats, and points that cannot be.

    overlap: the least of all axes [m]: no point is deeper. No point is farther from a box than half its depth or distance, and
    half the margin. Returns whether all were possible.
    """
    possible = True
    kept, near, rounding = 0, _TIE * min(norm3(size1), norm3(size2)), _NEAR * (norm3(size1) + norm3(size2))
    for i in range(d.hit_num):
        v, dist = load3(d.hit_pos, i), d.hit_dist[i] + 0.0
        bad = _side(v, pos1, mat1, size1, d.hit_margin) + _side(v, pos2, mat2, size2, d.hit_margin) > 0
        room = 0.5 * (abs(dist) + d.hit_margin) + rounding
        if dist < -overlap - rounding or max(_away(v, pos1, mat1, size1), _away(v, pos2, mat2, size2)) > room:
            bad, possible = True, False
        for j in range(i + 1, d.hit_num):
            bad = bad or _same(d, i, j, near)
        if not bad:
            d.hit_dist[kept] = dist
            store3(d.hit_pos, kept, v)
            kept += 1
    d.hit_num = kept
    return possible


@kernel
def _make_sure(m, d, near):
    """If points were lost: add the nearest or deepest point, unless a remaining one is as near or deep.

    Corners past the border of a face, and plates that cross. near: distances that differ by less are equal [m].
    """
    least = 1e300
    for i in range(d.hit_num):
        least = min(least, d.hit_dist[i])
    dist, normal, p1, p2 = convex_points(m, d, d.hit_margin)
    if d.hit_num > 0 and abs(least - dist) <= near:
        return
    d.hit_num = 0
    if dist < 1e300:
        touch(d, dist, add3(load3(d.geom_xpos, d.hit_geom1), scale3(0.5, add3(p1, p2))), normal)


@stage
def box_box(m, d):
    """Up to eight points."""
    g, h = d.hit_geom1, d.hit_geom2
    pos1, mat1, size1 = load3(d.geom_xpos, g), load9(d.geom_xmat, g), load3(m.geom_size, g)
    pos2, mat2, size2 = load3(d.geom_xpos, h), load9(d.geom_xmat, h), load3(m.geom_size, h)
    w = d.hit_work
    for j in range(3):
        store3(w, _AXES + j, mat_t_vec(mat1, (mat2[j], mat2[3 + j], mat2[6 + j])))
    for i in range(3):
        store3(w, _BACK + i, (w[_AXES, i], w[_AXES + 1, i], w[_AXES + 2, i]))
    pos21, pos12 = mat_t_vec(mat1, sub3(pos2, pos1)), mat_t_vec(mat2, sub3(pos1, pos2))
    code, face, axis, inverted, overlap = _best_axis(w, size1, size2, pos21, pos12, d.hit_margin)
    if code < 0:
        return
    face = code if code < 12 else face
    if face >= 6:
        _face_contacts(d, w, _BACK, face - 6, pos2, mat2, size2, pos12, size1, -1.0)
    elif face >= 0:
        _face_contacts(d, w, _AXES, face, pos1, mat1, size1, pos21, size2, 1.0)
    if code >= 12 and d.hit_num == 0:
        _edge_contacts(d, w, (code - 12) // 3, (code - 12) % 3, axis, inverted, pos1, mat1, size1, pos21, size2)
    possible = _keep_good(d, overlap, pos1, mat1, size1, pos2, mat2, size2)
    if d.hit_num == 0 or not possible:
        _make_sure(m, d, _NEAR * (norm3(size1) + norm3(size2)))
