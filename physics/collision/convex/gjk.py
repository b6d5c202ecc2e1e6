"""Distance of two convex shapes: Gilbert, Johnson and Keerthi's walk over the Minkowski difference.

The difference shape1 - shape2 holds the origin just where the shapes overlap; otherwise its point
nearest to the origin tells distance and direction. The walk keeps a simplex of up to four points of
the difference (the first rows of d.ccd_vertex), goes to the simplex's point nearest to the origin,
drops what does not support it, and adds the farthest point beyond it.

Where only overlap is asked for, the walk ends as soon as a point shows that there is none, and from the first
tetrahedron on it turns that round the origin instead: the face that the origin is farthest beyond gets a new vertex
opposite to it. That ends with a tetrahedron around the origin, from which the depth is found (epa).

Where two flat faces meet, many points are equally near; which one is returned depends on the path of the walk: its
start, the order of the vertices, the tolerance. All of these are chosen so that the reference's point is found.
"""

import math

from tumble.physics.algebra.vec3 import cross3, dot3, norm3, scale3, sub3
from tumble.physics.collision.convex.simplex import segment_weights, tetrahedron_weights, triangle_weights
from tumble.physics.collision.convex.support import add_vertex, centre, copy_vertex, swap_vertices, vertex
from tumble.physics.kernel import kernel

SEPARATE, OVERLAPPING, UNKNOWN = 0, 1, 2
_MOST = 1000  # iterations, even if the option asks for more
_APART = 0.999999  # of the squared distance: a bound that tells more than a tetrahedron whose inside is rounding
_RELATIVE = 1e-14  # bounds of the squared distance this near to each other are one


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
    return tetrahedron_weights(a, b, vertex(d, 2), vertex(d, 3))


@kernel
def _reduce(d, n, weights):
    """Keep the vertices that carry weight; returns how many, and the weights moved with them."""
    x, y, z, u = weights
    kept = 0
    total = (0.0, 0.0, 0.0, 0.0)
    for k in range(n):
        weight = x if k == 0 else (y if k == 1 else (z if k == 2 else u))
        if weight > 0.0:
            copy_vertex(d, kept, k)
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
def _face(d, i, j, k):
    """Unit normal of a face of the tetrahedron and its distance from the origin; no normal if it has no area."""
    a = vertex(d, i)
    n = cross3(sub3(vertex(d, k), a), sub3(vertex(d, j), a))
    length = norm3(n)
    if length < 1e-15:
        return (0.0, 0.0, 0.0), 0.0
    n = scale3(1.0 / length, n)
    return n, dot3(n, a)


@kernel
def _turn(m, d, iterations):
    """Turn the tetrahedron round the origin until it holds it; tells OVERLAPPING, SEPARATE or UNKNOWN, and the last direction."""
    way = (0.0, 0.0, 0.0)
    for _ in range(min(iterations, _MOST)):
        n0, d0 = _face(d, 2, 1, 3)
        n1, d1 = _face(d, 0, 2, 3)
        n2, d2 = _face(d, 1, 0, 3)
        n3, d3 = _face(d, 0, 1, 2)
        if dot3(n0, n0) * dot3(n1, n1) * dot3(n2, n2) * dot3(n3, n3) == 0.0:
            return UNKNOWN, way
        i, low, way = (0, d0, n0) if d0 < d1 else (1, d1, n1)
        j, other, turned = (2, d2, n2) if d2 < d3 else (3, d3, n3)
        if not low < other:
            i, low, way = j, other, turned
        if low > 0.0:
            return OVERLAPPING, way
        add_vertex(m, d, i, way)
        if dot3(way, vertex(d, i)) < 0.0:
            return SEPARATE, way
        swap_vertices(d, (i + 1) & 3, (i + 2) & 3)  # so that the faces' normals point outward again
    return UNKNOWN, way


@kernel
def nearest(m, d, limit):
    """Walk to the point of the difference that is nearest to the origin, from between the centres, to the option's tolerance.

    limit: shapes farther apart than this [m] are not wanted; 0: only whether they overlap.
    """
    absolute = 0.0 if d.ccd_exact else 0.5 * m.opt_ccd_tolerance * m.opt_ccd_tolerance
    return walk(m, d, sub3(centre(m, d, d.hit_geom1), centre(m, d, d.hit_geom2)), limit, absolute)


@kernel
def walk(m, d, v, limit, absolute):
    """The same from a vector v, until bounds of the squared distance differ by no more than an absolute number [m^2].

    Returns the size of the simplex, its weights, the nearest point, and its distance:
    0 if the origin is inside (or rounding cannot tell), infinity beyond the limit: the vector shows it then.
    """
    n, weights = 0, (0.0, 0.0, 0.0, 0.0)
    turns = limit == 0.0
    for step in range(min(m.opt_ccd_iterations, _MOST)):
        vv = dot3(v, v)
        if not vv >= 1e-30:
            if n > 0:
                return n, weights, v, 0.0
            v, vv = (1.0, 0.0, 0.0), 1.0  # coinciding centres: begin anywhere
        add_vertex(m, d, n, scale3(-1.0 / math.sqrt(vv), v))
        ahead = dot3(v, vertex(d, n))
        if n > 0 and vv - ahead < max(absolute, _RELATIVE * vv):
            break
        if ahead > 0.0 and ahead * ahead >= vv * limit * limit:
            return n, weights, v, 1e300
        if n == 3 and turns:
            found, way = _turn(m, d, m.opt_ccd_iterations - step)
            if found == OVERLAPPING:
                return 4, weights, v, 0.0
            if found == SEPARATE:
                return n, weights, scale3(-1.0, way), 1e300
            turns = False
        new_weights, inside = _weights(d, n + 1)
        if inside and ahead > _APART * vv:  # rounding: the new point shows that the shapes are as far apart as that
            break
        if inside:
            return 4, new_weights, (0.0, 0.0, 0.0), 0.0
        new_v = combine(d, n + 1, new_weights, 0)
        if n > 0 and not dot3(new_v, new_v) < vv:  # rounding: no nearer point can be found
            break
        n, weights = _reduce(d, n + 1, new_weights)
        v = new_v
    return n, weights, v, norm3(v)
