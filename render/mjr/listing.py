"""From a scene to the renderer's input: instances, lights, view and options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.state.enums import mjtGeom, mjtLightType, mjtObj, mjtRndFlag
from tumble.render.camera import View
from tumble.render.constants import KIND, Category, MeshId, index_of, kind_of
from tumble.render.drawlist import DrawList
from tumble.render.gpu.soft import Bent
from tumble.render.mesh.skin import Bones
from tumble.render.mjv.scene import MjvScene
from tumble.render.options import PictureMode, RenderOptions
from tumble.render.scene.contact_legend import height_at
from tumble.render.scene.flex_instances import Flexes
from tumble.render.scene.lights import Lights, light_row, packed
from tumble.render.scene.paint import base_texture, layer_textures, paint
from tumble.render.scene.scene import primitive_meshes, settle_plane, unit_scales

if TYPE_CHECKING:
    from tumble.physics import MjModel

_HFIELD, _MESH, _SDF, _SKIN, _FLEX = (int(mjtGeom[f"mjGEOM_{name}"]) for name in ("HFIELD", "MESH", "SDF", "SKIN", "FLEX"))
_ARROWS = tuple(int(kind) for kind in (mjtGeom.mjGEOM_ARROW, mjtGeom.mjGEOM_ARROW1, mjtGeom.mjGEOM_ARROW2))
_LINE, _LINEBOX = int(mjtGeom.mjGEOM_LINE), int(mjtGeom.mjGEOM_LINEBOX)
# An arrow's head: its length in those of the arrow, its width in the shaft's; one without a barb is as wide as its shaft.
_HEAD, _BARB = 1.0 / 3.0, 1.75
_LEAST = 1e-9


def bent_in(scn: MjvScene) -> Bent:
    """Vertices of the scene's skins and flexes: changes by a program to flexvert are drawn."""
    return Bent(scn.skin_poses, [scn.flexvert.reshape(-1, 3).astype(np.float64)])


class Listing(Struct, frozen=True):
    """Instances that are drawn; source: the scene's geom of each instance."""

    instances: DrawList
    source: NDArray[np.int64]


class Materials:
    """Materials of one model, so that a picture need not ask again which of them have textures."""

    def __init__(self, model: MjModel) -> None:
        self.model, self.flexes = model, Flexes(model)
        self.bones = [Bones(model, i) for i in range(model.nskin)]
        self.textured = np.array([max(base_texture(model, i), *layer_textures(model, i)) >= 0 for i in range(model.nmat)], bool)


def options_of(scn: MjvScene, model: MjModel, *, has_sky: bool) -> RenderOptions:
    """The scene's effects. A model without a sky has a black one."""
    names = ("shadow", "reflection", "additive", "fog", "haze", "wireframe", "skybox")
    on: dict[str, Any] = {name: bool(scn.flags[int(mjtRndFlag[f"mjRND_{name.upper()}"])]) for name in names}
    on["skybox"] &= has_sky
    mode = PictureMode.WIREFRAME if on.pop("wireframe") else PictureMode.SHADED
    return RenderOptions(**on, mode=mode, classic=True)


def lights_of(scn: MjvScene) -> Lights:
    """The scene's lights."""
    lights = scn.lights[: scn.nlight]
    rows = [
        light_row(
            light.type,
            light.pos,
            light.dir,
            (light.attenuation, light.cutoff, light.exponent),
            (light.ambient, light.diffuse, light.specular),
        )
        for light in lights
    ]
    # As in the reference, those without a cone and a direction cast none.
    return packed(rows, [bool(light.castshadow) and light.type != mjtLightType.mjLIGHT_POINT for light in lights])


def listing_of(scn: MjvScene, of: Materials, view: View, height: int) -> Listing:
    """The instances of a scene's geoms, in its order; height: of the picture [pixels]."""
    rows = scn.geom_rows[: max(min(scn.ngeom, len(scn.geom_rows)), 0)]
    kind = rows["type"]
    mesh, known = _meshes(of.model, rows)
    shown = np.flatnonzero(known & (rows["rgba"][:, 3] > 0))
    instances = _instances(of, rows, shown, mesh, view)
    _place_skins(instances, of.bones, scn)
    parts, sources = [instances], [shown]
    for i in map(int, np.flatnonzero((kind == _FLEX) & (rows["rgba"][:, 3] > 0))):
        part = _flex(of, rows[i], scn)
        parts.append(part)
        sources.append(np.full(len(part), i))
    for i in map(int, np.flatnonzero(np.isin(kind, (*_ARROWS, _LINE, _LINEBOX)) & (rows["rgba"][:, 3] > 0))):
        part = _composed(rows[i], view, height)
        parts.append(part)
        sources.append(np.full(len(part), i))
    return Listing(DrawList.join(parts), np.concatenate(sources))


def identified(listing: Listing, scn: MjvScene, *, as_number: bool) -> DrawList:
    """The instances that have a segmentation id, coloured by it: its number and 1, or a colour far from its neighbours'."""
    rows = scn.geom_rows
    segid = rows["segid"][listing.source]
    listed = np.flatnonzero(segid >= 0)
    drawlist = listing.instances.pick(listed)
    number = segid[listed].astype(np.int64) + 1
    if not as_number:
        number = (number * 0x9E3779B1) & 0xFFFFFF
    drawlist.instances["rgba"][:, :3] = np.stack([number & 255, number >> 8 & 255, number >> 16 & 255], axis=1) / 255.0
    drawlist.instances["rgba"][:, 3] = 1.0
    return drawlist


def _meshes(model: MjModel, rows: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """(n,) the mesh of each geom, and whether it is one of the model's."""
    kind, data = rows["type"], rows["dataid"].astype(np.int64)
    mesh = primitive_meshes(kind, rows["size"])
    valid = np.isin(kind, (_MESH, _SDF)) & (data >= 0) & (data < 2 * model.nmesh)
    hull = valid & (data % 2 == 1)
    if hull.any():
        hull[hull] = np.asarray(model.mesh_graphadr)[data[hull] // 2] >= 0
    mesh[valid] = int(MeshId.MODEL_MESH) + data[valid] // 2
    mesh[hull] = int(MeshId.HULL) + data[hull] // 2
    fields = (kind == _HFIELD) & (data >= 0) & (data < model.nhfield)
    mesh[fields] = int(MeshId.HFIELD) + data[fields]
    skins = (kind == _SKIN) & (rows["objid"] >= 0) & (rows["objid"] < model.nskin)
    mesh[skins] = int(MeshId.SKIN) + rows["objid"][skins]
    return mesh, mesh >= 0


def _instances(of: Materials, rows: NDArray[Any], shown: NDArray[Any], mesh: NDArray[np.int64], view: View) -> DrawList:
    """One instance a geom, for those that are one."""
    model, rows, mesh = of.model, rows[shown], mesh[shown]
    drawlist = DrawList.blank(len(rows), mjtObj.mjOBJ_UNKNOWN, Category.DYNAMIC)
    drawlist.mesh, drawlist.objtype, drawlist.objid = mesh, rows["objtype"].astype(np.int64), rows["objid"].astype(np.int64)
    drawlist.category = rows["category"].astype(np.int64)
    size = rows["size"].astype(float)
    sphere = rows["type"] == int(mjtGeom.mjGEOM_SPHERE)
    size[sphere] = size[sphere, :1]
    sized = (mesh & KIND) != 0
    plane, endless = mesh == int(MeshId.PLANE), mesh == int(MeshId.HORIZON)
    scale = unit_scales(mesh, size, float(model.stat.extent))
    skin = np.flatnonzero(rows["type"] == _SKIN)
    scale[skin, 3] = [float(model.skin_inflate[i]) for i in drawlist.objid[skin]]
    radius = np.where(rows["modelrbound"] > 0, rows["modelrbound"], np.linalg.norm(scale[:, :3], axis=1) + scale[:, 3])
    radius[(sized & (rows["modelrbound"] <= 0)) | plane | endless] = np.inf
    drawlist.radius = radius
    instances = drawlist.instances
    instances["pos"], instances["mat"] = rows["pos"], rows["mat"].reshape(-1, 9)
    instances["scale"] = scale
    textured = (rows["matid"] >= 0) & (rows["matid"] < model.nmat)
    textured[textured] = of.textured[rows["matid"][textured]]
    for i in map(int, np.flatnonzero(textured)):
        paint(model, drawlist, i, int(rows["matid"][i]), rows["rgba"][i], size[i])
    instances["rgba"] = rows["rgba"]
    instances["material"] = np.stack(
        [rows["emission"], rows["specular"], np.maximum(rows["shininess"] * 128.0, 1.0), rows["reflectance"]], axis=1
    )
    for i in map(int, np.flatnonzero(plane | endless)):
        origin, axes = rows["pos"][i].astype(float), rows["mat"][i].astype(float)
        settle_plane(instances[i], origin, axes, view, endless=bool(endless[i]))
    return drawlist


def _place_skins(made: DrawList, bones: list[Bones], scn: MjvScene) -> None:
    """Place them at the mean of their bones, as far as the scene gives it."""
    for i in np.flatnonzero(made.mesh >= int(MeshId.SKIN)):
        skin = index_of(int(made.mesh[i]))
        if kind_of(int(made.mesh[i])) == MeshId.SKIN and skin < len(scn.skin_poses):
            made.instances["pos"][i], made.radius[i] = bones[skin].sphere(scn.skin_poses[skin])


def _flex(of: Materials, row: np.void, scn: MjvScene) -> DrawList:
    """Instances of a flex, where the scene has its vertices."""
    model, flex = of.model, int(row["objid"])
    if not 0 <= flex < min(int(model.nflex), int(scn.nflex)):
        return DrawList.blank(0, mjtObj.mjOBJ_FLEX, Category.DYNAMIC)
    vert, edge, face, skin = (bool(on) for on in (scn.flexvertopt, scn.flexedgeopt, scn.flexfaceopt, scn.flexskinopt))
    options = RenderOptions(flex_vert=vert, flex_edge=edge, flex_face=face, flex_skin=skin, flex_layer=scn.flex_layer)
    part = of.flexes.part(flex, scn.flexvert.reshape(-1, 3).astype(np.float64), options, 0)
    _dress(part, row, float(row["reflectance"]))
    if row["matid"] < 0:
        part.texture[:] = -1
    return part


def _composed(row: np.void, view: View, height: int) -> DrawList:
    """The instances of an arrow, or of lines, which are as thick as their pixels are where they are."""
    kind, size, mat = int(row["type"]), row["size"].astype(float), row["mat"].astype(float)
    place = row["pos"].astype(float)
    pieces: list[tuple[int, NDArray[Any], NDArray[Any], tuple[float, float, float]]] = []
    if kind in _ARROWS:
        pieces += _arrow(kind, place, mat, size)
    elif kind == _LINE:
        middle = place + 0.5 * size[2] * mat[:, 2]
        thick = 0.5 * max(size[0], 1.0) * _pixel(view, middle, height)
        pieces.append((int(MeshId.CYLINDER), middle, mat, (thick, thick, 0.5 * size[2])))
    else:
        thick = 0.5 * _pixel(view, place, height)
        for axis in range(3):
            one, two = (axis + 1) % 3, (axis + 2) % 3
            turned = mat[:, [one, two, axis]]
            for a in (-1, 1):
                for b in (-1, 1):
                    middle = place + a * size[one] * mat[:, one] + b * size[two] * mat[:, two]
                    pieces.append((int(MeshId.CYLINDER), middle, turned, (thick, thick, size[axis])))
    part = DrawList.blank(len(pieces), mjtObj.mjOBJ_UNKNOWN, Category.DECOR)
    for i, (mesh, pos, axes, scale) in enumerate(pieces):
        instance = part.instances[i]
        instance["pos"], instance["mat"], instance["scale"] = pos, axes.ravel(), (*np.maximum(scale, _LEAST), 0.0)
        part.mesh[i], part.radius[i] = mesh, float(np.linalg.norm(scale))
    _dress(part, row, 0.0)
    return part


def _arrow(kind: int, place: NDArray[Any], mat: NDArray[Any], size: NDArray[Any]) -> list[Any]:
    """Shaft and heads: half its size along z, as the reference draws it; one without a barb has a head as wide as its shaft.

    One that points both ways has its place in the middle.
    """
    ahead, width, length = mat[:, 2], size[0], 0.5 * size[2]
    end = (1.0 - _HEAD) * length
    start = -end if kind == _ARROWS[2] else 0.0
    head = (width if kind == _ARROWS[1] else _BARB * width,) * 2 + (_HEAD * length,)
    pieces = [
        (int(MeshId.CYLINDER), place + 0.5 * (start + end) * ahead, mat, (width, width, 0.5 * (end - start))),
        (int(MeshId.CONE), place + end * ahead, mat, head),
    ]
    if kind == _ARROWS[2]:
        pieces.append((int(MeshId.CONE), place + start * ahead, mat * (1.0, -1.0, -1.0), head))
    return pieces


def _pixel(view: View, point: NDArray[Any], height: int) -> float:
    """Size of a pixel [m] at a point."""
    return float(height_at(view, point[None])[0]) / max(height, 1)


def _dress(part: DrawList, row: np.void, reflectance: float) -> None:
    """Set colours and object ids of all instances of a geom."""
    part.instances["rgba"] = row["rgba"]
    part.instances["material"] = row["emission"], row["specular"], max(float(row["shininess"]) * 128.0, 1.0), reflectance
    part.objtype[:], part.objid[:], part.category[:] = row["objtype"], row["objid"], row["category"]
