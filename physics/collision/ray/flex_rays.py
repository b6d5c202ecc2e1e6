"""Rays at a flex: its vertices as balls, its edges as capsules, its triangles as they are."""

import math

from tumble.physics.algebra.vec3 import add_scaled3, cross3, dot3, load3, norm3, scale3, sub3, unit3
from tumble.physics.collision.ray.geom import NONE, round_part
from tumble.physics.collision.ray.interval import FAR, hull, overlap, slab
from tumble.physics.collision.ray.mesh import ray_triangle
from tumble.physics.kernel import kernel, stage

_VERTICES, _EDGES, _FACES, _SKIN = 1, 2, 4, 8  # bits of the flags
_BALL = (1.0, 1.0, 1.0)


@kernel
def _first(part):
    """The smallest t >= 0 at which the border of an interval is met; FAR if it is not."""
    low, high = part
    if low > high or high < 0.0:
        return FAR
    return low if low >= 0.0 else high


@kernel
def _capsule_part(a, b, radius, p, v):
    """The part of the line p + t v in the capsule between two points."""
    axis, length = unit3(sub3(b, a))
    from_a, from_b = sub3(p, a), sub3(p, b)
    ends = hull(round_part(from_a, v, _BALL, radius), round_part(from_b, v, _BALL, radius))
    if not length > 0.0:
        return ends
    height, climb = dot3(from_a, axis), dot3(v, axis)
    beside, way = add_scaled3(from_a, -height, axis), add_scaled3(v, -climb, axis)
    return hull(overlap(round_part(beside, way, _BALL, radius), slab(height, climb, 0.0, length)), ends)


@kernel
def _nearest(d, first, count, x):
    """Of `count` vertices noted in ray_corner, the one that is nearest to a point."""
    best, at = 1e300, 0
    for k in range(count):
        away = sub3(load3(d.flexvert_xpos, first + d.ray_corner[k]), x)
        if dot3(away, away) < best:
            best, at = dot3(away, away), k
    return d.ray_corner[at] + 0


@kernel
def _along_edge(a, b, x):
    """From the nearest point of an edge to a point, as a unit vector."""
    side = sub3(b, a)
    length = dot3(side, side)
    t = min(max(dot3(sub3(x, a), side) / length, 0.0), 1.0) if length > 0.0 else 0.0
    out, _ = unit3(sub3(x, add_scaled3(a, t, side)))
    return out


@kernel
def _vertices(m, d, f, p, v, best):
    """The first vertex that the ray meets below `best`: distance, vertex, normal."""
    first, found, normal = m.flex_vertadr[f], NONE, (0.0, 0.0, 0.0)
    for k in range(m.flex_vertnum[f]):
        centre = load3(d.flexvert_xpos, first + k)
        t = _first(round_part(sub3(p, centre), v, _BALL, m.flex_radius[f]))
        if t < best:
            best, found = t, k
            normal, _ = unit3(sub3(add_scaled3(p, t, v), centre))
    return best, found, normal


@kernel
def _edges(m, d, f, p, v, best):
    """The first edge that the ray meets below `best`: distance, nearer vertex, normal."""
    first, found, normal = m.flex_vertadr[f], NONE, (0.0, 0.0, 0.0)
    for k in range(m.flex_edgeadr[f], m.flex_edgeadr[f] + m.flex_edgenum[f]):
        a, b = load3(d.flexvert_xpos, first + m.flex_edge[k, 0]), load3(d.flexvert_xpos, first + m.flex_edge[k, 1])
        t = _first(_capsule_part(a, b, m.flex_radius[f], p, v))
        if t < best:
            best, x = t, add_scaled3(p, t, v)
            d.ray_corner[0], d.ray_corner[1] = m.flex_edge[k, 0], m.flex_edge[k, 1]
            found, normal = _nearest(d, first, 2, x), _along_edge(a, b, x)
    return best, found, normal


@kernel
def _face(k):
    """Places of the vertices of face k of an element: of a triangle the one, of a tetrahedron four."""
    if k == 0:
        return 0, 1, 2
    if k == 1:
        return 0, 1, 3
    return (0, 2, 3) if k == 2 else (1, 2, 3)


@kernel
def _faces(m, d, f, layer, p, v, best):
    """The first triangle that the ray meets below `best`, of solids those of one layer: distance, nearest vertex, normal."""
    first, found, normal, size = m.flex_vertadr[f], NONE, (0.0, 0.0, 0.0), m.flex_dim[f] + 1
    for e in range(m.flex_elemnum[f] if size > 2 else 0):
        if size == 4 and m.flex_elemlayer[m.flex_elemadr[f] + e] != layer:
            continue
        at = m.flex_elemdataadr[f] + e * size
        for k in range(4 if size == 4 else 1):
            i, j, h = _face(k)
            i, j, h = m.flex_elem[at + i] + 0, m.flex_elem[at + j] + 0, m.flex_elem[at + h] + 0
            a, b = load3(d.flexvert_xpos, first + i), load3(d.flexvert_xpos, first + j)
            c = load3(d.flexvert_xpos, first + h)
            t = ray_triangle((a, b, c), p, v)
            if 0.0 <= t < best:
                best = t
                d.ray_corner[0], d.ray_corner[1], d.ray_corner[2] = i, j, h
                found = _nearest(d, first, 3, add_scaled3(p, t, v))
                normal, _ = unit3(cross3(sub3(b, a), sub3(c, a)))
    return best, found, normal


@stage
def cast_at_flex(m, d):
    """Casts the ray in d.ray_query at one flex: its number, a layer and flags are in place of groups; writes d.ray_result."""
    q = d.ray_query
    f, layer, flags = int(q[6]), int(q[7]), int(q[8])
    p, v = (q[0], q[1], q[2]), (q[3], q[4], q[5])
    length = norm3(v)
    best, found, normal = FAR, NONE, (0.0, 0.0, 0.0)
    if length > 0.0 and math.isfinite(length):
        v = scale3(1.0 / length, v)  # intervals keep their digits
        shown = m.flex_dim[f] > 1 and flags & _SKIN != 0
        for k in range(3):
            t, vertex, out = best, NONE, normal
            if k == 0 and flags & _VERTICES:
                t, vertex, out = _vertices(m, d, f, p, v, best)
            elif k == 1 and (flags & _EDGES or shown):
                t, vertex, out = _edges(m, d, f, p, v, best)
            elif k == 2 and (flags & _FACES or shown):
                t, vertex, out = _faces(m, d, f, 0 if shown else layer, p, v, best)
            if vertex >= 0:
                best, found, normal = t, vertex, out
    d.ray_result[0], d.ray_result[1] = best / length if found >= 0 else -1.0, float(found)
    d.ray_result[2], d.ray_result[3], d.ray_result[4] = normal
