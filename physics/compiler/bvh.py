"""Bounding volume hierarchies: binary trees of boxes, over the triangles of a mesh and over the geoms of a body.

A node's box holds what is below it. If there is more than one thing, those are sorted along the box's longest side, and
half of them (rounded down) go to the first child. Nodes stand in the order in which one walks through the tree, the
first child before the second. All nodes of one depth are split together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.compiler.progress import ask

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Tree:
    """A bounding volume hierarchy of n leaves, 2 n - 1 nodes.

    depth (nodes,), the root's is 0; child (nodes, 2), counted from the root, -1 in a leaf; nodeid (nodes,) what is in a leaf,
    -1 in inner nodes; aabb (nodes, 6) centre and half sizes.
    """

    depth: Ints
    child: Ints
    nodeid: Ints
    aabb: Reals


def tree(low: Reals, high: Reals, ids: Ints | None = None, centre: Reals | None = None) -> Tree:
    """The tree over n > 0 boxes, whose corners are low and high, (n, 3).

    ids: (n,) what they hold, None: their numbers. centre: (n, 3) by which they are sorted, None: by their middles.
    """
    n = len(low)
    if n == 1:  # as most bodies have it
        leaf, box = np.zeros(1, np.int32), np.concatenate(((low + high) / 2, (high - low) / 2), axis=1)
        return Tree(leaf, np.full((1, 2), -1, np.int32), leaf if ids is None else ids, box)
    depth = np.zeros(2 * n - 1, np.int32)
    child = np.full((2 * n - 1, 2), -1, np.int32)
    nodeid = np.full(2 * n - 1, -1, np.int32)
    corners = np.concatenate((low, -high), axis=1)  # so that one minimum finds both
    bounds = np.empty((2 * n - 1, 6))
    ranks = _Ranks(low + high if centre is None else centre)
    order = np.arange(n)
    # the segments of order that are nodes of this depth: where they begin, their lengths, their places in the tree
    begin, count, node = np.array([0]), np.array([n]), np.array([0])
    level = 0
    while len(begin):
        ask()
        members, starts = order[_within(begin, count)], np.cumsum(count) - count
        bounds[node] = np.minimum.reduceat(corners.take(members, axis=0), starts)
        depth[node] = level
        leaf = count == 1
        nodeid[node[leaf]] = order[begin[leaf]]
        begin, count, node = begin[~leaf], count[~leaf], node[~leaf]
        axis = np.argmin(bounds[node, :3] + bounds[node, 3:], axis=1)  # the longest side
        ranks.sort(order, begin, count, axis)
        half = count // 2
        child[node, 0], child[node, 1] = node + 1, node + 2 * half
        begin = np.stack((begin, begin + half), axis=1).ravel()
        node = child[node].astype(np.int64).ravel()
        count = np.stack((half, count - half), axis=1).ravel()
        level += 1
    if ids is not None:
        nodeid[nodeid >= 0] = ids[nodeid[nodeid >= 0]]
    bottom, top = bounds[:, :3], -bounds[:, 3:]
    return Tree(depth, child, nodeid, np.concatenate(((bottom + top) / 2, (top - bottom) / 2), axis=1))


class _Ranks:
    """The places of points, (n, 3), in their order along each axis: to sort parts of them is to sort integers."""

    def __init__(self, points: Reals) -> None:
        n = len(points)
        self._by_rank, self._rank = np.empty((n, 3), np.int64), np.empty((n, 3), np.int64)
        for axis in range(3):
            ask()
            self._by_rank[:, axis] = np.argsort(points[:, axis], kind="stable")
            self._rank[self._by_rank[:, axis], axis] = np.arange(n)

    def sort(self, order: Longs, begin: Longs, count: Longs, axis: Longs) -> None:
        """Sort segments of a list of points, each along its axis."""
        place = _within(begin, count)
        along = np.repeat(axis, count)
        segment = np.repeat(np.arange(len(begin)) * len(order), count)
        key = np.sort(segment + self._rank.ravel().take(3 * order[place] + along))
        order[place] = self._by_rank.ravel().take(3 * (key - segment) + along)


def mesh_tree(vert: NDArray[np.floating], faces: Ints) -> Tree:
    """The tree over a mesh's faces, (nface, 3), vert: (nvert, 3), in whose frame the boxes are.

    Faces are sorted by the centres of their circles, as in the reference: any order gives a valid tree.
    """
    a, b, c = (vert[faces[:, k]].astype(np.float64) for k in range(3))
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    return tree(low, high, centre=_circumcentre(a, b - a, c - a))


def _circumcentre(a: Reals, u: Reals, v: Reals) -> Reals:
    """Centre of the circle through the corners a, a + u, a + v of triangles; the corner if they have no area."""
    normal = np.cross(u, v)
    area = 2.0 * (normal * normal).sum(axis=1, keepdims=True)
    offset = np.cross((u * u).sum(axis=1, keepdims=True) * v - (v * v).sum(axis=1, keepdims=True) * u, normal)
    return a + np.divide(offset, area, out=np.zeros_like(offset), where=area > 0.0)


def _within(begin: Longs, count: Longs) -> Longs:
    """All places of segments, one after the other."""
    offset = np.cumsum(count) - count
    return np.repeat(begin - offset, count) + np.arange(int(count.sum()))
