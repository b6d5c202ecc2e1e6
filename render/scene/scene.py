"""The scene: a model and a frame of poses become a draw list. Static data are built once per model, moving ones per picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.state.enums import mjtGeom, mjtObj
from tumble.render.camera import View
from tumble.render.constants import KIND, MESH_OF_TYPE, Category, MeshId
from tumble.render.drawlist import DrawList
from tumble.render.frame import Frame
from tumble.render.mesh.primitives import TriangleMesh
from tumble.render.mesh.skin import Bones
from tumble.render.options import PictureMode, RenderOptions, Selection, group_mask
from tumble.render.scene.decoration import decoration
from tumble.render.scene.flex_instances import Flexes
from tumble.render.scene.island_colours import colours, tree_colours
from tumble.render.scene.paint import fade, paint
from tumble.render.scene.strokes import draw_trails, haunt
from tumble.render.scene.symbols import three_sizes
from tumble.render.scene.volumes import volumes

if TYPE_CHECKING:
    from tumble.physics import MjModel

# A floor seen from below is transparent: it must not hide what stands on it.
BELOW_FLOOR_ALPHA = 0.3
# A finite plane this many extents wide means a floor without end: it fades into the horizon instead of stopping.
FADING_EXTENTS = 3.0
_LEAST_SIZE = 1e-9  # a size of zero would make the normals infinite
NEARER = 1e-3  # of the distance by which a mesh that is only seen is drawn before one that it covers, which would shine through
_NONE = np.zeros(0, int)


class Pieces(Struct, frozen=True, eq=False):
    """A mesh geom drawn as the parts that it could be cut into. meshes: the parts, in the frame of the geom."""

    geom: int
    meshes: tuple[TriangleMesh, ...]


class Scene:
    """Draw lists of one model. The model's colours and sizes are read again by `refresh` after live edits."""

    def __init__(self, model: MjModel) -> None:
        self.model = model
        self.pieces: Pieces | None = None
        self.refresh()

    def refresh(self) -> None:
        """Read the model's geoms, sites and materials again."""
        model = self.model
        self._geoms = DrawList.blank(model.ngeom, mjtObj.mjOBJ_GEOM, Category.DYNAMIC)
        self._sites = DrawList.blank(model.nsite, mjtObj.mjOBJ_SITE, Category.DYNAMIC)
        self._set_shapes(self._geoms, np.asarray(model.geom_type), np.asarray(model.geom_size), np.asarray(model.geom_dataid))
        self._set_shapes(self._sites, np.asarray(model.site_type), np.asarray(model.site_size), np.full(model.nsite, -1))
        for i in range(model.ngeom):
            paint(model, self._geoms, i, int(model.geom_matid[i]), model.geom_rgba[i], model.geom_size[i])
            self._geoms.radius[i] = float(model.geom_rbound[i]) or np.inf
        for i in range(model.nsite):
            paint(model, self._sites, i, int(model.site_matid[i]), model.site_rgba[i], model.site_size[i])
            self._sites.radius[i] = float(np.max(model.site_size[i])) * 2.0
        self._read_skins()
        self.flexes = Flexes(model)
        # Colliding meshes collide by their hulls; others are drawn as meshes even if hulls are shown.
        collides = (np.asarray(model.geom_contype) != 0) | (np.asarray(model.geom_conaffinity) != 0)
        mesh = np.asarray(model.geom_dataid, int)
        self.hulls = (np.asarray(model.geom_type) == int(mjtGeom.mjGEOM_MESH)) & (mesh >= 0) & collides
        self.hulls[self.hulls] = np.asarray(model.mesh_graphadr)[mesh[self.hulls]] >= 0
        self._covers = _covers(model, collides)
        static = static_bodies(model)
        self._site_static = static[np.asarray(model.site_bodyid, int)]
        self._geom_static = static[np.asarray(model.geom_bodyid, int)]
        self._geom_tree = np.asarray(model.body_treeid, int)[np.asarray(model.geom_bodyid, int)]
        self._geoms.category[self._geom_static] = Category.STATIC
        self._sites.category[self._site_static] = Category.STATIC

    def build(self, frame: Frame, view: View, options: RenderOptions, selection: Selection) -> DrawList:
        """The draw list of one picture, in the model's order, decoration last."""
        parts = [self._geom_part(frame, view, options, selection), self._site_part(frame, options)]
        parts.append(self._skin_part(frame, options))
        islands = tree_colours(frame) if options.island else None
        parts += self.flexes.parts(frame.flexvert_xpos, options, selection, islands)
        parts += self._piece_parts(frame)
        parts += self._ghost_parts(frame, options)
        parts += self.flexes.ghosts(frame.flexvert_xpos, frame.ghosts, options)
        parts.append(decoration(self.model, frame, view, options, selection))
        parts += volumes(self.model, frame, view, options)
        parts += draw_trails(frame.trails, view)
        return DrawList.join(parts)

    def _read_skins(self) -> None:
        model = self.model
        self._skins = DrawList.blank(model.nskin, mjtObj.mjOBJ_SKIN, Category.DYNAMIC)
        self.bones = [Bones(model, i) for i in range(model.nskin)]
        for i in range(model.nskin):
            self._skins.mesh[i] = int(MeshId.SKIN) + i
            self._skins.instances["scale"][i, 3] = model.skin_inflate[i]
            paint(model, self._skins, i, int(model.skin_matid[i]), model.skin_rgba[i], np.ones(3))

    def visible_skins(self, options: RenderOptions) -> NDArray[np.bool_]:
        """(nskin,) which skins the options show at all."""
        mask = group_mask(self.model.skin_group, options.skin_group) & (self._skins.instances["rgba"][:, 3] > 0)
        return mask & options.skin

    def _skin_part(self, frame: Frame, options: RenderOptions) -> DrawList:
        """Skins where their bones take them; their place is the middle of their bones."""
        if not self.model.nskin or len(frame.xpos) != self.model.nbody:
            return self._skins.pick(_NONE)
        shown = np.flatnonzero(self.visible_skins(options))
        part = self._skins.pick(shown)
        for row, skin in enumerate(shown):
            part.instances["pos"][row], part.radius[row] = self.bones[skin].sphere(self.bones[skin].poses(frame))
        fade(self.model, part, options)
        return part

    def visible_geoms(self, options: RenderOptions) -> NDArray[np.bool_]:
        """(ngeom,) which geoms the options show at all: by group, by being static, by not being fully transparent."""
        mask = group_mask(self.model.geom_group, options.geom_group) & (self._geoms.instances["rgba"][:, 3] > 0)
        if self.pieces is not None:
            mask[self.pieces.geom] = False
        if not options.static:
            mask &= ~self._geom_static
        return mask

    def _geom_part(self, frame: Frame, view: View, options: RenderOptions, selection: Selection) -> DrawList:
        model = self.model
        if len(frame.geom_xpos) != model.ngeom:
            return self._geoms.pick(_NONE)
        shown = np.flatnonzero(self.visible_geoms(options))
        part = self._geoms.pick(shown)
        part.instances["pos"], part.instances["mat"] = frame.geom_xpos[shown], frame.geom_xmat[shown]
        covers = self._covers[shown]
        if covers.any() and options.mode != PictureMode.DEPTH:
            depth = (frame.geom_xpos[shown][covers] - view.eye) @ view.forward
            part.instances["pos"][covers] -= NEARER * depth[:, None] * view.forward
        if options.convex_hull:
            part.mesh[self.hulls[shown]] += int(MeshId.HULL) - int(MeshId.MODEL_MESH)
        if options.island:
            self._paint_islands(part, shown, frame)
        fade(model, part, options)
        for row in np.flatnonzero((part.mesh == MeshId.PLANE) | (part.mesh == MeshId.HORIZON)):
            geom = int(part.objid[row])
            origin, axes = frame.geom_xpos[geom], frame.geom_xmat[geom].reshape(3, 3)
            settle_plane(part.instances[row], origin, axes, view, endless=part.mesh[row] == MeshId.HORIZON)
        if not options.haze:
            part.instances["extra"][:, 2] = 0.0
        if selection.body > 0 or selection.others:
            chosen = np.isin(np.asarray(model.geom_bodyid)[shown], [b for b in (selection.body, *selection.others) if b > 0])
            part.instances["extra"][chosen, 1] = float(model.vis.global_.glow)
        return part

    def _ghost_parts(self, frame: Frame, options: RenderOptions) -> list[DrawList]:
        """The movable geoms in each ghost's poses."""
        if not frame.ghosts or len(frame.geom_xpos) != self.model.ngeom:
            return []
        shown = np.flatnonzero(self.visible_geoms(options) & ~self._geom_static)
        part = self._geoms.pick(shown)
        part.instances["pos"], part.instances["mat"] = frame.geom_xpos[shown], frame.geom_xmat[shown]
        extent = float(self.model.stat.extent)
        return [haunt(part, ghost, extent) for ghost in frame.ghosts if len(ghost.geom_xpos) == self.model.ngeom]

    def _piece_parts(self, frame: Frame) -> list[DrawList]:
        """The parts that a geom is shown as."""
        if self.pieces is None or len(frame.geom_xpos) != self.model.ngeom:
            return []
        geom, count = self.pieces.geom, len(self.pieces.meshes)
        part = self._geoms.pick(np.full(count, geom))
        part.instances["pos"], part.instances["mat"] = frame.geom_xpos[geom], frame.geom_xmat[geom]
        part.mesh[:] = int(MeshId.PIECE) + np.arange(count)
        part.texture[:] = -1
        part.instances["rgba"] = np.c_[colours(np.arange(count), np.zeros(count, bool)), np.ones(count)]
        part.instances["extra"][:, 0] = 0.0
        return [part]

    def _paint_islands(self, part: DrawList, shown: NDArray[Any], frame: Frame) -> None:
        """Plain colours of islands on movable geoms; static ones keep their colours."""
        rgb = tree_colours(frame)
        if rgb is None:
            return
        tree = self._geom_tree[shown]
        moves = np.flatnonzero(tree >= 0)
        part.instances["rgba"][moves, :3] = rgb[tree[moves]]
        part.texture[moves] = -1

    def _site_part(self, frame: Frame, options: RenderOptions) -> DrawList:
        if not self.model.nsite or len(frame.site_xpos) != self.model.nsite:
            return self._sites.pick(_NONE)
        mask = group_mask(self.model.site_group, options.site_group) & (self._sites.instances["rgba"][:, 3] > 0)
        shown = np.flatnonzero(mask & (options.static | ~self._site_static))
        part = self._sites.pick(shown)
        part.instances["pos"], part.instances["mat"] = frame.site_xpos[shown], frame.site_xmat[shown]
        fade(self.model, part, options)
        return part

    def _set_shapes(self, part: DrawList, kind: NDArray[Any], size: NDArray[np.float64], data: NDArray[Any]) -> None:
        """Meshes and scales of geoms or sites by their types (n,) and sizes (n, 3); data: (n,) meshes or height fields."""
        extent = float(self.model.stat.extent)
        mesh = primitive_meshes(kind, size)
        mesh[mesh < 0] = int(MeshId.SPHERE)
        for its, first in (("MESH", MeshId.MODEL_MESH), ("SDF", MeshId.MODEL_MESH), ("HFIELD", MeshId.HFIELD)):
            own = (kind == int(mjtGeom[f"mjGEOM_{its}"])) & (data >= 0)
            mesh[own] = int(first) + data[own]
        scale = unit_scales(mesh, three_sizes(kind, size), extent)
        fades = (mesh == int(MeshId.PLANE)) & (scale[:, :2].min(axis=1, initial=np.inf) >= FADING_EXTENTS * extent)
        part.mesh, part.instances["scale"], part.instances["extra"][:, 2] = mesh, scale, fades


def _covers(model: MjModel, collides: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(ngeom,) meshes only to be seen, on a body with a mesh only to collide: the two surfaces often coincide."""
    body, is_mesh = np.asarray(model.geom_bodyid), np.asarray(model.geom_type) == int(mjtGeom.mjGEOM_MESH)
    return is_mesh & ~collides & np.isin(body, body[is_mesh & collides])


def primitive_meshes(kind: NDArray[Any], size: NDArray[Any]) -> NDArray[np.int64]:
    """(n,) meshes of shapes of these types (n,) and sizes (n, 3); -1 for those that are no primitive."""
    mesh = np.full(len(kind), -1, np.int64)
    for shape, its in MESH_OF_TYPE.items():
        mesh[kind == int(shape)] = int(its)
    mesh[(mesh == int(MeshId.PLANE)) & (size[:, 0] <= 0) & (size[:, 1] <= 0)] = int(MeshId.HORIZON)
    return mesh


def unit_scales(mesh: NDArray[np.int64], size: NDArray[np.float64], extent: float) -> NDArray[np.float64]:
    """(n, 4) scales of meshes for sizes (n, 3) as scenes have them; a plane without a size in a direction is very long there.

    extent: of the model [m].
    """
    scale = np.zeros((len(mesh), 4))
    scale[:, :3] = size
    scale[(mesh & KIND) != 0, :3] = 1.0  # the model's own meshes have theirs
    capsule = mesh == int(MeshId.CAPSULE)
    scale[capsule, 2], scale[capsule, 3] = size[capsule, 0], size[capsule, 2]
    plane, endless = mesh == int(MeshId.PLANE), mesh == int(MeshId.HORIZON)
    scale[plane, :2] = np.where(size[plane, :2] > 0, size[plane, :2], 1000.0 * extent)
    scale[endless, :2] = extent
    scale[plane | endless | (mesh == int(MeshId.TRIANGLE)), 2] = 1.0
    scale[:, :3] = np.maximum(scale[:, :3], _LEAST_SIZE)
    return scale


def static_bodies(model: MjModel) -> NDArray[np.bool_]:
    """(nbody,) which bodies cannot move: those fixed to the world, unless a program places them."""
    placed = np.asarray(model.body_mocapid)[np.asarray(model.body_rootid, int)] >= 0
    return (np.asarray(model.body_weldid) == 0) & ~placed


def settle_plane(
    instance: np.void, origin: NDArray[np.float64], axes: NDArray[np.float64], view: View, *, endless: bool
) -> None:
    """Make a plane seen from below transparent; centre an endless one under the eye, its texture staying where it was."""
    eye = (view.eye - origin) @ axes
    if (eye[2] < 0) if not view.orthographic else (view.forward @ axes[:, 2] > 0):
        instance["rgba"][3] *= BELOW_FLOOR_ALPHA
    if endless:
        instance["pos"] = origin + axes[:, :2] @ eye[:2]
        scale, offset = instance["tex"][:2], instance["tex"][2:]
        # Folded to one period in double precision, so that a texture far from the origin stays sharp.
        u, v = np.asarray(scale, float) * eye[:2]
        instance["tex"][2:] = (offset[0] + u) % 1.0, (offset[1] - v) % 1.0
