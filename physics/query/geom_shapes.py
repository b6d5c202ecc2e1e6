"""Shapes of geoms: points of their surfaces, what they enclose; meshes as surfaces, closed or open, that face outward or inward.

The winding number of a closed surface about a point is the sum of the solid angles of its triangles over 4 pi: 1 inside,
0 outside, -1 inside of one that faces inward (van Oosterom and Strackee, The solid angle of a plane triangle, 1983; Jacobson et
al., Robust inside-outside segmentation using generalized winding numbers, 2013).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.state.enums import mjtGeom
from tumble.physics.state.model import Model

Array = NDArray[Any]
CLOSED = 0.98  # share of edges that have a neighbour from which a surface counts as closed: scans have pinholes
POINTS = 300  # of a mesh's surface that are looked at
SAME = 1e-6  # of a mesh's size, above 2^-20, by which two of its vertices may differ and be one


class Facing(Struct, frozen=True):
    """Volumes of the pyramids from a mesh's middle to its triangles.

    volume: their sum with signs [m^3], what a closed mesh encloses, negative where it faces inward; unsigned: without signs.
    """

    volume: float
    unsigned: float

    @property
    def outward(self) -> float:
        """1 where all triangles face away from the middle, -1 where all face it."""
        return self.volume / self.unsigned if self.unsigned > 0 else 0.0


def surface_of(m: Model, mesh: int) -> tuple[Array, Array]:
    """Vertices (n, 3) of a mesh in the frame of its geoms [m], and the vertices of each triangle (m, 3)."""
    first, count = int(m.mesh_vertadr[mesh]), int(m.mesh_vertnum[mesh])
    begin, number = int(m.mesh_faceadr[mesh]), int(m.mesh_facenum[mesh])
    return np.array(m.mesh_vert[first : first + count], float), np.asarray(m.mesh_face[begin : begin + number])


def triangles_of(m: Model, mesh: int) -> Array:
    """Corners of a mesh's triangles in the frame of its geoms [m], (m, 3, 3)."""
    vertices, faces = surface_of(m, mesh)
    return vertices[faces]


def facing(vertices: Array, faces: Array) -> Facing:
    """Orientation of triangles. vertices: (n, 3); faces: (m, 3)."""
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    if not areas.sum() > 0:
        return Facing(0.0, 0.0)
    middle = areas @ (a + b + c) / (3 * areas.sum())
    volumes = np.einsum("ij,ij->i", a - middle, np.cross(b - middle, c - middle)) / 6
    return Facing(float(volumes.sum()), float(np.abs(volumes).sum()))


def hull_filling(m: Model, mesh: int) -> float:
    """Volume of the convex hull of a mesh over the mesh's own; 1 where one of them is not known."""
    if mesh < 0 or not len(faces := hull_faces(m, mesh)):
        return 1.0
    vertices, own_faces = surface_of(m, mesh)
    own, hull = (abs(facing(vertices, each).volume) for each in (own_faces, faces))
    return hull / own if own > 0 and hull > 0 else 1.0


def hull_faces(m: Model, mesh: int) -> Array:
    """Vertices of each triangle of a mesh's convex hull (n, 3); n = 0 for a mesh without one."""
    address = int(m.mesh_graphadr[mesh])
    if address < 0:
        return np.zeros((0, 3), np.int32)
    corners, triangles = (int(x) for x in m.mesh_graph[address : address + 2])
    first = address + 2 + 3 * corners + 3 * triangles
    return np.asarray(m.mesh_graph[first : first + 3 * triangles]).reshape(-1, 3)


def is_closed(corners: Array) -> bool:
    """True if all edges of triangles (m, 3, 3) but a few have as many triangles on one side as on the other."""
    points = corners.reshape(-1, 3)
    low, size = points.min(axis=0), float(np.ptp(points, axis=0).max())
    if not size > 0:
        return False
    places = np.round((points - low) / (SAME * size)).astype(np.int64)  # each below 2^20
    _, numbers = np.unique((places[:, 0] << 40) | (places[:, 1] << 20) | places[:, 2], return_inverse=True)
    a, b, c = numbers.reshape(-1, 3).T
    starts, ends = np.concatenate([a, b, c]), np.concatenate([b, c, a])
    edges = (np.minimum(starts, ends) * len(points) + np.maximum(starts, ends))[starts != ends]
    _, times = np.unique(edges, return_counts=True)
    return bool(len(times) and np.mean(times % 2 == 0) >= CLOSED)


def surface_points(m: Model, geom: int) -> Array:
    """Points on the surface of a geom in its frame [m], (n, 3): some vertices of a mesh; none of planes and height fields."""
    kind, size = mjtGeom(int(m.geom_type[geom])), np.array(m.geom_size[geom], float)
    if kind == mjtGeom.mjGEOM_MESH:
        mesh = int(m.geom_dataid[geom])
        first, count = int(m.mesh_vertadr[mesh]), int(m.mesh_vertnum[mesh])
        return np.array(m.mesh_vert[first : first + count : max(1, count // POINTS)], float)
    grid = np.stack(np.meshgrid(*[np.linspace(-1, 1, 5)] * 3), axis=-1).reshape(-1, 3)
    cube = grid[np.abs(grid).max(axis=1) == 1]
    ball = cube / np.linalg.norm(cube, axis=1, keepdims=True)
    if kind == mjtGeom.mjGEOM_BOX:
        return cube * size
    if kind == mjtGeom.mjGEOM_SPHERE:
        return ball * size[0]
    if kind == mjtGeom.mjGEOM_ELLIPSOID:
        return ball * size
    if kind == mjtGeom.mjGEOM_CAPSULE:
        return np.concatenate([ball * size[0] + (0, 0, end * size[1]) for end in (-1, 0, 1)])
    if kind == mjtGeom.mjGEOM_CYLINDER:
        flat = cube[:, :2] / np.maximum(np.linalg.norm(cube[:, :2], axis=1, keepdims=True), 1)
        return np.c_[flat * size[0], cube[:, 2] * size[1]]
    return np.zeros((0, 3))


def inside_shape(m: Model, geom: int, points: Array) -> Array:
    """Mask (n,) of the points (n, 3), in its frame, that a geom encloses: a simple shape or the hull of a mesh, else none."""
    kind, (a, b, c) = mjtGeom(int(m.geom_type[geom])), np.array(m.geom_size[geom], float)
    x, y, z = np.abs(points.T)
    if kind == mjtGeom.mjGEOM_BOX:
        return (x < a) & (y < b) & (z < c)
    if kind == mjtGeom.mjGEOM_ELLIPSOID:
        return (x / a) ** 2 + (y / b) ** 2 + (z / c) ** 2 < 1
    if kind == mjtGeom.mjGEOM_CYLINDER:
        return (np.hypot(x, y) < a) & (z < b)
    if kind in (mjtGeom.mjGEOM_SPHERE, mjtGeom.mjGEOM_CAPSULE):
        straight = b if kind == mjtGeom.mjGEOM_CAPSULE else 0.0
        return np.hypot(np.hypot(x, y), np.maximum(z - straight, 0)) < a
    if kind == mjtGeom.mjGEOM_MESH:
        return inside_planes(points, *hull_planes(m, int(m.geom_dataid[geom])))
    return np.zeros(len(points), bool)


def inside_planes(points: Array, normals: Array, offsets: Array) -> Array:
    """Mask (n,) of the points (n, 3) behind all planes with normals (k, 3) at distances (k,) from the origin [m]; k = 0: none."""
    if not len(offsets):
        return np.zeros(len(points), bool)
    mask: Array = np.all(points @ normals.T < offsets, axis=1)
    return mask


def hull_planes(m: Model, mesh: int) -> tuple[Array, Array]:
    """Outward normals (n, 3) of the sides of a mesh's hull, and their distances from the origin (n,) [m]; n = 0: no hull."""
    a, b, c = np.moveaxis(surface_of(m, mesh)[0][hull_faces(m, mesh)], 1, 0)
    normals = np.cross(b - a, c - a)
    size = np.linalg.norm(normals, axis=1)
    normals, a = normals[size > 0] / size[size > 0, None], a[size > 0]
    return normals, np.einsum("ij,ij->i", normals, a)


def is_inside(corners: Array, point: Array) -> bool:
    """True if a closed surface of triangles (m, 3, 3), whichever way it faces, encloses a point (3,)."""
    a, b, c = np.moveaxis(corners - point, 1, 0)
    la, lb, lc = (np.linalg.norm(side, axis=1) for side in (a, b, c))
    ab, bc, ca = (np.einsum("ij,ij->i", u, v) for u, v in ((a, b), (b, c), (c, a)))
    determinant = np.einsum("ij,ij->i", a, np.cross(b, c))
    divisor = la * lb * lc + lc * ab + la * bc + lb * ca
    return bool(abs(np.arctan2(determinant, divisor).sum()) > np.pi)  # half the solid angle: 2 pi inside


def distance(corners: Array, point: Array) -> float:
    """Distance of a point (3,) from the nearest of some triangles (m, 3, 3) [m]."""
    corners = corners - point
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
