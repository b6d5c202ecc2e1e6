"""Normals of vertices from the triangles around them."""

from __future__ import annotations

import numpy as np

from physics.compiler.assets.mesh.solid import cross_rows, dot_rows, unit_rows
from physics.compiler.progress import ask

_SHARP = 0.8  # cosine between a triangle and the mean at its corner below which the edge counts as sharp
_SMALL = 1e-7  # twice an area [m^2]; what is smaller has no direction to rely on


def vertex_normals(vertices: np.ndarray, faces: np.ndarray, smooth: bool) -> np.ndarray:
    """The mean normal of the triangles at each vertex, weighted by their area, (nvert, 3); z if there is none.

    Unless smooth, triangles at a large angle to the mean are taken out of it again, so that edges stay edges. Sums have
    single precision, for that is what the reference's vertices show where much is taken out and little is left.
    """
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normals, lengths = unit_rows(cross_rows(b - a, c - a))
    weighted = np.repeat(normals * np.where(lengths < _SMALL, 0.0, lengths)[:, None], 3, axis=0)
    corners = faces.ravel()
    ask()
    total = _sum(corners, weighted, len(vertices))
    if not smooth:
        mean, length = unit_rows(total.astype(np.float64))
        mean[length < _SMALL] = 0
        ask()
        sharp = dot_rows(np.repeat(normals, 3, axis=0), mean[corners]) < _SHARP
        total -= _sum(corners[sharp], weighted[sharp], len(vertices))
    return unit_rows(total.astype(np.float64))[0]


def _sum(corners: np.ndarray, terms: np.ndarray, count: int) -> np.ndarray:
    """Sums of the terms at each vertex, (count, 3) f4, added in their order: first terms of all vertices, then second ones."""
    order = np.argsort(corners, kind="stable")
    vertex = corners[order]
    turn = np.arange(len(vertex)) - np.searchsorted(vertex, vertex)
    by_turn = np.argsort(turn, kind="stable")
    sums, begin = np.zeros((count, 3), np.float32), 0
    ask()
    for end in np.cumsum(np.bincount(turn)):
        now = by_turn[begin:end]
        sums[vertex[now]] += terms[order[now]]
        begin = end
    return sums
