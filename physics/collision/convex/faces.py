"""Several points where flat faces and edges of boxes and meshes meet (flag multiccd): the corners of what they have in common.

Two faces that look at each other: that of geom2 is cut along the sides of that of geom1 (Sutherland and Hodgman). Of more
than four corners four remain: two far from each other, and the farthest on both sides of the line between them.
An edge that lies in a face is cut along the sides of the face: its two ends remain.
The normal is that of the face, of geom2's if two meet, and each point has its own depth: how far it is in the face of the other
geom. (The reference gives all the depth of the deepest. Nothing then turns a tilted brick back: stacks buckle in half a minute.)
"""

import numpy as np

from tumble.physics.algebra.mat3 import load9, mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import add3, add_scaled3, cross3, dot3, load3, norm3, scale3, store3, sub3
from tumble.physics.collision.convex.hull import highest_vertex, mesh_vertex
from tumble.physics.collision.convex.support import BOX, MESH
from tumble.physics.collision.hit import touch
from tumble.physics.kernel import kernel

_ALIGNED = 0.99999872  # cosine: normals that differ by less than 1.6e-3 rad are one, as in the reference
_LYING = 0.0016  # sine: an edge at less than this angle with a face lies in it, as in the reference
_EQUAL = 1e-9  # of a geom's radius: depths that differ by less are equal
_ROOM = 500  # corners of a polygon in d.ccd_foot, which holds two

# Corners of the faces of a box, as signs of its axes, counterclockwise from outside: +x, -x, +y, -y, +z, -z.
_SIGNS = np.array([
    [[1, -1, -1], [1, 1, -1], [1, 1, 1], [1, -1, 1]], [[-1, -1, -1], [-1, -1, 1], [-1, 1, 1], [-1, 1, -1]],
    [[-1, 1, -1], [-1, 1, 1], [1, 1, 1], [1, 1, -1]], [[-1, -1, -1], [1, -1, -1], [1, -1, 1], [-1, -1, 1]],
    [[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], [[-1, -1, -1], [-1, 1, -1], [1, 1, -1], [1, -1, -1]],
], np.float64)  # fmt: skip


@kernel
def has_faces(m, g):
    """True if a geom has corners and flat faces that are known one by one."""
    return m.geom_type[g] == BOX or m.geom_type[g] == MESH


@kernel
def _aligned_face(m, d, side, g, way):
    """The face of a geom whose outward normal is a direction: number 0-5 of a box, polygon of a mesh; -1: none is."""
    v = mat_t_vec(load9(d.geom_xmat, g), way)
    if m.geom_type[g] == BOX:
        for k in range(3):
            along = v[0] if k == 0 else (v[1] if k == 1 else v[2])
            if abs(along) > _ALIGNED:
                return 2 * k if along > 0.0 else 2 * k + 1
        return -1
    mesh = m.geom_dataid[g]
    corner = highest_vertex(m, d, side, mesh, v)
    best, at = _ALIGNED, -1
    for k in range(m.mesh_polymapnum[corner]):
        face = m.mesh_polyadr[mesh] + m.mesh_polymap[m.mesh_polymapadr[corner] + k]
        along = dot3(load3(m.mesh_polynormal, face), v)
        if along > best:
            best, at = along, face
    return at


@kernel
def _face_normal(m, d, g, face):
    """Outward unit normal of a face, in world axes."""
    if m.geom_type[g] == MESH:
        return mat_vec(load9(d.geom_xmat, g), load3(m.mesh_polynormal, face))
    mat, k, sign = d.geom_xmat, face // 2, 1.0 - 2.0 * (face % 2)
    return sign * mat[g, k], sign * mat[g, 3 + k], sign * mat[g, 6 + k]


@kernel
def _to_world(d, g, local):
    """A point of a geom in world axes, relative to the centre of geom1."""
    return add3(sub3(load3(d.geom_xpos, g), load3(d.geom_xpos, d.hit_geom1)), mat_vec(load9(d.geom_xmat, g), local))


@kernel
def _corners(m, g, face):
    """Number of corners of a face."""
    return 4 if m.geom_type[g] == BOX else m.mesh_polyvertnum[face] + 0


@kernel
def _polygon_vertex(m, mesh, face, k):
    """Corner k of a polygon of a mesh, in the frame of the mesh."""
    return mesh_vertex(m, m.mesh_vertadr[mesh] + m.mesh_polyvert[m.mesh_polyvertadr[face] + k])


@kernel
def _corner(m, d, g, face, k):
    """Corner k of a face, in world axes relative to the centre of geom1."""
    if m.geom_type[g] == BOX:
        s = m.geom_size
        return _to_world(d, g, (_SIGNS[face, k, 0] * s[g, 0], _SIGNS[face, k, 1] * s[g, 1], _SIGNS[face, k, 2] * s[g, 2]))
    return _to_world(d, g, _polygon_vertex(m, m.geom_dataid[g], face, k))


@kernel
def _box_edge(m, d, g, v, normal):
    """The edge of a box, at its corner that is highest in a direction v, that is most nearly across a normal; as _edge."""
    size = load3(m.geom_size, g)
    a = size[0] if v[0] >= 0.0 else -size[0], size[1] if v[1] >= 0.0 else -size[1], size[2] if v[2] >= 0.0 else -size[2]
    x, y, z = abs(normal[0]), abs(normal[1]), abs(normal[2])
    if x <= y and x <= z:
        return x, a, (-a[0], a[1], a[2])
    if y <= z:
        return y, a, (a[0], -a[1], a[2])
    return z, a, (a[0], a[1], -a[2])


@kernel
def _mesh_edge(m, d, side, mesh, v, normal):
    """The same of a mesh: of each face at the corner the edge that ends there, so that each edge is met once."""
    corner = highest_vertex(m, d, side, mesh, v)
    a = mesh_vertex(m, corner)
    best, far = 2.0, a
    for k in range(m.mesh_polymapnum[corner]):
        face = m.mesh_polyadr[mesh] + m.mesh_polymap[m.mesh_polymapadr[corner] + k]
        adr, n = m.mesh_polyvertadr[face], m.mesh_polyvertnum[face]
        before = m.mesh_polyvert[adr + n - 1] + 0
        for i in range(n):
            here = m.mesh_polyvert[adr + i] + 0
            if m.mesh_vertadr[mesh] + here == corner:
                break
            before = here
        b = mesh_vertex(m, m.mesh_vertadr[mesh] + before)
        along = sub3(b, a)
        slope = abs(dot3(along, normal)) / max(norm3(along), 1e-300)
        if slope < best:
            best, far = slope, b
    return best, a, far


@kernel
def _edge(m, d, side, g, way, normal):
    """The edge of a geom, at its corner farthest in a direction, that is most nearly across a unit normal.

    Returns the sine of its angle with what is across, and its ends in world axes relative to the centre of geom1.
    """
    mat = load9(d.geom_xmat, g)
    v, local = mat_t_vec(mat, way), mat_t_vec(mat, normal)
    if m.geom_type[g] == BOX:
        slope, a, b = _box_edge(m, d, g, v, local)
    else:
        slope, a, b = _mesh_edge(m, d, side, m.geom_dataid[g], v, local)
    return slope, _to_world(d, g, a), _to_world(d, g, b)


@kernel
def _cut(d, source, n, target, p, inward):
    """Cut a polygon of n corners, stored from `source` on, by a plane through p; returns the corners from `target` on."""
    kept = 0
    for k in range(n):
        a, b = load3(d.ccd_foot, source + k), load3(d.ccd_foot, source + (k + 1) % n)
        high, low = dot3(sub3(a, p), inward), dot3(sub3(b, p), inward)
        if high >= 0.0 and kept < _ROOM:
            store3(d.ccd_foot, target + kept, a)
            kept += 1
        if high * low < 0.0 and kept < _ROOM:
            store3(d.ccd_foot, target + kept, add_scaled3(a, high / (high - low), sub3(b, a)))
            kept += 1
    return kept


@kernel
def _farthest(d, first, n, p, way):
    """The corner farthest from a point in a direction, or all around where the direction is zero."""
    best, at = -1e300, 0
    for k in range(n):
        offset = sub3(load3(d.ccd_foot, first + k), p)
        far = dot3(offset, way) if dot3(way, way) > 0.0 else dot3(offset, offset)
        if far > best:
            best, at = far, k
    return at


@kernel
def pick4(v, k):
    """Entry k of a tuple of four."""
    return v[0] if k == 0 else (v[1] if k == 1 else (v[2] if k == 2 else v[3]))


@kernel
def _spread_from(d, first, n, normal, a):
    """Four corners of a polygon in d.ccd_foot that span much of it: a, the farthest from it, the farthest on both sides."""
    p = load3(d.ccd_foot, first + a)
    b = _farthest(d, first, n, p, (0.0, 0.0, 0.0))
    across = cross3(normal, sub3(load3(d.ccd_foot, first + b), p))
    return a, b, _farthest(d, first, n, p, across), _farthest(d, first, n, p, scale3(-1.0, across))


@kernel
def _spread(d, first, n, normal, deepest, equal):
    """Four corners that span much of a polygon, one of which is the deepest, but for a difference that is rounding.

    Which is the deepest of equally deep ones is chance: then the choice is by the places alone, so that it stays.
    """
    zero = (0.0, 0.0, 0.0)
    chosen = _spread_from(d, first, n, normal, _farthest(d, first, n, load3(d.ccd_foot, first), zero))
    q = d.ccd_foot
    least = min(q[first + chosen[0], 3], q[first + chosen[1], 3], q[first + chosen[2], 3], q[first + chosen[3], 3])
    if q[first + deepest, 3] < least - equal:
        return _spread_from(d, first, n, normal, deepest)
    return chosen


@kernel
def spread_face(m, d, g, way):
    """Corners of the flat face of a mesh that looks in a unit direction: how many (at most four), and their places in d.ccd_foot.

    d.ccd_foot: world axes, relative to the centre of d.hit_geom1. None: no face looks there, but for 1.6e-3 rad.
    """
    face = _aligned_face(m, d, 0, g, way)
    if face < 0:
        return 0, (0, 0, 0, 0)
    n = min(_corners(m, g, face), _ROOM)
    deepest = 0
    for k in range(n):
        corner = _corner(m, d, g, face, k)
        store3(d.ccd_foot, k, corner)
        d.ccd_foot[k, 3] = -dot3(corner, way)
        deepest = k if d.ccd_foot[k, 3] < d.ccd_foot[deepest, 3] else deepest
    if n <= 4:
        return n, (0, 1, 2, 3)
    return 4, _spread(d, 0, n, way, deepest, _EQUAL * m.geom_rbound[g])


@kernel
def _common(m, d, face1, face2):
    """Corners of what two faces have in common, as geom2 has them: the first row in d.ccd_foot, and how many."""
    g, h = d.hit_geom1, d.hit_geom2
    n, normal = _corners(m, h, face2), _face_normal(m, d, g, face1)
    sides = _corners(m, g, face1)
    for k in range(min(n, _ROOM)):
        store3(d.ccd_foot, k, _corner(m, d, h, face2, k))
    source = 0
    for k in range(sides):
        a, b = _corner(m, d, g, face1, k), _corner(m, d, g, face1, (k + 1) % sides)
        n = _cut(d, source, min(n, _ROOM), _ROOM - source, a, cross3(normal, sub3(b, a)))
        source = _ROOM - source
    return source, n


@kernel
def _touch_common(m, d, face1, face2):
    """Report up to four points where two faces meet; returns whether there were any."""
    g = d.hit_geom1
    first, n = _common(m, d, face1, face2)
    back, outward = _face_normal(m, d, d.hit_geom2, face2), _face_normal(m, d, g, face1)
    normal, p, centre = scale3(-1.0, back), _corner(m, d, g, face1, 0), load3(d.geom_xpos, g)
    slope, deepest = dot3(outward, normal), 0
    for k in range(n):  # column 3: the depth
        d.ccd_foot[first + k, 3] = dot3(sub3(load3(d.ccd_foot, first + k), p), outward) / slope
        deepest = k if d.ccd_foot[first + k, 3] < d.ccd_foot[first + deepest, 3] else deepest
    chosen = _spread(d, first, n, normal, deepest, _EQUAL * m.geom_rbound[g]) if n > 4 else (0, 1, 2, 3)
    for k in range(min(n, 4)):
        at = first + pick4(chosen, k)
        dist = d.ccd_foot[at, 3] + 0.0
        if dist <= 0.0:
            touch(d, dist, add3(centre, add_scaled3(load3(d.ccd_foot, at), -0.5 * dist, normal)), normal)
    return d.hit_num > 0


@kernel
def _touch_edge(m, d, g, face, a, b):
    """Report the ends of the part of an edge from a to b that is in the face of geom g; returns whether there is one."""
    outward, corner = _face_normal(m, d, g, face), _corner(m, d, g, face, 0)
    low, high, sides = 0.0, 1.0, _corners(m, g, face)
    for k in range(sides):
        p, q = _corner(m, d, g, face, k), _corner(m, d, g, face, (k + 1) % sides)
        inward = cross3(outward, sub3(q, p))
        at, rise = dot3(sub3(a, p), inward), dot3(sub3(b, a), inward)
        if rise > 0.0:
            low = max(low, -at / rise)
        elif rise < 0.0:
            high = min(high, -at / rise)
        elif at < 0.0:
            return False
    if not low < high:
        return False
    normal, centre = outward if g == d.hit_geom1 else scale3(-1.0, outward), load3(d.geom_xpos, d.hit_geom1)
    for k in range(2):
        end = add_scaled3(a, low if k == 0 else high, sub3(b, a))
        dist = dot3(sub3(end, corner), outward)
        if dist <= 0.0:
            touch(d, dist, add3(centre, add_scaled3(end, -0.5 * dist, outward)), normal)
    return d.hit_num > 0


@kernel
def touch_faces(m, d, normal):
    """Report up to four points where two faces, or an edge and a face, meet along the normal; returns whether there were any."""
    g, h = d.hit_geom1, d.hit_geom2
    back = scale3(-1.0, normal)
    face1, face2 = _aligned_face(m, d, 0, g, normal), _aligned_face(m, d, 1, h, back)
    if face1 >= 0 and face2 >= 0 and -dot3(_face_normal(m, d, g, face1), _face_normal(m, d, h, face2)) > _ALIGNED:
        return _touch_common(m, d, face1, face2)
    if face2 >= 0:
        slope, a, b = _edge(m, d, 0, g, normal, _face_normal(m, d, h, face2))
        if slope < _LYING and _touch_edge(m, d, h, face2, a, b):
            return True
    if face1 >= 0:
        slope, a, b = _edge(m, d, 1, h, back, _face_normal(m, d, g, face1))
        return slope < _LYING and _touch_edge(m, d, g, face1, a, b)
    return False
