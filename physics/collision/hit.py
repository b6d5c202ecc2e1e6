"""Results of a narrow phase: signed distance, point and normal, held in d.hit_... until they become contacts.

A collider is a stage: its pair is in d.hit_geom1, d.hit_geom2 (types in ascending order) and
d.hit_margin, and it reports each point through `touch` or `touch_along`. The normal points from
geom1 to geom2, the point lies midway between the two surfaces, the distance is negative inside.
"""

import math

from tumble.physics.algebra.vec3 import add_scaled3, norm3, sub3
from tumble.physics.callback.table import NO_POINT
from tumble.physics.collision.filter import place
from tumble.physics.kernel import kernel, run, stage
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


@kernel
def _is_point(d, k):
    """True if point k is of finite numbers and has a normal."""
    p, f = d.hit_pos, d.hit_frame
    total = abs(d.hit_dist[k]) + abs(p[k, 0]) + abs(p[k, 1]) + abs(p[k, 2])
    for i in range(6):
        total += abs(f[k, i])
    length = f[k, 0] * f[k, 0] + f[k, 1] * f[k, 1] + f[k, 2] * f[k, 2]
    return total < math.inf and length > 0.0  # comparisons tell what is not a number; differences may be folded


@stage
def user_collider(m, d):
    """Has the user's collider of the types of d.hit_geom1, d.hit_geom2 report its points; sets d.failed if one is none."""
    run(m.collide_user[place(m.geom_type[d.hit_geom1], m.geom_type[d.hit_geom2])], m, d)
    if d.failed == 0 and (d.hit_num < 0 or d.hit_num > mjMAXCONPAIR):
        d.failed = NO_POINT
    if d.failed == 0:
        for k in range(d.hit_num):
            if not _is_point(d, k):
                d.failed = NO_POINT
    if d.failed != 0:
        d.hit_num = 0
