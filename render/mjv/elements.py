"""A model's own things in a scene: flexes, skins, geoms, sites, tendons, slider-cranks, in this order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tumble.physics.state.enums import mjtCatBit, mjtFrame, mjtGeom, mjtLabel, mjtObj, mjtVisFlag
from tumble.render.mjv.lister import Lister, connection, flex_parts, painted
from tumble.render.options import group_mask
from tumble.render.scene.actuators import slider_cranks, three_sizes
from tumble.render.scene.canvas import Mark
from tumble.render.scene.islands import colours, leaders
from tumble.render.scene.scene import static_bodies
from tumble.render.scene.tendons import tendon_pieces

if TYPE_CHECKING:
    pass

_STATIC, _DYNAMIC = int(mjtCatBit.mjCAT_STATIC), int(mjtCatBit.mjCAT_DYNAMIC)
_NO_ISLAND = 0.7  # grey


def add_skins(out: Lister) -> None:
    """Skins: each where its bones are; how it lies is in the scene's own arrays."""
    m = out.m
    if not m.nskin or not out.flags[mjtVisFlag.mjVIS_SKIN] or not out.shows(mjtCatBit.mjCAT_DYNAMIC):
        return
    material = np.asarray(m.skin_matid, int)
    paint = painted(m, material, m.skin_rgba)
    shown = np.flatnonzero(group_mask(m.skin_group, out.opt.skingroup) & (paint["rgba"][:, 3] > 0))
    first = [int(m.skin_bonebodyid[int(m.skin_boneadr[i])]) if m.skin_bonenum[i] else 0 for i in shown]
    out.add(
        len(shown),
        type=int(mjtGeom.mjGEOM_SKIN),
        objtype=int(mjtObj.mjOBJ_SKIN),
        objid=shown,
        category=_DYNAMIC,
        pos=out.frame.xpos[first],
        matid=material[shown] if out.flags[mjtVisFlag.mjVIS_TEXTURE] else -1,
        texcoord=np.asarray(m.skin_texcoordadr)[shown] >= 0,
        **_labels(out, mjtLabel.mjLABEL_SKIN, mjtObj.mjOBJ_SKIN, shown),
        **_finish(out, {name: values[shown] for name, values in paint.items()}, np.full(len(shown), True)),
    )


def add_flexes(out: Lister) -> None:
    """Flexes: what of them is drawn, and where, is in the scene's own arrays."""
    m = out.m
    if not m.nflex or not any(flex_parts(out.opt)) or not out.shows(mjtCatBit.mjCAT_DYNAMIC):
        return
    material = np.asarray(m.flex_matid, int)
    paint = painted(m, material, m.flex_rgba)
    shown = np.flatnonzero(group_mask(m.flex_group, out.opt.flexgroup) & (paint["rgba"][:, 3] > 0))
    size = np.full((len(shown), 3), 0.1)
    size[:, 0] = np.asarray(m.flex_radius)[shown]
    out.add(
        len(shown),
        type=int(mjtGeom.mjGEOM_FLEX),
        objtype=int(mjtObj.mjOBJ_FLEX),
        objid=shown,
        category=_DYNAMIC,
        size=size,
        pos=out.frame.flexvert_xpos[np.asarray(m.flex_vertadr, int)[shown]],
        matid=material[shown] if out.flags[mjtVisFlag.mjVIS_TEXTURE] else -1,
        texcoord=np.asarray(m.flex_texcoordadr)[shown] >= 0,
        **_labels(out, mjtLabel.mjLABEL_FLEX, mjtObj.mjOBJ_FLEX, shown),
        **_finish(out, {name: values[shown] for name, values in paint.items()}, np.full(len(shown), True)),
    )


def _labels(out: Lister, mode: mjtLabel, objtype: mjtObj, shown: NDArray[Any]) -> dict[str, Any]:
    return {"label": [out.name(objtype, int(i)).encode()[:99] for i in shown]} if out.labels(mode) and len(shown) else {}


def _finish(out: Lister, paint: dict[str, Any], moves: NDArray[np.bool_], body: NDArray[Any] | None = None) -> dict[str, Any]:
    """The paint with what is selected glowing, and what moves made transparent where that is asked for."""
    if out.flags[mjtVisFlag.mjVIS_TRANSPARENT]:
        paint["rgba"][moves, 3] *= float(out.m.vis.map.alpha)
    if body is not None and out.pert.select > 0:
        paint["emission"][body == out.pert.select] += float(out.m.vis.global_.glow)
    return paint


def _kept(out: Lister, static: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which are asked for, by their being static or not."""
    shows_static = out.shows(mjtCatBit.mjCAT_STATIC) and bool(out.flags[mjtVisFlag.mjVIS_STATIC])
    return np.where(static, shows_static, out.shows(mjtCatBit.mjCAT_DYNAMIC))


def add_geoms(out: Lister) -> NDArray[Any]:
    """Geoms, in the model's order. Returns which."""
    m = out.m
    none: NDArray[Any] = np.zeros(0, int)
    if not m.ngeom:
        return none
    kind, material = np.asarray(m.geom_type, int), np.asarray(m.geom_matid, int)
    body = np.asarray(m.geom_bodyid, int)
    static = static_bodies(m)[body]
    paint = painted(m, material, m.geom_rgba)
    island = bool(out.flags[mjtVisFlag.mjVIS_ISLAND])
    if island:
        _paint_islands(out, paint["rgba"], body)
    mask = group_mask(m.geom_group, out.opt.geomgroup) & (paint["rgba"][:, 3] > 0) & _kept(out, static)
    shown = np.flatnonzero(mask)
    texture = out.flags[mjtVisFlag.mjVIS_TEXTURE] and not island
    data, texcoord = _shapes(out, kind)
    out.add(
        len(shown),
        type=kind[shown],
        dataid=data[shown],
        objtype=int(mjtObj.mjOBJ_GEOM),
        objid=shown,
        category=np.where(static, _STATIC, _DYNAMIC)[shown],
        matid=np.where(static | texture, material, -1)[shown] if texture or island else -1,
        texcoord=texcoord[shown],
        size=three_sizes(kind, np.asarray(m.geom_size))[shown],
        pos=out.frame.geom_xpos[shown],
        mat=out.frame.geom_xmat[shown].reshape(-1, 3, 3),
        modelrbound=np.asarray(m.geom_rbound)[shown],
        **_labels(out, mjtLabel.mjLABEL_GEOM, mjtObj.mjOBJ_GEOM, shown),
        **_finish(out, {name: values[shown] for name, values in paint.items()}, ~static[shown], body[shown]),
    )
    return shown


def _shapes(out: Lister, kind: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """(ngeom,) what a geom's type refers to: the plane, height field or twice the mesh, hulls in between; texture coordinates."""
    m = out.m
    data = np.full(len(kind), -1)
    texcoord = np.zeros(len(kind), int)
    planes = kind == int(mjtGeom.mjGEOM_PLANE)
    data[planes] = np.arange(int(planes.sum()))
    fields = kind == int(mjtGeom.mjGEOM_HFIELD)
    data[fields] = np.asarray(m.geom_dataid)[fields]
    meshes = np.isin(kind, (int(mjtGeom.mjGEOM_MESH), int(mjtGeom.mjGEOM_SDF)))
    if meshes.any():
        mesh = np.asarray(m.geom_dataid, int)
        data[meshes] = 2 * mesh[meshes]
        texcoord[meshes] = np.asarray(m.mesh_texcoordadr)[mesh[meshes]] >= 0
        if out.flags[mjtVisFlag.mjVIS_CONVEXHULL]:
            collides = (np.asarray(m.geom_contype) != 0) | (np.asarray(m.geom_conaffinity) != 0)
            hull = meshes & collides
            hull[meshes] &= np.asarray(m.mesh_graphadr)[mesh[meshes]] >= 0
            data[hull] += 1
    return data, texcoord


def _paint_islands(out: Lister, rgba: NDArray[Any], body: NDArray[Any]) -> None:
    """Islands' colours on what moves, whatever it was painted with."""
    m = out.m
    asleep = out.frame.tree_asleep
    tree = np.asarray(m.body_treeid, int)[body]
    moves = tree >= 0
    if len(asleep):
        rgb = colours(leaders(out.frame.tree_island, asleep), asleep >= 0)
        rgba[moves, :3] = rgb[tree[moves]]
        rgba[moves, 3] = 1.0


def add_sites(out: Lister) -> NDArray[Any]:
    """Sites, in the model's order. Returns which."""
    m = out.m
    if not m.nsite:
        return np.zeros(0, int)
    kind, material = np.asarray(m.site_type, int), np.asarray(m.site_matid, int)
    body = np.asarray(m.site_bodyid, int)
    static = static_bodies(m)[body]
    paint = painted(m, material, m.site_rgba)
    shown = np.flatnonzero(group_mask(m.site_group, out.opt.sitegroup) & (paint["rgba"][:, 3] > 0) & _kept(out, static))
    out.add(
        len(shown),
        type=kind[shown],
        objtype=int(mjtObj.mjOBJ_SITE),
        objid=shown,
        category=np.where(static, _STATIC, _DYNAMIC)[shown],
        matid=material[shown] if out.flags[mjtVisFlag.mjVIS_TEXTURE] else -1,
        size=three_sizes(kind, np.asarray(m.site_size))[shown],
        pos=out.frame.site_xpos[shown],
        mat=out.frame.site_xmat[shown].reshape(-1, 3, 3),
        **_labels(out, mjtLabel.mjLABEL_SITE, mjtObj.mjOBJ_SITE, shown),
        **_finish(out, {name: values[shown] for name, values in paint.items()}, ~static[shown], body[shown]),
    )
    return shown


def add_tendons(out: Lister) -> None:
    """The straight pieces of spatial tendons."""
    m = out.m
    if not m.ntendon or not out.flags[mjtVisFlag.mjVIS_TENDON] or not out.shows(mjtCatBit.mjCAT_DYNAMIC):
        return
    material = np.asarray(m.tendon_matid, int)
    paint = painted(m, material, m.tendon_rgba)
    island = bool(out.flags[mjtVisFlag.mjVIS_ISLAND])
    if island:
        paint["rgba"][:, :3] = _NO_ISLAND
    shown = group_mask(m.tendon_group, out.opt.tendongroup) & (paint["rgba"][:, 3] > 0)
    paint = _finish(out, paint, np.full(m.ntendon, True))
    textured = out.flags[mjtVisFlag.mjVIS_TEXTURE] and not island
    for t in map(int, np.flatnonzero(shown)):
        label = out.name_if(mjtLabel.mjLABEL_TENDON, mjtObj.mjOBJ_TENDON, t)
        for start, end in tendon_pieces(m, out.frame, t):
            out.add(
                objtype=int(mjtObj.mjOBJ_TENDON),
                objid=t,
                category=_DYNAMIC,
                matid=material[t] if textured else -1,
                label=label.encode()[:99],
                **connection(int(mjtGeom.mjGEOM_CAPSULE), float(m.tendon_width[t]), start, end),
                **{name: values[t] for name, values in paint.items()},
            )
            label = ""


def add_slider_cranks(out: Lister) -> None:
    """Slider and rod of each actuator of that kind."""
    m = out.m
    if not out.shows(mjtCatBit.mjCAT_DYNAMIC):
        return
    look, width = m.vis.rgba, float(m.vis.scale.slidercrank) * out.size
    for i, start, end, pin, broken in slider_cranks(m, out.frame):
        label = out.name_if(mjtLabel.mjLABEL_ACTUATOR, mjtObj.mjOBJ_ACTUATOR, i)
        out.rod(start, end, width, Mark(look.slidercrank, mjtObj.mjOBJ_ACTUATOR, i, label), flat=True)
        out.last["category"] = _DYNAMIC
        out.rod(end, pin, 0.5 * width, Mark(look.crankbroken if broken else look.slidercrank, mjtObj.mjOBJ_ACTUATOR, i))
        out.last["category"] = _DYNAMIC


def add_elements(out: Lister) -> None:
    """All of them, and the frames of geoms and sites."""
    frame = out.frame
    add_flexes(out)
    add_skins(out)
    geoms, sites = add_geoms(out), add_sites(out)
    add_tendons(out)
    add_slider_cranks(out)
    if out.shows(mjtCatBit.mjCAT_DECOR):
        for i in map(int, geoms):
            out.axes_if(mjtFrame.mjFRAME_GEOM, i, frame.geom_xpos[i], frame.geom_xmat[i])
        for i in map(int, sites):
            out.axes_if(mjtFrame.mjFRAME_SITE, i, frame.site_xpos[i], frame.site_xmat[i])
