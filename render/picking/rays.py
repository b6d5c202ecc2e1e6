"""Rays against many triangles, and against flexes as they are drawn: their skins, faces, edges and vertices."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.render.constants import MeshId
from tumble.render.mesh.flex_mesh import Rods, Surface, element_vertices, owners_of_rods, vertices_of
from tumble.render.options import RenderOptions
from tumble.render.scene.flex_instances import shown_parts

if TYPE_CHECKING:
    from tumble.physics import MjModel

Vec = NDArray[np.float64]
# Neighbours in a file are mostly neighbours in space: boxes around groups of this size quickly reject most triangles.
_A_BOX = 32


class FlexHit(Struct, frozen=True):
    """flex; element, vertex: counted from the flex's first; body: the one that moves the vertex; distance: along the ray [m]."""

    flex: int
    element: int
    vertex: int
    body: int
    distance: float


class FlexPicker:
    """Rays against the flexes of one model; constant data of their surfaces are gathered once."""

    def __init__(self, model: MjModel) -> None:
        self._model = model
        self._surfaces: dict[tuple[int, MeshId, int], Surface] = {}

    def hit(self, points: Vec, xpos: Vec, flex: int, options: RenderOptions, origin: Vec, direction: Vec) -> FlexHit | None:
        """Hit of a ray with a unit direction on a flex as the options show it; points: (nflexvert, 3), xpos: (nbody, 3) [m]."""
        model, best = self._model, (math.inf, -1)
        radius = float(model.flex_radius[flex])
        own = np.ascontiguousarray(points[vertices_of(model, flex)], np.float64)
        for part in shown_parts(int(model.flex_dim[flex]), radius, options):
            if part in (MeshId.FLEX_SKIN, MeshId.FLEX_FACES):
                hit = self._surface_hit(own, flex, part, options.flex_layer, origin, direction)
            else:
                hit = _rod_hit(model, own, flex, part, radius, origin, direction)
            best = min(best, hit)
        distance, element = best
        if element < 0:
            return None
        vertex = self._nearest(own, flex, element, origin + distance * direction)
        return FlexHit(flex, element, vertex, self._body(own, xpos, flex, vertex), distance)

    def nearest(self, points: Vec, xpos: Vec, flex: int, point: Vec, distance: float) -> FlexHit:
        """The element and vertex nearest to a visible point of a flex, at a distance along a ray [m]."""
        own = np.ascontiguousarray(points[vertices_of(self._model, flex)], np.float64)
        middles = own[element_vertices(self._model, flex)].mean(axis=1)
        element = int(np.argmin(np.linalg.norm(middles - point, axis=1)))
        vertex = self._nearest(own, flex, element, point)
        return FlexHit(flex, element, vertex, self._body(own, xpos, flex, vertex), distance)

    def _surface_hit(
        self, points: Vec, flex: int, style: MeshId, layer: int, origin: Vec, direction: Vec
    ) -> tuple[float, int]:
        key = (flex, style, layer)
        if key not in self._surfaces:
            self._surfaces[key] = Surface(self._model, flex, style, layer)
        surface = self._surfaces[key]
        corners = surface.follow(points, np.zeros(3))[:, :3].astype(float)
        distance, face = Triangles(corners[surface.layout.triangles.astype(np.int64)]).hit(origin, direction)
        return distance, int(surface.layout.element[face]) if face >= 0 else -1

    def _nearest(self, points: Vec, flex: int, element: int, point: Vec) -> int:
        """The vertex of an element that is nearest to a point; one that cannot be moved only if all are such."""
        corners = element_vertices(self._model, flex)[element]
        away = np.linalg.norm(points[corners] - point, axis=1)
        if not self._model.flex_interp[flex]:
            first = int(self._model.flex_vertadr[flex])
            held = np.asarray(self._model.body_weldid)[np.asarray(self._model.flex_vertbodyid)[first + corners]] == 0
            away = np.where(held & ~held.all(), np.inf, away)
        return int(corners[np.argmin(away)])

    def _body(self, points: Vec, xpos: Vec, flex: int, vertex: int) -> int:
        """The body of a vertex; of a flex between nodes, that of the nearest node."""
        model = self._model
        if not model.flex_interp[flex]:
            return int(model.flex_vertbodyid[int(model.flex_vertadr[flex]) + vertex])
        first = int(model.flex_nodeadr[flex])
        bodies = np.asarray(model.flex_nodebodyid)[first : first + int(model.flex_nodenum[flex])]
        return int(bodies[np.argmin(np.linalg.norm(xpos[bodies] - points[vertex], axis=1))])


def _rod_hit(
    model: MjModel, points: Vec, flex: int, style: MeshId, radius: float, origin: Vec, direction: Vec
) -> tuple[float, int]:
    """Distance to the nearest rod or ball that a ray passes within its radius, and its element; infinite and -1 without one."""
    ends = Rods(model, flex, style).ends
    if not len(ends):
        return math.inf, -1
    start, along = points[ends[:, 0]] - origin, points[ends[:, 1]] - points[ends[:, 0]]
    # The nearest points of the ray and of each rod's axis, as parts of their lengths: of the axis within the rod.
    square, mixed = np.einsum("ij,ij->i", along, along), along @ direction
    sides = square - mixed * mixed
    across = mixed * (start @ direction) - np.einsum("ij,ij->i", along, start)
    slanted = sides > 1e-12 * np.maximum(square, 1e-300)
    share = np.where(slanted, across / np.where(slanted, sides, 1.0), 0.0)
    nearest = start + np.clip(share, 0.0, 1.0)[:, None] * along
    distance = nearest @ direction
    away = np.linalg.norm(nearest - distance[:, None] * direction, axis=1)
    seen = np.where((away <= radius) & (distance > 0), distance - np.sqrt(np.maximum(radius**2 - away**2, 0.0)), np.inf)
    best = int(np.argmin(seen))
    if not np.isfinite(seen[best]):
        return math.inf, -1
    return float(seen[best]), int(owners_of_rods(model, flex, style)[best])


class Triangles:
    """Triangles (n, 3, 3) with boxes around them [m]."""

    def __init__(self, corners: Vec) -> None:
        self._corners = corners
        starts = np.arange(0, len(corners), _A_BOX)
        self._low = np.minimum.reduceat(corners.min(axis=1), starts, axis=0) if len(corners) else np.zeros((0, 3))
        self._high = np.maximum.reduceat(corners.max(axis=1), starts, axis=0) if len(corners) else np.zeros((0, 3))

    def hit(self, p: Vec, v: Vec) -> tuple[float, int]:
        """Distance along p + t v to the nearest triangle, and which that is; infinite and -1 without one."""
        boxes = self._boxes(p, v)
        rows = (boxes[:, None] * _A_BOX + np.arange(_A_BOX)).ravel()
        rows = rows[rows < len(self._corners)]
        if not len(rows):
            return math.inf, -1
        distance = _distances(p, v, self._corners[rows])
        nearest = int(np.argmin(distance))
        return (float(distance[nearest]), int(rows[nearest])) if np.isfinite(distance[nearest]) else (math.inf, -1)

    def _boxes(self, p: Vec, v: Vec) -> NDArray[np.int64]:
        """The boxes that a ray hits: it is between all three pairs of faces at the same time."""
        safe = np.where(np.abs(v) < 1e-15, 1e-15, v)
        a, b = (self._low - p) / safe, (self._high - p) / safe
        enter, leave = np.minimum(a, b).max(axis=1), np.maximum(a, b).min(axis=1)
        slack = 1e-9 * (1.0 + np.abs(leave))
        return np.flatnonzero((enter <= leave + slack) & (leave >= -slack))


def _distances(p: Vec, v: Vec, triangles: Vec) -> Vec:
    """Moeller and Trumbore's test, vectorized over triangles; infinite if a ray misses one."""
    corner, e1, e2 = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    h = np.cross(v, e2)
    determinant = np.einsum("ij,ij->i", e1, h)
    inverse = 1.0 / np.where(np.abs(determinant) < 1e-18, np.inf, determinant)
    s = p - corner
    q = np.cross(s, e1)
    u, w, t = (np.einsum("ij,ij->i", s, h) * inverse, q @ v * inverse, np.einsum("ij,ij->i", e2, q) * inverse)
    hit = (np.abs(determinant) >= 1e-18) & (u >= 0) & (w >= 0) & (u + w <= 1) & (t >= 0)
    return np.where(hit, t, np.inf)
