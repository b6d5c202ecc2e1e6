"""Intersections of a ray with a height field: its base, which is a box, its walls above the base, or its surface.

Over a triangle the height is linear, so along the ray the ray's height above the surface is linear from one edge of the
triangles to the next. It is followed over these edges, which are where one of the sample coordinates (column, row) or
their difference is a whole number, until it changes its sign: that leaves no gap between triangles.
"""

import math

from tumble.physics.algebra.vec3 import add_scaled3, unit3
from tumble.physics.collision.ray.interval import FAR, overlap, slab
from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMINVAL

NONE = (0.0, 0.0, 0.0)


@kernel
def ray_hfield(m, field, p, v):
    """Smallest t >= 0 at which p + t v meets height field `field`, in its geom's frame, and the outward unit normal there.

    -1 and zeros if it does not. The base is a box whose faces are all met, the one under the surface from inside too.
    """
    if m.hfield_nrow[field] < 2 or m.hfield_ncol[field] < 2:
        return -1.0, NONE
    sx, sy, base = m.hfield_size[field, 0], m.hfield_size[field, 1], m.hfield_size[field, 3]
    low, high = overlap(slab(p[0], v[0], -sx, sx), slab(p[1], v[1], -sy, sy))
    if low > high or high < 0.0:
        return -1.0, NONE
    best, normal = _base(p, v, (sx, sy, base), low, high)
    for k in range(2):
        t = low if k == 0 else high
        z = p[2] + t * v[2]
        if 0.0 <= t < best and 0.0 <= z <= _height_at(m, field, p[0] + t * v[0], p[1] + t * v[1]):
            best, normal = t, _wall(add_scaled3(p, t, v), sx, sy)
    first, last = overlap((max(low, 0.0), min(high, best)), slab(p[2], v[2], 0.0, m.hfield_size[field, 2]))
    if first <= last:
        t, slope = _surface(m, field, p, v, first, last)
        if 0.0 <= t <= best:
            best, normal = t, slope
    return (best, normal) if best < FAR else (-1.0, NONE)


@kernel
def _wall(x, sx, sy):
    """Outward normal of the wall that a point is on, of the walls at -sx, sx, -sy and sy."""
    if abs(abs(x[0]) - sx) < abs(abs(x[1]) - sy):
        return math.copysign(1.0, x[0]), 0.0, 0.0
    return 0.0, math.copysign(1.0, x[1]), 0.0


@kernel
def _base(p, v, size, low, high):
    """Intersection of the ray with the base, from 0 down to -size[2]; low, high: the interval of t inside the walls."""
    sx, sy, base = size
    first, last = slab(p[2], v[2], -base, 0.0)
    begin, end = overlap((low, high), (first, last))
    if begin > end or end < 0.0:
        return FAR, NONE
    t, through_wall = (begin, low > first) if begin >= 0.0 else (end, high < last)
    x = add_scaled3(p, t, v)
    if through_wall:
        return t, _wall(x, sx, sy)
    return t, (0.0, 0.0, 1.0 if x[2] > -0.5 * base else -1.0)


@kernel
def sample_height(m, field, row, column):
    """Height of a sample of a height field over its base [m]."""
    ncol = m.hfield_ncol[field]
    return m.hfield_size[field, 2] * m.hfield_data[m.hfield_adr[field] + row * ncol + column]


@kernel
def _triangle(m, field, column, row):
    """The triangle around a point in sample coordinates: its height there, and how it grows by column and by row [m]."""
    i = min(max(math.floor(column), 0), m.hfield_ncol[field] - 2)
    j = min(max(math.floor(row), 0), m.hfield_nrow[field] - 2)
    a, b = sample_height(m, field, j, i), sample_height(m, field, j + 1, i + 1)
    if row - j > column - i:
        c = sample_height(m, field, j + 1, i)
        by_column, by_row = b - c, c - a
    else:
        c = sample_height(m, field, j, i + 1)
        by_column, by_row = c - a, b - c
    return a + (column - i) * by_column + (row - j) * by_row, by_column, by_row


@kernel
def _height_at(m, field, x, y):
    """Height of the surface above a point of the base [m]."""
    sx, sy = m.hfield_size[field, 0], m.hfield_size[field, 1]
    column = 0.5 * (x + sx) / sx * (m.hfield_ncol[field] - 1)
    row = 0.5 * (y + sy) / sy * (m.hfield_nrow[field] - 1)
    height, _, _ = _triangle(m, field, column, row)
    return height


@kernel
def _next_whole(x, rate, t):
    """The first t beyond the given one at which x + t rate is a whole number."""
    if abs(rate) < mjMINVAL:
        return FAR
    at = x + t * rate
    whole = math.floor(at) + 1.0 if rate > 0.0 else math.ceil(at) - 1.0
    following = (whole - x) / rate
    if following <= t:  # rounding: it is that number already
        following = (whole + (1.0 if rate > 0.0 else -1.0) - x) / rate
    return following


@kernel
def _surface(m, field, p, v, first, last):
    """Crossing of ray and surface between two t, and the upward unit normal there; -1 and zeros without one."""
    ncol, nrow = m.hfield_ncol[field], m.hfield_nrow[field]
    sx, sy = m.hfield_size[field, 0], m.hfield_size[field, 1]
    per_x, per_y = 0.5 * (ncol - 1) / sx, 0.5 * (nrow - 1) / sy
    column, row = (p[0] + sx) * per_x, (p[1] + sy) * per_y
    columns, rows = v[0] * per_x, v[1] * per_y  # per unit of t
    t = first
    for _ in range(4 * (ncol + nrow) + 8):
        following = min(_next_whole(column, columns, t), _next_whole(row, rows, t), _next_whole(row - column, rows - columns, t))
        end = min(following, last)
        middle = 0.5 * (t + end)
        c, r = column + middle * columns, row + middle * rows
        height, by_column, by_row = _triangle(m, field, c, r)
        rise = v[2] - by_column * columns - by_row * rows  # of the ray over the triangle, per unit of t
        above = p[2] + middle * v[2] - height
        start_above, end_above = above - (middle - t) * rise, above + (end - middle) * rise
        if min(start_above, end_above) <= 0.0 <= max(start_above, end_above):
            met = middle - above / rise if abs(rise) > mjMINVAL else t
            normal, _ = unit3((-by_column * per_x, -by_row * per_y, 1.0))
            return min(max(met, t), end), normal
        t = end
        if following >= last:
            break
    return -1.0, NONE
