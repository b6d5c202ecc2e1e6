"""Results of a narrow phase: signed distance, point and normal, held in d.hit_... until they become contacts.

A collider is a stage: its pair is in d.hit_geom1, d.hit_geom2 (types in ascending order) and
d.hit_margin, and it reports each point through `touch` or `touch_along`. The normal points from
geom1 to geom2, the point lies midway between the two surfaces, the distance is negative inside.
"""

from tumble.physics.algebra.vec3 import add_scaled3, norm3, sub3
from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMAXCONPAIR, mjMINVAL


@kernel
def touch_along(d, dist, pos, normal, tangent):
    """Report a point whose second frame axis should follow a tangent (zero: no wish)."""
    k = d.hit_num
    if k < mjMAXCONPAIR:
        d.hit_dist[k] = dist
        p, f = d.hit_pos, d.hit_frame
        p[k, 0], p[k, 1], p[k, 2] = pos
        f[k, 0], f[k, 1], f[k, 2] = normal
        f[k, 3], f[k, 4], f[k, 5] = tangent
        d.hit_num = k + 1


@kernel
def touch(d, dist, pos, normal):
    """Report a point without a wish for its tangents."""
    touch_along(d, dist, pos, normal, (0.0, 0.0, 0.0))


@kernel
def touch_spheres(d, p1, r1, p2, r2, spare):
    """Two spheres: report their point if it is within the margin. spare: the normal of coinciding centres."""
    offset = sub3(p2, p1)
    length = norm3(offset)
    dist = length - r1 - r2
    if dist <= d.hit_margin:
        if length < mjMINVAL:
            normal = spare
        else:
            normal = (offset[0] / length, offset[1] / length, offset[2] / length)
        touch(d, dist, add_scaled3(p1, r1 + 0.5 * dist, normal), normal)
