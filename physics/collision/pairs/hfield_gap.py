"""Distance of a height field from a convex geom or a plane: of the nearest, or deepest, of its prisms, however far away.

Cells are looked at ring by ring around the one that is nearest to the geom. What cannot be nearer than what was found is left
out: by its box against the geom's box in the field's frame, and by the plane across the last shortest way, which the
geom is beyond.
"""

import math

from tumble.physics.algebra.mat3 import column, load9, mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import add3, add_scaled3, dot3, load3, sub3
from tumble.physics.collision.convex.pair import convex_points
from tumble.physics.collision.convex.support import core_radius
from tumble.physics.collision.pairs.hfield import load_prism, span
from tumble.physics.collision.ray.hfield_rays import sample_height
from tumble.physics.kernel import kernel

NONE = (0.0, 0.0, 0.0)


@kernel
def _box(m, d, g, h):
    """Lower and upper corner of the box around geom h in the frame of the field g [m]."""
    mat, r = load9(d.geom_xmat, g), core_radius(m, d, h)
    d.ccd_start[0], d.ccd_start[1] = -1, -1
    x1, x2 = span(m, d, g, h, column(mat, 0))
    y1, y2 = span(m, d, g, h, column(mat, 1))
    z1, z2 = span(m, d, g, h, column(mat, 2))
    return (x1 - r, y1 - r, z1 - r), (x2 + r, y2 + r, z2 + r)


@kernel
def _gap(low1, high1, low2, high2):
    """Distance of two intervals; negative: how far one must move out of the other."""
    return max(low2 - high1, low1 - high2)


@kernel
def _beyond(x, y, z, best):
    """True if boxes with these gaps along three axes are no nearer than the best distance so far."""
    if max(x, y, z) >= best:
        return True
    x, y, z = max(x, 0.0), max(y, 0.0), max(z, 0.0)
    return best > 0.0 and x * x + y * y + z * z >= best * best


@kernel
def _is_cut_off(d, way, height, best):
    """True if the plane at a height along a unit direction keeps the prism in d.ccd_prism from the geom by the best distance."""
    top = -1e300
    for k in range(6):
        top = max(top, dot3(load3(d.ccd_prism, k), way))
    return height - top >= best


@kernel
def hfield_gap(m, d, g, h, limit):
    """Signed distance [m] of a field g and a convex geom h below a limit, and their nearest points; else the limit and zeros."""
    field, best, from1, to2 = m.geom_dataid[g], limit, NONE, NONE
    nrow, ncol = m.hfield_nrow[field], m.hfield_ncol[field]
    if nrow < 2 or ncol < 2:
        return best, from1, to2
    d.hit_geom1, d.hit_geom2 = g, h
    sx, sy, base = m.hfield_size[field, 0], m.hfield_size[field, 1], m.hfield_size[field, 3]
    wide, deep = 2.0 * sx / (ncol - 1), 2.0 * sy / (nrow - 1)
    low, high = _box(m, d, g, h)
    mat, centre = load9(d.geom_xmat, g), load3(d.geom_xpos, g)
    middle_col = int(min(max(math.floor((0.5 * (low[0] + high[0]) + sx) / wide), 0.0), ncol - 2.0))
    middle_row = int(min(max(math.floor((0.5 * (low[1] + high[1]) + sy) / deep), 0.0), nrow - 2.0))
    way, height, known = NONE, 0.0, False
    for ring in range(max(nrow, ncol) - 1):
        tried = False
        for row in range(max(middle_row - ring, 0), min(middle_row + ring, nrow - 2) + 1):
            y = _gap(low[1], high[1], row * deep - sy, (row + 1) * deep - sy)
            if y >= best:
                continue
            count, stride = (2 * ring + 1, 1) if abs(row - middle_row) == ring else (2, 2 * ring)
            for k in range(count):
                col = middle_col - ring + k * stride
                if col < 0 or col > ncol - 2:
                    continue
                x = _gap(low[0], high[0], col * wide - sx, (col + 1) * wide - sx)
                if _beyond(x, y, -1e300, best):
                    continue
                tried = True
                for half in range(2):
                    top = load_prism(m, d, field, row, col, half)
                    z = _gap(low[2], high[2], -base, top)
                    if _beyond(x, y, z, best) or (known and _is_cut_off(d, way, height, best)):
                        continue
                    dist, normal, p1, p2 = convex_points(m, d, max(best, 0.0))
                    if dist < best:
                        best, from1, to2 = dist, add3(centre, p1), add3(centre, p2)
                        way, known = mat_t_vec(mat, normal), dist > 0.0
                        height = dot3(mat_t_vec(mat, p1), way) + dist
        if not tried:
            break
    return best, from1, to2


@kernel
def plane_hfield_gap(m, d, plane, g):
    """Signed distance [m] of a plane without end and a height field, the point of the plane and that of the field.

    1e300 and zeros of a field without a surface.
    """
    field = m.geom_dataid[g]
    nrow, ncol = m.hfield_nrow[field], m.hfield_ncol[field]
    if nrow < 2 or ncol < 2:
        return 1e300, NONE, NONE
    normal, offset = column(load9(d.geom_xmat, plane), 2), sub3(load3(d.geom_xpos, g), load3(d.geom_xpos, plane))
    mat = load9(d.geom_xmat, g)
    up = mat_t_vec(mat, normal)
    sx, sy, base = m.hfield_size[field, 0], m.hfield_size[field, 1], m.hfield_size[field, 3]
    best, at = 1e300, NONE
    for row in range(nrow):
        y = 2.0 * sy * row / (nrow - 1) - sy
        for col in range(ncol):
            x = 2.0 * sx * col / (ncol - 1) - sx
            z = -base if up[2] > 0.0 else sample_height(m, field, row, col)
            far = up[0] * x + up[1] * y + up[2] * z
            if far < best:
                best, at = far, (x, y, z)
    lowest = add3(load3(d.geom_xpos, g), mat_vec(mat, at))
    dist = best + dot3(offset, normal)
    return dist, add_scaled3(lowest, -dist, normal), lowest
