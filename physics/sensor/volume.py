"""The volume of a site, as sensors use it: what is in it."""

from tumble.physics.algebra.mat3 import load9, mat_t_vec
from tumble.physics.algebra.vec3 import load3, sub3
from tumble.physics.collision.ray.geom import line_part
from tumble.physics.kernel import kernel


@kernel
def is_in_site(m, d, site, point):
    """True if a world point is in the volume of a site, its surface included."""
    p = mat_t_vec(load9(d.site_xmat, site), sub3(point, load3(d.site_xpos, site)))
    low, high = line_part(m.site_type[site], load3(m.site_size, site), p, (0.0, 0.0, 1.0))
    return low <= 0.0 <= high
