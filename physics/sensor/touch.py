"""The touch sensor: normal forces of the contacts whose rays meet the volume of a site."""

import math

from physics.algebra.mat3 import load9, mat_t_vec
from physics.algebra.vec3 import dot3, load3, scale3, sub3
from physics.dynamics.contact_force import contact_force, contact_point
from physics.kernel import kernel
from physics.state.constants import mjMINVAL
from physics.state.enums import mjtGeom

SPHERE, CAPSULE, ELLIPSOID = int(mjtGeom.mjGEOM_SPHERE), int(mjtGeom.mjGEOM_CAPSULE), int(mjtGeom.mjGEOM_ELLIPSOID)
CYLINDER = int(mjtGeom.mjGEOM_CYLINDER)
FAR = math.inf


@kernel
def touch_force(m, d, site):
    """Sum of the normal forces [N] on the site's body of contacts that the site's volume sees.

    A contact is seen if the ray from it, along its normal and out of the body, meets the volume: the
    contact may lie in it or, for a thin sensor, just below it.
    """
    b, total = m.site_bodyid[site], 0.0
    for c in range(d.ncon):
        first, second = m.geom_bodyid[max(0, d.contact_geom[c, 0])], m.geom_bodyid[max(0, d.contact_geom[c, 1])]
        if d.contact_efc_address[c] >= 0 and (first == b or second == b):
            force, _ = contact_force(d, c)
            normal = (d.contact_frame[c, 0], d.contact_frame[c, 1], d.contact_frame[c, 2])
            ray = scale3(-1.0 if second == b else 1.0, normal)
            if force[0] > 0.0 and meets_site(m, d, site, contact_point(d, c), ray):
                total += force[0]
    return total


@kernel
def meets_site(m, d, site, point, ray):
    """Whether the ray from a world point meets the volume of a site."""
    mat = load9(d.site_xmat, site)
    p, v = mat_t_vec(mat, sub3(point, load3(d.site_xpos, site))), mat_t_vec(mat, ray)
    size, kind = load3(m.site_size, site), m.site_type[site]
    if kind == SPHERE:
        return meets(round_part(p, v, (1.0, 1.0, 1.0), size[0]))
    if kind == ELLIPSOID:
        return meets(round_part(p, v, (1.0 / size[0], 1.0 / size[1], 1.0 / size[2]), 1.0))
    if kind == CYLINDER:
        return meets(overlap(round_part(p, v, (1.0, 1.0, 0.0), size[0]), slab_part(p[2], v[2], size[1])))
    if kind == CAPSULE:
        top, bottom = (p[0], p[1], p[2] - size[1]), (p[0], p[1], p[2] + size[1])
        ball = (1.0, 1.0, 1.0)
        return (
            meets(overlap(round_part(p, v, (1.0, 1.0, 0.0), size[0]), slab_part(p[2], v[2], size[1])))
            or meets(round_part(top, v, ball, size[0]))
            or meets(round_part(bottom, v, ball, size[0]))
        )
    sides = overlap(slab_part(p[0], v[0], size[0]), slab_part(p[1], v[1], size[1]))
    return meets(overlap(sides, slab_part(p[2], v[2], size[2])))


# The part of a line p + t v inside a convex volume is an interval of t. Volumes intersect where their
# intervals do; the ray meets the volume if part of the interval has t >= 0.


@kernel
def meets(part):
    """Whether an interval has a part with t >= 0."""
    return part[0] <= part[1] and part[1] >= 0.0


@kernel
def overlap(a, b):
    """Where both intervals are."""
    return max(a[0], b[0]), min(a[1], b[1])


@kernel
def slab_part(p, v, half):
    """The interval of t where -half <= p + t v <= half."""
    if abs(v) < mjMINVAL:
        return (-FAR, FAR) if abs(p) <= half else (FAR, -FAR)
    a, b = (-half - p) / v, (half - p) / v
    return min(a, b), max(a, b)


@kernel
def round_part(p, v, scale, radius):
    """The interval of t where the scaled p + t v is within a radius: spheres, ellipsoids, and (scale 0) cylinders."""
    p = (scale[0] * p[0], scale[1] * p[1], scale[2] * p[2])
    v = (scale[0] * v[0], scale[1] * v[1], scale[2] * v[2])
    a, b, c = dot3(v, v), dot3(p, v), dot3(p, p) - radius * radius
    if a < mjMINVAL:  # along the cylinder
        return (-FAR, FAR) if c <= 0.0 else (FAR, -FAR)
    det = b * b - a * c
    if det < 0.0:
        return FAR, -FAR
    root = math.sqrt(det)
    return (-b - root) / a, (-b + root) / a
