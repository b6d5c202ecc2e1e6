"""A height field against a convex geom, or an element of a flex: one point for each of its prisms that it comes near to.

Every cell of the grid is cut along the diagonal from its corner of least x and y, and each triangle reaches down to
the bottom of the base: a prism, which is convex, so that the general narrow phase collides it. Prisms are taken row by
row, in each from the least x on, in each cell the one on the side of greater y first: the reference's order, which
tells the contacts that are kept if there are more than mjMAXCONPAIR.

Most prisms near a geom do not touch it, and a plane shows that: of the prism's triangle, through the diagonal, of a side of a
box, or across the way from the nearest point of the triangle to the geom's centre. That is the nearest point of the whole
prism too, unless the way leads down: then a sphere needs no search.
"""

import math

from tumble.physics.algebra.mat3 import column, load9, mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import add3, add_scaled3, cross3, dot3, load3, norm3, scale3, sub3
from tumble.physics.collision.convex.pair import convex_contact
from tumble.physics.collision.convex.portal import touch_portal
from tumble.physics.collision.convex.simplex import triangle_weights
from tumble.physics.collision.convex.support import BOX, SPHERE, any_support, bound, centre, core_radius
from tumble.physics.collision.hit import touch
from tumble.physics.collision.ray.hfield_rays import sample_height
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.constants import mjMAXCONPAIR

_ROUNDING = 1e-12  # of the numbers that a plane is told from
_CLEAR = 1e-6  # of a sphere's radius: a centre that is no farther from the triangle is left to the search


@kernel
def span(m, d, g, h, axis):
    """From where to where the core of geom h reaches along an axis, seen from the centre of geom g [m]."""
    origin = load3(d.geom_xpos, g)
    low = dot3(axis, any_support(m, d, h, 1, origin, scale3(-1.0, axis)))
    return low, dot3(axis, any_support(m, d, h, 1, origin, axis))


@kernel
def _cells(low, high, half, number):
    """The cells between two coordinates of a side from -half to half: the first, and one past the last."""
    per_cell = (number - 1) / (2.0 * half)
    first = math.floor(min(max((low + half) * per_cell, 0.0), number - 1.0))
    last = math.ceil(min(max((high + half) * per_cell, 0.0), number - 1.0))
    return first, last


@kernel
def _corner(m, d, k, field, row, column):
    """Make a sample the corner k of the prism, with the point below it; returns its height [m]."""
    nrow, ncol = m.hfield_nrow[field], m.hfield_ncol[field]
    sx, sy, base = m.hfield_size[field, 0], m.hfield_size[field, 1], m.hfield_size[field, 3]
    height = sample_height(m, field, row, column)
    x, y = 2.0 * sx * column / (ncol - 1) - sx, 2.0 * sy * row / (nrow - 1) - sy
    p = d.ccd_prism
    p[k, 0], p[k, 1], p[k, 2] = x, y, height
    p[k + 3, 0], p[k + 3, 1], p[k + 3, 2] = x, y, -base
    return height


@kernel
def load_prism(m, d, field, row, column, half):
    """The prism of one half of a cell, 0: that of greater y; returns its greatest height [m]."""
    a = _corner(m, d, 0, field, row, column)
    b = _corner(m, d, 1, field, row + 1, column + 1)
    c = _corner(m, d, 2, field, row + 1, column) if half == 0 else _corner(m, d, 2, field, row, column + 1)
    return max(a, b, c)


@kernel
def _window(m, d, g, h):
    """The first row, one past the last, the same of columns, and the height of the geom's lowest point above the base [m].

    Of the cells that the box around the geom can meet within the margin. No rows if there are none.
    """
    field = m.geom_dataid[g]
    nrow, ncol = m.hfield_nrow[field], m.hfield_ncol[field]
    if nrow < 2 or ncol < 2:
        return 0, 0, 0, 0, 0.0
    mat, reach = load9(d.geom_xmat, g), core_radius(m, d, h) + d.hit_margin
    d.ccd_start[0], d.ccd_start[1] = -1, -1
    bottom, top = span(m, d, g, h, column(mat, 2))
    if bottom - reach > m.hfield_size[field, 2] or top + reach < -m.hfield_size[field, 3]:
        return 0, 0, 0, 0, 0.0
    low, high = span(m, d, g, h, column(mat, 0))
    first, last = _cells(low - reach, high + reach, m.hfield_size[field, 0], ncol)
    low, high = span(m, d, g, h, column(mat, 1))
    first_row, last_row = _cells(low - reach, high + reach, m.hfield_size[field, 1], nrow)
    return first_row, last_row, first, last, bottom - reach


@kernel
def _lowest(m, d, g, h, way):
    """The least height of geom h in a direction of any length, all in the frame of the field g."""
    world = mat_vec(load9(d.geom_xmat, g), way)
    low = dot3(world, any_support(m, d, h, 1, load3(d.geom_xpos, g), scale3(-1.0, world)))
    return low - core_radius(m, d, h) * norm3(way)


@kernel
def _across(m, d, g, h, field):
    """The unit direction across the diagonals of the cells, in the field's frame, and from where to where geom h reaches."""
    dx, dy = m.hfield_size[field, 0] / (m.hfield_ncol[field] - 1), m.hfield_size[field, 1] / (m.hfield_nrow[field] - 1)
    length = math.sqrt(dx * dx + dy * dy)
    way = (dy / length, -dx / length, 0.0)
    return way, _lowest(m, d, g, h, way), -_lowest(m, d, g, h, scale3(-1.0, way))


@kernel
def _is_beyond(m, d, g, h, across, half, room):
    """True if the diagonal or the plane of the triangle shows that the prism in d.ccd_prism is farther than this from geom h."""
    a = load3(d.ccd_prism, 0)
    way, low, high = across
    at = dot3(way, a)
    if (low - at if half == 0 else at - high) > room:
        return True
    up = cross3(sub3(load3(d.ccd_prism, 1), a), sub3(load3(d.ccd_prism, 2), a))
    if half == 1:
        up = scale3(-1.0, up)
    return _lowest(m, d, g, h, up) - dot3(up, a) > room * norm3(up)


@kernel
def _from_triangle(d, p):
    """From the nearest point of the triangle to a point p in the field's frame. Of the prism too, if it is not downward."""
    a, b, c = sub3(p, load3(d.ccd_prism, 0)), sub3(p, load3(d.ccd_prism, 1)), sub3(p, load3(d.ccd_prism, 2))
    x, y, z = triangle_weights(a, b, c)
    return add_scaled3(add_scaled3(scale3(x, a), y, b), z, c)


@kernel
def _is_aside(m, d, g, h, middle, way, room):
    """True if the plane across the way from the nearest point of the triangle to the centre of geom h parts them."""
    return way[2] >= 0.0 and _lowest(m, d, g, h, way) - dot3(way, sub3(middle, way)) > room * norm3(way)


@kernel
def _is_off_sides(m, d, g, h, middle, room):
    """True if a side of the box h shows that it is apart from the prism."""
    mat, turn = load9(d.geom_xmat, g), load9(d.geom_xmat, h)
    for k in range(3):
        way = mat_t_vec(mat, column(turn, k))
        low, high, at = 1e300, -1e300, dot3(way, middle)
        for c in range(6):
            along = dot3(load3(d.ccd_prism, c), way) - at
            low, high = min(low, along), max(high, along)
        if max(low, -high) > m.geom_size[h, k] + room:
            return True
    return False


@kernel
def _touch_sphere(m, d, g, h, way):
    """Report the point of a sphere if the triangle is what it is nearest to; False if not."""
    away, radius = norm3(way), m.geom_size[h, 0]
    if way[2] < 0.0 or not away > _CLEAR * radius:
        return False
    if away - radius <= d.hit_margin:
        normal = mat_vec(load9(d.geom_xmat, g), scale3(1.0 / away, way))
        touch(d, away - radius, add_scaled3(load3(d.geom_xpos, h), -0.5 * (radius + away), normal), normal)
    return True


@kernel
def _touch_prism(m, d, g, h):
    """Report the nearest or deepest point of the prism and the geom."""
    dist, normal, p1, p2 = convex_contact(m, d, d.hit_margin)
    if dist < 1e300:
        touch(d, dist, add3(load3(d.geom_xpos, g), scale3(0.5, add3(p1, p2))), normal)


@stage
def hfield_convex(m, d):
    """Nearest or deepest points of the prisms below the geom's box and the geom; d.hit_geom1 is the height field."""
    g, h = d.hit_geom1, d.hit_geom2
    field, is_sphere, is_box = m.geom_dataid[g], h >= 0 and m.geom_type[h] == SPHERE, h >= 0 and m.geom_type[h] == BOX
    first_row, last_row, first, last, lowest = _window(m, d, g, h)
    if first_row >= last_row or first >= last:
        return
    middle = mat_t_vec(load9(d.geom_xmat, g), sub3(centre(m, d, h), load3(d.geom_xpos, g)))
    across = _across(m, d, g, h, field)
    room = d.hit_margin + m.opt_ccd_tolerance + _ROUNDING * (norm3(middle) + bound(m, d, g) + bound(m, d, h))
    for row in range(first_row, last_row):
        for col in range(first, last):
            for half in range(2):
                if load_prism(m, d, field, row, col, half) < lowest or _is_beyond(m, d, g, h, across, half, room):
                    continue
                if is_box and _is_off_sides(m, d, g, h, middle, room):
                    continue
                way = (0.0, 0.0, -1.0) if is_box else _from_triangle(d, middle)
                if is_sphere and _touch_sphere(m, d, g, h, way):
                    continue
                if not _is_aside(m, d, g, h, middle, way, room):
                    _touch_prism(m, d, g, h)
                if d.hit_num >= mjMAXCONPAIR:
                    return


@stage
def hfield_portal(m, d):
    """The same by portals (flag nativeccd disabled)."""
    g, h = d.hit_geom1, d.hit_geom2
    field = m.geom_dataid[g]
    first_row, last_row, first, last, lowest = _window(m, d, g, h)
    for row in range(first_row, last_row):
        for col in range(first, last):
            for half in range(2):
                if load_prism(m, d, field, row, col, half) >= lowest:
                    touch_portal(m, d)
                if d.hit_num >= mjMAXCONPAIR:
                    return
