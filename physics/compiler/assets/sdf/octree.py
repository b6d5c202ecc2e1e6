"""The octree of a mesh: signed distances on a grid that is fine at the surface and coarse away from it.

The root is the mesh's box, a tenth larger. A cell that a triangle reaches into is split, down to a sixty-fourth of the root; then
cells are split until those that share a face differ by one level at most. A distance is interpolated from a cell's corners, so
one that is not a corner of every cell around it takes the value that its largest cell has there: the field has no steps.

Nodes have the reference's numbers: those split for the triangles level by level, then those split for balance, round by round.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from tumble.physics.compiler.assets.sdf.mesh_distance import signed_distances
from tumble.physics.compiler.bvh import Tree
from tumble.physics.compiler.progress import ask

DEPTH = 6  # of the smallest cells
_LARGER = 1.1  # the root than the mesh's box
_SIDE = 2**DEPTH
_CORNERS = np.array([[k & 1, k >> 1 & 1, k >> 2 & 1] for k in range(8)])


class Octree(Struct, frozen=True):
    """An octree of n nodes, none for a mesh without. Source: mjModel's comments.

    depth (n,), the root's is 0; child (n, 8), counted from the root, -1 in leaves; aabb (n, 6) centre and half sizes [m];
    coeff (n, 8) signed distance at the corners [m]. Children and corners: x changes first, then y, then z.
    """

    depth: np.ndarray
    child: np.ndarray
    aabb: np.ndarray
    coeff: np.ndarray


EMPTY = Octree(np.empty(0, np.int32), np.empty((0, 8), np.int32), np.empty((0, 6)), np.empty((0, 8)))


class _Cells(NamedTuple):
    """Nodes while they are made: level (n,), place (n, 3) in the grid of their level, first child (n,) or -1."""

    level: np.ndarray
    place: np.ndarray
    first: np.ndarray


def octree(points: np.ndarray, faces: np.ndarray, tree: Tree) -> Octree:
    """The octree of a mesh. points: (nvert, 3); faces: (nface, 3); tree: over the faces."""
    low, high = points.min(axis=0), points.max(axis=0)
    centre, half = (low + high) / 2, _LARGER * (high - low) / 2
    cells = _balanced(_split_at(points[faces], centre - half, half))
    scale = 0.5 ** cells.level[:, None]
    aabb = np.concatenate((centre - half + (2 * cells.place + 1) * half * scale, half * scale), axis=1)
    corners = (cells.place[:, None] + _CORNERS) << (DEPTH - cells.level)[:, None, None]
    key = _key(corners)
    used = np.unique(key)
    grid = np.stack(np.unravel_index(used, (_SIDE + 1,) * 3), axis=1)
    values = _field(cells, used, lambda at: signed_distances(centre - half + 2 * half * grid[at] / _SIDE, points, faces, tree))
    child = np.where(cells.first[:, None] < 0, -1, cells.first[:, None] + np.arange(8))
    return Octree(cells.level.astype(np.int32), child.astype(np.int32), aabb, values[key])


def _key(corners: np.ndarray) -> np.ndarray:
    """The number of each corner, (..., 3), of the finest grid."""
    return (corners[..., 0] * (_SIDE + 1) + corners[..., 1]) * (_SIDE + 1) + corners[..., 2]


def _split_at(triangles: np.ndarray, low: np.ndarray, half: np.ndarray) -> _Cells:
    """Cells split wherever a triangle, (nface, 3, 3), reaches into them."""
    cells = [_Cells(np.zeros(1, np.int64), np.zeros((1, 3), np.int64), np.empty(0, np.int64))]
    total = 1
    inside = np.zeros(len(triangles), np.int64), np.arange(len(triangles))  # pairs of a cell and what may reach into it
    for level in range(DEPTH):
        ask()
        size = half * 0.5**level
        place = cells[level].place
        node, face = (one[_reaches(triangles, *inside, low + (2 * place + 1) * size, size)] for one in inside)
        split = np.unique(node)
        first = np.full(len(place), -1)
        first[split] = total + 8 * np.arange(len(split))
        cells[level] = cells[level]._replace(first=first)
        places = _children(place[split])
        cells.append(_Cells(np.full(len(places), level + 1), places, np.full(len(places), -1)))
        total += len(places)
        inside = (8 * np.searchsorted(split, node)[:, None] + np.arange(8)).ravel(), np.repeat(face, 8)
    return _Cells(*(np.concatenate(rows) for rows in zip(*cells, strict=True)))


def _children(place: np.ndarray) -> np.ndarray:
    return (2 * place[:, None] + _CORNERS).reshape(-1, 3)


def _reaches(triangles: np.ndarray, node: np.ndarray, face: np.ndarray, centre: np.ndarray, half: np.ndarray) -> np.ndarray:
    """Mask of overlapping pairs of cells and triangles; cells: centres (n, 3), half sizes (3,) of all.

    They have none if along some direction they do not overlap: an axis, the triangle's normal, or what is across an axis and an
    edge. Source: Akenine-Moller, Fast 3D triangle-box overlap testing. The cheap directions come first and leave few.
    """
    result = np.zeros(len(node), bool)
    corners = triangles[face] - centre[node][:, None]
    near = np.flatnonzero(((corners.min(axis=1) <= half) & (corners.max(axis=1) >= -half)).all(axis=1))
    corners = corners[near]
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    edges = b - a, c - b, a - c
    normal = np.cross(edges[0], edges[1])
    meets = np.abs((normal * a).sum(axis=1)) <= np.abs(normal) @ half
    for edge, start, other in zip(edges, (a, b, c), (c, a, b), strict=True):  # both ends of an edge lie alike across it
        for j, k in ((1, 2), (2, 0), (0, 1)):
            p = edge[:, j] * start[:, k] - edge[:, k] * start[:, j]
            q = edge[:, j] * other[:, k] - edge[:, k] * other[:, j]
            reach = np.abs(edge[:, j]) * half[k] + np.abs(edge[:, k]) * half[j]
            meets &= (np.minimum(p, q) <= reach) & (np.maximum(p, q) >= -reach)
    result[near] = meets
    return result


def _balanced(cells: _Cells) -> _Cells:
    """The cells, more of them split, so that cells that share a face are at most one level apart."""
    while True:
        ask()
        marked = _out_of_balance(cells)
        if not len(marked):
            return cells
        first = cells.first.copy()
        first[marked] = len(first) + 8 * np.arange(len(marked))
        more = np.repeat(cells.level[marked] + 1, 8), _children(cells.place[marked]), np.full(8 * len(marked), -1)
        cells = _Cells(*(np.concatenate(rows) for rows in zip(cells._replace(first=first), more, strict=True)))


def _out_of_balance(cells: _Cells) -> np.ndarray:
    """Leaves to be split, in the order in which a walk over all leaves and their six neighbours meets them first.

    A leaf is marked if its neighbour of the same size is split and the first child that adjoins is split too; its neighbour,
    if that is larger by more than a level.
    """
    cover: np.ndarray = np.full((1, 1, 1), -1)  # of each place in the grid of a level: its node, or the larger leaf around it
    met, when = [], []
    for level in range(DEPTH + 1):
        at = np.flatnonzero(cells.level == level)
        if level:
            cover = cover.repeat(2, 0).repeat(2, 1).repeat(2, 2)
        cover[tuple(cells.place[at].T)] = at
        leaf = at[cells.first[at] < 0]
        for side in range(6):
            axis, step = side // 2, 2 * (side % 2) - 1
            place = cells.place[leaf].copy()
            place[:, axis] += step
            within = (place[:, axis] >= 0) & (place[:, axis] < 2**level)
            mine, other = leaf[within], cover[tuple(place[within].T)]
            split = (cells.level[other] == level) & (cells.first[other] >= 0)
            mine_split, child = mine[split], cells.first[other[split]] + (1 << axis if step < 0 else 0)
            finer = cells.first[child] >= 0
            larger = cells.level[other] < level - 1
            met += [mine_split[finer], other[larger]]
            when += [6 * mine_split[finer] + side, 6 * mine[larger] + side]
    marks = np.concatenate(met)[np.argsort(np.concatenate(when), kind="stable")]
    _, first = np.unique(marks, return_index=True)
    return marks[np.sort(first)]


def _field(cells: _Cells, used: np.ndarray, distances: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Distances at the corners of all cells, at their numbers. used: those numbers; distances: for places in that list."""
    values = np.full((_SIDE + 1) ** 3, np.nan)
    wanted = np.zeros(len(values), bool)
    wanted[used] = True
    inside = [_within_leaves(cells, level, wanted) for level in range(DEPTH)]
    for at, _, _ in inside:
        wanted[at] = False
    exact = np.flatnonzero(wanted[used])
    values[used[exact]] = distances(exact)
    for at, corners, weights in inside:  # the largest first: corners of the others are among what they set
        values[at] = np.where(np.isnan(values[at]), (weights * values[corners]).sum(axis=1), values[at])
    return values


def _within_leaves(cells: _Cells, level: int, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The wanted points on the leaves of a level that are no corners of them: (n,), their leaf's corners and weights, (n, 8)."""
    leaf = np.flatnonzero((cells.level == level) & (cells.first < 0))
    side = 1 << (DEPTH - level)
    steps = np.stack(np.meshgrid(*[np.arange(side + 1)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    steps = steps[(steps % side != 0).any(axis=1)]
    origin = side * cells.place[leaf]
    at = _key(origin[:, None] + steps)
    which, step = np.nonzero(wanted[at])
    corners = _key(origin[:, None] + side * _CORNERS)
    part = steps / side
    weights = np.where(_CORNERS[None], part[:, None], 1 - part[:, None]).prod(axis=2)
    return at[which, step], corners[which], weights[step]
