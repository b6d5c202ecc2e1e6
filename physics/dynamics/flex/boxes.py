"""Boxes around the elements of flexes and around the nodes of their trees of bounding volumes, in the world."""

from tumble.physics.algebra.vec3 import load3
from tumble.physics.kernel import kernel


@kernel
def bound_elements(m, d, f):
    """flexelem_aabb of flex f, radius included, from flexvert_xpos."""
    size, radius, vertex = m.flex_dim[f] + 1, m.flex_radius[f], m.flex_vertadr[f]
    first, at, boxes = m.flex_elemadr[f], m.flex_elemdataadr[f], d.flexelem_aabb
    for e in range(first, first + m.flex_elemnum[f]):
        x0, y0, z0 = load3(d.flexvert_xpos, vertex + m.flex_elem[at])
        x1, y1, z1 = x0, y0, z0
        for c in range(at + 1, at + size):
            x, y, z = load3(d.flexvert_xpos, vertex + m.flex_elem[c])
            x0, y0, z0 = min(x0, x), min(y0, y), min(z0, z)
            x1, y1, z1 = max(x1, x), max(y1, y), max(z1, z)
        boxes[e, 0], boxes[e, 1], boxes[e, 2] = 0.5 * (x1 + x0), 0.5 * (y1 + y0), 0.5 * (z1 + z0)
        boxes[e, 3] = 0.5 * (x1 - x0) + radius
        boxes[e, 4] = 0.5 * (y1 - y0) + radius
        boxes[e, 5] = 0.5 * (z1 - z0) + radius
        at += size


@kernel
def bound_volumes(m, d, f):
    """bvh_aabb_dyn of flex f, from flexelem_aabb: leaves are elements, and children stand behind their parents."""
    first, boxes, elements = m.flex_bvhadr[f], d.bvh_aabb_dyn, d.flexelem_aabb
    if first < 0:
        return
    element, back = m.flex_elemadr[f], m.nbvhstatic
    for n in range(first + m.flex_bvhnum[f] - 1, first - 1, -1):
        to, leaf = n - back, m.bvh_nodeid[n]
        if leaf >= 0:
            for k in range(6):
                boxes[to, k] = elements[element + leaf, k]
            continue
        a, b = first + m.bvh_child[n, 0] - back, first + m.bvh_child[n, 1] - back
        for k in range(3):
            low = min(boxes[a, k] - boxes[a, 3 + k], boxes[b, k] - boxes[b, 3 + k])
            high = max(boxes[a, k] + boxes[a, 3 + k], boxes[b, k] + boxes[b, 3 + k])
            boxes[to, k] = 0.5 * (high + low)
            boxes[to, 3 + k] = 0.5 * (high - low)
