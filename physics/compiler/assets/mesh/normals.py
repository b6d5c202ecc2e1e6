"""Normals of vertices from the triangles around them."""

from __future__ import annotations

import numpy as np

from tumble.physics.compiler.assets.mesh.solid import dot_rows, triangles, unit_rows
from tumble.physics.compiler.kernels import add_normals
from tumble.physics.compiler.progress import ask

_SHARP = 0.8  # cosine between a triangle and the mean at its corner below which the edge counts as sharp
_SMALL = 1e-7  # twice an area [m^2]; what is smaller has no direction to rely on


def vertex_normals(vertices: np.ndarray, faces: np.ndarray, smooth: bool) -> np.ndarray:
    """The mean normal of the triangles at each vertex, weighted by their area, (nvert, 3); z if there is none.

    Unless smooth, triangles at a large angle to the mean are taken out of it again, so that edges stay edges. Sums have
    single precision, for that is what the reference's vertices show where much is taken out and little is left.
    """
    _, normals, areas = triangles(vertices, faces)
    weighted = normals * np.where(2 * areas < _SMALL, 0.0, 2 * areas)[:, None]
    ask()
    total = _sum(faces, weighted, np.ones(faces.shape, bool), len(vertices))
    if not smooth:
        mean, length = unit_rows(total.astype(np.float64))
        mean[length < _SMALL] = 0
        ask()
        sharp = np.stack([dot_rows(normals, mean[faces[:, k]]) < _SHARP for k in range(3)], axis=1)
        total -= _sum(faces, weighted, sharp, len(vertices))
    return unit_rows(total.astype(np.float64))[0]


def _sum(faces: np.ndarray, terms: np.ndarray, where: np.ndarray, count: int) -> np.ndarray:
    """Sums of the triangles' terms, (nface, 3) f8, at their vertices, (count, 3) f4; where: (nface, 3) at which corners."""
    sums = np.zeros((count, 3), np.float32)
    add_normals.run(sums, count, np.ascontiguousarray(faces, np.int32), np.ascontiguousarray(terms), where, len(faces))
    return sums
