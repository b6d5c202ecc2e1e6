"""Intersection of a ray with a signed distance field: steps no longer than the distance, then the change of sign is halved."""

from tumble.physics.algebra.vec3 import add_scaled3, dot3, load3, norm3, sub3, unit3
from tumble.physics.collision.sdf.field import distance_at, field
from tumble.physics.kernel import exact

_SAFE = 0.9  # of the distance is stepped: fields that are not exact may be a little too steep
_LEAST = 1e-3  # of the bounding radius: the shortest step; less deep notches may be stepped over where the ray grazes
_STEPS = 10_000
_HALVINGS = 60


@exact
def _crossing(m, d, g, p, v, before, after):
    """The t between two at which the sign of the distance changes."""
    inside = distance_at(m, d, g, add_scaled3(p, before, v)) < 0.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (before + after)
        if (distance_at(m, d, g, add_scaled3(p, middle, v)) < 0.0) == inside:
            before = middle
        else:
            after = middle
    return 0.5 * (before + after)


@exact
def ray_sdf(m, d, g, p, v):
    """Smallest t >= 0 at which p + t v meets the surface of an sdf geom, in its frame, and the outward unit normal; else -1."""
    none = (0.0, 0.0, 0.0)
    speed, radius = norm3(v), m.geom_rbound[g]
    middle = load3(m.geom_aabb, g)
    along = -dot3(sub3(p, middle), v) / (speed * speed)
    nearest = add_scaled3(sub3(p, middle), along, v)
    rest = radius * radius * (1.0 + 1e-9) - dot3(nearest, nearest)
    if rest < 0.0:
        return -1.0, none
    half = rest**0.5 / speed
    t, end = max(along - half, 0.0), along + half
    if end < 0.0:
        return -1.0, none
    value = distance_at(m, d, g, add_scaled3(p, t, v))
    inside = value < 0.0
    for _ in range(_STEPS):
        before = t
        t += max(_SAFE * abs(value), _LEAST * radius) / speed
        value = distance_at(m, d, g, add_scaled3(p, t, v))
        if (value < 0.0) != inside:
            t = _crossing(m, d, g, p, v, before, t)
            _, slope = field(m, d, g, add_scaled3(p, t, v))
            normal, _ = unit3(slope)
            return t, normal
        if t > end:
            break
    return -1.0, none
