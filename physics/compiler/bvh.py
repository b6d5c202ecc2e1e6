"""Bounding volume hierarchies: binary trees of boxes, over the triangles of a mesh and over the geoms of a body.

A node's box holds what is below it. If there is more than one thing, those are sorted along the box's longest side, and
half of them (rounded down) go to the first child. Nodes stand in the order in which one walks through the tree, the
first child before the second.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.compiler.kernels import enclose_triangles, split_boxes
from tumble.physics.compiler.kernels.boxes import STACK, split
from tumble.physics.compiler.progress import ask

Ints = NDArray[np.int32]
Reals = NDArray[np.float64]


class Tree(Struct, frozen=True):
    """A bounding volume hierarchy of n leaves, 2 n - 1 nodes.

    depth (nodes,), the root's is 0; child (nodes, 2), counted from the root, -1 in a leaf; nodeid (nodes,) what is in a leaf,
    -1 in inner nodes; aabb (nodes, 6) centre and half sizes.
    """

    depth: Ints
    child: Ints
    nodeid: Ints
    aabb: Reals


NO_TREE = Tree(np.empty(0, np.int32), np.empty((0, 2), np.int32), np.empty(0, np.int32), np.empty((0, 6)))


def tree(low: Reals, high: Reals, ids: Ints | None = None, centre: Reals | None = None) -> Tree:
    """The tree over n > 0 boxes, whose corners are low and high, (n, 3).

    ids: (n,) what they hold, None: their numbers. centre: (n, 3) by which they are sorted, None: by their middles.
    """
    if len(low) == 1:  # as most bodies have it
        leaf, box = np.zeros(1, np.int32), np.concatenate(((low + high) / 2, (high - low) / 2), axis=1)
        return Tree(leaf, np.full((1, 2), -1, np.int32), leaf if ids is None else ids, box)
    middles = low + high if centre is None else centre
    return _grown(np.concatenate((low, -high), axis=1), middles.T, ids)  # so that one minimum finds both


def _grown(corners: Reals, middles: Reals, ids: Ints | None = None) -> Tree:
    """The tree over boxes, of which corners, (n, 6), holds low and minus high, and middles, (3, n), by what they are sorted."""
    n = len(corners)
    order = np.empty((3, n), np.int32)
    for axis in range(3):
        ask()
        order[axis] = np.argsort(middles[axis], kind="stable")
    nodes = 2 * n - 1
    depth, child, nodeid = np.zeros(nodes, np.int32), np.full((nodes, 2), -1, np.int32), np.full(nodes, -1, np.int32)
    bounds, spare, stack = np.empty((nodes, 6)), np.empty((2, n), np.int32), np.empty(STACK, np.int64)
    ask()
    if split_boxes.ready or split_boxes.kept:
        split_boxes.run(corners, order, n, spare[0], spare[1], stack, depth, child, nodeid, bounds)
    else:  # a first look, for which no kernel is compiled
        split(corners.ravel(), order.ravel(), n, spare[0], spare[1], stack, depth, child.ravel(), nodeid, bounds.ravel())
    if ids is not None:
        nodeid[nodeid >= 0] = ids[nodeid[nodeid >= 0]]
    bottom, top = bounds[:, :3], -bounds[:, 3:]
    return Tree(depth, child, nodeid, np.concatenate(((bottom + top) / 2, (top - bottom) / 2), axis=1))


def mesh_tree(vert: NDArray[np.floating], faces: Ints) -> Tree:
    """The tree over a mesh's faces, (nface, 3), of its vertices, (nvert, 3), in whose frame the boxes are.

    Faces are sorted by the centres of their circles, as in the reference: any order gives a valid tree.
    """
    vert, faces = np.ascontiguousarray(vert, np.float64), np.ascontiguousarray(faces, np.int32)
    corners, middles = np.empty((len(faces), 6)), np.empty((3, len(faces)))
    enclose_triangles.run(vert, len(vert), faces, len(faces), corners, middles)
    return _grown(corners, middles)
