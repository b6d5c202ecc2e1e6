"""The triangles of a model's own meshes, of their convex hulls, and of its height fields."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tumble.render.mesh.primitives import TriangleMesh, flat_mesh, pack, strip, with_usable_normals

if TYPE_CHECKING:
    from tumble.physics import MjModel


def model_mesh(model: MjModel, index: int) -> TriangleMesh:
    """Mesh `index` of the model: corners that agree in position, normal and texture coordinate share one vertex."""
    position, normal, uv, face, facenormal, faceuv = _arrays(model, index)
    corners = [face.ravel(), facenormal.ravel(), *([] if uv is None else [faceuv.ravel()])]
    if all(other is corners[0] or np.array_equal(other, corners[0]) for other in corners[1:]):
        used = int(corners[0].max(initial=-1)) + 1
        chosen, indices = [np.arange(used)] * len(corners), corners[0]
    else:
        first, indices = _weld(corners)
        chosen = [corner[first] for corner in corners]
    flat: Any = (0.0, 0.0) if uv is None else uv[chosen[2]]
    vertices = pack(position[chosen[0]], normal[chosen[1]], 0.0, flat)
    return with_usable_normals(vertices, indices.reshape(-1, 3))


def _arrays(model: MjModel, index: int) -> tuple[Any, ...]:
    """The mesh's positions, normals, texture coordinates (or None), and the indices of each face's corners into them."""
    faces = _part(model.mesh_faceadr, model.mesh_facenum, index)
    position = np.asarray(model.mesh_vert)[_part(model.mesh_vertadr, model.mesh_vertnum, index)]
    normal = np.asarray(model.mesh_normal)[_part(model.mesh_normaladr, model.mesh_normalnum, index)]
    uv = None
    if model.mesh_texcoordadr[index] >= 0:
        uv = np.asarray(model.mesh_texcoord).reshape(-1, 2)[_part(model.mesh_texcoordadr, model.mesh_texcoordnum, index)]
    corners = (np.asarray(array)[faces] for array in (model.mesh_face, model.mesh_facenormal, model.mesh_facetexcoord))
    face, facenormal, faceuv = corners
    # A corner without a normal has one of no length, which is exchanged for its face's; one without a place in the texture 0, 0.
    if facenormal.min(initial=0) < 0:
        facenormal = np.where(facenormal < 0, len(normal), facenormal)
        normal = np.vstack([normal, np.zeros((1, 3), normal.dtype)])
    if uv is not None and faceuv.min(initial=0) < 0:
        faceuv = np.where(faceuv < 0, len(uv), faceuv)
        uv = np.vstack([uv, np.zeros((1, 2), uv.dtype)])
    return position, normal, uv, face, facenormal, faceuv


def _part(first: NDArray[np.int32], count: NDArray[np.int32], index: int) -> slice:
    return slice(int(first[index]), int(first[index]) + int(count[index]))


def _weld(corners: list[NDArray[Any]]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Of rows of numbers 0 or more, column by column: where each distinct one is first, and which of them each row is."""
    key = np.zeros(len(corners[0]), np.int64)
    for corner in corners:
        key = key * (int(corner.max(initial=0)) + 1) + corner
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    # In the order in which the faces come to them: neighbours stay neighbours in memory.
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return first[order], place[inverse.ravel()]


def mesh_digest(model: MjModel, index: int) -> str:
    """The key of a mesh, in any model: a digest of its numbers."""
    return digest_of("mesh", _arrays(model, index))


def digest_of(kind: str, arrays: Iterable[Any]) -> str:
    """A digest of a kind and arrays (None: an array that is not there)."""
    result = hashlib.blake2b(kind.encode(), digest_size=20)
    for array in arrays:
        values = np.zeros(0) if array is None else np.asarray(array)
        result.update(f"{values.dtype}{values.shape}".encode())
        result.update(np.ascontiguousarray(values).tobytes())
    return result.hexdigest()


def hull_mesh(model: MjModel, index: int) -> TriangleMesh:
    """The convex hull of mesh `index`, with flat faces."""
    corner = hull_faces(model, index)
    position = np.asarray(model.mesh_vert)[_part(model.mesh_vertadr, model.mesh_vertnum, index)][corner].astype(float)
    normal = np.cross(position[:, 1] - position[:, 0], position[:, 2] - position[:, 0])
    inward = np.einsum("ij,ij->i", normal, position.mean(axis=1) - position.mean(axis=(0, 1))) < 0
    position[inward] = position[inward, ::-1]
    return flat_mesh(position)


def hull_faces(model: MjModel, index: int) -> NDArray[np.int64]:
    """(n, 3) the mesh's vertices at the corners of its hull's triangles.

    A hull graph: counts of vertices and faces; a place in the edges a vertex; the mesh's vertex a vertex; the edges,
    three a face and one a vertex; three vertices of the mesh a face.
    """
    graph = np.asarray(model.mesh_graph)[int(model.mesh_graphadr[index]) :]
    vertices, faces = int(graph[0]), int(graph[1])
    start = 2 + 3 * vertices + 3 * faces
    return graph[start : start + 3 * faces].reshape(-1, 3).astype(np.int64)


def hfield_grid(model: MjModel, index: int) -> NDArray[np.float64]:
    """(nrow, ncol, 3) surface points of a height field in its geom's frame [m]."""
    rows, columns = int(model.hfield_nrow[index]), int(model.hfield_ncol[index])
    start = int(model.hfield_adr[index])
    sx, sy, top, _ = (float(v) for v in model.hfield_size[index])
    y, x = np.meshgrid(np.linspace(-sy, sy, rows), np.linspace(-sx, sx, columns), indexing="ij")
    height = np.asarray(model.hfield_data[start : start + rows * columns], float).reshape(rows, columns)
    return np.stack([x, y, top * height], axis=2)


def hfield(model: MjModel, index: int, stride: int = 1) -> TriangleMesh:
    """A height field's surface, smoothly shaded, with walls down to its base; stride: of how many samples one is drawn."""
    grid = hfield_grid(model, index)
    grid = grid[np.ix_(*(_every(count, stride) for count in grid.shape[:2]))]
    rows, columns = grid.shape[:2]
    normal = np.cross(np.gradient(grid, axis=1), np.gradient(grid, axis=0))
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    vertices = [pack(grid, normal.reshape(-1, 3))]
    indices = [strip(rows, columns)]
    base = -float(model.hfield_size[index][3])
    edges = ((grid[0], (0, -1, 0)), (grid[:, -1], (1, 0, 0)), (grid[-1, ::-1], (0, 1, 0)), (grid[::-1, 0], (-1, 0, 0)))
    for edge, outward in edges:
        foot = edge.copy()
        foot[:, 2] = base
        indices.append(strip(2, len(edge)) + np.uint32(sum(len(v) for v in vertices)))
        vertices.append(pack(np.concatenate([foot, edge]), outward))
    foot = np.array([(x, y, base) for y in (grid[0, 0, 1], grid[-1, 0, 1]) for x in (grid[0, 0, 0], grid[0, -1, 0])])
    indices.append(strip(2, 2)[:, ::-1] + np.uint32(sum(len(v) for v in vertices)))
    vertices.append(pack(foot, (0, 0, -1)))
    return TriangleMesh(np.concatenate(vertices), np.concatenate(indices))


def hfield_error(model: MjModel, index: int, stride: int) -> float:
    """Distance of the surface of every stride-th sample from the full surface [m]."""
    height = hfield_grid(model, index)[:, :, 2]
    between = height
    for _ in range(2):  # the rows, then, turned, the columns
        kept = _every(len(between), stride)
        at = np.arange(len(between))
        right = np.clip(np.searchsorted(kept, at), 1, len(kept) - 1)
        share = (at - kept[right - 1]) / (kept[right] - kept[right - 1])
        between = (between[kept[right - 1]].T * (1.0 - share) + between[kept[right]].T * share)
    return float(np.abs(between - height).max())


def _every(count: int, stride: int) -> NDArray[np.int64]:
    """Every stride-th of count samples, including the last, two at least."""
    return np.unique(np.r_[np.arange(0, count, stride), count - 1])


def hfield_digest(model: MjModel, index: int) -> str:
    """The key of a height field."""
    start, rows, columns = int(model.hfield_adr[index]), int(model.hfield_nrow[index]), int(model.hfield_ncol[index])
    samples = np.asarray(model.hfield_data)[start : start + rows * columns].reshape(rows, columns)
    return digest_of("hfield", (np.asarray(model.hfield_size[index]), samples))
