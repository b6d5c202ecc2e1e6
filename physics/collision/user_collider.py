"""Colliders of the user's: their points are checked before they become contacts. See docs/decisions/callbacks.md."""

import math

from tumble.physics.callback.table import NO_POINT
from tumble.physics.collision.filter import place
from tumble.physics.kernel import kernel, run, stage
from tumble.physics.state.constants import mjMAXCONPAIR


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
