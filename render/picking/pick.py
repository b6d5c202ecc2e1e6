"""Point where a ray meets an object that is known to be seen there, to double precision, and the body that it belongs to.

The object comes from a small picture of ids, which an `Eye` takes, so it is the visible one, whatever its type.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tumble.physics.collision.ray.geom import ray_local
from tumble.physics.state.enums import mjtGeom, mjtObj, mjtTrn
from tumble.render.camera import View
from tumble.render.constants import MeshId
from tumble.render.frame import Frame
from tumble.render.mesh.model_meshes import hfield, hull_mesh, model_mesh
from tumble.render.mesh.skin import deformed, heaviest_bone
from tumble.render.options import RenderOptions
from tumble.render.passes.plain import SeenObjects
from tumble.render.picking.rays import FlexHit, FlexPicker, Triangles
from tumble.render.renderer import Renderer
from tumble.render.scene.scene import Scene

if TYPE_CHECKING:
    from tumble.physics import MjModel

Vec = NDArray[np.float64]

_SHAPES = (
    mjtGeom.mjGEOM_PLANE, mjtGeom.mjGEOM_SPHERE, mjtGeom.mjGEOM_CAPSULE, mjtGeom.mjGEOM_ELLIPSOID, mjtGeom.mjGEOM_CYLINDER,
    mjtGeom.mjGEOM_BOX,
)  # fmt: skip
_FIELDS = {
    mjtObj.mjOBJ_GEOM: "geom_bodyid", mjtObj.mjOBJ_SITE: "site_bodyid", mjtObj.mjOBJ_JOINT: "jnt_bodyid",
    mjtObj.mjOBJ_CAMERA: "cam_bodyid", mjtObj.mjOBJ_LIGHT: "light_bodyid",
}  # fmt: skip
# Targets of actuators that have a place.
_TARGETS = {
    mjtTrn.mjTRN_JOINT: mjtObj.mjOBJ_JOINT, mjtTrn.mjTRN_JOINTINPARENT: mjtObj.mjOBJ_JOINT, mjtTrn.mjTRN_SITE: mjtObj.mjOBJ_SITE,
    mjtTrn.mjTRN_BODY: mjtObj.mjOBJ_BODY,
}  # fmt: skip


class Hit(Struct, frozen=True):
    """A picked point of an object: mjtObj (or CONTACT) and id; body, -1 for none; point in the world and in the body's frame [m].

    distance: from the eye [m]. The body of a skin's point is that of the bone that pulls it most, of a flex that of the
    nearest vertex, and localpos is where that vertex is. element, vertex: of the flex, counted from its first.
    """

    objtype: int
    objid: int
    body: int
    point: tuple[float, float, float]
    localpos: tuple[float, float, float]
    distance: float
    element: int = -1
    vertex: int = -1

    @property
    def geom(self) -> int:
        """The geom; -1 for other types."""
        return self.objid if self.objtype == mjtObj.mjOBJ_GEOM else -1

    @property
    def skin(self) -> int:
        """The skin; -1 for other types."""
        return self.objid if self.objtype == mjtObj.mjOBJ_SKIN else -1

    @property
    def flex(self) -> int:
        """The flex; -1 for other types."""
        return self.objid if self.objtype == mjtObj.mjOBJ_FLEX else -1


class Picker:
    """Rays on the objects of one scene; mesh triangles are gathered once."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._triangles: dict[int, Triangles] = {}
        self._flexes = FlexPicker(scene.model)

    def touch(
        self,
        frame: Frame,
        options: RenderOptions,
        what: tuple[int, int],
        ray: tuple[Vec, Vec],
        otherwise: float = math.inf,
    ) -> Hit | None:
        """Point where a ray meets an object. what: mjtObj (or CONTACT) and id; ray: origin and unit direction.

        otherwise: the distance where the ray passes by, as at the rim of what a pixel shows, and without a surface [m];
        infinite: None then.
        """
        (objtype, objid), (origin, direction), scene = what, ray, self._scene
        if objtype == mjtObj.mjOBJ_FLEX:
            return self._on_flex(frame, options, objid, ray, otherwise)
        body, distance = body_of(scene.model, objtype, objid), math.inf
        if objtype == mjtObj.mjOBJ_SKIN:
            body, distance = self._on_skin(frame, objid, ray, otherwise)
        elif objtype == mjtObj.mjOBJ_GEOM and (scene.pieces is None or scene.pieces.geom != objid):
            axes = frame.geom_xmat[objid].reshape(3, 3)
            hull = options.convex_hull and bool(scene.hulls[objid])
            distance = self._distance(objid, (origin - frame.geom_xpos[objid]) @ axes, direction @ axes, hull)
        distance = distance if math.isfinite(distance) else otherwise
        if not math.isfinite(distance):
            return None
        return _hit(frame, what, body, origin + distance * direction, distance)

    def _on_skin(self, frame: Frame, skin: int, ray: tuple[Vec, Vec], otherwise: float) -> tuple[int, float]:
        """The body that pulls a skin most where a ray meets it, and its distance (infinite: the ray passes by)."""
        model, bones = self._scene.model, self._scene.bones[skin]
        points, faces = deformed(model, skin, bones.poses(frame))
        distance, face = Triangles(points[faces]).hit(*ray)
        if face >= 0:
            corners = faces[face]
        elif math.isfinite(otherwise):
            corners = np.array([np.argmin(np.linalg.norm(points - ray[0] - otherwise * ray[1], axis=1))])
        else:
            return -1, math.inf
        return int(bones.body[heaviest_bone(model, skin, corners)]), distance

    def _on_flex(
        self, frame: Frame, options: RenderOptions, flex: int, ray: tuple[Vec, Vec], otherwise: float
    ) -> Hit | None:
        points = frame.flexvert_xpos, frame.xpos
        soft = self._flexes.hit(*points, flex, options, *ray)
        if soft is None and math.isfinite(otherwise):
            soft = self._flexes.nearest(*points, flex, ray[0] + otherwise * ray[1], otherwise)
        return None if soft is None else _hit_of(frame, self._scene.model, soft, ray[0] + soft.distance * ray[1])

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
        build, first = (hfield, MeshId.HFIELD) if kind == mjtGeom.mjGEOM_HFIELD else (model_mesh, MeshId.MODEL_MESH)
        if hull:
            build, first = hull_mesh, MeshId.HULL
        if first + data not in self._triangles:
            mesh = build(self._scene.model, data)
            self._triangles[first + data] = Triangles(mesh.vertices[mesh.indices.astype(int), :3].astype(float))
        return self._triangles[first + data]


def _hit(frame: Frame, what: tuple[int, int], body: int, point: Vec, distance: float) -> Hit:
    own = max(body, 0)  # objects without a body belong to the world
    local = (point - frame.xpos[own]) @ frame.xmat[own].reshape(3, 3)
    return Hit(*what, body, _triple(point), _triple(local), float(distance))


def _hit_of(frame: Frame, model: MjModel, soft: FlexHit, point: Vec) -> Hit:
    vertex = frame.flexvert_xpos[int(model.flex_vertadr[soft.flex]) + soft.vertex]
    held = _hit(frame, (int(mjtObj.mjOBJ_FLEX), soft.flex), soft.body, vertex, soft.distance)
    return replace(held, point=_triple(point), element=soft.element, vertex=soft.vertex)


def _triple(values: Vec) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z


def body_of(model: MjModel, objtype: int, objid: int) -> int:
    """The body of an object: 0 is the world, -1 for objects of no body, or of several (tendons, contacts, flexes, skins)."""
    if objtype in (mjtObj.mjOBJ_BODY, mjtObj.mjOBJ_XBODY):
        return objid
    if objtype in _FIELDS:
        return int(getattr(model, _FIELDS[mjtObj(objtype)])[objid])
    if objtype == mjtObj.mjOBJ_SENSOR:
        return body_of(model, int(model.sensor_objtype[objid]), int(model.sensor_objid[objid]))
    if objtype == mjtObj.mjOBJ_ACTUATOR:
        target = _TARGETS.get(mjtTrn(int(model.actuator_trntype[objid])))
        return -1 if target is None else body_of(model, int(target), int(model.actuator_trnid[objid][0]))
    return -1


SURFACES = (int(mjtObj.mjOBJ_GEOM), int(mjtObj.mjOBJ_SKIN), int(mjtObj.mjOBJ_FLEX))

_SOLID = (int(mjtObj.mjOBJ_GEOM), int(mjtObj.mjOBJ_FLEX))  # types with a body behind each pixel: a skin stands for others


class Eye:
    """Picks in the present model of one renderer, whose context must be current in every call."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer, self._picker = renderer, Picker(renderer.scene)

    def at(
        self,
        frame: Frame,
        view: View,
        options: RenderOptions,
        place: tuple[float, float],
        size: tuple[int, int],
        kinds: Collection[int] | None = SURFACES,
        reach: int = 0,
    ) -> Hit | None:
        """Object at a place (x, y) from the top left of a picture of this size [pixels]; None: nothing, or outside.

        kinds: of mjtObj, and CONTACT, that are looked for, through anything else; None: all. reach: where that is the world or
        nothing, what lies before it within so many pixels counts too, as the mouse cannot be right on a thread.
        """
        x, y = math.floor(place[0]), math.floor(place[1])
        if not (0 <= x < size[0] and 0 <= y < size[1]):
            return None
        left, top = max(0, x - reach), max(0, y - reach)
        box = left, top, min(size[0], x + reach + 1) - left, min(size[1], y + reach + 1) - top
        seen = self._renderer.look(frame, view, options, size, box, kinds)
        row, column = self._chosen(seen, y - top, x - left)
        what = int(seen.objtype[row, column]), int(seen.objid[row, column])
        if what[1] < 0:
            return None
        if (row, column) != (y - top, x - left):
            place = left + column + 0.5, top + row + 0.5
        origin, direction = view.ray(*place, *size)
        ahead = float(seen.depth[row, column]) / float(direction @ view.forward)
        return self._picker.touch(frame, options, what, (origin, direction), ahead)

    def whole(self, frame: Frame, view: View, options: RenderOptions, size: tuple[int, int]) -> SeenObjects:
        """Object in each pixel of a picture of this size."""
        return self._renderer.look(frame, view, options, size)

    def within(
        self, frame: Frame, view: View, options: RenderOptions, box: tuple[int, int, int, int], size: tuple[int, int]
    ) -> dict[tuple[int, int], int]:
        """The geoms and flexes that are seen in a box, through skins: how many pixels of each, by mjtObj and id.

        box: left, top, width and height; what of it is outside the picture shows nothing.
        """
        left, top = max(box[0], 0), max(box[1], 0)
        width, height = min(box[0] + box[2], size[0]) - left, min(box[1] + box[3], size[1]) - top
        if width <= 0 or height <= 0:
            return {}
        seen = self._renderer.look(frame, view, options, size, (left, top, width, height), _SOLID)
        shown = seen.objid >= 0
        objects, count = np.unique(np.stack([seen.objtype[shown], seen.objid[shown]]), axis=1, return_counts=True)
        return {(int(kind), int(number)): int(n) for (kind, number), n in zip(objects.T, count, strict=True)}

    def _chosen(self, seen: SeenObjects, row: int, column: int) -> tuple[int, int]:
        """The intended pixel: the one at the mouse, or where that shows the world at most, the nearest that shows more."""
        still = np.flatnonzero(np.asarray(self._renderer.scene.model.geom_bodyid) == 0)
        world = (seen.objtype == int(mjtObj.mjOBJ_GEOM)) & np.isin(seen.objid, still) | (seen.objid < 0)
        rows, columns = np.nonzero(~world)
        if not world[row, column] or not len(rows):
            return row, column
        nearest = int(np.argmin((rows - row) ** 2 + (columns - column) ** 2))
        return int(rows[nearest]), int(columns[nearest])
