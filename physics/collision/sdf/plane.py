"""A plane against a signed distance field: the points of its mesh, moved to the surface that the mesh is drawn from.

What meets a plane first is on the convex hull, so that the hull's vertices are near to where the field is lowest.
"""

from tumble.physics.algebra.vec3 import load3, store3
from tumble.physics.collision.pairs.plane_mesh import touch_lowest
from tumble.physics.collision.sdf.pair import SAME, add, nearest
from tumble.physics.kernel import stage

_COARSE = 0.02  # of the radius of the bounding sphere: how far the mesh may be from the surface


@stage
def plane_sdf(m, d):
    """Up to three points."""
    g, h, margin = d.hit_geom1, d.hit_geom2, d.hit_margin
    if m.geom_plugin[h] < 0:  # the mesh is the surface
        touch_lowest(m, d)
        return
    d.hit_margin = margin + _COARSE * m.geom_rbound[h]
    touch_lowest(m, d)
    d.hit_margin = margin
    found, d.hit_num = d.hit_num, 0
    for k in range(found):
        store3(d.hit_work, k, load3(d.hit_pos, k))
    for k in range(found):
        gap, x, normal = nearest(m, d, g, h, load3(d.hit_work, k), m.geom_rbound[h])
        if gap <= margin and d.failed == 0:
            add(d, gap, x, normal, SAME * m.geom_rbound[h])
