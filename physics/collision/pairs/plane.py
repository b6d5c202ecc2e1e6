"""A plane against everything that has a closed form. The normal is the plane's z axis."""

import math

from tumble.physics.algebra.mat3 import column, load9, mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import add3, add_scaled3, cross3, dot3, load3, norm3, scale3, sub3
from tumble.physics.collision.hit import touch, touch_along
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.constants import mjMINVAL


@kernel
def _touch_plane(d, point, normal, dist):
    """Report a point of a surface at a height `dist` above the plane."""
    touch(d, dist, add_scaled3(point, -0.5 * dist, normal), normal)


@stage
def plane_sphere(m, d):
    """One point, below the centre."""
    g, h = d.hit_geom1, d.hit_geom2
    normal = column(load9(d.geom_xmat, g), 2)
    centre, radius = load3(d.geom_xpos, h), m.geom_size[h, 0]
    dist = dot3(sub3(centre, load3(d.geom_xpos, g)), normal) - radius
    if dist <= d.hit_margin:
        touch(d, dist, add_scaled3(centre, -0.5 * dist - radius, normal), normal)


@stage
def plane_capsule(m, d):
    """A point under each end; the frames follow the capsule, so that friction knows rolling from sliding."""
    g, h = d.hit_geom1, d.hit_geom2
    normal = column(load9(d.geom_xmat, g), 2)
    axis = column(load9(d.geom_xmat, h), 2)
    origin, centre = load3(d.geom_xpos, g), load3(d.geom_xpos, h)
    radius = m.geom_size[h, 0]
    for k in range(2):
        half = m.geom_size[h, 1] if k == 0 else -m.geom_size[h, 1]
        end = add_scaled3(centre, half, axis)
        dist = dot3(sub3(end, origin), normal) - radius
        if dist <= d.hit_margin:
            touch_along(d, dist, add_scaled3(end, -0.5 * dist - radius, normal), normal, axis)


@stage
def plane_ellipsoid(m, d):
    """The point farthest down: where the ellipsoid's normal is the plane's, turned round."""
    g, h = d.hit_geom1, d.hit_geom2
    normal = column(load9(d.geom_xmat, g), 2)
    mat, size = load9(d.geom_xmat, h), load3(m.geom_size, h)
    n = mat_t_vec(mat, normal)
    scaled = (size[0] * n[0], size[1] * n[1], size[2] * n[2])
    reach = norm3(scaled)
    if reach < mjMINVAL:
        return
    deepest = (-size[0] * scaled[0] / reach, -size[1] * scaled[1] / reach, -size[2] * scaled[2] / reach)
    point = add3(load3(d.geom_xpos, h), mat_vec(mat, deepest))
    dist = dot3(sub3(point, load3(d.geom_xpos, g)), normal)
    if dist <= d.hit_margin:
        _touch_plane(d, point, normal, dist)


@stage
def plane_box(m, d):
    """The corners below the margin and below the centre, at most four."""
    g, h = d.hit_geom1, d.hit_geom2
    normal = column(load9(d.geom_xmat, g), 2)
    mat, size, centre = load9(d.geom_xmat, h), load3(m.geom_size, h), load3(d.geom_xpos, h)
    height = dot3(sub3(centre, load3(d.geom_xpos, g)), normal)
    for k in range(8):
        corner = (
            size[0] if k & 1 else -size[0],
            size[1] if k & 2 else -size[1],
            size[2] if k & 4 else -size[2],
        )
        arm = mat_vec(mat, corner)
        above = dot3(arm, normal)
        if above <= 0.0 and height + above <= d.hit_margin and d.hit_num < 4:
            _touch_plane(d, add3(centre, arm), normal, height + above)


@stage
def plane_cylinder(m, d):
    """Report up to four contact points of a plane and a cylinder.

    The deepest point of the lower rim, the one above it on the other rim, and two that complete an equilateral triangle on
    the lower rim, so that a standing cylinder stays upright.
    """
    g, h = d.hit_geom1, d.hit_geom2
    origin, normal = load3(d.geom_xpos, g), column(load9(d.geom_xmat, g), 2)
    mat, centre = load9(d.geom_xmat, h), load3(d.geom_xpos, h)
    radius, half, margin = m.geom_size[h, 0], m.geom_size[h, 1], d.hit_margin
    axis = column(mat, 2)
    slope = dot3(normal, axis)
    if slope > 0.0:
        axis, slope = scale3(-1.0, axis), -slope
    height = dot3(sub3(centre, origin), normal)

    # from the axis to the rim, as far down as it goes
    down = sub3(scale3(slope, axis), normal)
    length = norm3(down)
    if length < 1e-12:
        arm = scale3(radius, column(mat, 0))
    else:
        arm = scale3(radius / length, down)
    drop = dot3(arm, normal)
    axis, slope = scale3(half, axis), half * slope

    dist = height + slope + drop
    if dist > margin:
        return
    _touch_plane(d, add3(add3(centre, axis), arm), normal, dist)
    dist = height - slope + drop
    if dist <= margin:
        _touch_plane(d, add3(sub3(centre, axis), arm), normal, dist)
    dist = height + slope - 0.5 * drop
    if dist <= margin:
        # the two other corners of the triangle: half way back, and across
        across = cross3(arm, axis)
        length = norm3(across)
        if length < mjMINVAL:
            return
        across = scale3(0.5 * math.sqrt(3.0) * radius / length, across)
        back = add_scaled3(add3(centre, axis), -0.5, arm)
        _touch_plane(d, add3(back, across), normal, dist)
        _touch_plane(d, sub3(back, across), normal, dist)
