"""The distance of two geoms, one with a signed distance field: the least of those that searches from several points end at."""

from tumble.physics.algebra.mat3 import load9, mat_vec
from tumble.physics.algebra.vec3 import add3, add_scaled3, dot3, load3, norm3, sub3
from tumble.physics.collision.sdf.field import SDF, world_field
from tumble.physics.collision.sdf.pair import FAR, MOST, PLANE, halton, nearest, reach
from tumble.physics.kernel import exact

_FEET = 10  # Newton steps from a point to a surface
_ROUNDS = 20
_LEAST = 20  # searches, where opt_sdf_initpoints is less


@exact
def has_field(m, g1, g2):
    """True if one of two geoms is of type sdf."""
    return m.geom_type[g1] == SDF or m.geom_type[g2] == SDF


@exact
def _foot(m, d, g, x):
    """A point of a geom's surface, next to x or nearly so: down the slope of the distance."""
    for _ in range(_FEET):
        a, slope = world_field(m, d, g, x)
        square = dot3(slope, slope)
        if not square > 1e-6:
            break
        x = add_scaled3(x, -a / square, slope)
    return x


@exact
def _between(m, d, g, h, k):
    """Overlap of two geoms' boxes along axis k of geom g, or the gap between them; of a plane, h's lowest [m]."""
    low, high = reach(m, d, g, h, k)
    if m.geom_type[g] == PLANE:
        return (low, low) if k == 2 else (low, high)
    middle, half = m.geom_aabb[g, k], m.geom_aabb[g, 3 + k]
    a, b = max(low, middle - half), min(high, middle + half)
    return min(a, b), max(a, b)


@exact
def sdf_distance(m, d, g1, g2):
    """Signed distance [m], point of g1, point of g2. Both points are on the surfaces; 1e300 if none was found."""
    g, h = (g2, g1) if m.geom_type[g2] == PLANE else (g1, g2)
    x0, x1 = _between(m, d, g, h, 0)
    y0, y1 = _between(m, d, g, h, 1)
    z0, z1 = _between(m, d, g, h, 2)
    size = (x1 - x0, y1 - y0, z1 - z0)
    span = max(0.5 * norm3(size), m.geom_rbound[h])
    origin, mat = load3(d.geom_xpos, g), load9(d.geom_xmat, g)
    best, p, q = FAR, origin, origin
    for k in range(min(max(m.opt_sdf_initpoints, _LEAST), MOST)):
        start = (x0 + size[0] * halton(k, 2), y0 + size[1] * halton(k, 3), z0 + size[2] * halton(k, 5))
        gap, x, _ = nearest(m, d, g, h, add3(origin, mat_vec(mat, start)), span)
        if gap < FAR and d.failed == 0:
            foot, other = _foot(m, d, g, x), _foot(m, d, h, x)
            length = norm3(sub3(other, foot))
            if gap < 0.0:
                length = -length
            if length < best:
                best, p, q = length, foot, other
    for _ in range(_ROUNDS if 0.0 < best < FAR else 0):  # from one surface to the other: fields are not exact far away
        foot = _foot(m, d, g, q)
        other = _foot(m, d, h, foot)
        length = norm3(sub3(other, foot))
        if not length < best:
            break
        best, p, q = length, foot, other
    if g == g1:
        return best, p, q
    return best, q, p
