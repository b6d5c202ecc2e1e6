"""The elements of one flex as arrays, gathered once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.physics.state.model import Model

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class FlexMesh:
    """Numbers of vertices and edges are counted from the flex's first.

    dim; elements (n, dim + 1): vertices of each; sides (n, dim (dim + 1) / 2): edges of each; edges (ne, 2): vertices of
    each; shared (ne,): how many elements have an edge; length0 (ne,) [m].
    """

    def __init__(self, m: Model, flex: int) -> None:
        self.flex, self.dim = flex, int(m.flex_dim[flex])
        self.vertices = _span(m, "vert", flex)
        self.edge_span, self.element_span = _span(m, "edge", flex), _span(m, "elem", flex)
        count = self.element_span.stop - self.element_span.start
        width, sides = self.dim + 1, self.dim * (self.dim + 1) // 2
        first, first_side = int(m.flex_elemdataadr[flex]), int(m.flex_elemedgeadr[flex])
        self.elements = np.asarray(m.flex_elem)[first : first + width * count].reshape(-1, width).astype(np.int64)
        self.sides = np.asarray(m.flex_elemedge)[first_side : first_side + sides * count].reshape(-1, sides).astype(np.int64)
        self.edges = np.asarray(m.flex_edge)[self.edge_span].astype(np.int64)
        self.length0 = np.array(np.asarray(m.flexedge_length0)[self.edge_span], float)
        self.shared = np.maximum(np.bincount(self.sides.ravel(), minlength=len(self.edges)), 1)

    def lengths(self, points: Floats) -> Floats:
        """(ne,) lengths of the edges [m], of the flex's vertices (nv, 3) [m]."""
        ends = points[self.edges]
        return np.asarray(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1))


def _span(m: Model, what: str, flex: int) -> slice:
    first = int(getattr(m, f"flex_{what}adr")[flex])
    return slice(first, first + int(getattr(m, f"flex_{what}num")[flex]))


def symmetric(packed: Floats, size: int) -> Floats:
    """(n, size, size) symmetric matrices of their upper triangles, row by row, which begin each row (n, k)."""
    rows, columns = np.triu_indices(size)
    made = np.zeros((len(packed), size, size))
    made[:, rows, columns] = made[:, columns, rows] = packed[:, : len(rows)]
    return made
