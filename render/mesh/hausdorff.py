"""Largest distance of two surfaces over many points on both: the Hausdorff distance, sampled.

A quantile would hide what an eye sees first: a spike, a hole, a bolt that is gone.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Points on a surface other than its vertices, at most: middles of triangles, any, and some along sides, which may span a hollow.
MIDDLES, INNER, SIDES = 2000, 4000, 6000
FOUND = 6  # triangles that are tried for each point first
BATCH, BATCHES = 32, 40  # points that are compared with all triangles near enough at once, and how often
DEGENERATE = 1e-9  # area over squared diagonal below which a part shows no pixel

Floats = NDArray[np.float64]
Ints = NDArray[Any]


def diagonal(points: Floats) -> float:
    """Diagonal of the box around points (n, 3)."""
    return float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0


class MeasuredSurface:
    """The triangles of a mesh that have an area.

    points: (n, 3), or (n, 4) with a number that keeps parts of the mesh apart; faces: (m, 3) their indices; size: that of what
    is seen [m].
    """

    def __init__(self, points: Floats, faces: Ints, size: float) -> None:
        corners = points[faces]
        place = corners[..., :3]
        area = np.linalg.norm(np.cross(place[:, 1] - place[:, 0], place[:, 2] - place[:, 0]), axis=1)
        seen = area > DEGENERATE * size * size
        self.points, self.faces, self.corners, self.area = points, faces[seen], corners[seen], area[seen]
        self.middle = self.corners.mean(axis=1)
        self.radius = np.linalg.norm(self.corners - self.middle[:, None], axis=2).max(axis=1, initial=0.0)

    @cached_property
    def probes(self) -> Floats:
        """(n, 3 or 4) points on it that are measured: all corners, some middles, and more on long sides and large triangles."""
        rng = np.random.default_rng(0)
        middles = rng.permutation(self.middle)[:MIDDLES]
        return np.concatenate([np.unique(self._vertices, axis=0), middles, self._inner[0], self._along_sides()])

    def _along_sides(self) -> Floats:
        """Points between the ends of sides, spaced evenly for the given number."""
        ends = np.unique(np.sort(np.concatenate([self.faces[:, [k, k - 1]] for k in range(3)]), axis=1), axis=0)
        start, along = self.points[ends[:, 0]], self.points[ends[:, 1]] - self.points[ends[:, 0]]
        length = np.linalg.norm(along[:, :3], axis=1)
        count = np.floor(length * (SIDES / length.sum())).astype(int)
        side = np.repeat(np.arange(len(ends)), count)
        number = np.arange(len(side)) - np.repeat(np.cumsum(count) - count, count)
        return np.asarray(start[side] + ((number + 1) / (count[side] + 1))[:, None] * along[side])

    @property
    def _vertices(self) -> Floats:
        """Corners of each triangle."""
        return self.corners.reshape(-1, self.corners.shape[2])

    @cached_property
    def _inner(self) -> tuple[Floats, Ints]:
        """Evenly spread points, and their triangles."""
        rng = np.random.default_rng(1)
        chosen = rng.choice(len(self.faces), INNER, p=self.area / self.area.sum())
        return np.einsum("nc,nck->nk", rng.dirichlet((1.0, 1.0, 1.0), INNER), self.corners[chosen]), chosen

    @cached_property
    def _tree(self) -> tuple[Any, Ints]:
        """Search tree of points of all triangles, and their triangles."""
        from scipy.spatial import cKDTree

        every = np.arange(len(self.faces))
        inner, chosen = self._inner
        points = np.concatenate([self._vertices, self.middle, inner])
        return cKDTree(points), np.concatenate([np.repeat(every, 3), every, chosen])

    def apart(self, other: MeasuredSurface) -> float:
        """The greatest distance of a point on either surface from the other one [m]; infinite if only one has triangles.

        Never less than the truth at the points that are tried.
        """
        if not len(self.faces) or not len(other.faces):
            return 0.0 if len(self.faces) == len(other.faces) else float("inf")
        return max(self._farthest(other.probes), other._farthest(self.probes))

    def _farthest(self, points: Floats) -> float:
        """The greatest distance of points from this surface [m]."""
        tree, owner = self._tree
        near = owner[tree.query(points, k=FOUND)[1]]
        bound = np.sqrt(_squared(points[:, None], self.corners[near]).min(axis=1))
        # These distances are upper bounds; where the bound is greatest, all triangles that may be nearer are tried.
        order, worst = np.argsort(-bound), 0.0
        for begin in range(0, min(len(order), BATCH * BATCHES), BATCH):
            rows = order[begin : begin + BATCH]
            if bound[rows[0]] <= worst:
                break
            worst = max(worst, float(self._exactly(points[rows], bound[rows]).max()))
        else:
            worst = max(worst, float(bound[order[BATCH * BATCHES :]].max(initial=0.0)))
        return worst

    def _exactly(self, points: Floats, bound: Floats) -> Floats:
        """Distances of points (n, 3) that are at most `bound`."""
        apart2 = (points**2).sum(axis=1)[:, None] + (self.middle**2).sum(axis=1) - 2.0 * points @ self.middle.T
        row, face = np.nonzero(apart2 < ((bound[:, None] + self.radius) * (1.0 + 1e-9)) ** 2)
        least = bound**2
        np.minimum.at(least, row, _squared(points[row], self.corners[face]))
        return np.asarray(np.sqrt(least))


def _squared(point: Floats, corners: Floats) -> Floats:
    """(...) squared distances of points (..., 3) from triangles (..., 3, 3): from the plane, or from the nearest side."""
    a, b, c = np.moveaxis(corners, -2, 0)
    first, second, to = b - a, c - a, point - a
    ff, fs, ss = _dot(first, first), _dot(first, second), _dot(second, second)
    tf, ts = _dot(to, first), _dot(to, second)
    scale = np.maximum(ff * ss - fs * fs, 1e-300)
    u, v = (ss * tf - fs * ts) / scale, (ff * ts - fs * tf) / scale
    over = to - u[..., None] * first - v[..., None] * second
    inside = (u >= 0) & (v >= 0) & (u + v <= 1)
    sides = [_from_side(point, *ends) for ends in ((a, b), (b, c), (c, a))]
    return np.asarray(np.where(inside, _dot(over, over), np.minimum(np.minimum(sides[0], sides[1]), sides[2])))


def _from_side(point: Floats, start: Floats, end: Floats) -> Floats:
    along, to = end - start, point - start
    share = np.clip(_dot(to, along) / np.maximum(_dot(along, along), 1e-300), 0.0, 1.0)
    off = to - share[..., None] * along
    return _dot(off, off)


def _dot(a: Floats, b: Floats) -> Floats:
    return np.asarray(np.einsum("...k,...k->...", a, b))
