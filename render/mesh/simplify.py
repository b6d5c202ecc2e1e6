"""Simpler versions of a mesh, each with a third of the triangles of the one before: quadric edge collapse.

Python's lock is held all the time, so a separate process runs this (see `simplifier`): this file is its program. It reads
meshes from its standard input and writes each one's levels to its standard output, both as `write_levels` puts them.
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

from render.mesh.triangles import FLOATS_PER_VERTEX, TriangleMesh, pack

SHARE = 3  # one of so many triangles is left at the next level
LEAST = 32  # triangles that no level goes below
MOST_LEVELS = 5
# Faces that meet at less than this angle are shaded as one surface (its cosine).
SMOOTH = 0.7
# How the distance between two surfaces is found: points of the first, samples on the second, and what share of the first
# is within the stated distance.
_PROBES, _SAMPLES, _WITHIN = 4000, 20000, 0.98
_PIECE = 1 << 24  # bytes
_FLOATS, _INDICES = np.dtype("<f4"), np.dtype("<u4")


@dataclass(frozen=True)
class Level:
    """A simpler version of a mesh; error: how far its surface is from the mesh's [m]."""

    mesh: TriangleMesh
    error: float


def levels(mesh: TriangleMesh) -> list[Level]:
    """The mesh with a third of its triangles, a ninth and so on, as far as that leaves a shape. Raises ImportError."""
    from fast_simplification import simplify

    points, faces, uv = _welded(mesh)
    original, found, error = points, list[Level](), 0.0
    while len(found) < MOST_LEVELS and len(faces) >= SHARE * LEAST:
        fewer = simplify(points, faces, target_count=len(faces) // SHARE, agg=4.0)
        if not 0 < len(fewer[1]) < 0.6 * len(faces):
            break
        # The best point for a collapse can be far off where faces fold: a point of the mesh itself never is.
        near = _nearest(points, fewer[0])
        moved = np.linalg.norm(points[near] - fewer[0], axis=1)
        reach = 2.0 * float(np.median(np.linalg.norm(points[faces[:, 0]] - points[faces[:, 1]], axis=1)))
        points_, faces = np.where((moved > reach)[:, None], points[near], fewer[0]), np.asarray(fewer[1], np.int32)
        uv = None if uv is None else uv[near]
        points = np.asarray(points_, float)
        error = max(error, _distance(original, points, faces))
        found.append(Level(_shaded(points, faces, uv), error))
    return found


def _distance(points: NDArray[Any], surface: NDArray[Any], faces: NDArray[Any]) -> float:
    """Distance of points from a surface [m]: from the planes of the nearest of many samples on it."""
    from scipy.spatial import cKDTree

    corners = surface[faces]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(cross, axis=1)
    if not area.sum() > 0:
        return float(np.ptp(points, axis=0).max())
    rng = np.random.default_rng(0)
    face = np.r_[np.arange(len(faces)), rng.choice(len(faces), _SAMPLES, p=area / area.sum())]
    share = rng.dirichlet((1.0, 1.0, 1.0), len(face))
    sample = np.einsum("nc,nck->nk", share, corners[face])
    probes = points[rng.choice(len(points), min(len(points), _PROBES), replace=False)]
    apart, which = cKDTree(sample).query(probes)
    normal = cross[face[which]] / np.maximum(area[face[which]], 1e-300)[:, None]
    off = np.abs(np.einsum("nk,nk->n", probes - sample[which], normal))
    spacing = 2.0 * float(np.sqrt(area.sum() / _SAMPLES))
    return float(np.quantile(np.where(apart < spacing, off, apart), _WITHIN))


def _welded(mesh: TriangleMesh) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """Points, faces and texture coordinates (None: it has none); a point of two texture coordinates stays two."""
    textured = bool(np.any(mesh.vertices[:, 7:9]))
    rows = np.ascontiguousarray(mesh.vertices[:, [0, 1, 2, 7, 8]] if textured else mesh.vertices[:, :3])
    unique, inverse = np.unique(rows, axis=0, return_inverse=True)
    faces = inverse.ravel()[mesh.indices.astype(np.int64)].astype(np.int32)
    flat = (faces[:, 0] == faces[:, 1]) | (faces[:, 1] == faces[:, 2]) | (faces[:, 2] == faces[:, 0])
    return unique[:, :3].astype(float), faces[~flat], unique[:, 3:].astype(float) if textured else None


def _nearest(points: NDArray[Any], wanted: NDArray[Any]) -> NDArray[Any]:
    from scipy.spatial import cKDTree

    return np.asarray(cKDTree(points).query(wanted)[1])


def _shaded(points: NDArray[Any], faces: NDArray[Any], uv: NDArray[Any] | None) -> TriangleMesh:
    """The mesh with normals: smooth over gentle bends, split at sharp ones."""
    corners = points[faces]
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    flat = area / np.maximum(np.linalg.norm(area, axis=1, keepdims=True), 1e-300)
    total = np.stack([np.bincount(faces.ravel(), np.repeat(area[:, k], 3), len(points)) for k in range(3)], axis=1)
    smooth = total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-300)
    sharp = np.einsum("fck,fk->fc", smooth[faces], flat) < SMOOTH
    # A corner at a sharp edge gets its own vertex, after those that are shared.
    indices = faces.astype(np.int64)
    indices[sharp] = len(points) + np.arange(int(sharp.sum()))
    position = np.concatenate([points, corners[sharp]])
    normal = np.concatenate([smooth, np.repeat(flat, 3, axis=0).reshape(-1, 3, 3)[sharp]])
    place: Any = (0.0, 0.0) if uv is None else np.concatenate([uv, uv[faces[sharp]]])
    return TriangleMesh(pack(position, normal, 0.0, place), indices.astype(np.uint32))


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
    if importlib.util.find_spec("fast_simplification") is None:
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
