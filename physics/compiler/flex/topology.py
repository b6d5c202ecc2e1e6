"""Topology of a flex: edges, surface, depth of elements below it, pairs that may collide.

Local numbering, in which the kernels of elastic forces take the edges of an element:

    dim 1   the edge 01
    dim 2   the edges 12, 20, 01: each opposite to a corner
    dim 3   the edges 01, 12, 20, 23, 03, 13

A fragment is what an element shares with a neighbour: a vertex, an edge or a triangle. Those that belong to one element are
the surface.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Ints = NDArray[np.int64]

EDGES = {
    1: np.array(((0, 1),)), 2: np.array(((1, 2), (2, 0), (0, 1))),
    3: np.array(((0, 1), (1, 2), (2, 0), (2, 3), (0, 3), (1, 3))),
}  # fmt: skip
_FRAGMENTS = {
    1: np.array(((0,), (1,))), 2: np.array(((0, 1), (1, 2), (2, 0))),
    3: np.array(((0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2))),
}  # fmt: skip
_OPPOSITE = {1: np.array((1, 0)), 2: np.array((2, 0, 1)), 3: np.array((3, 1, 2, 0))}


class Topology(Struct, eq=False):
    """Topology derived from elements.

    edge (nedge, 2) vertices, the lower first; elemedge (nelem, 1, 3 or 6); flap (nedge, 2) the vertices opposite in the first two
    triangles, -1 where there is none; shell (nshell, dim) fragments of the surface; layer (nelem,) how deep; evpair (n, 2) an
    element and the vertex that a neighbour has beyond their common fragment, where one of both is at the rim; none for dim 3.
    """

    edge: Ints
    elemedge: Ints
    flap: Ints
    shell: Ints
    layer: Ints
    evpair: Ints


def topology(elements: Ints) -> Topology:
    """The topology of elements (nelem, dim + 1), which are numbers of vertices."""
    dim = elements.shape[1] - 1
    edge, elemedge = _edges(elements, dim)
    flap = _flaps(elements, elemedge, len(edge)) if dim == 2 else np.full((len(edge), 2), -1)
    fragments = elements[:, _FRAGMENTS[dim]].reshape(-1, dim)
    order, group = _grouped(np.sort(fragments, axis=1))
    owner = np.repeat(np.arange(len(elements)), len(_FRAGMENTS[dim]))
    opposite = elements[:, _OPPOSITE[dim]].ravel()
    size = np.bincount(group)
    start = np.cumsum(size) - size
    shell = fragments[order[start[size == 1]]]
    outside = np.zeros(len(elements), bool)
    outside[owner[order[start[size == 1]]]] = True
    pairs = order[start[size > 1]], order[start[size > 1] + 1]
    layer = _layers(outside, owner[pairs[0]], owner[pairs[1]]) if dim == 3 else np.zeros(len(elements), np.int64)
    near = outside[owner[pairs[0]]] | outside[owner[pairs[1]]] if dim < 3 else np.zeros(len(pairs[0]), bool)
    pairs = pairs[0][near], pairs[1][near]
    evpair = np.stack([np.stack([owner[pairs[1]], opposite[pairs[0]]], 1), np.stack([owner[pairs[0]], opposite[pairs[1]]], 1)], 1)
    return Topology(edge, elemedge, flap, shell, layer, evpair.reshape(-1, 2))


def _grouped(rows: Ints) -> tuple[Ints, Ints]:
    """The order in which equal rows follow one another, those of a kind as they came, and the group of each in that order."""
    order = np.lexsort((np.arange(len(rows)), *rows.T[::-1]))
    new = np.ones(len(rows), bool)
    new[1:] = (rows[order[1:]] != rows[order[:-1]]).any(axis=1)
    return order, np.cumsum(new) - 1


def _edges(elements: Ints, dim: int) -> tuple[Ints, Ints]:
    """Edges in the order in which the elements first have them."""
    pairs = np.sort(elements[:, EDGES[dim]].reshape(-1, 2), axis=1)
    _, first, inverse = np.unique(pairs, axis=0, return_index=True, return_inverse=True)
    place = np.argsort(np.argsort(first))
    return pairs[np.sort(first)], place[inverse.reshape(-1)].reshape(len(elements), -1)


def _flaps(elements: Ints, elemedge: Ints, number: int) -> Ints:
    flap = np.full((number, 2), -1)
    for edge, corner in zip(elemedge.ravel(), elements.ravel(), strict=True):  # edges are opposite to corners
        side = int(flap[edge, 0] >= 0)
        if flap[edge, 1] < 0:
            flap[edge, side] = corner
    return flap


def _layers(outside: NDArray[np.bool_], one: Ints, other: Ints) -> Ints:
    """Steps through shared fragments, of which one and other are both elements, to an element outside."""
    layer = np.where(outside, 0, -1)
    depth = 0
    while (layer < 0).any():
        front = layer == depth
        reached = np.zeros(len(layer), bool)
        reached[other[front[one]]] = reached[one[front[other]]] = True
        reached &= layer < 0
        if not reached.any():
            break
        depth += 1
        layer[reached] = depth
    return layer


def edges_of(edge: Ints, vertices: int) -> tuple[Ints, Ints]:
    """The edges of every vertex: how many, and all of them, those of the first vertex first, in rising order."""
    ends = np.concatenate([edge[:, 0], edge[:, 1]])
    order = np.lexsort((np.tile(np.arange(len(edge)), 2), ends))
    return np.bincount(ends, minlength=vertices), order % max(1, len(edge))
