"""Spheres, capsules and boxes against segments and triangles of flexes, by points.

A triangle in its skin is taken by points only: a capsule touches it with its two ends, and it the capsule's side with its
corners; a box with its corners, and it the faces of the box with its corners. Edges that cross are not looked for, and a
corner that is beyond an edge of a box is above a face of it: all as in the reference, which reckons with small elements.

The element is the second shape, and normals point to it.
"""

from tumble.physics.algebra.mat3 import column, load9, mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import add3, add_scaled3, cross3, dot3, load3, pick3, scale3, sub3, unit3
from tumble.physics.collision.convex.element import SECOND, corner, element_radius
from tumble.physics.collision.convex.simplex import triangle_weights
from tumble.physics.collision.hit import touch, touch_spheres
from tumble.physics.collision.pairs.capsule_box import touch_capsule_box, touch_capsules
from tumble.physics.collision.pairs.sphere import touch_sphere_capsule
from tumble.physics.kernel import kernel, stage


@kernel
def segment_of(d, g):
    """Middle, unit axis to the first vertex and half the length [m] of a segment; of one without length the axis is x."""
    a, b = corner(d, g, 0), corner(d, g, 1)
    axis, length = unit3(sub3(a, b))
    if not length > 0.0:
        axis = (1.0, 0.0, 0.0)
    return scale3(0.5, add3(a, b)), axis, 0.5 * length


@kernel
def across_of(axis):
    """A unit vector at right angles to a unit vector."""
    y = (0.0, 1.0, 0.0) if -0.5 < axis[1] < 0.5 else (0.0, 0.0, 1.0)
    across, _ = unit3(add_scaled3(y, -dot3(axis, y), axis))
    return across


@kernel
def _turn_normals(d):
    """Let the points that were found have the opposite normals."""
    for k in range(d.hit_num):
        for i in range(3):
            d.hit_frame[k, i] = -d.hit_frame[k, i]


@kernel
def touch_triangle(d, centre, r, g):
    """A sphere against the nearest point of a triangle."""
    a, b, c = corner(d, g, 0), corner(d, g, 1), corner(d, g, 2)
    x, y, z = triangle_weights(sub3(a, centre), sub3(b, centre), sub3(c, centre))
    near = add3(add3(scale3(x, a), scale3(y, b)), scale3(z, c))
    normal, area = unit3(cross3(sub3(b, a), sub3(c, a)))
    if not area > 0.0:
        normal = (1.0, 0.0, 0.0)
    touch_spheres(d, centre, r, near, element_radius(d, g), normal)


@kernel
def _touch_faces(d, p, r, middle, mat, size):
    """A ball at the corner of a triangle against the face of a box that it is farthest above, or least below."""
    local = mat_t_vec(mat, sub3(p, middle))
    x, y, z = abs(local[0]) - size[0], abs(local[1]) - size[1], abs(local[2]) - size[2]
    k, height = (0, x) if x >= y and x >= z else ((1, y) if y >= z else (2, z))
    if height - r <= d.hit_margin:
        out = scale3(-1.0 if pick3(local, k) < 0.0 else 1.0, column(mat, k))
        touch(d, height - r, add_scaled3(p, -0.5 * (height + r), out), out)


@stage
def sphere_segment(m, d):
    """One point."""
    g = d.hit_geom1
    middle, axis, half = segment_of(d, SECOND)
    centre, r = load3(d.geom_xpos, g), m.geom_size[g, 0]
    touch_sphere_capsule(d, centre, r, middle, axis, half, element_radius(d, SECOND), across_of(axis))


@stage
def capsule_segment(m, d):
    """One point, or two where they are parallel."""
    g = d.hit_geom1
    middle, axis, half = segment_of(d, SECOND)
    own = column(load9(d.geom_xmat, g), 2)
    spare, sine = unit3(cross3(own, axis))
    if sine < 1e-10:
        spare = across_of(axis)
    a1, r = scale3(m.geom_size[g, 1], own), m.geom_size[g, 0]
    touch_capsules(d, load3(d.geom_xpos, g), a1, r, middle, scale3(half, axis), element_radius(d, SECOND), spare)


@stage
def box_segment(m, d):
    """Up to two points."""
    g = d.hit_geom1
    middle, axis, half = segment_of(d, SECOND)
    mat, size = load9(d.geom_xmat, g), load3(m.geom_size, g)
    touch_capsule_box(d, middle, axis, half, element_radius(d, SECOND), load3(d.geom_xpos, g), mat, size)
    _turn_normals(d)


@stage
def sphere_triangle(m, d):
    """One point."""
    touch_triangle(d, load3(d.geom_xpos, d.hit_geom1), m.geom_size[d.hit_geom1, 0], SECOND)


@stage
def capsule_triangle(m, d):
    """The ends of the capsule against the triangle, and its corners against the side of the capsule."""
    g = d.hit_geom1
    middle, axis = load3(d.geom_xpos, g), column(load9(d.geom_xmat, g), 2)
    r, half, radius = m.geom_size[g, 0], m.geom_size[g, 1], element_radius(d, SECOND)
    touch_triangle(d, add_scaled3(middle, -half, axis), r, SECOND)
    touch_triangle(d, add_scaled3(middle, half, axis), r, SECOND)
    for k in range(3):
        p = corner(d, SECOND, k)
        along = dot3(sub3(p, middle), axis)
        if -half < along < half:
            touch_spheres(d, add_scaled3(middle, along, axis), r, p, radius, across_of(axis))


@stage
def box_triangle(m, d):
    """The corners of the triangle against the box, and those of the box against the triangle."""
    g = d.hit_geom1
    middle, mat, size = load3(d.geom_xpos, g), load9(d.geom_xmat, g), load3(m.geom_size, g)
    radius = element_radius(d, SECOND)
    for k in range(3):
        _touch_faces(d, corner(d, SECOND, k), radius, middle, mat, size)
    for k in range(8):
        local = (size[0] if k & 1 else -size[0], size[1] if k & 2 else -size[1], size[2] if k & 4 else -size[2])
        touch_triangle(d, add3(middle, mat_vec(mat, local)), 0.0, SECOND)
