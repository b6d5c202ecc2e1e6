"""Skins: a surface in its binding pose, the bones that pull each vertex, and where they take it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.algebra.quat import quat_mat
from tumble.render.frame import Frame
from tumble.render.mesh.model_meshes import digest_of
from tumble.render.mesh.primitives import TriangleMesh, pack

if TYPE_CHECKING:
    from tumble.physics import MjModel

# Texels a row of the tables that the shader reads; skin.glsl has the same numbers.
WEIGHTS_A_ROW = 1024
BONES_A_ROW = 512
# Share of the area around a vertex below which its sum has no direction but that of rounding.
_CANCELLED = 1e-6


class BoundSkin(Struct, frozen=True):
    """A skin as the shader reads it.

    mesh: the binding pose. weights_of_vertex: (n, 2) float32, first entry and count in the weights. weights: (rows,
    WEIGHTS_A_ROW, 2) float32, bone and weight, vertex by vertex. bones: how many.
    """

    mesh: TriangleMesh
    weights_of_vertex: NDArray[np.float32]
    weights: NDArray[np.float32]
    bones: int


def _span(model: MjModel, first: str, count: str, index: int) -> slice:
    start = int(getattr(model, first)[index])
    return slice(start, start + int(getattr(model, count)[index]))


def _influences(model: MjModel, index: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Bone, vertex and weight of each pull, all counted from the skin's first."""
    bones = _span(model, "skin_boneadr", "skin_bonenum", index)
    first, count = np.asarray(model.skin_bonevertadr)[bones].astype(int), np.asarray(model.skin_bonevertnum)[bones].astype(int)
    bone = np.repeat(np.arange(len(count)), count)
    entry = np.repeat(first - np.r_[0, np.cumsum(count)[:-1]], count) + np.arange(int(count.sum()))
    return bone, np.asarray(model.skin_bonevertid)[entry].astype(int), np.asarray(model.skin_bonevertweight)[entry]


def _surface(model: MjModel, index: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    vertices = _span(model, "skin_vertadr", "skin_vertnum", index)
    uv = None
    start = int(model.skin_texcoordadr[index])
    if start >= 0:
        uv = np.asarray(model.skin_texcoord).reshape(-1, 2)[start : start + vertices.stop - vertices.start]
    faces = np.asarray(model.skin_face)[_span(model, "skin_faceadr", "skin_facenum", index)].astype(np.int64)
    return np.asarray(model.skin_vert)[vertices], faces, uv


def vertex_normals(points: NDArray[Any], faces: NDArray[Any]) -> NDArray[np.float64]:
    """(n, 3) unit normals: the mean over the faces around each vertex, by area; 0 if front and back cancel out."""
    corners = np.asarray(points, float)[faces]
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    total = np.stack([np.bincount(faces.ravel(), np.repeat(area[:, k], 3), len(points)) for k in range(3)], axis=1)
    around = np.bincount(faces.ravel(), np.repeat(np.linalg.norm(area, axis=1), 3), len(points))
    length = np.linalg.norm(total, axis=1)
    reliable = length > _CANCELLED * around
    return np.asarray(np.where(reliable, 1.0, 0.0)[:, None] * total / np.where(reliable, length, 1.0)[:, None])


def bound_skin(model: MjModel, index: int) -> BoundSkin:
    """Skin `index` of the model for the graphics card."""
    points, faces, uv = _surface(model, index)
    place: Any = (0.0, 0.0) if uv is None else uv
    mesh = TriangleMesh(pack(points, vertex_normals(points, faces), 0.0, place), faces.astype(np.uint32))
    bone, vertex, weight = _influences(model, index)
    order = np.argsort(vertex, kind="stable")
    count = np.bincount(vertex, minlength=len(points))
    of_vertex = np.stack([np.r_[0, np.cumsum(count)[:-1]], count], axis=1).astype(np.float32)
    rows = max(1, -(-len(order) // WEIGHTS_A_ROW))
    table = np.zeros((rows * WEIGHTS_A_ROW, 2), np.float32)
    table[: len(order), 0], table[: len(order), 1] = bone[order], weight[order]
    return BoundSkin(mesh, of_vertex, table.reshape(rows, WEIGHTS_A_ROW, 2), int(model.skin_bonenum[index]))


def skin_digest(model: MjModel, index: int) -> str:
    """The key of a skin; the binding poses of its bones belong to the frame and are not in it."""
    return digest_of("skin", (*_surface(model, index), *_influences(model, index)))


class Bones:
    """Transforms of a skin's bones in a frame, which take its vertices from the binding pose to the world."""

    def __init__(self, model: MjModel, index: int) -> None:
        bones = _span(model, "skin_boneadr", "skin_bonenum", index)
        self.body = np.asarray(model.skin_bonebodyid)[bones].astype(int)
        self.pos = np.asarray(model.skin_bonebindpos, float)[bones]
        self._turn = _matrices(np.asarray(model.skin_bonebindquat, float)[bones]).transpose(0, 2, 1)
        points, _, _ = _surface(model, index)
        bone, vertex, _ = _influences(model, index)
        far = np.linalg.norm(points[vertex] - self.pos[bone], axis=1)
        self._reach = np.zeros(len(self.body))
        np.maximum.at(self._reach, bone, far)
        self._inflate = abs(float(model.skin_inflate[index]))

    def poses(self, frame: Frame) -> NDArray[np.float64]:
        """(nbone, 3, 4) rotation and shift of each bone since it was bound."""
        turn = frame.xmat[self.body].reshape(-1, 3, 3) @ self._turn
        shift = frame.xpos[self.body] - np.einsum("bij,bj->bi", turn, self.pos)
        return np.concatenate([turn, shift[:, :, None]], axis=2)

    def sphere(self, poses: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
        """Centre and radius of a sphere that holds the skin: each vertex is between where its bones take it."""
        if not len(self.body):
            return np.zeros(3), 0.0
        place = np.einsum("bij,bj->bi", poses[:, :, :3], self.pos) + poses[:, :, 3]
        centre = 0.5 * (place.min(axis=0) + place.max(axis=0))
        return centre, float(np.max(np.linalg.norm(place - centre, axis=1) + self._reach)) + self._inflate


def table(poses: NDArray[np.float64]) -> NDArray[np.float32]:
    """Bone poses as the shader's table: (rows, 3 BONES_A_ROW, 4), three texels a bone."""
    rows = max(1, -(-len(poses) // BONES_A_ROW))
    result = np.zeros((rows * BONES_A_ROW, 3, 4), np.float32)
    result[: len(poses)] = poses
    return result.reshape(rows, 3 * BONES_A_ROW, 4)


def deformed(model: MjModel, index: int, poses: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The deformed skin, computed like the shader does: points (n, 3) in the world [m], and faces (m, 3)."""
    points, faces, _ = _surface(model, index)
    bone, vertex, weight = _influences(model, index)
    here = np.asarray(points, float)[vertex]
    moved = (np.einsum("kij,kj->ki", poses[bone, :, :3], here) + poses[bone, :, 3]) * weight[:, None]
    result = _summed(vertex, moved, len(points))
    inflate = float(model.skin_inflate[index])
    if inflate:
        normal = vertex_normals(points, faces)[vertex]
        turned = np.einsum("kij,kj->ki", poses[bone, :, :3], normal) * weight[:, None]
        total = _summed(vertex, turned, len(points))
        result += inflate * total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-300)
    return result, faces


def heaviest_bone(model: MjModel, index: int, vertices: NDArray[Any]) -> int:
    """The bone that pulls these vertices most."""
    bone, vertex, weight = _influences(model, index)
    of_these = np.isin(vertex, vertices)
    return int(np.argmax(np.bincount(bone[of_these], weight[of_these]))) if of_these.any() else -1


def _summed(index: NDArray[Any], rows: NDArray[Any], count: int) -> NDArray[np.float64]:
    return np.stack([np.bincount(index, rows[:, k], count) for k in range(3)], axis=1)


def _matrices(quat: NDArray[Any]) -> NDArray[np.float64]:
    """(n, 3, 3) rotations of quaternions (w, x, y, z)."""
    unit = quat / np.maximum(np.linalg.norm(quat, axis=1, keepdims=True), 1e-300)
    return np.stack(quat_mat(unit.T), axis=1).reshape(-1, 3, 3)
