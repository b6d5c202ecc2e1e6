"""Meshes of a model as surfaces: closed or open, facing outward or inward, and where a point is relative to them.

The winding number of a closed surface about a point is the sum of the solid angles of its triangles over 4 pi: 1 inside,
0 outside, -1 inside of one that faces inward (van Oosterom and Strackee, The solid angle of a plane triangle, 1983; Jacobson et
al., Robust inside-outside segmentation using generalized winding numbers, 2013).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tumble.physics import MjModel

Array = NDArray[Any]
CLOSED = 0.98  # share of edges that have a neighbour from which a surface counts as closed: scans have pinholes
SAME = 1e-6  # of a mesh's size by which two of its vertices may differ and be one


class Facing(Struct, frozen=True):
    """Volumes of the pyramids from a mesh's middle to its triangles.

    volume: their sum with signs [m^3], what a closed mesh encloses, negative where it faces inward; unsigned: without signs;
    closed: share of edges that two triangles have, in opposite directions or not.
    """

    volume: float
    unsigned: float
    closed: float

    @property
    def outward(self) -> float:
        """1 where all triangles face away from the middle, -1 where all face it."""
        return self.volume / self.unsigned if self.unsigned > 0 else 0.0


def triangles_of(model: MjModel, mesh: int) -> Array:
    """Corners of a mesh's triangles in the frame of its geoms [m], (n, 3, 3)."""
    first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    begin, number = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
    corners = np.array(model.mesh_vert[first : first + count], float)
    return corners[np.asarray(model.mesh_face[begin : begin + number])]


def facing(triangles: Array) -> Facing:
    """Which way triangles (n, 3, 3) face."""
    if not len(triangles):
        return Facing(0.0, 0.0, 0.0)
    areas = np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1)
    if not areas.sum() > 0:
        return Facing(0.0, 0.0, 0.0)
    a, b, c = np.moveaxis(triangles - areas @ triangles.mean(axis=1) / areas.sum(), 1, 0)
    volumes = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6
    return Facing(float(volumes.sum()), float(np.abs(volumes).sum()), _closed(triangles))


def _closed(triangles: Array) -> float:
    points = triangles.reshape(-1, 3)
    size = float(np.ptp(points, axis=0).max())
    _, numbers = np.unique(np.round(points / (SAME * size)), axis=0, return_inverse=True)
    faces = numbers.reshape(-1, 3)
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    edges = edges[edges[:, 0] != edges[:, 1]]
    _, times = np.unique(edges, axis=0, return_counts=True)
    return float(np.mean(times % 2 == 0)) if len(times) else 0.0


def is_inside(triangles: Array, point: Array) -> bool:
    """True if a closed surface, whichever way it faces, encloses a point (3,)."""
    a, b, c = np.moveaxis(triangles - point, 1, 0)
    la, lb, lc = (np.linalg.norm(side, axis=1) for side in (a, b, c))
    ab, bc, ca = (np.einsum("ij,ij->i", u, v) for u, v in ((a, b), (b, c), (c, a)))
    determinant = np.einsum("ij,ij->i", a, np.cross(b, c))
    divisor = la * lb * lc + lc * ab + la * bc + lb * ca
    return bool(abs(np.arctan2(determinant, divisor).sum()) > np.pi)  # half the solid angle: 2 pi inside


def distance(triangles: Array, point: Array) -> float:
    """Distance of a point (3,) from the nearest of some triangles [m]."""
    corners = triangles - point
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    least = np.full(len(corners), np.inf)
    above = np.ones(len(corners), bool)
    for k in range(3):
        start, side = corners[:, k], corners[:, (k + 1) % 3] - corners[:, k]
        length = np.einsum("ij,ij->i", side, side)
        along = np.clip(-np.einsum("ij,ij->i", start, side) / np.where(length > 0, length, 1.0), 0, 1)
        least = np.minimum(least, np.linalg.norm(start + along[:, None] * side, axis=1))
        above &= np.einsum("ij,ij->i", np.cross(side, -start), normals) >= 0
    size = np.linalg.norm(normals, axis=1)
    plane = np.abs(np.einsum("ij,ij->i", corners[:, 0], normals)) / np.where(size > 0, size, 1.0)
    return float(np.min(np.where(above & (size > 0), plane, least), initial=np.inf))
