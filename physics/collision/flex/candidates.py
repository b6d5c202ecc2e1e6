"""Candidate pairs of a flex's elements: all pairs, along an axis, or by the tree of bounding volumes.

The three find the same contacts. Their order, and which element of a pair is the first, are those of the reference.
"""

import numpy as np

from tumble.physics.collision.convex.element import FIRST
from tumble.physics.collision.flex.convex import collide_elements
from tumble.physics.collision.flex.flex_elements import boxes_overlap, load_element, shares_vertex, takes_part
from tumble.physics.kernel import kernel
from tumble.physics.state.enums import mjtDisableBit, mjtFlexSelf

NARROW, BVH, AUTO = int(mjtFlexSelf.mjFLEXSELF_NARROW), int(mjtFlexSelf.mjFLEXSELF_BVH), int(mjtFlexSelf.mjFLEXSELF_AUTO)
NONE = int(mjtFlexSelf.mjFLEXSELF_NONE)
_MORE = 1.0 + 1e-9  # spans are so much longer, that rounding leaves out none: what decides comes later
MIDPHASE = int(mjtDisableBit.mjDSBL_MIDPHASE)


@kernel
def _try(m, d, f, e1, e2):
    """Contacts of two elements of a flex, if their boxes meet and they have no vertex in common."""
    first, box = m.flex_elemadr[f], d.flexelem_aabb
    if boxes_overlap(box, first + e1, box, first + e2, 0.0) and not shares_vertex(m, f, e1, e2):
        load_element(m, d, FIRST, f, e1)
        collide_elements(m, d, f, e1, f, e2, 0.0)


@kernel
def every_pair(m, d, f):
    """Of all pairs of elements that take part."""
    n = m.flex_elemnum[f]
    for e1 in range(n):
        if takes_part(m, f, e1):
            for e2 in range(e1 + 1, n):
                if takes_part(m, f, e2):
                    _try(m, d, f, e1, e2)


@kernel
def _wide_axes(m, d, f):
    """The two axes along which the flex, or what of it is in the tree, is widest."""
    box, root = d.bvh_aabb_dyn, m.flex_bvhadr[f] - m.nbvhstatic
    if m.flex_bvhadr[f] < 0:
        return 0, 1
    x, y, z = box[root, 3], box[root, 4], box[root, 5]
    if x >= y and x >= z:
        return (0, 1) if y >= z else (0, 2)
    if y >= z:
        return (1, 0) if x >= z else (1, 2)
    return (2, 0) if x >= y else (2, 1)


@kernel
def _sort_ends(m, d, f, axis, start):
    """Sort the ends of the elements of flex f, in flex_order from `start` on, along an axis; returns how many there are.

    Of equal ones the lower number is first. Single precision, as in the reference: elements that share a vertex begin at the
    same place, but for rounding, and only with that precision are they equal there. The last step's order makes this nearly
    linear.
    """
    order, end, box, first = d.flex_order, d.flex_end, d.flexelem_aabb, m.flex_elemadr[f]
    n = 0
    for e in range(m.flex_elemnum[f]):
        if takes_part(m, f, e):
            at, half = box[first + e, axis], box[first + e, 3 + axis]
            end[2 * e], end[2 * e + 1] = np.float32(at - half), np.float32(at + half)
            n += 2
    gap = 1
    if d.flex_sorted[f] != 4 * n + axis:
        d.flex_sorted[f] = 4 * n + axis
        k = start
        for e in range(m.flex_elemnum[f]):
            if takes_part(m, f, e):
                order[k], order[k + 1] = 2 * e, 2 * e + 1
                k += 2
        while gap < n // 9:
            gap = 3 * gap + 1
    while gap > 0:  # Shell's sort, with the numbers as the last key; with a gap of one, insertion
        for i in range(start + gap, start + n):
            u = order[i] + 0
            at, k = end[u], i
            while k >= start + gap and (end[order[k - gap]] > at or (end[order[k - gap]] == at and order[k - gap] > u)):
                order[k] = order[k - gap]
                k -= gap
            order[k] = u
        gap //= 3
    return n


@kernel
def _remove(d, e, count):
    """Take an element out of those that are open, which keep their order; returns how many are left."""
    at = 0
    while at < count and d.flex_open[at] != e:
        at += 1
    if at == count:  # not there: a place that is no number has upset the order
        return count
    for i in range(at, count - 1):
        d.flex_open[i] = d.flex_open[i + 1]
        d.flex_span[i, 0], d.flex_span[i, 1] = d.flex_span[i + 1, 0], d.flex_span[i + 1, 1]
    return count - 1


@kernel
def along_axis(m, d, f):
    """Of the elements whose boxes overlap on the widest axis, in the order in which they begin there."""
    axis, across = _wide_axes(m, d, f)
    first, box, start, span = m.flex_elemadr[f], d.flexelem_aabb, 2 * m.flex_elemadr[f], d.flex_span
    n, count = _sort_ends(m, d, f, axis, start), 0
    for k in range(start, start + n):
        e = d.flex_order[k] >> 1
        if d.flex_order[k] & 1:
            count = _remove(d, e, count)
            continue
        at, half = box[first + e, across], _MORE * box[first + e, 3 + across]
        low, high = at - half, at + half
        for i in range(count):
            if span[i, 0] <= high and low <= span[i, 1]:
                _try(m, d, f, d.flex_open[i] + 0, e)
        d.flex_open[count], span[count, 0], span[count, 1] = e, low, high
        count += 1


@kernel
def _opens_first(d, i, j):
    """True if of two overlapping boxes the first is opened.

    As the reference decides, which takes centre and half sizes for two corners: it tells the order of contacts, no more.
    """
    box = d.bvh_aabb_dyn
    x, y, z = box[i, 3] - box[i, 0], box[i, 4] - box[i, 1], box[i, 5] - box[i, 2]
    u, v, w = box[j, 3] - box[j, 0], box[j, 4] - box[j, 1], box[j, 5] - box[j, 2]
    return x * y + y * z + z * x > u * v + v * w + w * u


@kernel
def down_tree(m, d, f):
    """Of the elements whose leaves are reached from the root with itself."""
    root, box = m.flex_bvhadr[f], d.bvh_aabb_dyn
    if root < 0:
        return
    back, stack, child, depth = m.nbvhstatic - root, d.flex_stack, m.bvh_child, 1
    stack[0, 0], stack[0, 1] = 0, 0
    while depth > 0:
        depth -= 1
        i, j = stack[depth, 0] + 0, stack[depth, 1] + 0
        if i > j or not boxes_overlap(box, i - back, box, j - back, 0.0):  # each pair once
            continue
        ends1, ends2 = child[root + i, 0] < 0, child[root + j, 0] < 0
        if ends1 and ends2:
            e1, e2 = m.bvh_nodeid[root + i] + 0, m.bvh_nodeid[root + j] + 0
            if e1 != e2 and takes_part(m, f, e1) and takes_part(m, f, e2):
                _try(m, d, f, e1, e2)
            continue
        opens = ends2 or (not ends1 and _opens_first(d, i - back, j - back))
        for k in range(2):
            stack[depth, 0] = child[root + i, k] if opens else i
            stack[depth, 1] = j if opens else child[root + j, k]
            depth += 1


@kernel
def with_itself(m, d, f):
    """Contacts of the elements of a flex with each other, by the way that it asks for."""
    way = m.flex_selfcollide[f]
    if way == NONE:
        return
    if m.opt_disableflags & MIDPHASE or way == NARROW:
        every_pair(m, d, f)
    elif way == BVH or (way == AUTO and m.flex_dim[f] == 3):
        down_tree(m, d, f)
    else:
        along_axis(m, d, f)
