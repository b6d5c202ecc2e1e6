"""A mesh as the shaders read it.

A vertex is nine numbers: position (3), cap (1), normal (3), texture coordinate (2). The shader places it at
`scale.xyz * position + (0, 0, cap * scale.w)`: with cap = +-1 for the two halves of a capsule, one mesh serves every
radius and length without deforming the caps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FLOATS_PER_VERTEX = 9
# Between a corner's normal and its face's: of a smooth round thing, even one of few faces, it is more.
LEAST_COSINE = 0.3


@dataclass(frozen=True)
class TriangleMesh:
    """vertices: (n, 9) float32; indices: (m, 3) uint32, counter-clockwise from outside."""

    vertices: NDArray[np.float32]
    indices: NDArray[np.uint32]


def pack(position: ArrayLike, normal: ArrayLike, cap: ArrayLike = 0.0, uv: ArrayLike = (0.0, 0.0)) -> NDArray[np.float32]:
    """(n, 9) vertices; position, normal: (n, 3) or what broadcasts to it; uv: (n, 2) or one for all."""
    position = np.asarray(position, np.float32).reshape(-1, 3)
    vertices = np.empty((len(position), FLOATS_PER_VERTEX), np.float32)
    vertices[:, :3], vertices[:, 3], vertices[:, 4:7], vertices[:, 7:9] = position, cap, normal, uv
    return vertices


def strip(rows: int, columns: int) -> NDArray[np.uint32]:
    """Triangles of a (rows, columns) lattice of vertices, row by row; rows go up, columns turn counter-clockwise."""
    r, c = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    a = (r * columns + c).ravel()
    b, d, e = a + 1, a + columns, a + columns + 1
    return np.concatenate([np.c_[a, b, e], np.c_[a, e, d]]).astype(np.uint32)


def with_usable_normals(vertices: NDArray[np.float32], indices: NDArray[Any]) -> TriangleMesh:
    """The mesh with usable normals: a corner whose normal lies in its face or points through it gets the face's normal.

    The eight vertices of a box have normals along one axis only where the compiler had to choose among three faces.
    """
    corners = vertices[:, :3][indices]
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(area, axis=1, keepdims=True)
    face = area / np.where(length > 0, length, 1.0)
    wrong = (np.einsum("fck,fk->fc", vertices[:, 4:7][indices], face) < LEAST_COSINE) & (length > 0)
    added = vertices[indices[wrong]]
    added[:, 4:7] = np.repeat(face, 3, axis=0).reshape(-1, 3, 3)[wrong]
    result = indices.astype(np.uint32)
    result[wrong] = len(vertices) + np.arange(len(added))
    return TriangleMesh(np.concatenate([vertices, added]), result)
