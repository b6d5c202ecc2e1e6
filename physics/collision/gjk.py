"""Distance of two convex cores: Gilbert, Johnson and Keerthi's walk over the Minkowski difference.

The difference core1 - core2 holds the origin just where the cores overlap; otherwise its point
nearest to the origin tells distance and direction. The walk keeps a simplex of up to four points of
the difference (the first rows of d.ccd_vertex), goes to the simplex's point nearest to the origin,
drops what does not support it, and adds the farthest point beyond it.
"""

import math

from physics.algebra.vec3 import add_scaled3, cross3, dot3, norm3, scale3, sub3
from physics.collision.support import add_vertex, vertex
from physics.kernel import kernel

_ITERATIONS = 128  # smooth shapes need 20 or so to reach rounding
_FLAT = 1e-7  # a vertex less than this above its opposite face, relative to its distance, is in the face's plane
_RELATIVE = 1e-13  # of the size of the difference: bounds of the distance this near to each other are one


@kernel
def segment_weights(a, b):
    """Weights of the point of a segment that is nearest to the origin."""
    ab = sub3(b, a)
    length = dot3(ab, ab)
    t = -dot3(a, ab) / length if length > 0.0 else 0.0
    t = min(max(t, 0.0), 1.0)
    return 1.0 - t, t


@kernel
def triangle_weights(a, b, c):
    """Weights of the point of a triangle that is nearest to the origin.

    Where the origin projects inside, the areas tell them; else the nearest point is on an edge.
    """
    n = cross3(sub3(b, a), sub3(c, a))
    wa, wb, wc = dot3(cross3(b, c), n), dot3(cross3(c, a), n), dot3(cross3(a, b), n)
    if wa >= 0.0 and wb >= 0.0 and wc >= 0.0 and wa + wb + wc > 0.0:
        total = wa + wb + wc
        return wa / total, wb / total, wc / total
    best, weights = 1e300, (1.0, 0.0, 0.0)
    for k in range(3):
        p, q = (a, b) if k == 0 else ((b, c) if k == 1 else (c, a))
        s, t = segment_weights(p, q)
        near = add_scaled3(scale3(s, p), t, q)
        dist = dot3(near, near)
        if dist < best:
            best = dist
            weights = (s, t, 0.0) if k == 0 else ((0.0, s, t) if k == 1 else (t, 0.0, s))
    return weights


@kernel
def _tetrahedron_weights(a, b, c, e):
    """Weights of the point of a tetrahedron that is nearest to the origin, and whether the origin is inside."""
    best, weights, inside = 1e300, (0.25, 0.25, 0.25, 0.25), True
    for k in range(4):  # the face opposite to vertex k
        p, q, r, s = (b, c, e, a) if k == 0 else ((a, e, c, b) if k == 1 else ((a, b, e, c) if k == 2 else (a, c, b, e)))
        n = cross3(sub3(q, p), sub3(r, p))
        up = sub3(s, p)
        side, other = -dot3(n, p), dot3(n, up)
        # a flat tetrahedron holds nothing: rounding would decide
        if side * other > 0.0 and abs(other) > _FLAT * norm3(n) * norm3(up):
            continue
        inside = False
        x, y, z = triangle_weights(p, q, r)
        near = add_scaled3(add_scaled3(scale3(x, p), y, q), z, r)
        dist = dot3(near, near)
        if dist < best:
            best = dist
            if k == 0:
                weights = (0.0, x, y, z)
            elif k == 1:
                weights = (x, 0.0, z, y)
            elif k == 2:
                weights = (x, y, 0.0, z)
            else:
                weights = (x, z, y, 0.0)
    return weights, inside


@kernel
def _weights(d, n):
    """Weights of the simplex's point nearest to the origin, and whether a tetrahedron holds the origin."""
    a = vertex(d, 0)
    if n == 1:
        return (1.0, 0.0, 0.0, 0.0), False
    b = vertex(d, 1)
    if n == 2:
        s, t = segment_weights(a, b)
        return (s, t, 0.0, 0.0), False
    if n == 3:
        x, y, z = triangle_weights(a, b, vertex(d, 2))
        return (x, y, z, 0.0), False
    return _tetrahedron_weights(a, b, vertex(d, 2), vertex(d, 3))


@kernel
def _reduce(d, n, weights):
    """Keep the vertices that carry weight; returns how many, and the weights moved with them."""
    w = d.ccd_vertex
    x, y, z, u = weights
    kept = 0
    total = (0.0, 0.0, 0.0, 0.0)
    for k in range(n):
        weight = x if k == 0 else (y if k == 1 else (z if k == 2 else u))
        if weight > 0.0:
            for i in range(9):
                w[kept, i] = w[k, i]
            if kept == 0:
                total = (weight, total[1], total[2], total[3])
            elif kept == 1:
                total = (total[0], weight, total[2], total[3])
            elif kept == 2:
                total = (total[0], total[1], weight, total[3])
            else:
                total = (total[0], total[1], total[2], weight)
            kept += 1
    return kept, total


@kernel
def combine(d, n, weights, offset):
    """Weighted sum of the first vertices: offset 0 of the difference, 3 of the points of geom1, 6 of geom2."""
    w = d.ccd_vertex
    x, y, z = 0.0, 0.0, 0.0
    for k in range(n):
        s = weights[0] if k == 0 else (weights[1] if k == 1 else (weights[2] if k == 2 else weights[3]))
        x, y, z = x + s * w[k, offset], y + s * w[k, offset + 1], z + s * w[k, offset + 2]
    return x, y, z


@kernel
def _holds(d, n, w):
    """Whether the simplex has this point already: then the walk can go no farther."""
    for k in range(n):
        gap = sub3(vertex(d, k), w)
        if dot3(gap, gap) == 0.0:
            return True
    return False


@kernel
def nearest(m, d, start, limit):
    """Walk to the point of the difference that is nearest to the origin.

    start: a first direction; limit: cores farther apart than this [m] are not wanted.
    Returns the size of the simplex, its weights, the nearest point, and its distance:
    0 where the origin is inside (or rounding cannot tell), infinity beyond the limit.
    """
    if norm3(start) == 0.0:
        start = (1.0, 0.0, 0.0)
    add_vertex(m, d, 0, scale3(-1.0, start))
    n, weights = 1, (1.0, 0.0, 0.0, 0.0)
    v = vertex(d, 0)
    size = 0.0
    for _ in range(_ITERATIONS):
        vv = dot3(v, v)
        size = max(size, dot3(vertex(d, n - 1), vertex(d, n - 1)))
        if vv <= 1e-20 * size:
            return n, weights, v, 0.0
        add_vertex(m, d, n, scale3(-1.0, v))
        w = vertex(d, n)
        ahead = dot3(v, w)
        if ahead > 0.0 and ahead * ahead > vv * limit * limit:
            return n, weights, v, 1e300
        if vv - ahead <= _RELATIVE * math.sqrt(vv * size) or _holds(d, n, w):
            break
        new_weights, inside = _weights(d, n + 1)
        if inside:
            return 4, new_weights, (0.0, 0.0, 0.0), 0.0
        n, weights = _reduce(d, n + 1, new_weights)
        new_v = combine(d, n, weights, 0)
        if dot3(new_v, new_v) >= vv:  # rounding: no nearer point can be found
            v = new_v
            break
        v = new_v
    return n, weights, v, norm3(v)
