"""A sphere against a sphere, a capsule, a cylinder and a box."""

import math

from tumble.physics.algebra.mat3 import column, load9, mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import add3, add_scaled3, cross3, dot3, load3, norm3, scale3, sub3, unit3
from tumble.physics.collision.hit import touch, touch_spheres
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.constants import mjMINVAL

_ON_AXIS = 1e-14  # of a capsule's length: a centre that is no farther from the axis is on it


@kernel
def spare_normal(mat1, mat2):
    """The normal of two spheres whose centres coincide: across the z axes of their frames."""
    axis, length = unit3(cross3(column(mat1, 2), column(mat2, 2)))
    if length < mjMINVAL:
        return 1.0, 0.0, 0.0
    return axis


@stage
def sphere_sphere(m, d):
    """One point on the line of centres."""
    g, h = d.hit_geom1, d.hit_geom2
    spare = spare_normal(load9(d.geom_xmat, g), load9(d.geom_xmat, h))
    touch_spheres(d, load3(d.geom_xpos, g), m.geom_size[g, 0], load3(d.geom_xpos, h), m.geom_size[h, 0], spare)


@kernel
def touch_sphere_capsule(d, centre, r, middle, axis, half, radius, spare):
    """A sphere against the sphere at the nearest point of a capsule's segment: middle, unit axis, half its length [m]."""
    along = min(max(dot3(axis, sub3(centre, middle)), -half), half)
    near = add_scaled3(middle, along, axis)
    if norm3(sub3(centre, near)) < _ON_AXIS * half:  # rounding would tell the normal
        near = centre
    touch_spheres(d, centre, r, near, radius, spare)


@stage
def sphere_capsule(m, d):
    """The sphere against the sphere at the nearest point of the capsule's segment."""
    g, h = d.hit_geom1, d.hit_geom2
    mat = load9(d.geom_xmat, h)
    axis, spare = column(mat, 2), spare_normal(load9(d.geom_xmat, g), mat)
    if abs(dot3(spare, axis)) > 0.5:
        spare = column(mat, 0)
    centre, middle = load3(d.geom_xpos, g), load3(d.geom_xpos, h)
    touch_sphere_capsule(d, centre, m.geom_size[g, 0], middle, axis, m.geom_size[h, 1], m.geom_size[h, 0], spare)


@stage
def sphere_cylinder(m, d):
    """Against the side (a sphere on the axis), a cap (a plane) or the rim (a point), whichever is nearest."""
    g, h = d.hit_geom1, d.hit_geom2
    mat, centre, middle = load9(d.geom_xmat, h), load3(d.geom_xpos, g), load3(d.geom_xpos, h)
    r, radius, half = m.geom_size[g, 0], m.geom_size[h, 0], m.geom_size[h, 1]
    axis = column(mat, 2)
    offset = sub3(centre, middle)
    along = dot3(offset, axis)
    radial = add_scaled3(offset, -along, axis)
    away = norm3(radial)

    side, cap = abs(along) < half, away < radius
    if side and cap:  # inside: out by the shorter way
        side = half - abs(along) >= radius - away
        cap = not side
    spare = spare_normal(load9(d.geom_xmat, g), mat)
    if side:
        touch_spheres(d, centre, r, add_scaled3(middle, along, axis), radius, spare)
    elif cap:
        normal = axis if along > 0.0 else scale3(-1.0, axis)
        dist = abs(along) - half - r
        if dist <= d.hit_margin:
            touch(d, dist, add_scaled3(centre, -0.5 * dist - r, normal), scale3(-1.0, normal))
    else:
        rim = add_scaled3(middle, radius / away, radial)
        touch_spheres(d, centre, r, add_scaled3(rim, math.copysign(half, along), axis), 0.0, spare)


@kernel
def touch_sphere_box(d, centre, r, middle, mat, size):
    """A sphere against the nearest point of a box; a centre inside leaves through the nearest face."""
    local = mat_t_vec(mat, sub3(centre, middle))
    nearest = (
        min(max(local[0], -size[0]), size[0]),
        min(max(local[1], -size[1]), size[1]),
        min(max(local[2], -size[2]), size[2]),
    )
    inward, away = unit3(sub3(nearest, local))
    if away - r > d.hit_margin:
        return
    if away <= mjMINVAL:
        k, depth = 0, 2.0 * max(size[0], size[1], size[2])
        for i in range(6):
            c, s = (local[0], size[0]) if i < 2 else ((local[1], size[1]) if i < 4 else (local[2], size[2]))
            gap = abs((s if i & 1 else -s) - c)
            if gap < depth:
                depth, k = gap, i
        sign = -1.0 if k & 1 else 1.0
        inward = (sign if k < 2 else 0.0, sign if 2 <= k < 4 else 0.0, sign if k >= 4 else 0.0)
        away = -depth
    pos = add_scaled3(local, 0.5 * (r + away), inward)
    touch(d, away - r, add3(middle, mat_vec(mat, pos)), mat_vec(mat, inward))


@stage
def sphere_box(m, d):
    """One point."""
    g, h = d.hit_geom1, d.hit_geom2
    size = load3(m.geom_size, h)
    touch_sphere_box(d, load3(d.geom_xpos, g), m.geom_size[g, 0], load3(d.geom_xpos, h), load9(d.geom_xmat, h), size)
