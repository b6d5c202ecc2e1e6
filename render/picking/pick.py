"""Picking: a ray against the visible geoms and skins, analytically, on the CPU.

An answer needs no round trip to the graphics card and no picture, and the point is exact to double precision.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from physics import MjModel
from physics.collision.ray.geom import ray_local
from physics.state.enums import mjtGeom
from render.camera import View
from render.constants import MeshId
from render.frame import Frame
from render.mesh.model import hfield, hull_mesh, model_mesh
from render.mesh.skin import deformed, heaviest_bone
from render.options import RenderOptions
from render.picking.flexes import FlexHit, FlexPicker
from render.picking.triangles import Triangles
from render.scene import Scene

Vec = NDArray[np.float64]

_SHAPES = (
    mjtGeom.mjGEOM_PLANE, mjtGeom.mjGEOM_SPHERE, mjtGeom.mjGEOM_CAPSULE, mjtGeom.mjGEOM_ELLIPSOID, mjtGeom.mjGEOM_CYLINDER,
    mjtGeom.mjGEOM_BOX,
)  # fmt: skip


@dataclass(frozen=True)
class Hit:
    """A picked point: geom (or, where that is -1, skin or flex) and body id; point in the world and in the body's frame [m].

    distance: from the eye [m]. The body of a skin's point is that of the bone that pulls it most, of a flex that of the
    nearest vertex, and localpos is where that vertex is. element, vertex: of the flex, counted from its first.
    """

    geom: int
    body: int
    point: tuple[float, float, float]
    localpos: tuple[float, float, float]
    distance: float
    skin: int = -1
    flex: int = -1
    element: int = -1
    vertex: int = -1


class Picker:
    """Finds the object under a pixel of one scene; mesh triangles are gathered once."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._triangles: dict[int, Triangles] = {}
        self._flexes = FlexPicker(scene.model)

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
            hull = options.convex_hull and bool(self._scene.hulls[g])
            distance = self._distance(int(g), (origin - frame.geom_xpos[g]) @ axes, direction @ axes, hull)
            if distance < nearest:
                best, nearest = int(g), distance
        skin, distance, bone = self._nearest_skin(frame, options, origin, direction)
        soft = self._nearest_flex(frame, options, origin, direction)
        if soft is not None and soft.distance < min(nearest, distance):
            return _hit_of(frame, model, soft, origin + soft.distance * direction)
        if distance < nearest:
            return _hit(frame, -1, bone, origin + distance * direction, distance, skin)
        if best < 0:
            return None
        return _hit(frame, best, int(model.geom_bodyid[best]), origin + nearest * direction, nearest)

    def _nearest_skin(self, frame: Frame, options: RenderOptions, origin: Vec, direction: Vec) -> tuple[int, float, int]:
        """The nearest visible skin on a ray, its distance (infinite: none), and the body that pulls it there."""
        scene, found = self._scene, (-1, math.inf, -1)
        if len(frame.xpos) != scene.model.nbody:
            return found
        for skin in np.flatnonzero(scene.visible_skins(options)):
            bones = scene.bones[skin]
            centre, radius = bones.sphere(bones.poses(frame))
            offset = centre - origin
            if np.linalg.norm(offset - (offset @ direction) * direction) > radius:
                continue
            points, faces = deformed(scene.model, int(skin), bones.poses(frame))
            triangles = Triangles(points[faces])
            distance, face = triangles.hit(origin, direction)
            if distance < found[1]:
                bone = heaviest_bone(scene.model, int(skin), faces[face])
                found = (int(skin), distance, int(bones.body[bone]))
        return found

    def _nearest_flex(self, frame: Frame, options: RenderOptions, origin: Vec, direction: Vec) -> FlexHit | None:
        """The nearest visible flex on a ray."""
        model = self._scene.model
        if not model.nflex or len(frame.flexvert_xpos) != model.nflexvert or len(frame.xpos) != model.nbody:
            return None
        shown = np.flatnonzero(self._scene.flexes.visible(options))
        points = frame.flexvert_xpos, frame.xpos
        hits = [self._flexes.hit(*points, int(flex), options, origin, direction) for flex in shown]
        return min((hit for hit in hits if hit is not None), key=lambda hit: hit.distance, default=None)

    def _near_ray(self, frame: Frame, origin: Vec, direction: Vec) -> NDArray[np.bool_]:
        """(ngeom,) whose bounding sphere the ray meets; planes have none and always pass."""
        radius = np.asarray(self._scene.model.geom_rbound, float)
        offset = frame.geom_xpos - origin
        along = offset @ direction
        miss = np.einsum("ij,ij->i", offset, offset) - along**2
        meets = (miss <= (radius * 1.001) ** 2 + 1e-12) & (along >= -radius)
        return np.asarray(meets | (radius <= 0))

    def _distance(self, g: int, p: Vec, v: Vec, hull: bool) -> float:
        """Distance along the ray p + t v, in the geom's frame, to its surface; infinite without a hit."""
        model = self._scene.model
        kind, size, data = int(model.geom_type[g]), model.geom_size[g].tolist(), int(model.geom_dataid[g])
        if kind in _SHAPES:
            distance = float(ray_local(kind, size, p.tolist(), v.tolist()))
            return distance if distance >= 0 else math.inf
        if data >= 0:
            return self._mesh(kind, data, hull).hit(p, v)[0]
        return math.inf

    def _mesh(self, kind: int, data: int, hull: bool) -> Triangles:
        made, first = (hfield, MeshId.HFIELD) if kind == mjtGeom.mjGEOM_HFIELD else (model_mesh, MeshId.MODEL_MESH)
        if hull:
            made, first = hull_mesh, MeshId.HULL
        if first + data not in self._triangles:
            mesh = made(self._scene.model, data)
            self._triangles[first + data] = Triangles(mesh.vertices[mesh.indices.astype(int), :3].astype(float))
        return self._triangles[first + data]


def _hit(frame: Frame, geom: int, body: int, point: Vec, distance: float, skin: int = -1) -> Hit:
    local = (point - frame.xpos[body]) @ frame.xmat[body].reshape(3, 3)
    return Hit(geom, body, _triple(point), _triple(local), float(distance), skin)


def _hit_of(frame: Frame, model: MjModel, soft: FlexHit, point: Vec) -> Hit:
    vertex = frame.flexvert_xpos[int(model.flex_vertadr[soft.flex]) + soft.vertex]
    held = _hit(frame, -1, soft.body, vertex, soft.distance)
    return replace(held, point=_triple(point), flex=soft.flex, element=soft.element, vertex=soft.vertex)


def _triple(values: Vec) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z
