"""Several points where flat faces of boxes and meshes meet (flag multiccd): the corners of what the two faces have in common.

The face of geom2 is cut along the sides of the face of geom1 (Sutherland and Hodgman), seen along the contact normal.
Of more than four corners four remain: two far from each other, and the farthest on both sides of the line between them.
"""

import numpy as np

from physics.algebra.mat3 import load9, mat_t_vec, mat_vec
from physics.algebra.vec3 import add3, add_scaled3, cross3, dot3, load3, scale3, store3, sub3
from physics.collision.convex.hull import highest_vertex, mesh_vertex
from physics.collision.convex.support import BOX, MESH
from physics.collision.hit import touch
from physics.kernel import kernel

_ALIGNED = 0.99999872  # cosine: normals that differ by less than 1.6e-3 rad are one, as in the reference
_ROOM = 500  # corners of a polygon in d.ccd_foot, which holds two

# Corners of the faces of a box, as signs of its axes, counterclockwise from outside: +x, -x, +y, -y, +z, -z.
_SIGNS = np.array([
    [[1, -1, -1], [1, 1, -1], [1, 1, 1], [1, -1, 1]], [[-1, -1, -1], [-1, -1, 1], [-1, 1, 1], [-1, 1, -1]],
    [[-1, 1, -1], [-1, 1, 1], [1, 1, 1], [1, 1, -1]], [[-1, -1, -1], [1, -1, -1], [1, -1, 1], [-1, -1, 1]],
    [[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], [[-1, -1, -1], [-1, 1, -1], [1, 1, -1], [1, -1, -1]],
], np.float64)  # fmt: skip


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
def _corners(m, g, face):
    """Number of corners of a face."""
    return 4 if m.geom_type[g] == BOX else m.mesh_polyvertnum[face] + 0


@kernel
def _corner(m, d, g, face, k):
    """Corner k of a face, in world axes relative to the centre of geom1."""
    if m.geom_type[g] == BOX:
        s = m.geom_size
        local = _SIGNS[face, k, 0] * s[g, 0], _SIGNS[face, k, 1] * s[g, 1], _SIGNS[face, k, 2] * s[g, 2]
    else:
        local = mesh_vertex(m, m.mesh_vertadr[m.geom_dataid[g]] + m.mesh_polyvert[m.mesh_polyvertadr[face] + k])
    return add3(sub3(load3(d.geom_xpos, g), load3(d.geom_xpos, d.hit_geom1)), mat_vec(load9(d.geom_xmat, g), local))


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
def _common(m, d, face1, face2, normal):
    """Corners of what two faces have in common, as geom2 has them: the first row in d.ccd_foot, and how many."""
    g, h = d.hit_geom1, d.hit_geom2
    n = _corners(m, h, face2)
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
def touch_faces(m, d, dist, normal):
    """Report up to four points where two aligned faces meet; returns whether there were any."""
    g, h = d.hit_geom1, d.hit_geom2
    if m.geom_type[g] < BOX or m.geom_type[h] > MESH or m.geom_type[h] < BOX:
        return False
    face1 = _aligned_face(m, d, 0, g, normal)
    face2 = _aligned_face(m, d, 1, h, scale3(-1.0, normal))
    if face1 < 0 or face2 < 0:
        return False
    first, n = _common(m, d, face1, face2, normal)
    origin = add_scaled3(load3(d.geom_xpos, g), -0.5 * dist, normal)
    if n <= 4:
        for k in range(n):
            touch(d, dist, add3(origin, load3(d.ccd_foot, first + k)), normal)
        return n > 0
    zero = (0.0, 0.0, 0.0)
    a = _farthest(d, first, n, load3(d.ccd_foot, first), zero)
    p = load3(d.ccd_foot, first + a)
    b = _farthest(d, first, n, p, zero)
    across = cross3(normal, sub3(load3(d.ccd_foot, first + b), p))
    c = _farthest(d, first, n, p, across)
    e = _farthest(d, first, n, p, scale3(-1.0, across))
    for k in range(4):
        at = a if k == 0 else (b if k == 1 else (c if k == 2 else e))
        touch(d, dist, add3(origin, load3(d.ccd_foot, first + at)), normal)
    return True
