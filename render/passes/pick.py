"""What lies under a pixel: a ray against the visible geoms, analytically, on the processor.

An answer needs no round trip to the graphics card and no picture, and the point is exact to double precision.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.state.enums import mjtGeom
from render.camera import View
from render.constants import MeshId
from render.frame import Frame
from render.mesh.model import hfield, model_mesh
from render.options import RenderOptions
from render.scene import Scene

Vec = NDArray[np.float64]


@dataclass(frozen=True)
class Hit:
    """A picked point: geom and body id; point in the world and in the body's frame [m]; distance from the eye [m]."""

    geom: int
    body: int
    point: tuple[float, float, float]
    localpos: tuple[float, float, float]
    distance: float


class Picker:
    """Answers what is under a pixel for one scene; mesh triangles are gathered once."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._triangles: dict[int, Vec] = {}

    def at_pixel(
        self, frame: Frame, view: View, options: RenderOptions, x: float, y: float, width: int, height: int
    ) -> Hit | None:
        """The nearest visible geom under pixel (x, y) from the top left, or None."""
        return self.along(frame, options, *view.ray(x, y, width, height))

    def along(self, frame: Frame, options: RenderOptions, origin: Vec, direction: Vec) -> Hit | None:
        """The nearest visible geom on a ray with a unit direction, or None."""
        model = self._scene.model
        if len(frame.geom_xpos) != model.ngeom:
            return None
        best, nearest = -1, math.inf
        visible = self._scene.visible_geoms(options)
        for g in np.flatnonzero(visible & self._near_ray(frame, origin, direction)):
            axes = frame.geom_xmat[g].reshape(3, 3)
            distance = self._distance(int(g), (origin - frame.geom_xpos[g]) @ axes, direction @ axes)
            if distance < nearest:
                best, nearest = int(g), distance
        if best < 0:
            return None
        body = int(model.geom_bodyid[best])
        point = origin + nearest * direction
        local = (point - frame.xpos[body]) @ frame.xmat[body].reshape(3, 3)
        return Hit(best, body, _triple(point), _triple(local), float(nearest))

    def _near_ray(self, frame: Frame, origin: Vec, direction: Vec) -> NDArray[np.bool_]:
        """(ngeom,) whose bounding sphere the ray meets; planes have none and always pass."""
        radius = np.asarray(self._scene.model.geom_rbound, float)
        offset = frame.geom_xpos - origin
        along = offset @ direction
        miss = np.einsum("ij,ij->i", offset, offset) - along**2
        meets = (miss <= (radius * 1.001) ** 2 + 1e-12) & (along >= -radius)
        return np.asarray(meets | (radius <= 0))

    def _distance(self, g: int, p: Vec, v: Vec) -> float:
        """Distance along the ray p + t v, in the geom's frame, to its surface; infinite without a hit."""
        model = self._scene.model
        kind, size, data = int(model.geom_type[g]), np.asarray(model.geom_size[g], float), int(model.geom_dataid[g])
        if kind == mjtGeom.mjGEOM_PLANE:
            return _plane(p, v, size)
        if kind == mjtGeom.mjGEOM_SPHERE:
            return _ellipsoid(p, v, np.full(3, size[0]))
        if kind == mjtGeom.mjGEOM_ELLIPSOID:
            return _ellipsoid(p, v, size)
        if kind == mjtGeom.mjGEOM_CAPSULE:
            return _capsule(p, v, size[0], size[1])
        if kind == mjtGeom.mjGEOM_CYLINDER:
            return _cylinder(p, v, size[0], size[1])
        if kind == mjtGeom.mjGEOM_BOX:
            return _box(p, v, size)
        if data >= 0:
            return _triangle_hits(p, v, self._mesh(kind, data))
        return math.inf

    def _mesh(self, kind: int, data: int) -> Vec:
        key = data + (MeshId.HFIELD if kind == mjtGeom.mjGEOM_HFIELD else MeshId.MODEL_MESH)
        if key not in self._triangles:
            model = self._scene.model
            triangles = hfield(model, data) if kind == mjtGeom.mjGEOM_HFIELD else model_mesh(model, data)
            self._triangles[key] = triangles.vertices[triangles.indices.astype(int), :3].astype(float)
        return self._triangles[key]


def _triple(values: Vec) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z


def _roots(a: float, b: float, c: float) -> tuple[float, ...]:
    """The real roots of a t^2 + 2 b t + c, smaller first."""
    square = b * b - a * c
    if a < 1e-15 or square < 0:
        return ()
    root = math.sqrt(square)
    return (-b - root) / a, (-b + root) / a


def _first(*candidates: float) -> float:
    """The smallest distance in front of the eye."""
    return min((t for t in candidates if t >= 0), default=math.inf)


def _plane(p: Vec, v: Vec, size: Vec) -> float:
    """Seen from above only: from below a floor is glass."""
    if v[2] >= -1e-12 or p[2] < 0:
        return math.inf
    t = -p[2] / v[2]
    x, y = p[:2] + t * v[:2]
    inside = (size[0] <= 0 or abs(x) <= size[0]) and (size[1] <= 0 or abs(y) <= size[1])
    return float(t) if inside else math.inf


def _ellipsoid(p: Vec, v: Vec, size: Vec) -> float:
    """A unit sphere after scaling space, which keeps distances along the ray."""
    q, w = p / size, v / size
    return _first(*_roots(float(w @ w), float(q @ w), float(q @ q) - 1.0))


def _capsule(p: Vec, v: Vec, radius: float, half: float) -> float:
    roots = _roots(float(v[:2] @ v[:2]), float(p[:2] @ v[:2]), float(p[:2] @ p[:2]) - radius**2)
    hits = [t for t in roots if abs(p[2] + t * v[2]) <= half]
    for end in (-half, half):
        q = p - np.array([0.0, 0.0, end])
        hits += [t for t in _roots(1.0, float(q @ v), float(q @ q) - radius**2) if (q[2] + t * v[2]) * end >= 0]
    return _first(*hits)


def _cylinder(p: Vec, v: Vec, radius: float, half: float) -> float:
    roots = _roots(float(v[:2] @ v[:2]), float(p[:2] @ v[:2]), float(p[:2] @ p[:2]) - radius**2)
    hits = [t for t in roots if abs(p[2] + t * v[2]) <= half]
    if abs(v[2]) > 1e-15:
        for end in (-half, half):
            t = (end - p[2]) / v[2]
            x, y = p[:2] + t * v[:2]
            if x * x + y * y <= radius**2:
                hits.append(float(t))
    return _first(*hits)


def _box(p: Vec, v: Vec, size: Vec) -> float:
    """Slabs: the ray is inside where it is between all three pairs of faces."""
    safe = np.where(np.abs(v) < 1e-15, 1e-15, v)
    a, b = (-size - p) / safe, (size - p) / safe
    enter, leave = float(np.minimum(a, b).max()), float(np.maximum(a, b).min())
    return _first(enter, leave) if enter <= leave else math.inf


def _triangle_hits(p: Vec, v: Vec, triangles: Vec) -> float:
    """Moeller and Trumbore's test, all triangles at once; triangles: (n, 3, 3)."""
    corner, e1, e2 = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    h = np.cross(v, e2)
    determinant = np.einsum("ij,ij->i", e1, h)
    inverse = 1.0 / np.where(np.abs(determinant) < 1e-18, np.inf, determinant)
    s = p - corner
    q = np.cross(s, e1)
    u, w, t = (np.einsum("ij,ij->i", s, h) * inverse, q @ v * inverse, np.einsum("ij,ij->i", e2, q) * inverse)
    hit = (np.abs(determinant) >= 1e-18) & (u >= 0) & (w >= 0) & (u + w <= 1) & (t >= 0)
    return float(t[hit].min()) if hit.any() else math.inf
