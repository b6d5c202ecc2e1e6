"""The shapes of the battery, as exact formulas: how far they extend, where they are flat, and which directions are special.

A shape is its kind, its sizes (those of geom_size; of a mesh, the factor of its vertices first) and a frame. Everything
here is independent of both engines, but for the vertices of the meshes as they were compiled.
"""

from functools import cache

import numpy as np
from msgspec import Struct
from scipy.spatial import ConvexHull

PRIMITIVES = ("sphere", "capsule", "ellipsoid", "cylinder", "box")
MESHES = ("brick", "tetrahedron", "stone", "needle", "plate")
KINDS = ("plane", *PRIMITIVES, *MESHES)
SMOOTH = ("ellipsoid", "cylinder")  # neither a polytope nor one in a skin


@cache
def mesh_points(kind: str) -> np.ndarray:
    """The vertices of a mesh as its file has them, about 1 in size."""
    rng = np.random.default_rng(MESHES.index(kind))
    if kind == "brick":
        return np.array([1.0, 0.7, 0.5]) * [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    if kind == "tetrahedron":
        return np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) * 0.7
    round_points = rng.normal(size=(40, 3))
    round_points /= np.linalg.norm(round_points, axis=1)[:, None]
    if kind == "stone":
        return round_points * [1.0, 0.8, 0.6]
    if kind == "needle":
        ring = np.array([[np.cos(t), np.sin(t), 0.0] for t in np.arange(5) * 0.4 * np.pi]) * 1e-3
        return np.concatenate([ring, [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]])
    return round_points[:12] * [1.0, 0.8, 1e-3]


class Hull(Struct, frozen=True):
    """A mesh's convex hull, in its frame: vertices, outward normals of its faces, directions of its edges and their ends."""

    vertices: np.ndarray
    normals: np.ndarray
    edges: np.ndarray

    @property
    def along(self) -> np.ndarray:
        """Directions of the edges."""
        return self.vertices[self.edges[:, 1]] - self.vertices[self.edges[:, 0]]


def hull_of(points: np.ndarray) -> Hull:
    """The hull of points that are not all in a plane."""
    scale = np.ptp(points, axis=0)  # a flat one is stretched first: its faces are the same
    hull = ConvexHull((points - points.mean(0)) / scale)
    kept = hull.vertices
    place = {int(k): i for i, k in enumerate(kept)}
    normals = unique_rows(unit(hull.equations[:, :3] / scale))
    sides = np.concatenate([hull.simplices[:, [0, 1]], hull.simplices[:, [1, 2]], hull.simplices[:, [2, 0]]])
    edges = {tuple(sorted((place[int(a)], place[int(b)]))) for a, b in sides}
    return Hull(points[kept], normals, np.array(sorted(edges)))


def unit(v: np.ndarray) -> np.ndarray:
    """Vectors of length 1; zeros stay."""
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    return v / np.where(length > 0, length, 1.0)


def unique_rows(rows: np.ndarray) -> np.ndarray:
    """Rows that differ by more than rounding."""
    return np.asarray(rows[np.unique(np.round(rows, 9), axis=0, return_index=True)[1]])


_CORNERS = np.array([[x, y, z] for x in (-1.0, 1) for y in (-1.0, 1) for z in (-1.0, 1)])
_AXES = np.concatenate([np.eye(3), -np.eye(3)])
_BOX_EDGES = np.array([[i, i | bit] for bit in (1, 2, 4) for i in range(8) if not i & bit])


class Shape(Struct, frozen=True):
    """One shape in space. skin: radius around a core that is a polytope (0 of others)."""

    kind: str
    size: np.ndarray
    pos: np.ndarray
    mat: np.ndarray
    hull: Hull | None = None

    @property
    def skin(self) -> float:
        return float(self.size[0]) if self.kind in ("sphere", "capsule") else 0.0

    @property
    def radius(self) -> float:
        """Of the bounding sphere about the frame's origin [m]."""
        return bounding_radius(self.kind, self.size, self.hull)

    def extent(self, n: np.ndarray) -> np.ndarray:
        """How far it extends from its origin in world directions (..., 3), times their length."""
        return local_extent(self.kind, self.size, n @ self.mat, self.hull)

    def vertices(self) -> np.ndarray:
        """Vertices of a polytope or of a core, in world axes about the origin."""
        if self.hull is not None:
            local = self.hull.vertices * self.size[0]
        elif self.kind == "box":
            local = _CORNERS * self.size
        elif self.kind == "capsule":
            local = np.array([[0, 0, -self.size[1]], [0, 0, self.size[1]]])
        else:
            local = np.zeros((1, 3))
        return np.asarray(local @ self.mat.T)

    def edges(self) -> np.ndarray:
        """Pairs of the vertices that edges join."""
        if self.hull is not None:
            return self.hull.edges
        if self.kind == "box":
            return _BOX_EDGES
        return np.array([[0, 1]]) if self.kind == "capsule" else np.zeros((0, 2), int)

    def normals(self) -> np.ndarray:
        """World directions in which it is flat, or which are the axes of a round one."""
        local = self.hull.normals if self.hull is not None else _AXES
        return np.asarray(local @ self.mat.T)

    def kinks(self) -> np.ndarray:
        """World directions of its straight edges and axes: its extent has kinks at right angles to them."""
        if self.hull is not None:
            along = unit(self.hull.along)
            along = unique_rows(along * np.where(along[:, :1] + 1e-3 * along[:, 1:2] < 0, -1.0, 1.0))
        else:
            along = {"capsule": np.eye(3)[2:], "cylinder": np.eye(3)[2:], "box": np.eye(3)}.get(self.kind, np.zeros((0, 3)))
        return np.asarray(along @ self.mat.T)


def local_extent(kind: str, size: np.ndarray, v: np.ndarray, hull: Hull | None) -> np.ndarray:
    """The support function of a shape in its own frame; a plane is the space below it."""
    if kind == "plane":
        return np.asarray(np.where(v[..., 2] > 1 - 1e-9, 0.0, np.inf))
    if kind == "sphere":
        return np.asarray(size[0] * np.linalg.norm(v, axis=-1))
    if kind == "capsule":
        return np.asarray(size[0] * np.linalg.norm(v, axis=-1) + size[1] * np.abs(v[..., 2]))
    if kind == "ellipsoid":
        return np.asarray(np.linalg.norm(size * v, axis=-1))
    if kind == "cylinder":
        return np.asarray(size[0] * np.hypot(v[..., 0], v[..., 1]) + size[1] * np.abs(v[..., 2]))
    if kind == "box":
        return np.asarray(np.abs(v) @ size)
    assert hull is not None
    return np.asarray((v @ (hull.vertices * size[0]).T).max(-1))


def bounding_radius(kind: str, size: np.ndarray, hull: Hull | None) -> float:
    """Of the sphere about the origin of the frame that holds a shape [m]; 0 of a plane, as the engines have it."""
    if kind == "plane":
        return 0.0
    if kind == "cylinder":
        return float(np.hypot(size[0], size[1]))
    if kind == "box":
        return float(np.linalg.norm(size))
    if hull is not None:
        return float(size[0] * np.linalg.norm(hull.vertices, axis=1).max())
    return float(size[0] + size[1]) if kind == "capsule" else float(np.max(size))


def half_sizes(kind: str, size: np.ndarray, hull: Hull | None) -> np.ndarray:
    """Half sizes of a box about the origin of the frame that holds a shape [m]."""
    if hull is not None:
        return np.asarray(size[0] * np.abs(hull.vertices).max(0))
    r, h = size[0], size[1]
    return {"plane": np.zeros(3), "sphere": np.full(3, r), "capsule": np.array([r, r, r + h]),
            "cylinder": np.array([r, r, h])}.get(kind, np.asarray(size))  # fmt: skip


def far_point(kind: str, size: np.ndarray, v: np.ndarray, hull: Hull | None, rng: np.random.Generator) -> np.ndarray:
    """A farthest point of a shape in a direction of its frame: any one of them, where many are equally far."""
    if kind == "sphere":
        return np.asarray(size[0] * v)
    between = rng.uniform(-1.0, 1.0, 3)
    signs = np.where(np.abs(v) > 1e-9, np.sign(v), between)
    if kind == "capsule":
        return np.asarray(size[0] * v + [0, 0, size[1] * signs[2]])
    if kind == "box":
        return np.asarray(size * signs)
    if kind == "ellipsoid":
        return np.asarray(size * unit(size * v))
    if kind == "cylinder":
        flat = np.array([v[0], v[1], 0.0])
        length = np.linalg.norm(flat)
        rim = flat / length if length > 1e-9 else unit(np.array([between[0], between[1], 0.0])) * np.sqrt(rng.random())
        return np.asarray(size[0] * rim + [0, 0, size[1] * signs[2]])
    assert hull is not None
    heights = hull.vertices @ v
    at = np.flatnonzero(heights >= heights.max() - 1e-6 * np.abs(heights).max())
    weights = rng.dirichlet(np.ones(len(at)))
    return np.asarray(size[0] * weights @ hull.vertices[at])
