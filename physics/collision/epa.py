"""Penetration of two convex cores: the expanding polytope of van den Bergen.

The depth is the distance from the origin to the border of the Minkowski difference. A polytope in
the difference that holds the origin is grown, always where its nearest face is, until no point of
the difference is beyond that face: it then lies in the border.
"""

from physics.algebra.vec3 import cross3, dot3, norm3, scale3, sub3
from physics.collision.gjk import triangle_weights
from physics.collision.support import add_vertex, vertex
from physics.kernel import kernel

_VERTICES, _FACES = 132, 264  # room in d.ccd_vertex, and in d.ccd_face and d.ccd_edge
_RELATIVE = 1e-10  # of the size of the difference: a face that no point surpasses by more is in the border
_ROUNDING = 1e-12  # of the size of the difference: points this little beyond a face are in its plane


@kernel
def _sees(d, f, p):
    """How far a point is beyond a face [m]."""
    q = d.ccd_plane
    return q[f, 0] * p[0] + q[f, 1] * p[1] + q[f, 2] * p[2] - q[f, 3]


@kernel
def _add_face(d, nface, i, j, k):
    """Store a face with its vertices counterclockwise seen from outside, in a free place.

    Returns the number of places in use so far, or -1 where there is no room or the face has no area.
    """
    a, b, c = vertex(d, i), vertex(d, j), vertex(d, k)
    n = cross3(sub3(b, a), sub3(c, a))
    length = norm3(n)
    f = 0
    while f < nface and d.ccd_face[f, 0] >= 0:
        f += 1
    if f >= _FACES or length < 1e-300:
        return -1
    n = scale3(1.0 / length, n)
    d.ccd_face[f, 0], d.ccd_face[f, 1], d.ccd_face[f, 2] = i, j, k
    q = d.ccd_plane
    q[f, 0], q[f, 1], q[f, 2] = n
    q[f, 3] = dot3(n, a)
    return max(nface, f + 1)


@kernel
def _toggle_edge(d, nedge, i, j):
    """Add a directed edge, or drop its opposite: what remains is the border of the seen faces."""
    e = d.ccd_edge
    for k in range(nedge):
        if e[k, 0] == j and e[k, 1] == i:
            e[k, 0], e[k, 1] = e[nedge - 1, 0], e[nedge - 1, 1]
            return nedge - 1
    e[nedge, 0], e[nedge, 1] = i, j
    return nedge + 1


@kernel
def _complete(m, d, n):
    """Make the simplex that the distance walk left a tetrahedron; returns whether it has a volume."""
    if n == 1:  # the origin is a vertex of the difference: any other point will do
        best = 0.0
        for k in range(6):
            way = 1.0 if k % 2 == 0 else -1.0
            add_vertex(m, d, 2, (way if k < 2 else 0.0, way if 2 <= k < 4 else 0.0, way if k >= 4 else 0.0))
            gap = norm3(sub3(vertex(d, 2), vertex(d, 0)))
            if gap > best:
                best = gap
                for i in range(9):
                    d.ccd_vertex[1, i] = d.ccd_vertex[2, i]
        n = 2
    if n == 2:
        along = sub3(vertex(d, 1), vertex(d, 0))
        best = -1.0
        for k in range(3):
            across = cross3(along, (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0))
            for s in range(2):
                add_vertex(m, d, 3, across if s == 0 else scale3(-1.0, across))
                area = norm3(cross3(along, sub3(vertex(d, 3), vertex(d, 0))))
                if area > best:
                    best = area
                    for i in range(9):
                        d.ccd_vertex[2, i] = d.ccd_vertex[3, i]
        n = 3
    a = vertex(d, 0)
    normal = cross3(sub3(vertex(d, 1), a), sub3(vertex(d, 2), a))
    if n == 3:
        add_vertex(m, d, 3, normal)
        up = dot3(normal, sub3(vertex(d, 3), a))
        add_vertex(m, d, 4, scale3(-1.0, normal))
        if -dot3(normal, sub3(vertex(d, 4), a)) > up:
            for i in range(9):
                d.ccd_vertex[3, i] = d.ccd_vertex[4, i]
    return dot3(normal, sub3(vertex(d, 3), a))


@kernel
def _first_faces(d, volume):
    """The four faces of the first tetrahedron, turned outward."""
    i, j = (1, 2) if volume < 0.0 else (2, 1)
    nface = _add_face(d, 0, 0, i, j)
    nface = _add_face(d, nface, 0, j, 3) if nface > 0 else -1
    nface = _add_face(d, nface, j, i, 3) if nface > 0 else -1
    return _add_face(d, nface, i, 0, 3) if nface > 0 else -1


@kernel
def _nearest_face(d, nface):
    best, at = 1e300, 0
    for f in range(nface):
        if d.ccd_face[f, 0] >= 0 and d.ccd_plane[f, 3] < best:
            best, at = d.ccd_plane[f, 3], f
    return at


@kernel
def _expand(d, nface, k, rounding):
    """Replace the faces that vertex k sees by a cone from their border; returns the places in use, -1 where stuck."""
    p = vertex(d, k)
    nedge = 0
    for f in range(nface):
        if d.ccd_face[f, 0] >= 0 and _sees(d, f, p) > rounding:
            if nedge + 3 > _FACES:
                return -1
            for i in range(3):
                nedge = _toggle_edge(d, nedge, d.ccd_face[f, i], d.ccd_face[f, (i + 1) % 3])
            d.ccd_face[f, 0] = -1
    for e in range(nedge):
        nface = _add_face(d, nface, d.ccd_edge[e, 0], d.ccd_edge[e, 1], k)
        if nface < 0:
            return -1
    return nface


@kernel
def penetration(m, d, n):
    """Depth and normal of the overlap of two cores. n: size of the simplex in d.ccd_vertex.

    Returns depth [m], unit normal (geom2 leaves along it), and the points of the cores that are deepest,
    relative to the centre of geom1. A depth of -1: the difference is flat, nothing can be told.
    """
    volume = _complete(m, d, n)
    zero = (0.0, 0.0, 0.0)
    size = 0.0
    for k in range(4):
        size = max(size, norm3(vertex(d, k)))
    if abs(volume) <= 1e-14 * size * size * size:
        return -1.0, zero, zero, zero
    nface = _first_faces(d, volume)
    if nface < 0:
        return -1.0, zero, zero, zero
    # Along the normal of any face the cores overlap by no less than the depth: keep the least overlap, which
    # is the depth when the polytope has met the border, and a valid way out if it gets stuck before.
    depth, foot_depth, normal = 1e300, 0.0, zero
    i, j, k = 0, 0, 0
    for new in range(4, _VERTICES):
        face = _nearest_face(d, nface)
        way = (d.ccd_plane[face, 0], d.ccd_plane[face, 1], d.ccd_plane[face, 2])
        add_vertex(m, d, new, way)
        overlap = dot3(vertex(d, new), way)
        if overlap < depth:
            depth, foot_depth, normal = overlap, d.ccd_plane[face, 3], way
            i, j, k = d.ccd_face[face, 0] + 0, d.ccd_face[face, 1] + 0, d.ccd_face[face, 2] + 0
        if overlap - d.ccd_plane[face, 3] <= _RELATIVE * size:
            break
        nface = _expand(d, nface, new, _ROUNDING * size)
        if nface < 0:
            break
    foot = scale3(foot_depth, normal)
    x, y, z = triangle_weights(sub3(vertex(d, i), foot), sub3(vertex(d, j), foot), sub3(vertex(d, k), foot))
    w = d.ccd_vertex
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
    return depth, normal, p1, p2
