"""Boxes around the elements of flexes and around the nodes of their trees of bounding volumes, in the world."""

from physics.kernel import kernel


@kernel
def bound_elements(m, d, f):
    """flexelem_aabb of flex f, radius included, from flexvert_xpos."""
    size, radius, vertex = m.flex_dim[f] + 1, m.flex_radius[f], m.flex_vertadr[f]
    first, at = m.flex_elemadr[f], m.flex_elemdataadr[f]
    for e in range(first, first + m.flex_elemnum[f]):
        for k in range(3):
            low = d.flexvert_xpos[vertex + m.flex_elem[at], k]
            high = low
            for c in range(at + 1, at + size):
                x = d.flexvert_xpos[vertex + m.flex_elem[c], k]
                low = min(low, x)
                high = max(high, x)
            d.flexelem_aabb[e, k] = 0.5 * (high + low)
            d.flexelem_aabb[e, 3 + k] = 0.5 * (high - low) + radius
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
