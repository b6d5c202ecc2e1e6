"""Decoration in a scene: symbols of what has no shape. Sizes are multiples of the bodies' mean, from `visual/scale`."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.physics.dynamics.fluid.box import box_side
from tumble.physics.query.force import mj_contactForce
from tumble.physics.sensor.rays import measured_rays
from tumble.physics.state.enums import (
    mjtCatBit,
    mjtEq,
    mjtFrame,
    mjtGeom,
    mjtJoint,
    mjtLabel,
    mjtObj,
    mjtPertBit,
    mjtSensor,
    mjtVisFlag,
)
from tumble.render.abstract.actuators import add_actuators
from tumble.render.abstract.frustum import add_frustum
from tumble.render.abstract.lister import Lister, group_mask, toward
from tumble.render.frame import Frame
from tumble.render.symbols.volumes import body_boxes, flex_boxes, mesh_boxes

_NO_MASS = 1e-12
_WATER = 1000.0  # density [kg/m^3] of the boxes that stand for inertias scaled by mass
_RAY_PIXELS = 3.0
_JOINT_SIZE = 0.3  # of free and ball joints, in mean sizes of bodies


def add_decoration(out: Lister) -> None:
    """All of it that the options ask for, in the reference's order."""
    if not out.shows(mjtCatBit.mjCAT_DECOR):
        return
    flags = out.flags
    if flags[mjtVisFlag.mjVIS_BODYBVH] or flags[mjtVisFlag.mjVIS_MESHBVH]:
        _volumes(out)
    if flags[mjtVisFlag.mjVIS_INERTIA]:
        _inertias(out)
    _held(out)
    _bodies(out)
    if flags[mjtVisFlag.mjVIS_JOINT]:
        _joints(out)
    if flags[mjtVisFlag.mjVIS_ACTUATOR]:
        add_actuators(out)
    if out.labels(mjtLabel.mjLABEL_ISLAND):
        _island_labels(out)
    if flags[mjtVisFlag.mjVIS_CAMERA]:
        _cameras(out)
    if flags[mjtVisFlag.mjVIS_LIGHT]:
        _lights(out)
    if flags[mjtVisFlag.mjVIS_COM]:
        _centres(out)
    if flags[mjtVisFlag.mjVIS_AUTOCONNECT]:
        _connections(out)
    if flags[mjtVisFlag.mjVIS_RANGEFINDER]:
        _rangefinders(out)
    if flags[mjtVisFlag.mjVIS_PERTFORCE]:
        _applied_forces(out)
    if flags[mjtVisFlag.mjVIS_CONSTRAINT]:
        _equalities(out)
    if flags[mjtVisFlag.mjVIS_CONTACTPOINT] or flags[mjtVisFlag.mjVIS_CONTACTFORCE]:
        _contacts(out)


def _volumes(out: Lister) -> None:
    """Boxes of the trees of bounding volumes, all in the colour of those that were not tested."""
    m, d, depth = out.m, out.d, int(out.opt.bvh_depth)
    names = ("xipos", "ximat", "geom_xpos", "geom_xmat", "bvh_aabb_dyn")
    poses: dict[str, Any] = {name: np.asarray(getattr(d, name)) for name in names}
    frame = Frame(**poses)
    found = [body_boxes(m, frame, depth, endless=True)] if out.flags[mjtVisFlag.mjVIS_BODYBVH] else []
    if out.flags[mjtVisFlag.mjVIS_MESHBVH]:
        found += [flex_boxes(m, frame, depth), mesh_boxes(m, frame, depth)]
    look: dict[str, Any] = {"type": int(mjtGeom.mjGEOM_LINEBOX), "rgba": m.vis.rgba.bv}
    for boxes in found:
        for node, pos, mat, half in zip(boxes.node, boxes.pos, boxes.mat, boxes.half, strict=True):
            out.decor(0, int(node), pos=pos, mat=mat, size=half, **look)


def _body_label(out: Lister, body: int) -> str:
    selected = out.labels(mjtLabel.mjLABEL_SELECTION) and out.pert.select == body
    return out.name(mjtObj.mjOBJ_BODY, body) if out.labels(mjtLabel.mjLABEL_BODY) or selected else ""


def _inertia(out: Lister, body: int, *, scaled: bool) -> dict[str, Any]:
    """Shape and half sizes of the solid box (or ellipsoid) with a body's moments, scaled to the density of water if asked for.

    A box of half sizes a, b, c has Ixx = m (b^2 + c^2) / 3, an ellipsoid m (b^2 + c^2) / 5: it is larger by the root of 5/3.
    """
    m = out.m
    mass = float(m.body_mass[body])
    x, y, z = (float(moment) for moment in m.body_inertia[body])
    half = 0.5 * np.array([box_side(x, y, z, mass), box_side(y, x, z, mass), box_side(z, x, y, mass)])
    kind, fill = mjtGeom.mjGEOM_BOX, 8.0
    if m.vis.global_.ellipsoidinertia:
        kind, fill, half = mjtGeom.mjGEOM_ELLIPSOID, 4.0 / 3.0 * math.pi, half * math.sqrt(5.0 / 3.0)
    volume = fill * float(np.prod(half))
    if scaled and volume > 0:
        half = half * (mass / (_WATER * volume)) ** (1.0 / 3.0)
    return {"type": int(kind), "size": half, "rgba": m.vis.rgba.inertia}


def _inertias(out: Lister) -> None:
    scaled = bool(out.flags[mjtVisFlag.mjVIS_SCLINERTIA])
    for b in range(1, out.m.nbody):
        if float(out.m.body_mass[b]) > _NO_MASS:
            shape = _inertia(out, b, scaled=scaled)
            mat = np.asarray(out.d.ximat[b]).reshape(3, 3)
            glow = float(out.m.vis.global_.glow) if b == out.pert.select else 0.0
            out.decor(mjtObj.mjOBJ_BODY, b, _body_label(out, b), pos=out.d.xipos[b], mat=mat, emission=glow, **shape)


def _held(out: Lister) -> None:
    """How a held body is pulled: a rod to where its point is wanted, and a box in the wanted orientation."""
    m, d, pert = out.m, out.d, out.pert
    body, active = pert.select, pert.active | pert.active2
    if not 0 < body < m.nbody or not active or not out.flags[mjtVisFlag.mjVIS_PERTOBJ]:
        return
    if active & int(mjtPertBit.mjPERT_TRANSLATE):
        width, rgba = float(m.vis.scale.constraint) * out.size, m.vis.rgba.constraint
        out.join(mjtGeom.mjGEOM_CAPSULE, width, _held_point(out), pert.refselpos, rgba, 0, body)
        ball: dict[str, Any] = {"type": int(mjtGeom.mjGEOM_SPHERE), "size": 2.0 * width, "rgba": rgba}
        out.decor(0, body, pos=pert.refselpos, mat=_matrix(np.asarray(pert.refquat)), **ball)
    if active & int(mjtPertBit.mjPERT_ROTATE):
        turned = _matrix(_product(np.asarray(pert.refquat), np.asarray(m.body_iquat[body], float)))
        out.decor(0, body, pos=d.xipos[body], mat=turned, **_inertia(out, body, scaled=False))


def _product(first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any]:
    from tumble.physics.algebra.quat import quat_mul

    return np.array(quat_mul(first, second))


def _matrix(quat: NDArray[Any]) -> NDArray[Any]:
    from tumble.physics.algebra.quat import quat_mat

    return np.array(quat_mat(quat)).reshape(3, 3)


def _held_point(out: Lister) -> NDArray[np.float64]:
    body = out.pert.select
    return np.asarray(out.d.xpos[body]) + np.asarray(out.d.xmat[body]).reshape(3, 3) @ np.asarray(out.pert.localpos)


def _bodies(out: Lister) -> None:
    """Frames of the world and of bodies, the selected point, names of bodies."""
    m, d, pert = out.m, out.d, out.pert
    if out.opt.frame == int(mjtFrame.mjFRAME_WORLD):
        out.frame(0, np.zeros(3), np.eye(3), scale=2.0)
    elif out.opt.frame == int(mjtFrame.mjFRAME_BODY):
        # With inertias, the frames are theirs.
        poses, mats = (d.xipos, d.ximat) if out.flags[mjtVisFlag.mjVIS_INERTIA] else (d.xpos, d.xmat)
        for b in range(1, m.nbody):
            out.frame(b, poses[b], mats[b])
    if 0 < pert.select < m.nbody and out.flags[mjtVisFlag.mjVIS_SELECT]:
        point = _held_point(out)
        text = "{:.3f} {:.3f} {:.3f} (local {:.3f} {:.3f} {:.3f})".format(*point, *pert.localpos)
        radius = float(m.vis.scale.selectpoint) * out.size
        label = text if out.labels(mjtLabel.mjLABEL_SELPNT) else ""
        look: dict[str, Any] = {"size": radius, "rgba": m.vis.rgba.selectpoint}
        out.decor(0, pert.select, label, type=int(mjtGeom.mjGEOM_SPHERE), pos=point, **look)
    for b in range(1, m.nbody) if not out.flags[mjtVisFlag.mjVIS_INERTIA] else ():
        label = _body_label(out, b)
        if label:
            out.decor(0, b, label, type=int(mjtGeom.mjGEOM_LABEL), pos=d.xpos[b], mat=np.asarray(d.xmat[b]).reshape(3, 3))


def _joints(out: Lister) -> None:
    m = out.m
    width, length = float(m.vis.scale.jointwidth) * out.size, float(m.vis.scale.jointlength) * out.size
    for i in map(int, np.flatnonzero(group_mask(m.jnt_group, out.opt.jointgroup)) if m.njnt else ()):
        label = out.name_if(mjtLabel.mjLABEL_JOINT, mjtObj.mjOBJ_JOINT, i)
        out.decor(
            mjtObj.mjOBJ_JOINT, i, label, rgba=m.vis.rgba.joint, **joint_symbol(out, i, width, length, _JOINT_SIZE * out.size)
        )


def joint_symbol(out: Lister, i: int, width: float, length: float, half: float) -> dict[str, Any]:
    """Shape and pose of the symbol of joint i: an arrow along the axis, or a box or ball of half size `half`."""
    m, d = out.m, out.d
    kind = int(m.jnt_type[i])
    if kind in (mjtJoint.mjJNT_FREE, mjtJoint.mjJNT_BALL):
        shape = mjtGeom.mjGEOM_BOX if kind == mjtJoint.mjJNT_FREE else mjtGeom.mjGEOM_SPHERE
        mat = np.asarray(d.xmat[m.jnt_bodyid[i]]).reshape(3, 3)
        return {"type": int(shape), "size": half, "pos": d.xanchor[i], "mat": mat}
    shape = mjtGeom.mjGEOM_ARROW if kind == mjtJoint.mjJNT_SLIDE else mjtGeom.mjGEOM_ARROW1
    return {"type": int(shape), "size": (width, width, length), "pos": d.xanchor[i], "mat": toward(d.xaxis[i])}


def _island_labels(out: Lister) -> None:
    m, d = out.m, out.d
    island = np.asarray(d.tree_island)
    for b in range(1, m.nbody):
        tree = int(m.body_treeid[b])
        if 0 <= tree < len(island) and island[tree] >= 0:
            mat = np.asarray(d.ximat[b]).reshape(3, 3)
            out.decor(0, b, str(int(island[tree])), type=int(mjtGeom.mjGEOM_LABEL), pos=d.xipos[b], mat=mat)


def _cameras(out: Lister) -> None:
    """A box with a lens, and what a camera with a sensor sees."""
    m, d = out.m, out.d
    unit = float(m.vis.scale.camera) * out.size
    for i in range(m.ncam):
        axes, pos = np.asarray(d.cam_xmat[i]).reshape(3, 3), np.asarray(d.cam_xpos[i])
        rgba = np.array(m.vis.rgba.camera, float)
        if np.asarray(m.cam_sensorsize[i]).min() > 0:
            add_frustum(out, i)
            rgba[3] *= 0.3
        label = out.name_if(mjtLabel.mjLABEL_CAMERA, mjtObj.mjOBJ_CAMERA, i)
        box: dict[str, Any] = {"type": int(mjtGeom.mjGEOM_BOX), "size": (unit, 0.8 * unit, 0.4 * unit), "pos": pos, "rgba": rgba}
        out.decor(mjtObj.mjOBJ_CAMERA, i, label, mat=axes, **box)
        lens: dict[str, Any] = {"type": int(mjtGeom.mjGEOM_CYLINDER), "size": (0.4 * unit, 0.4 * unit, 0.3 * unit)}
        rgba = rgba * (0.5, 0.5, 0.5, 1.0)
        out.decor(mjtObj.mjOBJ_CAMERA, i, pos=pos - 0.6 * unit * axes[:, 2], mat=axes, rgba=rgba, **lens)
        if out.opt.frame == int(mjtFrame.mjFRAME_CAMERA):
            out.frame(i, pos, axes)


def _lights(out: Lister) -> None:
    m, d = out.m, out.d
    unit = float(m.vis.scale.light) * out.size
    for i in range(m.nlight):
        axes, pos = toward(d.light_xdir[i]), np.asarray(d.light_xpos[i])
        label = out.name_if(mjtLabel.mjLABEL_LIGHT, mjtObj.mjOBJ_LIGHT, i)
        size, rgba = (0.8 * unit, 0.8 * unit, unit), m.vis.rgba.light
        lamp: dict[str, Any] = {"type": int(mjtGeom.mjGEOM_CYLINDER), "size": size, "rgba": rgba}
        out.decor(mjtObj.mjOBJ_LIGHT, i, label, pos=pos - unit * axes[:, 2], mat=axes, **lamp)
        if out.opt.frame == int(mjtFrame.mjFRAME_LIGHT):
            out.frame(i, pos, axes)


def _centres(out: Lister) -> None:
    """The centre of mass of every kinematic tree."""
    m = out.m
    look: dict[str, Any] = {"type": int(mjtGeom.mjGEOM_SPHERE), "size": float(m.vis.scale.com) * out.size, "rgba": m.vis.rgba.com}
    for b in range(1, m.nbody):
        if int(m.body_parentid[b]) == 0:
            out.decor(0, b, pos=out.d.subtree_com[b], **look)


def _connections(out: Lister) -> None:
    """Rods from each body's centre of mass over its joints to its parent's, trees' roots excepted."""
    m, d = out.m, out.d
    width, rgba = float(m.vis.scale.connect) * out.size, m.vis.rgba.connect
    for b in range(1, m.nbody):
        parent = int(m.body_parentid[b])
        if parent == 0:
            continue
        first = int(m.body_jntadr[b])
        joints = range(first + int(m.body_jntnum[b]) - 1, first - 1, -1)
        points = [d.xipos[b], *(d.xanchor[j] for j in joints), d.xipos[parent]]
        for start, end in pairwise(points):
            out.join(mjtGeom.mjGEOM_CAPSULE, width, start, end, rgba, 0, b)


def _rangefinders(out: Lister) -> None:
    """Lines along the rays of rangefinders, as long as they measure; none where they meet nothing."""
    m, d = out.m, out.d
    if not m.nsensor:
        return
    for s in map(int, np.flatnonzero(np.asarray(m.sensor_type) == int(mjtSensor.mjSENS_RANGEFINDER))):
        i, first = int(m.sensor_objid[s]), int(m.sensor_adr[s])
        of_site = int(m.sensor_objtype[s]) == mjtObj.mjOBJ_SITE
        pose = (d.site_xpos[i], d.site_xmat[i]) if of_site else (d.cam_xpos[i], d.cam_xmat[i])
        for start, end in measured_rays(m, s, *pose, d.sensordata[first : first + int(m.sensor_dim[s])]):
            out.join(mjtGeom.mjGEOM_LINE, _RAY_PIXELS, start, end, m.vis.rgba.rangefinder, mjtObj.mjOBJ_SENSOR, s)


def _force_arrow(out: Lister, start: Any, force: NDArray[Any], rgba: Any, objid: int, label: str = "") -> None:  # noqa: ANN401
    m = out.m
    length = float(m.vis.map.force) / max(float(m.stat.meanmass), _NO_MASS)
    width = float(m.vis.scale.forcewidth) * out.size
    out.join(mjtGeom.mjGEOM_ARROW, width, start, np.asarray(start) + length * force, rgba, 0, objid, label)


def _applied_forces(out: Lister) -> None:
    forces = np.asarray(out.d.xfrc_applied)[:, :3]
    for b in map(int, np.flatnonzero(forces.any(axis=1))):
        _force_arrow(out, out.d.xipos[b], forces[b], out.m.vis.rgba.force, b)


def _equalities(out: Lister) -> None:
    """The two points that each active connect or weld holds together."""
    m, d = out.m, out.d
    radius = float(m.vis.scale.constraint) * out.size
    for e in map(int, np.flatnonzero(d.eq_active) if m.neq else ()):
        kind = int(m.eq_type[e])
        if kind not in (mjtEq.mjEQ_CONNECT, mjtEq.mjEQ_WELD):
            continue
        pair = int(m.eq_obj1id[e]), int(m.eq_obj2id[e])
        at_sites = int(m.eq_objtype[e]) == int(mjtObj.mjOBJ_SITE)
        poses, mats = (d.site_xpos, d.site_xmat) if at_sites else (d.xpos, d.xmat)
        data = np.asarray(m.eq_data[e])
        # A weld keeps the point of the second body first.
        local = (data[0:3], data[3:6]) if kind == mjtEq.mjEQ_CONNECT else (data[3:6], data[0:3])
        label = out.name_if(mjtLabel.mjLABEL_CONSTRAINT, mjtObj.mjOBJ_EQUALITY, e)
        for i, own, rgba in zip(pair, local, (m.vis.rgba.connect, m.vis.rgba.constraint), strict=True):
            mat = np.asarray(mats[i]).reshape(3, 3)
            point = np.asarray(poses[i]) + (0.0 if at_sites else mat @ own)
            look: dict[str, Any] = {"type": int(mjtGeom.mjGEOM_SPHERE), "size": radius, "rgba": rgba}
            out.decor(mjtObj.mjOBJ_EQUALITY, e, label, pos=point, mat=mat, **look)


def _contacts(out: Lister) -> None:
    """Discs at contact points, their frames, arrows along their forces."""
    m, d = out.m, out.d
    scale, colours, contact = m.vis.scale, m.vis.rgba, d.contact
    frames, points = np.asarray(contact.frame).reshape(-1, 3, 3), np.asarray(contact.pos)
    disc = (float(scale.contactwidth) * out.size,) * 2 + (float(scale.contactheight) * out.size,)
    force = np.zeros(6)
    for c in range(int(d.ncon)):
        axes, pos = frames[c], points[c]
        if out.flags[mjtVisFlag.mjVIS_CONTACTPOINT]:
            names = " | ".join(out.name(mjtObj.mjOBJ_GEOM, int(g)) for g in np.asarray(contact.geom)[c] if g >= 0)
            rgba = colours.contactgap if int(contact.exclude[c]) == 1 else colours.contactpoint
            look: dict[str, Any] = {"type": int(mjtGeom.mjGEOM_CYLINDER), "size": disc, "rgba": rgba}
            label = names if out.labels(mjtLabel.mjLABEL_CONTACTPOINT) else ""
            out.decor(0, c, label, pos=pos, mat=np.stack([axes[1], axes[2], axes[0]], axis=1), **look)
        if out.opt.frame == int(mjtFrame.mjFRAME_CONTACT):
            out.frame(c, pos, axes.T, scale=0.5)
        if out.flags[mjtVisFlag.mjVIS_CONTACTFORCE] and int(contact.efc_address[c]) >= 0:
            mj_contactForce(m, d, c, force)
            label = f"{np.linalg.norm(force[:3]):.3g}" if out.labels(mjtLabel.mjLABEL_CONTACTFORCE) else ""
            if out.flags[mjtVisFlag.mjVIS_CONTACTSPLIT]:
                _force_arrow(out, pos, force[0] * axes[0], colours.contactforce, c, label)
                _force_arrow(out, pos, force[1] * axes[1] + force[2] * axes[2], colours.contactfriction, c)
            else:
                _force_arrow(out, pos, force[:3] @ axes, colours.contactforce, c, label)
