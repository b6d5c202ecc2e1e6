"""A mesh geom drawn as the parts that it could be cut into, each in its own colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.render.constants import MeshId
from tumble.render.drawlist import DrawList
from tumble.render.islands import colours
from tumble.render.mesh.triangles import TriangleMesh, pack


@dataclass(frozen=True, eq=False)
class Pieces:
    """geom: the geom that is replaced; meshes: the parts, in its frame."""

    geom: int
    meshes: tuple[TriangleMesh, ...]


def flat_mesh(vertices: NDArray[np.float64], faces: NDArray[Any]) -> TriangleMesh:
    """Triangles with flat faces; vertices: (n, 3); faces: (m, 3), counter-clockwise from outside."""
    corners = vertices[faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    packed = pack(corners, np.repeat(normal, 3, axis=0))
    return TriangleMesh(packed, np.arange(len(packed), dtype=np.uint32).reshape(-1, 3))


def pieces_of(whole: DrawList, pieces: Pieces) -> DrawList:
    """The parts at the geom's pose; whole: the draw list of the geom alone."""
    count = len(pieces.meshes)
    part = whole.pick(np.zeros(count, int))
    part.mesh[:] = int(MeshId.PIECE) + np.arange(count)
    part.texture[:] = -1
    part.instances["rgba"] = np.c_[colours(np.arange(count), np.zeros(count, bool)), np.ones(count)]
    part.instances["extra"][:, 0] = 0.0
    return part
