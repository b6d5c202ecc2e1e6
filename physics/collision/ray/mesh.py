"""Intersections of a ray with the triangles of a mesh: from either side, through the tree of their bounding boxes.

Of two boxes that the ray meets the nearer one is looked into first, and none that begins behind what was found: of
100,000 triangles some dozens are looked at. Triangles and boxes are a billionth larger than they are, so that no ray
slips through where two of them adjoin.
"""

import math

from tumble.physics.algebra.vec3 import cross3, dot3, sub3, unit3
from tumble.physics.kernel import kernel

_FAR = math.inf
_NONE = -1
_MORE = 1e-9  # by which triangles and boxes are larger, of their size
_LARGE = 1e300
_ALONG = 1e-28  # square of the sine of the angle below which a ray runs along a triangle
_ROOM = 64  # nodes on the stack: one a level of the tree


@kernel
def reciprocal(v):
    """1 / v, and a large number for 0: so far away is the end of what does not move along an axis and is inside."""
    return 1.0 / v if abs(v) > 1.0 / _LARGE else _LARGE


@kernel
def narrowed(part, to, half, rate):
    """An interval of t, cut to where a point is within half of a place that is `to` away, where it moves 1 / rate a unit of t."""
    half += _MORE * (half + abs(to))
    a, b = (to - half) * rate, (to + half) * rate
    return max(part[0], min(a, b)), min(part[1], max(a, b))


@kernel
def box_entry(m, node, p, rates, limit):
    """The t at which the ray from p, of those rates, enters a node's box, 0: it begins inside; infinite: not before the limit."""
    box = m.bvh_aabb
    part = narrowed((0.0, limit), box[node, 0] - p[0], box[node, 3], rates[0])
    part = narrowed(part, box[node, 1] - p[1], box[node, 4], rates[1])
    part = narrowed(part, box[node, 2] - p[2], box[node, 5], rates[2])
    return part[0] if part[0] <= part[1] else _FAR


@kernel
def corner(m, k):
    """Vertex k of all meshes, with 64 bits: differences of corners need them."""
    v = m.mesh_vert
    return 1.0 * v[k, 0], 1.0 * v[k, 1], 1.0 * v[k, 2]


@kernel
def triangle(m, mesh, face):
    """The corners of a mesh's triangle, in the mesh's frame."""
    base, k = m.mesh_vertadr[mesh], m.mesh_faceadr[mesh] + face
    faces = m.mesh_face
    return corner(m, base + faces[k, 0]), corner(m, base + faces[k, 1]), corner(m, base + faces[k, 2])


@kernel
def ray_triangle(corners, p, v):
    """The t >= 0 at which the ray p + t v meets a triangle from either side; negative: it does not.

    p + t v = a + x (b - a) + y (c - a), solved by Cramer's rule.
    """
    a, b, c = corners
    side1, side2, offset = sub3(b, a), sub3(c, a), sub3(p, a)
    normal = cross3(side1, side2)
    det = -dot3(v, normal)
    if det * det <= _ALONG * dot3(normal, normal) * dot3(v, v):
        return -1.0
    moment = cross3(offset, v)
    x, y = dot3(side2, moment) / det, -dot3(side1, moment) / det
    if x < -_MORE or y < -_MORE or x + y > 1.0 + _MORE:
        return -1.0
    return dot3(offset, normal) / det


@kernel
def ray_mesh(m, d, g, p, v, limit):
    """The first triangle of a mesh that the ray p + t v, in the geom's frame, hits.

    Returns the smallest t from 0 to below the limit, and the triangle; infinite and -1 if there is none.
    """
    mesh = m.geom_dataid[g]
    best, found = limit, _NONE
    if mesh < 0 or m.mesh_bvhnum[mesh] == 0:
        return _FAR, _NONE
    root, waiting, depth = m.mesh_bvhadr[mesh], d.ray_stack, 0
    rates = (reciprocal(v[0]), reciprocal(v[1]), reciprocal(v[2]))
    node = root if box_entry(m, root, p, rates, best) < _FAR else _NONE
    while node >= 0:
        face, at = m.bvh_nodeid[node], node
        node, enters = _NONE, _FAR
        if face >= 0:
            t = ray_triangle(triangle(m, mesh, face), p, v)
            if 0.0 <= t < best:
                best, found = t, face + 0
        else:
            near, other = root + m.bvh_child[at, 0], root + m.bvh_child[at, 1]
            enters, entry = box_entry(m, near, p, rates, best), box_entry(m, other, p, rates, best)
            if entry < enters:
                near, other, enters, entry = other, near, entry, enters
            if entry < _FAR and depth < _ROOM:
                waiting[depth, 0], waiting[depth, 1] = float(other), entry
                depth += 1
            node = near if enters < _FAR else _NONE
        while depth > 0 and (node < 0 or enters > best):  # nothing here: to what waits, the last is the nearest
            depth -= 1
            node, enters = int(waiting[depth, 0]), waiting[depth, 1]
        if enters > best:
            break
    return (best, found) if found >= 0 else (_FAR, _NONE)


@kernel
def face_normal(m, g, face):
    """Unit normal of a triangle of a geom's mesh, in the geom's frame: to the side from which its corners go anticlockwise."""
    a, b, c = triangle(m, m.geom_dataid[g], face)
    normal, _ = unit3(cross3(sub3(b, a), sub3(c, a)))
    return normal
