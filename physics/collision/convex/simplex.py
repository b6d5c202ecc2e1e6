"""The point of a simplex that is nearest to the origin, as weights of its vertices."""

from tumble.physics.algebra.vec3 import add_scaled3, cross3, dot3, scale3, sub3
from tumble.physics.kernel import kernel


@kernel
def segment_weights(a, b):
    """Weights of the point of a segment that is nearest to the origin."""
    ab = sub3(b, a)
    length = dot3(ab, ab)
    t = -dot3(a, ab) / length if length > 0.0 else 0.0
    t = min(max(t, 0.0), 1.0)
    return 1.0 - t, t


@kernel
def plane_weights(a, b, c):
    """Weights, of either sign, of the point of a triangle's plane that is nearest to the origin; zeros without an area."""
    n = cross3(sub3(b, a), sub3(c, a))
    area = dot3(n, n)
    if area == 0.0:
        return 0.0, 0.0, 0.0
    return dot3(cross3(b, c), n) / area, dot3(cross3(c, a), n) / area, dot3(cross3(a, b), n) / area


@kernel
def triangle_weights(a, b, c):
    """Weights of the point of a triangle that is nearest to the origin.

    Where the origin projects inside, the areas tell them; else the nearest point is on an edge.
    """
    n = cross3(sub3(b, a), sub3(c, a))
    wa, wb, wc = dot3(cross3(b, c), n), dot3(cross3(c, a), n), dot3(cross3(a, b), n)
    total = wa + wb + wc
    if wa >= 0.0 and wb >= 0.0 and wc >= 0.0 and total > 0.0:
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
def tetrahedron_weights(a, b, c, e):
    """Weights of the point of a tetrahedron that is nearest to the origin, and whether the origin is inside."""
    best, weights, inside = 1e300, (0.25, 0.25, 0.25, 0.25), True
    for k in range(4):  # the face opposite to vertex k
        p, q, r, s = (b, c, e, a) if k == 0 else ((a, c, e, b) if k == 1 else ((a, b, e, c) if k == 2 else (a, b, c, e)))
        n = cross3(sub3(q, p), sub3(r, p))
        if -dot3(n, p) * dot3(n, sub3(s, p)) > 0.0:
            continue
        inside = False
        x, y, z = triangle_weights(p, q, r)
        near = add_scaled3(add_scaled3(scale3(x, p), y, q), z, r)
        dist = dot3(near, near)
        if dist < best:
            best = dist
            weights = (
                (0.0, x, y, z) if k == 0 else ((x, 0.0, y, z) if k == 1 else ((x, y, 0.0, z) if k == 2 else (x, y, z, 0.0)))
            )
    return weights, inside
