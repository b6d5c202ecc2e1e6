"""Simpler versions of a mesh, each checked: none is farther from the mesh than an eye would forgive.

meshoptimizer collapses edges within an error that it estimates; how far the result is from the mesh at its worst, in both
directions, is measured here, and larger errors are rejected. A separate process runs this (see `simplifier`), at low priority,
since measuring takes seconds: this file is its program. It reads meshes from its standard input and writes each one's levels to
its standard output, both as `write_levels` puts them.
"""

from __future__ import annotations

import importlib.util
import os
import struct
import sys
from collections.abc import Sequence
from functools import cached_property
from typing import IO, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.base.system import give_way
from tumble.render.mesh.primitives import FLOATS_PER_VERTEX, TriangleMesh, with_usable_normals

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


FARTHEST = 0.015  # of a level from the mesh, over the mesh's diagonal
# Error limit passed to meshoptimizer, over the mesh's longest side: it estimates a third of the worst distance, or less.
TARGETS = (0.001, 0.0025, 0.005)
WORTH = 0.75  # a level has at most so many of the triangles of the one before it
MOST_LEVELS = len(TARGETS)
PART_KEPT = 0.4  # of the area of each part that nothing joins to others: an octahedron has half of its ball's
SMOOTH = np.cos(np.radians(40.0))  # faces that meet at more are not shaded as one
SAME = np.cos(np.radians(5.0))  # between normals of the mesh that are one
_PIECE = 1 << 24  # bytes
_FLOATS, _INDICES = np.dtype("<f4"), np.dtype("<u4")


class Level(Struct, frozen=True):
    """A simpler version of a mesh; error: how far the two surfaces are apart at the worst place [m]."""

    mesh: TriangleMesh
    error: float


def levels(mesh: TriangleMesh) -> list[Level]:
    """Simpler versions, finest first, whose corners are the mesh's own. Raises ImportError."""
    points, faces, point_of = _welded(mesh)
    place = np.unique(points, axis=0, return_inverse=True)[1].ravel()
    part, size = _parts(place, faces), diagonal(points)
    # Far enough apart that no part is near another one: each is measured for itself.
    spread = np.column_stack([points, 2.0 * FARTHEST * size * part])
    full, result, before = MeasuredSurface(spread, faces, size), list[Level](), faces
    for target in TARGETS:
        fewer = _with_all_parts(points, _collapsed(points, faces, target), before, faces, part)
        if len(fewer) > WORTH * len(before):
            continue
        error = full.apart(MeasuredSurface(spread, fewer, size))
        if error > FARTHEST * size:  # and so are simpler ones
            break
        result.append(Level(_shaded(mesh, points, place, fewer, point_of), max(error, result[-1].error if result else 0.0)))
        before = fewer
    return result


def _parts(place: NDArray[Any], faces: NDArray[Any]) -> NDArray[Any]:
    """Part number of each point; coincident points are in one part."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    start, end = place[faces[:, [0, 1]].ravel()], place[faces[:, [1, 2]].ravel()]
    count = int(place.max(initial=-1)) + 1
    return connected_components(coo_matrix((np.ones(len(start), bool), (start, end)), (count, count)), directed=False)[1][place]


def _with_all_parts(
    points: NDArray[Any], fewer: NDArray[Any], before: NDArray[Any], faces: NDArray[Any], part: NDArray[Any]
) -> NDArray[np.int64]:
    """The fewer faces, and of parts that would nearly be gone those of the level before: a bolt close to a plate is seen too."""
    count = int(part.max(initial=-1)) + 1
    area, left = (np.bincount(part[some[:, 0]], _area(points, some), count) for some in (faces, fewer))
    gone = left < PART_KEPT * area
    return np.concatenate([fewer[~gone[part[fewer[:, 0]]]], before[gone[part[before[:, 0]]]]])


def _area(points: NDArray[Any], faces: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.norm(_across(points, faces), axis=1))


def _across(points: NDArray[Any], faces: NDArray[Any]) -> NDArray[np.float64]:
    """(n, 3) normals, as long as twice the faces' areas."""
    corners = points[faces]
    return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


def _collapsed(points: NDArray[Any], faces: NDArray[Any], target: float) -> NDArray[np.int64]:
    """The fewest faces, between the same points, within an estimated error."""
    from meshoptimizer import simplify

    result = np.zeros(faces.size, np.uint32)
    count = simplify(
        result, np.ascontiguousarray(faces, np.uint32).ravel(), np.ascontiguousarray(points, np.float32),
        target_index_count=0, target_error=target,
    )  # fmt: skip
    return result[:count].reshape(-1, 3).astype(np.int64)


def _welded(mesh: TriangleMesh) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Points, faces, and the point of each vertex of the mesh; a place with two texture coordinates stays two points.

    So what lies side by side without sharing vertices is one surface.
    """
    textured = bool(np.any(mesh.vertices[:, 7:9]))
    rows = np.ascontiguousarray(mesh.vertices[:, [0, 1, 2, 7, 8]] if textured else mesh.vertices[:, :3])
    unique, inverse = np.unique(rows, axis=0, return_inverse=True)
    faces = inverse.ravel()[mesh.indices.astype(np.int64)]
    flat = (faces[:, 0] == faces[:, 1]) | (faces[:, 1] == faces[:, 2]) | (faces[:, 2] == faces[:, 0])
    return unique[:, :3].astype(float), faces[~flat], inverse.ravel()


def _shaded(
    mesh: TriangleMesh, points: NDArray[Any], place: NDArray[Any], faces: NDArray[Any], point_of: NDArray[Any]
) -> TriangleMesh:
    """The faces between vertices of the mesh, with their own normals: smooth where the mesh is, and sharp where it is.

    The mesh's normals do not fit longer triangles: between two corners the surface may have turned there and back, and what is
    interpolated shows streaks of light. So corners at a place that have the same normal in the mesh get the mean of their faces'.
    """
    across, corner = _across(points, faces), place[faces.ravel()]
    unit = across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-300)
    rows = mesh.vertices[_nearest_vertices(mesh, faces, unit, point_of)]
    one, other = _pairs(corner, corner)
    alike = (np.einsum("nk,nk->n", rows[one, 4:7], rows[other, 4:7]) > SAME) & (
        np.einsum("nk,nk->n", unit[one // 3], unit[other // 3]) > SMOOTH
    )
    one, other = one[alike], other[alike]
    normal = np.stack([np.bincount(one, across[other // 3, axis], len(rows)) for axis in range(3)], axis=1)
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    rows[:, 4:7] = np.where(length > 0, normal / np.maximum(length, 1e-300), rows[:, 4:7])
    used, indices = np.unique(rows, axis=0, return_inverse=True)
    return with_usable_normals(used, indices.reshape(-1, 3))


def _nearest_vertices(mesh: TriangleMesh, faces: NDArray[Any], unit: NDArray[Any], point_of: NDArray[Any]) -> NDArray[Any]:
    """For each corner, the vertex of the mesh at its point whose normal is nearest to the face's."""
    corner, vertex = _pairs(faces.ravel(), point_of)
    likeness = np.einsum("nk,nk->n", mesh.vertices[vertex, 4:7], unit[corner // 3])
    ranked = np.lexsort((-likeness, corner))
    return vertex[ranked[np.searchsorted(corner, np.arange(faces.size))]]


def _pairs(keys: NDArray[Any], others: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Indices of all equal numbers in the two, ordered by the first."""
    order = np.argsort(others, kind="stable")
    first, end = (np.searchsorted(others[order], keys, side) for side in ("left", "right"))
    count = end - first
    one = np.repeat(np.arange(len(keys)), count)
    return one, order[np.arange(len(one)) - np.repeat(np.cumsum(count) - count - first, count)]


# ---- through pipes and files


def write_levels(out: IO[bytes], found: Sequence[Level]) -> None:
    """A count, then each level's error, its vertices and its indices, all little-endian."""
    out.write(struct.pack("<I", len(found)))
    for level in found:
        vertices, indices = level.mesh.vertices, level.mesh.indices
        out.write(struct.pack("<dII", level.error, len(vertices), len(indices)))
        out.write(np.ascontiguousarray(vertices, _FLOATS).tobytes())
        out.write(np.ascontiguousarray(indices, _INDICES).tobytes())


def read_levels(source: IO[bytes]) -> list[Level]:
    """Read the output of `write_levels`. Raises EOFError if it ends too early, ValueError if it cannot be a mesh."""
    (count,) = struct.unpack("<I", _exactly(source, 4))
    if count > MOST_LEVELS:
        raise ValueError(f"{count} levels")
    return [_read_level(source) for _ in range(count)]


def _read_level(source: IO[bytes]) -> Level:
    error, vertices, faces = struct.unpack("<dII", _exactly(source, 16))
    rows = np.frombuffer(_exactly(source, 4 * FLOATS_PER_VERTEX * vertices), _FLOATS).reshape(-1, FLOATS_PER_VERTEX)
    indices = np.frombuffer(_exactly(source, 12 * faces), _INDICES).reshape(-1, 3)
    if not len(indices) or indices.max() >= vertices or not np.isfinite(rows).all() or not error >= 0:
        raise ValueError("no mesh")
    return Level(TriangleMesh(rows, indices), error)


def _exactly(source: IO[bytes], count: int) -> bytes:
    # Piece by piece: a wrong count must not allocate memory for data that does not exist.
    pieces, left = [], count
    while left:
        piece = source.read(min(left, _PIECE))
        if not piece:
            raise EOFError
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def main() -> int:
    """Simplify meshes from the input until its end; 1: the library for it is not installed."""
    if importlib.util.find_spec("meshoptimizer") is None:
        return 1
    give_way(os.getpid())
    source, out = sys.stdin.buffer, sys.stdout.buffer
    while True:
        try:
            results = read_levels(source)
        except EOFError:
            return 0
        for level in results:
            write_levels(out, levels(level.mesh))
        out.flush()


if __name__ == "__main__":
    sys.exit(main())
