"""The two faces with which boxes and hulls of meshes meet, and what they have in common, cut side by side.

A face of geom2 is cut along the sides of a face of geom1, seen along the contact's normal: where several points carry a
contact of flat faces, they are corners of what is left.
Source: I. Sutherland, G. Hodgman, Reentrant polygon clipping, 1974.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtGeom
from tumble.physics.state.model import Model

Numbers = NDArray[np.float64]
_ALIGNED = 0.99999  # cosine: faces that are turned no more than 4.5e-3 rad against the normal meet
BOX, MESH = int(mjtGeom.mjGEOM_BOX), int(mjtGeom.mjGEOM_MESH)


class FaceClip(Struct, frozen=True):
    """Two faces that meet.

    face1, face2 (n, 3): the faces of the geoms [m], in world axes, counterclockwise from outside; cuts: what is left of face2
    after each side of face1, the last is what they have in common.
    """

    face1: Numbers
    face2: Numbers
    cuts: tuple[Numbers, ...]


def clip_faces(m: Model, d: Data, g1: int, g2: int, normal: Numbers) -> FaceClip | None:
    """The faces of two geoms that meet along a normal (3,) from the first to the second; None: no flat faces do."""
    face1, face2 = face_along(m, d, g1, normal), face_along(m, d, g2, -normal)
    if face1 is None or face2 is None or min(_flatness(face1, normal), _flatness(face2, -normal)) < _ALIGNED:
        return None
    left, cuts = face2, []
    for a, b in zip(face1, np.roll(face1, -1, axis=0), strict=True):
        left = _cut(left, a, np.cross(normal, b - a))
        cuts.append(left)
    return FaceClip(face1, face2, tuple(cuts))


def _flatness(face: Numbers, way: Numbers) -> float:
    """Cosine between the outward normal of a face and a direction."""
    outward = np.cross(face[1] - face[0], face[2] - face[1])
    return float(outward @ way) / max(float(np.linalg.norm(outward)), 1e-300)


def face_along(m: Model, d: Data, g: int, way: Numbers) -> Numbers | None:
    """The face (n, 3) of a box or of a mesh's hull whose outward normal is nearest to a direction; None: it has no faces."""
    axes, place = np.array(d.geom_xmat[g]).reshape(3, 3), np.array(d.geom_xpos[g])
    local = way @ axes
    kind = int(m.geom_type[g])
    if kind == BOX:
        return place + _box_face(np.array(m.geom_size[g]), local) @ axes.T
    mesh = int(m.geom_dataid[g])
    if kind != MESH or mesh < 0 or int(m.mesh_polynum[mesh]) == 0:
        return None
    first = int(m.mesh_polyadr[mesh])
    face = first + int(np.argmax(m.mesh_polynormal[first : first + int(m.mesh_polynum[mesh])] @ local))
    begin = int(m.mesh_polyvertadr[face])
    corners = m.mesh_polyvert[begin : begin + int(m.mesh_polyvertnum[face])]
    return place + np.array(m.mesh_vert[int(m.mesh_vertadr[mesh]) + corners], float) @ axes.T


def _box_face(size: Numbers, way: Numbers) -> Numbers:
    """The face of a box, in its frame, that looks in a direction."""
    k = int(np.argmax(np.abs(way)))
    sign = 1.0 if way[k] > 0 else -1.0
    i, j = (k + 1) % 3, (k + 2) % 3
    corners = np.empty((4, 3))
    corners[:, k] = sign * size[k]
    corners[:, i] = size[i] * np.array([-1, 1, 1, -1])
    corners[:, j] = size[j] * np.array([-1, -1, 1, 1]) * sign
    return corners


def _cut(polygon: Numbers, point: Numbers, inward: Numbers) -> Numbers:
    """Part of a polygon on the inner side of a plane through a point."""
    height = (polygon - point) @ inward
    kept = []
    for k in range(len(polygon)):
        a, b = height[k], height[(k + 1) % len(polygon)]
        if a >= 0:
            kept.append(polygon[k])
        if a * b < 0:
            kept.append(polygon[k] + a / (a - b) * (polygon[(k + 1) % len(polygon)] - polygon[k]))
    return np.array(kept).reshape(-1, 3)
