"""Simpler versions of a mesh, each checked: none is farther from the mesh than an eye would forgive.

meshoptimizer collapses edges within an error that it estimates; how far the result is from the mesh at its worst, in both
directions, is measured here, and what is too far is not used. A separate process runs this (see `simplifier`), at low priority,
since measuring takes seconds: this file is its program. It reads meshes from its standard input and writes each one's levels to
its standard output, both as `write_levels` puts them.
"""

from __future__ import annotations

import importlib.util
import os
import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from render.mesh.distance import MeasuredSurface, diagonal
from render.mesh.triangles import FLOATS_PER_VERTEX, TriangleMesh, with_usable_normals

FARTHEST = 0.015  # of a level from the mesh, over the mesh's diagonal
# What meshoptimizer is asked for, over the mesh's longest side: it estimates a third of the worst distance, or less.
TARGETS = (0.001, 0.0025, 0.005)
WORTH = 0.75  # a level has at most so many of the triangles of the one before it
MOST_LEVELS = len(TARGETS)
_PIECE = 1 << 24  # bytes
_FLOATS, _INDICES = np.dtype("<f4"), np.dtype("<u4")


@dataclass(frozen=True)
class Level:
    """A simpler version of a mesh; error: how far the two surfaces are apart at the worst place [m]."""

    mesh: TriangleMesh
    error: float


def levels(mesh: TriangleMesh) -> list[Level]:
    """Simpler versions, finest first, whose vertices are the mesh's own. Raises ImportError."""
    points, faces, vertex_of = _welded(mesh)
    size = diagonal(points)
    full, found, before = MeasuredSurface(points, faces, size), list[Level](), len(faces)
    for target in TARGETS:
        fewer = _collapsed(points, faces, target)
        if len(fewer) > WORTH * before:
            continue
        error = full.apart(MeasuredSurface(points, fewer, size))
        if error > FARTHEST * size:  # and so is what is simpler still
            break
        found.append(Level(_dressed(mesh, points, fewer, vertex_of), max(error, found[-1].error if found else 0.0)))
        before = len(fewer)
    return found


def _collapsed(points: NDArray[Any], faces: NDArray[Any], target: float) -> NDArray[np.int64]:
    """As few of the faces, between the same points, as leave a shape within an estimated error."""
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


def _dressed(mesh: TriangleMesh, points: NDArray[Any], faces: NDArray[Any], point_of: NDArray[Any]) -> TriangleMesh:
    """The faces between vertices of the mesh: at each corner that one of the place whose normal is nearest to the face's.

    So a level is smooth where the mesh is, and sharp where the mesh is.
    """
    corners = points[faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    order = np.argsort(point_of, kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(point_of, minlength=len(points)))])
    corner, count = faces.ravel(), np.diff(first)[faces.ravel()]
    row = np.repeat(np.arange(len(corner)), count)
    vertex = order[np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count) + first[corner][row]]
    likeness = np.einsum("nk,nk->n", mesh.vertices[vertex, 4:7], normal[row // 3])
    ranked = np.lexsort((-likeness, row))
    chosen = vertex[ranked[np.cumsum(count) - count]]
    used, indices = np.unique(chosen, return_inverse=True)
    return with_usable_normals(mesh.vertices[used], indices.reshape(-1, 3))


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
    """Read what `write_levels` wrote. Raises EOFError if it ends too early, ValueError if it cannot be a mesh."""
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
    """Simplify what comes in until nothing more comes; 1: the library for it is not installed."""
    if importlib.util.find_spec("meshoptimizer") is None:
        return 1
    os.nice(10)
    source, out = sys.stdin.buffer, sys.stdout.buffer
    while True:
        try:
            given = read_levels(source)
        except EOFError:
            return 0
        for level in given:
            write_levels(out, levels(level.mesh))
        out.flush()


if __name__ == "__main__":
    sys.exit(main())
