"""Bounding volume hierarchies from boxes that are sorted along each axis."""

from tumble.physics.kernel import exact, query
from tumble.physics.kernel.function import INT
from tumble.physics.state.memory import f8_at, i4_at, i8_at

STACK = 4 * 64  # numbers: four for each level of a tree


@exact
def _enclose(corner, order, begin, count, bounds, node):
    """bounds[node] <- the least of each of the six columns of `corner` over a segment of `order`."""
    for k in range(6):
        bounds[6 * node + k] = corner[6 * order[begin] + k]
    for i in range(begin + 1, begin + count):
        box = 6 * order[i]
        for k in range(6):
            if corner[box + k] < bounds[6 * node + k]:
                bounds[6 * node + k] = corner[box + k]


@exact
def _longest(bounds, node):
    """The axis of a node's longest side, the first of equals: both columns of a side sum to minus its length."""
    axis, least = 0, bounds[6 * node] + bounds[6 * node + 3]
    for k in range(1, 3):
        side = bounds[6 * node + k] + bounds[6 * node + 3 + k]
        if side < least:
            axis, least = k, side
    return axis


@exact
def _divide(order, n, axis, begin, count, half, first, spare):
    """Keep the segment sorted along every axis in both halves; `axis` decides which boxes are in the first."""
    for i in range(begin, begin + count):
        first[order[axis * n + i]] = i < begin + half
    for other in range(3):
        if other == axis:
            continue
        at, kept, rest = other * n + begin, 0, 0
        for i in range(count):
            box = order[at + i]
            if first[box]:
                order[at + kept] = box
                kept += 1
            else:
                spare[rest] = box
                rest += 1
        for i in range(rest):
            order[at + kept + i] = spare[i]


@exact
def split(corner, order, n, first, spare, stack, depth, child, nodeid, bounds):
    """Nodes in the order of a walk through the tree, from a stack of (node, begin, count, level)."""
    stack[0], stack[1], stack[2], stack[3] = 0, 0, n, 0
    top = 4
    while top > 0:
        top -= 4
        node, begin, count, level = stack[top], stack[top + 1], stack[top + 2], stack[top + 3]
        _enclose(corner, order, begin, count, bounds, node)
        depth[node] = level
        if count == 1:
            nodeid[node] = order[begin]
            continue
        half = count // 2
        _divide(order, n, _longest(bounds, node), begin, count, half, first, spare)
        child[2 * node], child[2 * node + 1] = node + 1, node + 2 * half
        stack[top], stack[top + 1], stack[top + 2], stack[top + 3] = node + 2 * half, begin + half, count - half, level + 1
        top += 4
        stack[top], stack[top + 1], stack[top + 2], stack[top + 3] = node + 1, begin, half, level + 1
        top += 4


@query(INT, INT, INT, INT, INT, INT, INT, INT, INT, INT)
def split_boxes(corners, orders, n, first, spare, stack, depth, child, nodeid, bounds):
    """depth, child, nodeid, bounds <- the tree over n boxes, 2 n - 1 nodes as `tumble.physics.compiler.bvh.Tree` has them.

    corners: (n, 6) f8 low and minus high; bounds: the same of nodes. orders: (3, n) i4 the boxes sorted along each axis, which
    are rearranged. first, spare: (n,) i4 and stack: (STACK,) i8 are working memory. child, nodeid: -1 everywhere.
    """
    nodes = 2 * n - 1
    split(f8_at(corners, 6 * n), i4_at(orders, 3 * n), n, i4_at(first, n), i4_at(spare, n), i8_at(stack, STACK),
           i4_at(depth, nodes), i4_at(child, 2 * nodes), i4_at(nodeid, nodes), f8_at(bounds, 6 * nodes))  # fmt: skip
