"""Penetration of two convex shapes: the expanding polytope of van den Bergen.

The depth is the distance from the origin to the border of the Minkowski difference. A polytope in
the difference that holds the origin is grown, always where its nearest face is, until no point of
the difference is beyond that face by more than the tolerance: it is then part of the boundary. Between shapes that
have corners alone, the polytope is grown until the farthest corner is one of its own: the answer is then exact.

Each face knows the point of its plane that is nearest to the origin and the square of its height (d.ccd_foot; negative where
rounding has put the origin beyond the face), and its three neighbours, so that the faces that a new vertex sees are found by
walking from neighbour to neighbour. d.ccd_list holds the faces that can still
be nearest, d.ccd_place where in it a face is. Coplanar faces are equally near; the order in that list decides.

Source: G. van den Bergen, Proximity queries and penetration depth computation on 3D game objects, 2001.
"""

import math

import numpy as np

from tumble.physics.algebra.vec3 import add3, add_scaled3, cross3, dot3, norm3, scale3, sub3
from tumble.physics.collision.convex.simplex import plane_weights, triangle_weights
from tumble.physics.collision.convex.support import add_vertex, bound, copy_vertex, holds, vertex
from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMINVAL

_VERTICES, _FACES, _STACK = 133, 1000, 800  # room in d.ccd_vertex; in d.ccd_face and its like; in d.ccd_stack
_UNLISTED, _REMOVED = -1, -2  # in d.ccd_place
_EXACT = 1e-15  # tolerance between shapes with corners
_AS_GOOD = 2e-9  # of the smaller geom's radius: axes on which they overlap so equally are equally good
_SURE = 0.1  # of the depth: where the tolerance is more than that, the normal can be any
_BORDER = 1e-6  # weight: a point that is no farther beyond a side of a face is in it
_SAME = 1e-9  # relative difference of squared distances of faces in one plane
_PARALLEL = 1.0 - 1e-12  # cosine of the angle between two faces in one plane
_ROUNDING = 1e-14  # of both geoms' radii
_CONCAVE = 1e-9  # of the distance of two vertices: by that much the first faces may be dented
_ELSEWHERE = 1e-6  # of the smaller geom: a point of contact that is farther from where the shapes touch is another
_NO_AREA = 1e-30  # m^4
_COPLANAR = 1e-15  # m^2: a vertex that is no farther beyond a face, times the face's distance, is in its plane

_PASSES, _AT_ORIGIN = 1e-24, 1e-12  # m^2, m: a plane that is this near to the origin passes it, a point this near to it is in it

# The first faces on a segment with three points around it, on a triangle with a point on each side, on a tetrahedron.
_FIRST = np.array([
    [[0, 2, 3], [0, 4, 2], [0, 3, 4], [1, 3, 2], [1, 4, 3], [1, 2, 4]],
    [[3, 0, 1], [3, 2, 0], [3, 1, 2], [4, 1, 0], [4, 0, 2], [4, 2, 1]],
    [[0, 1, 2], [0, 3, 1], [0, 2, 3], [3, 2, 1], [0, 0, 0], [0, 0, 0]],
], np.int32)  # fmt: skip
_FACE_COUNT = np.array([6, 6, 4], np.int32)


def _neighbours(faces: np.ndarray) -> list[list[int]]:
    """The face beyond each edge of each face, (faces, 3): that which has the edge the other way round."""
    edges = {(face[e], face[(e + 1) % 3]): f for f, face in enumerate(faces.tolist()) for e in range(3)}
    return [[edges.get((face[(e + 1) % 3], face[e]), 0) for e in range(3)] for face in faces.tolist()]


# Which faces those are beyond the edges of these, and where the second and the third vertex of each are exchanged.
_BEYOND = np.array([[_neighbours(faces[:n, order]) + [[0] * 3] * (6 - n) for order in ([0, 1, 2], [0, 2, 1])]
                    for faces, n in zip(_FIRST, _FACE_COUNT, strict=True)], np.int32)  # fmt: skip


@kernel
def _add_face(d, i, j, k):
    """Store a face with its vertices counterclockwise seen from outside; -1 if there is no room or it has no area."""
    f = d.ccd_nface
    a, b, c = vertex(d, i), vertex(d, j), vertex(d, k)
    n = cross3(sub3(c, b), sub3(b, a))
    area = dot3(n, n)
    if f >= _FACES or not area >= _NO_AREA:
        return -1
    depth = dot3(n, b)  # n points inward
    foot = scale3(depth / area, n)
    d.ccd_face[f, 0], d.ccd_face[f, 1], d.ccd_face[f, 2] = i, j, k
    q = d.ccd_foot
    q[f, 0], q[f, 1], q[f, 2] = foot
    q[f, 3] = -dot3(foot, foot) if depth > 0.0 else dot3(foot, foot)
    d.ccd_place[f] = _UNLISTED
    d.ccd_nface = f + 1
    return f


@kernel
def _list_face(d, f):
    d.ccd_place[f] = d.ccd_nlist
    d.ccd_list[d.ccd_nlist] = f
    d.ccd_nlist += 1


@kernel
def _remove_face(d, f):
    """The last of the list takes its place."""
    place = d.ccd_place[f]
    if place >= 0:
        d.ccd_nlist -= 1
        last = d.ccd_list[d.ccd_nlist]
        d.ccd_list[place] = last
        d.ccd_place[last] = place
    d.ccd_place[f] = _REMOVED


@kernel
def _edge(d, f, i):
    """Edge of a face that begins at vertex i."""
    if d.ccd_face[f, 0] == i:
        return 0
    return 1 if d.ccd_face[f, 1] == i else 2


@kernel
def _push_neighbour(d, n, f, e):
    """Put the face beyond edge e of a face on the stack, with the number of that edge there."""
    g = d.ccd_beyond[f, e]
    d.ccd_stack[n, 0], d.ccd_stack[n, 1] = g, _edge(d, g, d.ccd_face[f, (e + 1) % 3])
    return n + 1


@kernel
def _sees(d, g, p):
    """True if a point is beyond the plane of a face. Where that passes the origin, its foot is too short to tell the side."""
    q, u = d.ccd_foot, np.uint64(g)
    if q[u, 3] < _PASSES:
        return dot3(_outward(d, g), p) - _height(d, g) > _AT_ORIGIN
    return q[u, 0] * p[0] + q[u, 1] * p[1] + q[u, 2] * p[2] >= q[u, 3] + _COPLANAR


@kernel
def _remove_seen(d, f, p):
    """Remove face f and the faces around it that a point sees; returns how many edges are their border, in d.ccd_edge.

    Each edge as the face on its other side and the number of the edge there, in the order of a walk around.
    """
    _remove_face(d, f)
    n, rim = 0, 0
    for k in range(3):
        n = _push_neighbour(d, n, f, 2 - k)
    while n > 0:
        n -= 1
        g, e = d.ccd_stack[n, 0] + 0, d.ccd_stack[n, 1] + 0
        if d.ccd_place[g] == _REMOVED:
            continue
        if not _sees(d, g, p):
            d.ccd_edge[rim, 0], d.ccd_edge[rim, 1] = g, e
            rim += 1
        elif n + 2 <= _STACK:
            _remove_face(d, g)
            n = _push_neighbour(d, n, g, (e + 2) % 3)
            n = _push_neighbour(d, n, g, (e + 1) % 3)
        else:
            return 0
    return rim


@kernel
def _close(d, k, rim, low, high):
    """Join the border to vertex k by new faces; list those whose squared height is within bounds. False if stuck."""
    first = d.ccd_nface
    for r in range(rim):
        g, e = d.ccd_edge[r, 0], d.ccd_edge[r, 1]
        a, b = d.ccd_face[g, (e + 1) % 3] + 0, d.ccd_face[g, e] + 0
        if r > 0 and d.ccd_face[first + r - 1, 1] != a:
            return False  # rounding: not one border
        f = _add_face(d, a, b, k)
        if f < 0:
            return False
        d.ccd_beyond[g, e] = f
        d.ccd_beyond[f, 0] = g
        d.ccd_beyond[f, 1] = first + (r + 1) % rim
        d.ccd_beyond[f, 2] = first + (r + rim - 1) % rim
        if low <= d.ccd_foot[f, 3] <= high:
            _list_face(d, f)
    return rim >= 3 and d.ccd_face[first, 0] == d.ccd_face[first + rim - 1, 1]


@kernel
def _complete(m, d, n):
    """Add points around a segment or on both sides of a triangle; returns how many vertices there are, 0 if none."""
    if n == 2:
        along = sub3(vertex(d, 1), vertex(d, 0))
        x, y, z = abs(along[0]), abs(along[1]), abs(along[2])
        thin = (1.0, 0.0, 0.0) if x <= y and x <= z else ((0.0, 1.0, 0.0) if y <= z else (0.0, 0.0, 1.0))
        first, second = cross3(thin, along), cross3(along, cross3(thin, along))
        a, b = norm3(first), norm3(second)
        if a == 0.0 or b == 0.0:
            return 0
        first, second = scale3(1.0 / a, first), scale3(1.0 / b, second)
        for k in range(3):  # a third of a turn apart
            c = 1.0 if k == 0 else -0.5
            s = 0.0 if k == 0 else (0.5 * math.sqrt(3.0) if k == 1 else -0.5 * math.sqrt(3.0))
            add_vertex(m, d, 2 + k, add3(scale3(c, first), scale3(s, second)))
        return 5
    if n == 3:
        a = vertex(d, 0)
        up = cross3(sub3(vertex(d, 1), a), sub3(vertex(d, 2), a))
        length = norm3(up)
        if length == 0.0:
            return 0
        up = scale3(1.0 / length, up)
        add_vertex(m, d, 3, up)
        add_vertex(m, d, 4, scale3(-1.0, up))
        return 5
    return n if n == 4 else 0


@kernel
def _above(d, i, j, k, p):
    """Height of a vertex above the plane of three others, times twice their area."""
    a = vertex(d, i)
    return dot3(cross3(sub3(vertex(d, j), a), sub3(vertex(d, k), a)), sub3(vertex(d, p), a))


@kernel
def _is_dented(d, count):
    """True if a vertex is beyond one of the first faces: the points around a simplex need not make a convex polytope with it."""
    for f in range(d.ccd_nface):
        i, j, k = d.ccd_face[f, 0], d.ccd_face[f, 1], d.ccd_face[f, 2]
        a = vertex(d, i)
        area = norm3(cross3(sub3(vertex(d, j), a), sub3(vertex(d, k), a)))
        for p in range(count):
            if _above(d, i, j, k, p) > _CONCAVE * area * norm3(sub3(vertex(d, p), a)):
                return True
    return False


@kernel
def _keep_tetrahedron(d, n):
    """Of the vertices around a segment or a triangle keep those that make the largest tetrahedron with it, in the first four."""
    if n == 3:
        if abs(_above(d, 0, 1, 2, 4)) > abs(_above(d, 0, 1, 2, 3)):
            copy_vertex(d, 3, 4)
        return
    a, b, c = abs(_above(d, 0, 1, 2, 3)), abs(_above(d, 0, 1, 3, 4)), abs(_above(d, 0, 1, 4, 2))
    if b >= a and b >= c:
        copy_vertex(d, 2, 4)
    elif c >= a:
        copy_vertex(d, 3, 4)


@kernel
def _first_faces(m, d, n):
    """The polytope that holds the simplex of the distance walk; returns its vertices, 0 if it has no volume.

    Where the points around a simplex make no convex polytope with it, it is a tetrahedron with the origin in its boundary.
    Between round shapes it grows convex by itself.
    """
    count = _complete(m, d, n)
    if count == 0:
        return 0
    count = _join(d, n, count)
    if n < 4 and count > 0 and d.ccd_exact and _is_dented(d, count):
        _keep_tetrahedron(d, n)
        count = _join(d, 4, 4)
    return count


@kernel
def _join(d, n, count):
    """Make the first faces on the vertices around a simplex of size n; returns the vertices, 0 if they have no volume."""
    d.ccd_nface, d.ccd_nlist = 0, 0
    middle = (0.0, 0.0, 0.0)
    for k in range(count):
        middle = add3(middle, scale3(1.0 / count, vertex(d, k)))
    outward = 0.0
    for f in range(_FACE_COUNT[n - 2]):
        i, j, k = _FIRST[n - 2, f, 0], _FIRST[n - 2, f, 1], _FIRST[n - 2, f, 2]
        a = vertex(d, i)
        outward += dot3(cross3(sub3(vertex(d, j), a), sub3(vertex(d, k), a)), sub3(a, middle))
    for f in range(_FACE_COUNT[n - 2]):
        i, j, k = _FIRST[n - 2, f, 0], _FIRST[n - 2, f, 1], _FIRST[n - 2, f, 2]
        if _add_face(d, i, j if outward > 0.0 else k, k if outward > 0.0 else j) < 0:
            return 0
        _list_face(d, f)
    for f in range(d.ccd_nface):
        for e in range(3):
            d.ccd_beyond[f, e] = _BEYOND[n - 2, 0 if outward > 0.0 else 1, f, e]
    return count


@kernel
def _nearest_face(d):
    """The first of the nearest faces that are listed; -1: none is."""
    best, at = 1e300, -1
    for k in range(d.ccd_nlist):
        f = d.ccd_list[np.uint64(k)]
        far = d.ccd_foot[np.uint64(f), 3]
        if far < best:
            best, at = far, f + 0
    return at


@kernel
def _has_corner(d, k):
    """True if vertex k is made of the same two corners as one before."""
    c = d.ccd_corner
    found = False
    for i in range(k):
        found = found or (c[i, 0] == c[k, 0] and c[i, 1] == c[k, 1])
    return found


@kernel
def _height(d, f):
    """Signed distance of the plane of a face from the origin: negative if the origin is beyond it."""
    return math.copysign(math.sqrt(abs(d.ccd_foot[f, 3])), d.ccd_foot[f, 3])


@kernel
def _outward(d, f):
    """Unit normal of a face: from the origin to its plane, or from its vertices if that is too short to tell."""
    low = _height(d, f)
    if low > 1e-12:
        return d.ccd_foot[f, 0] / low, d.ccd_foot[f, 1] / low, d.ccd_foot[f, 2] / low
    a = vertex(d, d.ccd_face[f, 0])
    n = cross3(sub3(vertex(d, d.ccd_face[f, 1]), a), sub3(vertex(d, d.ccd_face[f, 2]), a))
    return scale3(1.0 / norm3(n), n)


@kernel
def _is_highest(m, d, above):
    """True if a vertex that was one before, so much higher [m] than the face it was looked for from, shows that none is higher.

    It does not where rounding or a flat difference has made the polytope concave.
    """
    r1, r2 = bound(m, d, d.hit_geom1), bound(m, d, d.hit_geom2)
    return above <= _AS_GOOD * min(r1, r2) + _ROUNDING * (r1 + r2)


@kernel
def _grow(m, d, count):
    """Grow the polytope; returns its face that is in the boundary, or the last that was nearest, and the axis of least overlap.

    d.ccd_sure becomes 1 if the face is in the boundary, and no other axis can be as good. The face is -1, and the axis shows it,
    if the shapes are apart.
    """
    d.ccd_sure = 0
    tolerance = _EXACT if d.ccd_exact else m.opt_ccd_tolerance
    best, low, high, axis = -1, 0.0, 1e300, (0.0, 0.0, 0.0)
    for k in range(count, min(count + m.opt_ccd_iterations, _VERTICES)):
        f = _nearest_face(d)
        if f < 0 or d.ccd_foot[f, 3] > high * high:
            break
        best, low, way = f, _height(d, f), _outward(d, f)
        add_vertex(m, d, k, way)
        beyond = dot3(vertex(d, k), way)
        if beyond < 0.0:
            return -1, way
        if beyond < high:
            high, axis = beyond, way
        if high - low < tolerance:
            d.ccd_sure = 1 if d.ccd_exact or high - low < _SURE * high else 0
            break
        if d.ccd_exact and _has_corner(d, k):
            d.ccd_sure = 1 if _is_highest(m, d, beyond - low) else 0
            break
        rim = _remove_seen(d, f, vertex(d, k))
        if not _close(d, k, rim, d.ccd_foot[f, 3], high * high):
            break
    if d.ccd_exact and high - low <= _AS_GOOD * min(bound(m, d, d.hit_geom1), bound(m, d, d.hit_geom2)):
        d.ccd_sure = 1
    return best, axis


@kernel
def _is_coplanar(d, f, g, room):
    """True if two faces are in one plane, but for a length of rounding [m]."""
    low, other = d.ccd_foot[f, 3], d.ccd_foot[g, 3]
    if abs(other - low) <= _SAME * abs(low):
        return True
    return abs(_height(d, g) - _height(d, f)) <= room and dot3(_outward(d, f), _outward(d, g)) >= _PARALLEL


@kernel
def _weights_at(d, f, foot):
    """Weights of the vertices of a face at a point of its plane; one is negative if the point is not in the face."""
    a, b, c = vertex(d, d.ccd_face[f, 0]), vertex(d, d.ccd_face[f, 1]), vertex(d, d.ccd_face[f, 2])
    return plane_weights(sub3(a, foot), sub3(b, foot), sub3(c, foot))


@kernel
def _points(d, f, weights):
    """The points of both shapes that a weighted sum of the vertices of a face is made of."""
    (x, y, z), w = weights, d.ccd_vertex
    i, j, k = d.ccd_face[f, 0], d.ccd_face[f, 1], d.ccd_face[f, 2]
    p1 = (
        x * w[i, 3] + y * w[j, 3] + z * w[k, 3],
        x * w[i, 4] + y * w[j, 4] + z * w[k, 4],
        x * w[i, 5] + y * w[j, 5] + z * w[k, 5],
    )
    p2 = (
        x * w[i, 6] + y * w[j, 6] + z * w[k, 6],
        x * w[i, 7] + y * w[j, 7] + z * w[k, 7],
        x * w[i, 8] + y * w[j, 8] + z * w[k, 8],
    )
    return p1, p2


@kernel
def _face_around(m, d, f, foot):
    """The face in the plane of face f that holds a point of it, and the weights; if none does, the nearest point of face f.

    A point beyond the sides of face f is taken as it is where both shapes hold it: of all that are right, the reference's.
    If the nearest point of face f is another, only the depth is known, and d.ccd_sure becomes -1 where it was 1.
    """
    x, y, z = _weights_at(d, f, foot)
    if min(x, y, z) >= -_BORDER:
        return f, (x, y, z)
    p1, p2 = _points(d, f, (x, y, z))
    if x + y + z > 0.5 and holds(m, d, d.hit_geom1, 0, p1) and holds(m, d, d.hit_geom2, 1, p2):  # no sum: no area
        return f, (x, y, z)
    rounding = _ROUNDING * (bound(m, d, d.hit_geom1) + bound(m, d, d.hit_geom2))
    for g in range(d.ccd_nface):
        if d.ccd_place[g] != _REMOVED and g != f and _is_coplanar(d, f, g, rounding):
            x, y, z = _weights_at(d, g, foot)
            if min(x, y, z) >= -_BORDER:
                return g, (x, y, z)
    a, b, c = vertex(d, d.ccd_face[f, 0]), vertex(d, d.ccd_face[f, 1]), vertex(d, d.ccd_face[f, 2])
    x, y, z = triangle_weights(sub3(a, foot), sub3(b, foot), sub3(c, foot))
    away = sub3(add_scaled3(add_scaled3(scale3(x, a), y, b), z, c), foot)
    room = _ELSEWHERE * min(bound(m, d, d.hit_geom1), bound(m, d, d.hit_geom2))
    if d.ccd_sure and dot3(away, away) > room * room:
        d.ccd_sure = -1
    return f, (x, y, z)


@kernel
def penetration(m, d, n):
    """Depth and normal of the overlap of two shapes. n: size of the simplex in d.ccd_vertex.

    Returns depth [m], unit normal (geom2 leaves along it), and the points of the shapes that are deepest,
    relative to the centre of geom1. A depth of 0: they touch without depth, or the difference is flat; negative: they are apart.
    Where it is not sure (d.ccd_sure), the normal is the axis of least overlap that was met.
    """
    none = (0.0, 0.0, 0.0)
    d.ccd_sure = 0
    if n < 2:
        return 0.0, none, none, none
    count = _first_faces(m, d, n)
    if count == 0:
        return 0.0, none, none, none
    f, axis = _grow(m, d, count)
    if f < 0 and dot3(axis, axis) > 0.0:
        return -1.0, axis, none, none
    if f < 0 or not d.ccd_foot[f, 3] >= mjMINVAL * mjMINVAL:
        d.ccd_sure = 0
        return 0.0, none, none, none
    depth, normal = math.sqrt(d.ccd_foot[f, 3]), _outward(d, f) if d.ccd_sure else axis
    foot = (d.ccd_foot[f, 0] + 0.0, d.ccd_foot[f, 1] + 0.0, d.ccd_foot[f, 2] + 0.0)
    f, weights = _face_around(m, d, f, foot)  # where several faces are coplanar, the foot may be in another of them
    p1, p2 = _points(d, f, weights)
    return depth, normal, p1, p2
