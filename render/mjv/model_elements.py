"""A model's elements in a scene: flexes, skins, geoms, sites, tendons, slider-cranks, in this order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.physics.state.enums import mjtCatBit, mjtFrame, mjtGeom, mjtLabel, mjtObj, mjtVisFlag
from tumble.render.mjv.lister import Lister, connection, flex_parts, painted
from tumble.render.options import group_mask
from tumble.render.scene.canvas import Mark
from tumble.render.scene.island_colours import tree_colours
from tumble.render.scene.scene import static_bodies
from tumble.render.scene.symbols import slider_cranks, three_sizes
from tumble.render.scene.tendons import tendon_pieces

_STATIC, _DYNAMIC = int(mjtCatBit.mjCAT_STATIC), int(mjtCatBit.mjCAT_DYNAMIC)
_NO_ISLAND = 0.7  # grey


def _list(out: Lister, kind: str, body: NDArray[Any] | None = None, **fields: NDArray[Any]) -> NDArray[Any]:
    """List those elements of a kind that are visible by their groups, not fully transparent, and requested. Returns which.

    kind: the prefix of the model's arrays; body: (n,) of each, None: they have none of their own, and move. fields: (n, ...) of
    all, in place of what the model says.
    """
    m, flags = out.m, out.flags
    material = np.asarray(getattr(m, f"{kind}_matid"), int)
    fields = painted(m, material, getattr(m, f"{kind}_rgba")) | {"matid": material} | fields
    if not flags[mjtVisFlag.mjVIS_TEXTURE]:
        fields["matid"] = np.full(len(material), -1)
    body = np.full(len(material), -1) if body is None else body
    static = (body >= 0) & static_bodies(m)[body]
    shows_static = out.shows(mjtCatBit.mjCAT_STATIC) and bool(flags[mjtVisFlag.mjVIS_STATIC])
    in_category = np.where(static, shows_static, out.shows(mjtCatBit.mjCAT_DYNAMIC))
    visible = group_mask(getattr(m, f"{kind}_group"), getattr(out.opt, f"{kind}group"))
    shown = np.flatnonzero(visible & (fields["rgba"][:, 3] > 0) & in_category)
    fields = {name: values[shown] for name, values in fields.items()}
    if flags[mjtVisFlag.mjVIS_TRANSPARENT]:
        fields["rgba"][~static[shown], 3] *= float(m.vis.map.alpha)
    if out.pert.select > 0:
        fields["emission"][body[shown] == out.pert.select] += float(m.vis.global_.glow)
    objtype = mjtObj[f"mjOBJ_{kind.upper()}"]
    if out.labels(mjtLabel[f"mjLABEL_{kind.upper()}"]) and len(shown):
        fields["label"] = np.array([out.name(objtype, int(i)).encode()[:99] for i in shown])
    category = np.where(static, _STATIC, _DYNAMIC)[shown]
    out.add(len(shown), objtype=int(objtype), objid=shown, category=category, **fields)
    return shown


def add_skins(out: Lister) -> None:
    """Skins: each at its bones; vertices are in the scene's own arrays."""
    m = out.m
    if m.nskin and out.flags[mjtVisFlag.mjVIS_SKIN]:
        first = [int(m.skin_bonebodyid[int(m.skin_boneadr[i])]) if m.skin_bonenum[i] else 0 for i in range(m.nskin)]
        kind, texcoord = np.full(m.nskin, int(mjtGeom.mjGEOM_SKIN)), np.asarray(m.skin_texcoordadr) >= 0
        _list(out, "skin", type=kind, pos=out.frame.xpos[first], texcoord=texcoord)


def add_flexes(out: Lister) -> None:
    """Flexes: their visible parts and positions are in the scene's own arrays."""
    m = out.m
    if m.nflex and any(flex_parts(out.opt)):
        size = np.full((m.nflex, 3), 0.1)
        size[:, 0] = np.asarray(m.flex_radius)
        kind, texcoord = np.full(m.nflex, int(mjtGeom.mjGEOM_FLEX)), np.asarray(m.flex_texcoordadr) >= 0
        pos = out.frame.flexvert_xpos[np.asarray(m.flex_vertadr, int)]
        _list(out, "flex", type=kind, size=size, pos=pos, texcoord=texcoord)


def add_geoms(out: Lister) -> NDArray[Any]:
    """Geoms, in the model's order. Returns which."""
    m, frame = out.m, out.frame
    kind, body = np.asarray(m.geom_type, int), np.asarray(m.geom_bodyid, int)
    data, texcoord = _shapes(out, kind)
    fields = {"type": kind, "dataid": data, "texcoord": texcoord, "size": three_sizes(kind, np.asarray(m.geom_size))}
    fields |= {"pos": frame.geom_xpos, "mat": frame.geom_xmat.reshape(-1, 3, 3), "modelrbound": np.asarray(m.geom_rbound)}
    if out.flags[mjtVisFlag.mjVIS_ISLAND]:
        material = np.asarray(m.geom_matid, int)
        fields["rgba"] = painted(m, material, m.geom_rgba)["rgba"]
        fields["matid"] = np.where(static_bodies(m)[body], material, -1)
        _paint_islands(out, fields["rgba"], body)
    return _list(out, "geom", body, **fields)


def _shapes(out: Lister, kind: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """(ngeom,) data id of a geom: the plane, height field or twice the mesh, hulls in between; texture coordinates."""
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
    """Set the colours of islands on moving geoms, whatever their material."""
    tree = np.asarray(out.m.body_treeid, int)[body]
    moves = tree >= 0
    rgb = tree_colours(out.frame)
    if rgb is not None:
        rgba[moves, :3] = rgb[tree[moves]]
        rgba[moves, 3] = 1.0


def add_sites(out: Lister) -> NDArray[Any]:
    """Sites, in the model's order. Returns which."""
    m, frame = out.m, out.frame
    kind = np.asarray(m.site_type, int)
    size, mat = three_sizes(kind, np.asarray(m.site_size)), frame.site_xmat.reshape(-1, 3, 3)
    return _list(out, "site", np.asarray(m.site_bodyid, int), type=kind, size=size, pos=frame.site_xpos, mat=mat)


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
    if out.flags[mjtVisFlag.mjVIS_TRANSPARENT]:
        paint["rgba"][:, 3] *= float(m.vis.map.alpha)
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
