"""Where a ray meets the triangles of a mesh: from either side, through the tree of boxes about them.

Of two boxes that the ray meets the nearer one is looked into first, and none that begins behind what was found: of
100,000 triangles some dozens are looked at. Triangles and boxes are a billionth larger than they are, so that no ray
slips through where two of them adjoin.
"""

import math

from physics.algebra.vec3 import cross3, dot3, sub3, unit3
from physics.collision.hull import mesh_vertex
from physics.kernel import kernel

_FAR = math.inf
_NONE = -1
_MORE = 1e-9  # by which triangles and boxes are larger, of their size
_STILL = 1e-300  # a direction that does not move along an axis
_ALONG = 1e-28  # square of the sine of the angle below which a ray runs along a triangle
_ROOM = 64  # nodes on the stack: one a level of the tree


@kernel
def narrowed(part, p, half, v):
    """An interval of t, cut to where -half <= p + t v <= half."""
    if abs(v) < _STILL:
        return part if abs(p) <= half else (_FAR, -_FAR)
    a, b = (-half - p) / v, (half - p) / v
    return max(part[0], min(a, b)), min(part[1], max(a, b))


@kernel
def box_entry(m, node, p, v, limit):
    """The t at which the ray p + t v enters a node's box, 0 where it begins inside; infinite: not before the limit."""
    box = m.bvh_aabb
    part = (0.0, limit)
    part = narrowed(part, p[0] - box[node, 0], box[node, 3] + _MORE * (box[node, 3] + abs(box[node, 0])), v[0])
    part = narrowed(part, p[1] - box[node, 1], box[node, 4] + _MORE * (box[node, 4] + abs(box[node, 1])), v[1])
    part = narrowed(part, p[2] - box[node, 2], box[node, 5] + _MORE * (box[node, 5] + abs(box[node, 2])), v[2])
    return part[0] if part[0] <= part[1] else _FAR


@kernel
def triangle(m, mesh, face):
    """The corners of a mesh's triangle, in the mesh's frame."""
    base, k = m.mesh_vertadr[mesh], m.mesh_faceadr[mesh] + face
    faces = m.mesh_face
    return mesh_vertex(m, base + faces[k, 0]), mesh_vertex(m, base + faces[k, 1]), mesh_vertex(m, base + faces[k, 2])


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
    """The smallest t from 0 to below the limit at which the ray p + t v, in the geom's frame, meets a triangle of its
    mesh, and the triangle; infinite and -1: none."""
    mesh = m.geom_dataid[g]
    best, found = limit, _NONE
    if mesh < 0 or m.mesh_bvhnum[mesh] == 0:
        return _FAR, _NONE
    root, waiting, depth = m.mesh_bvhadr[mesh], d.ray_stack, 0
    node = root if box_entry(m, root, p, v, best) < _FAR else _NONE
    while node >= 0:
        face = m.bvh_nodeid[node]
        near, node_entry = _NONE, _FAR
        if face >= 0:
            t = ray_triangle(triangle(m, mesh, face), p, v)
            if 0.0 <= t < best:
                best, found = t, face + 0
        else:
            near, other = root + m.bvh_child[node, 0], root + m.bvh_child[node, 1]
            node_entry, entry = box_entry(m, near, p, v, best), box_entry(m, other, p, v, best)
            if entry < node_entry:
                near, other, node_entry, entry = other, near, entry, node_entry
            if entry < _FAR and depth < _ROOM:
                waiting[depth, 0], waiting[depth, 1] = float(other), entry
                depth += 1
        while node_entry > best and depth > 0:  # nothing here: what waits, nearest last
            depth -= 1
            near, node_entry = int(waiting[depth, 0]), waiting[depth, 1]
        node = near if node_entry <= best and node_entry < _FAR else _NONE
    return (best, found) if found >= 0 else (_FAR, _NONE)


@kernel
def face_normal(m, g, face):
    """Unit normal of a triangle of a geom's mesh, in the geom's frame: to the side from which its corners go anticlockwise."""
    a, b, c = triangle(m, m.geom_dataid[g], face)
    normal, _ = unit3(cross3(sub3(b, a), sub3(c, a)))
    return normal
