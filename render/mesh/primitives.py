"""Unit primitives, built once: the shader scales them to any size."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from tumble.render.constants import MeshId

# Rings of the infinite floor, in extents of the model: dense near the eye, where interpolation must be exact.
HORIZON_RADII = np.concatenate([[0.0], np.geomspace(0.25, 4000.0, 15)])
HORIZON_SECTORS = 32


def _circle(slices: int) -> NDArray[np.float64]:
    angle = np.linspace(0.0, 2.0 * math.pi, slices + 1)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    circle[-1] = circle[0]
    return circle


def _lathe(latitudes: NDArray[np.float64], caps: NDArray[np.float64], slices: int) -> TriangleMesh:
    """A unit sphere turned from its latitudes, bottom to top, each with its cap sign."""
    circle = _circle(slices)
    ring = np.cos(latitudes)[:, None, None] * circle[None]
    height = np.broadcast_to(np.sin(latitudes)[:, None, None], (*ring.shape[:2], 1))
    position = np.concatenate([ring, height], axis=2).reshape(-1, 3)
    return TriangleMesh(pack(position, position, np.repeat(caps, slices + 1)), strip(len(latitudes), slices + 1))


def sphere(slices: int, stacks: int) -> TriangleMesh:
    """Unit radius."""
    latitudes = np.linspace(-0.5 * math.pi, 0.5 * math.pi, stacks + 1)
    return _lathe(latitudes, np.zeros(len(latitudes)), slices)


def capsule(slices: int, stacks: int) -> TriangleMesh:
    """Unit radius, caps pushed apart along z by the cap sign; the equator's two copies span the side."""
    half = np.linspace(0.0, 0.5 * math.pi, max(stacks // 2, 2) + 1)
    latitudes = np.concatenate([-half[::-1], half])
    return _lathe(latitudes, np.repeat([-1.0, 1.0], len(half)), slices)


def cylinder(slices: int) -> TriangleMesh:
    """Unit radius, z from -1 to 1, with lids."""
    circle = _circle(slices)
    side_normal = np.tile(np.c_[circle, np.zeros(slices + 1)], (2, 1))
    side = np.c_[np.tile(circle, (2, 1)), np.repeat([-1.0, 1.0], slices + 1)]
    vertices, indices = [pack(side, side_normal)], [strip(2, slices + 1)]
    for z in (-1.0, 1.0):
        vertices.append(_disc(circle, z, (0.0, 0.0, z)))
        indices.append(_fan(slices, sum(len(v) for v in vertices[:-1]), flip=z < 0))
    return TriangleMesh(np.concatenate(vertices), np.concatenate(indices))


def cone(slices: int) -> TriangleMesh:
    """Unit base radius at z = 0, apex at z = 1, with its base."""
    circle = _circle(slices)
    normal = np.c_[circle, np.ones(slices + 1)] / math.sqrt(2.0)
    side = np.concatenate([np.c_[circle, np.zeros(slices + 1)], np.tile([0.0, 0.0, 1.0], (slices + 1, 1))])
    vertices = [pack(side, np.tile(normal, (2, 1))), _disc(circle, 0.0, (0.0, 0.0, -1.0))]
    return TriangleMesh(np.concatenate(vertices), np.concatenate([strip(2, slices + 1), _fan(slices, len(side), flip=True)]))


def _disc(circle: NDArray[np.float64], z: float, normal: tuple[float, float, float]) -> NDArray[np.float32]:
    rim = np.c_[circle, np.full(len(circle), z)]
    return pack(np.concatenate([[[0.0, 0.0, z]], rim]), normal)


def _fan(slices: int, first: int, *, flip: bool) -> NDArray[np.uint32]:
    rim = first + 1 + np.arange(slices)
    b, c = (rim + 1, rim) if flip else (rim, rim + 1)
    return np.stack([np.full(slices, first), b, c], axis=1).astype(np.uint32)


def box() -> TriangleMesh:
    """Half sizes 1, one flat normal a face."""
    vertices: list[NDArray[np.float32]] = []
    indices = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
            normal = sign * np.eye(3)[axis]
            corners = [normal + a * sign * u + b * v for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            first = 4 * len(vertices)
            vertices.append(pack(corners, normal))
            indices.append(first + np.array([[0, 1, 2], [0, 2, 3]], np.uint32))
    return TriangleMesh(np.concatenate(vertices), np.concatenate(indices).astype(np.uint32))


def triangle() -> TriangleMesh:
    """Corners at the origin, at x = 1 and at y = 1; seen from both sides."""
    corners = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]
    vertices = np.concatenate([pack(corners, (0.0, 0.0, 1.0)), pack(corners, (0.0, 0.0, -1.0))])
    return TriangleMesh(vertices, np.array([[0, 1, 2], [3, 5, 4]], np.uint32))


def plane(divisions: int = 8) -> TriangleMesh:
    """x and y from -1 to 1, facing z."""
    axis = np.linspace(-1.0, 1.0, divisions + 1)
    y, x = np.meshgrid(axis, axis, indexing="ij")
    position = np.c_[x.ravel(), y.ravel(), np.zeros(x.size)]
    return TriangleMesh(pack(position, (0.0, 0.0, 1.0)), strip(divisions + 1, divisions + 1))


def horizon() -> TriangleMesh:
    """A disc of rings that grow geometrically: an infinite floor, to be centred under the eye."""
    circle = _circle(HORIZON_SECTORS)
    ring = HORIZON_RADII[::-1, None, None] * circle[None]
    position = np.concatenate([ring, np.zeros((*ring.shape[:2], 1))], axis=2).reshape(-1, 3)
    return TriangleMesh(pack(position, (0.0, 0.0, 1.0)), strip(len(HORIZON_RADII), HORIZON_SECTORS + 1))


def primitives(slices: int, stacks: int) -> dict[int, TriangleMesh]:
    """All built-in meshes by MeshId, with at least 8 slices and 4 stacks; coarse ones have about half of each."""
    slices, stacks = max(slices, 8), max(stacks, 4)
    table = {int(MeshId.PLANE): plane(), int(MeshId.HORIZON): horizon(), int(MeshId.BOX): box(), int(MeshId.TRIANGLE): triangle()}
    for level, n, m in ((0, slices, stacks), (int(MeshId.COARSE), max(slices * 3 // 7, 8), max(stacks // 2, 4))):
        table[level + MeshId.SPHERE] = sphere(n, m)
        table[level + MeshId.CAPSULE] = capsule(n, m)
        table[level + MeshId.CYLINDER] = cylinder(n)
        table[level + MeshId.CONE] = cone(n)
    return table


FLOATS_PER_VERTEX = 9
# Between a corner's normal and its face's: of a smooth round thing, even one of few faces, it is more.
LEAST_COSINE = 0.3


class TriangleMesh(Struct, frozen=True):
    """vertices: (n, 9) float32; indices: (m, 3) uint32, counter-clockwise from outside."""

    vertices: NDArray[np.float32]
    indices: NDArray[np.uint32]


def pack(position: ArrayLike, normal: ArrayLike, cap: ArrayLike = 0.0, uv: ArrayLike = (0.0, 0.0)) -> NDArray[np.float32]:
    """(n, 9) vertices; position, normal: (n, 3) or broadcastable; uv: (n, 2) or one for all."""
    position = np.asarray(position, np.float32).reshape(-1, 3)
    vertices = np.empty((len(position), FLOATS_PER_VERTEX), np.float32)
    vertices[:, :3], vertices[:, 3], vertices[:, 4:7], vertices[:, 7:9] = position, cap, normal, uv
    return vertices


def flat_mesh(corners: NDArray[np.float64]) -> TriangleMesh:
    """Triangles (n, 3, 3) with flat faces, counter-clockwise from outside."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    vertices = pack(corners, np.repeat(normal, 3, axis=0))
    return TriangleMesh(vertices, np.arange(len(vertices), dtype=np.uint32).reshape(-1, 3))


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
