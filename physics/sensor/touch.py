"""The touch sensor: normal forces of the contacts whose rays meet the volume of a site."""

from tumble.physics.algebra.mat3 import load9, mat_t_vec
from tumble.physics.algebra.vec3 import load3, scale3, sub3
from tumble.physics.collision.ray.geom import line_part
from tumble.physics.dynamics.contact_force import contact_force, contact_point
from tumble.physics.kernel import kernel


@kernel
def touch_force(m, d, site):
    """Sum of the normal forces [N] on the site's body of contacts that the site's volume sees.

    A contact is seen if the ray from it, along its normal and out of the body, meets the volume: the
    contact may lie in it or, for a thin sensor, just below it.
    """
    b, total = m.site_bodyid[site], 0.0
    for c in range(d.ncon):
        first, second = body_of(m, d.contact_geom[c, 0]), body_of(m, d.contact_geom[c, 1])
        if d.contact_efc_address[c] >= 0 and (first == b or second == b):
            force, _ = contact_force(d, c)
            normal = (d.contact_frame[c, 0], d.contact_frame[c, 1], d.contact_frame[c, 2])
            ray = scale3(-1.0 if second == b else 1.0, normal)
            if force[0] > 0.0 and meets_site(m, d, site, contact_point(d, c), ray):
                total += force[0]
    return total


@kernel
def body_of(m, g):
    """The body of a geom; -1 of a flex, which is of many."""
    return m.geom_bodyid[g] if g >= 0 else -1


@kernel
def meets_site(m, d, site, point, ray):
    """True if the ray from a world point meets the volume of a site."""
    mat = load9(d.site_xmat, site)
    p, v = mat_t_vec(mat, sub3(point, load3(d.site_xpos, site))), mat_t_vec(mat, ray)
    size, kind = load3(m.site_size, site), m.site_type[site]
    return meets(line_part(kind, size, p, v))


@kernel
def meets(part):
    """True if an interval of a ray has a part with t >= 0."""
    return part[0] <= part[1] and part[1] >= 0.0
