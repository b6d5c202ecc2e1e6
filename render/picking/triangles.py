"""A ray against many triangles, on the processor."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Vec = NDArray[np.float64]

# Neighbours in a file are mostly neighbours in space: boxes around groups of this size quickly reject most triangles.
_A_BOX = 32


class Triangles:
    """Triangles (n, 3, 3) with boxes around them [m]."""

    def __init__(self, corners: Vec) -> None:
        self._corners = corners
        starts = np.arange(0, len(corners), _A_BOX)
        self._low = np.minimum.reduceat(corners.min(axis=1), starts, axis=0) if len(corners) else np.zeros((0, 3))
        self._high = np.maximum.reduceat(corners.max(axis=1), starts, axis=0) if len(corners) else np.zeros((0, 3))

    def hit(self, p: Vec, v: Vec) -> tuple[float, int]:
        """Distance along p + t v to the nearest triangle, and which that is; infinite and -1 without one."""
        boxes = self._boxes(p, v)
        rows = (boxes[:, None] * _A_BOX + np.arange(_A_BOX)).ravel()
        rows = rows[rows < len(self._corners)]
        if not len(rows):
            return math.inf, -1
        distance = _distances(p, v, self._corners[rows])
        nearest = int(np.argmin(distance))
        return (float(distance[nearest]), int(rows[nearest])) if np.isfinite(distance[nearest]) else (math.inf, -1)

    def _boxes(self, p: Vec, v: Vec) -> NDArray[np.int64]:
        """The boxes that a ray hits: it is between all three pairs of faces at the same time."""
        safe = np.where(np.abs(v) < 1e-15, 1e-15, v)
        a, b = (self._low - p) / safe, (self._high - p) / safe
        enter, leave = np.minimum(a, b).max(axis=1), np.maximum(a, b).min(axis=1)
        slack = 1e-9 * (1.0 + np.abs(leave))
        return np.flatnonzero((enter <= leave + slack) & (leave >= -slack))


def _distances(p: Vec, v: Vec, triangles: Vec) -> Vec:
    """Moeller and Trumbore's test, vectorized over triangles; infinite if a ray misses one."""
    corner, e1, e2 = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    h = np.cross(v, e2)
    determinant = np.einsum("ij,ij->i", e1, h)
    inverse = 1.0 / np.where(np.abs(determinant) < 1e-18, np.inf, determinant)
    s = p - corner
    q = np.cross(s, e1)
    u, w, t = (np.einsum("ij,ij->i", s, h) * inverse, q @ v * inverse, np.einsum("ij,ij->i", e2, q) * inverse)
    hit = (np.abs(determinant) >= 1e-18) & (u >= 0) & (w >= 0) & (u + w <= 1) & (t >= 0)
    return np.where(hit, t, np.inf)
