"""Decoration of a scene: the symbols that its options ask for, in the reference's order, with the texts next to them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.physics.algebra.quat import quat_mat, quat_mul
from tumble.physics.state.enums import mjtCatBit, mjtFrame, mjtGeom, mjtLabel, mjtObj, mjtPertBit, mjtSensor, mjtVisFlag
from tumble.render.mjv.lister import Lister, toward
from tumble.render.options import group_mask
from tumble.render.scene import symbols
from tumble.render.scene.canvas import Mark
from tumble.render.scene.symbols import draw_actuator
from tumble.render.scene.volumes import body_boxes, flex_boxes, mesh_boxes

Vec = NDArray[np.float64]
_BODY = int(mjtObj.mjOBJ_BODY)


def add_decoration(out: Lister) -> None:
    """All of it that the options ask for, in the reference's order."""
    if not out.shows(mjtCatBit.mjCAT_DECOR):
        return
    m, frame, flags = out.m, out.frame, out.flags
    _volumes(out)
    if flags[mjtVisFlag.mjVIS_INERTIA]:
        _inertias(out)
    _held(out)
    _bodies(out)
    if flags[mjtVisFlag.mjVIS_JOINT]:
        for i in map(int, np.flatnonzero(group_mask(m.jnt_group, out.opt.jointgroup))):
            symbols.draw_joint(out, m, frame, i, out.name_if(mjtLabel.mjLABEL_JOINT, mjtObj.mjOBJ_JOINT, i))
    if flags[mjtVisFlag.mjVIS_ACTUATOR]:
        _actuators(out)
    if out.labels(mjtLabel.mjLABEL_ISLAND):
        _island_labels(out)
    for i in range(m.ncam) if flags[mjtVisFlag.mjVIS_CAMERA] else ():
        symbols.draw_camera(out, m, frame, i, out.name_if(mjtLabel.mjLABEL_CAMERA, mjtObj.mjOBJ_CAMERA, i))
        out.axes_if(mjtFrame.mjFRAME_CAMERA, i, frame.cam_xpos[i], frame.cam_xmat[i])
    for i in range(m.nlight) if flags[mjtVisFlag.mjVIS_LIGHT] else ():
        symbols.draw_light(out, m, frame, i, out.name_if(mjtLabel.mjLABEL_LIGHT, mjtObj.mjOBJ_LIGHT, i))
        out.axes_if(mjtFrame.mjFRAME_LIGHT, i, frame.light_xpos[i], toward(frame.light_xdir[i]))
    for b in range(1, m.nbody) if flags[mjtVisFlag.mjVIS_COM] else ():
        if int(m.body_parentid[b]) == 0:
            symbols.draw_centre(out, m, frame, b)
    if flags[mjtVisFlag.mjVIS_AUTOCONNECT]:
        symbols.draw_connections(out, m, frame, 1.0)
    if flags[mjtVisFlag.mjVIS_RANGEFINDER]:
        for s in map(int, np.flatnonzero(np.asarray(m.sensor_type) == int(mjtSensor.mjSENS_RANGEFINDER))):
            symbols.draw_rays(out, m, frame, s)
    if flags[mjtVisFlag.mjVIS_PERTFORCE]:
        symbols.draw_applied_forces(out, m, frame)
    for e in map(int, np.flatnonzero(frame.eq_active)) if flags[mjtVisFlag.mjVIS_CONSTRAINT] else ():
        symbols.draw_equality(out, m, frame, e, out.name_if(mjtLabel.mjLABEL_CONSTRAINT, mjtObj.mjOBJ_EQUALITY, e))
    if (
        flags[mjtVisFlag.mjVIS_CONTACTPOINT]
        or flags[mjtVisFlag.mjVIS_CONTACTFORCE]
        or int(out.opt.frame) == int(mjtFrame.mjFRAME_CONTACT)
    ):
        _contacts(out)


def _volumes(out: Lister) -> None:
    """Boxes of the trees of bounding volumes, all in the colour of those that were not tested."""
    m, frame, depth = out.m, out.frame, int(out.opt.bvh_depth)
    volumes = [body_boxes(m, frame, depth, endless=True)] if out.flags[mjtVisFlag.mjVIS_BODYBVH] else []
    if out.flags[mjtVisFlag.mjVIS_MESHBVH]:
        volumes += [flex_boxes(m, frame, depth), mesh_boxes(m, frame, depth)]
    for boxes in volumes:
        for node, pos, mat, half in zip(boxes.node, boxes.pos, boxes.mat, boxes.half, strict=True):
            out.shape(mjtGeom.mjGEOM_LINEBOX, pos, mat, half, Mark(m.vis.rgba.bv, 0, int(node)))


def _body_label(out: Lister, body: int) -> str:
    selected = out.labels(mjtLabel.mjLABEL_SELECTION) and out.pert.select == body
    return out.name(mjtObj.mjOBJ_BODY, body) if out.labels(mjtLabel.mjLABEL_BODY) or selected else ""


def _inertias(out: Lister) -> None:
    m, frame = out.m, out.frame
    for b in range(1, m.nbody):
        shape = symbols.inertia_shape(m, b, scaled=bool(out.flags[mjtVisFlag.mjVIS_SCLINERTIA]))
        if shape is not None:
            out.shape(shape[0], frame.xipos[b], frame.ximat[b], shape[1], Mark(m.vis.rgba.inertia, 0, b, _body_label(out, b)))
            out.last["objtype"] = _BODY
            out.last["emission"] = float(m.vis.global_.glow) if b == out.pert.select else 0.0


def _held(out: Lister) -> None:
    """The pull on a held body: a rod to where its point is wanted, and a box in the wanted orientation."""
    m, pert = out.m, out.pert
    body, active = pert.select, pert.active | pert.active2
    if not 0 < body < m.nbody or not active or not out.flags[mjtVisFlag.mjVIS_PERTOBJ]:
        return
    quat = np.asarray(pert.refquat)
    if active & int(mjtPertBit.mjPERT_TRANSLATE):
        width, rgba = float(m.vis.scale.constraint) * out.size, m.vis.rgba.constraint
        out.rod(_held_point(out), pert.refselpos, width, Mark(rgba, _BODY, body))
        out.shape(mjtGeom.mjGEOM_SPHERE, pert.refselpos, quat_mat(quat), 2.0 * width, Mark(rgba, _BODY, body))
    shape = symbols.inertia_shape(m, body, scaled=False)
    if active & int(mjtPertBit.mjPERT_ROTATE) and shape is not None:
        turned = quat_mat(np.array(quat_mul(quat, np.asarray(m.body_iquat[body], float))))
        out.shape(shape[0], out.frame.xipos[body], turned, shape[1], Mark(m.vis.rgba.inertia, _BODY, body))


def _held_point(out: Lister) -> Vec:
    body = out.pert.select
    return np.asarray(out.frame.xpos[body] + out.frame.xmat[body].reshape(3, 3) @ np.asarray(out.pert.localpos))


def _bodies(out: Lister) -> None:
    """Frames of the world and of bodies, the selected point, names of bodies."""
    m, frame, pert = out.m, out.frame, out.pert
    inertia = bool(out.flags[mjtVisFlag.mjVIS_INERTIA])
    out.axes_if(mjtFrame.mjFRAME_WORLD, 0, np.zeros(3), np.eye(3), scale=2.0)
    for b in range(1, m.nbody):
        # With inertias, the frames are theirs.
        pose = (frame.xipos[b], frame.ximat[b]) if inertia else (frame.xpos[b], frame.xmat[b])
        out.axes_if(mjtFrame.mjFRAME_BODY, b, *pose)
    if 0 < pert.select < m.nbody and out.flags[mjtVisFlag.mjVIS_SELECT]:
        point = _held_point(out)
        text = "{:.3f} {:.3f} {:.3f} (local {:.3f} {:.3f} {:.3f})".format(*point, *pert.localpos)
        label, radius = text if out.labels(mjtLabel.mjLABEL_SELPNT) else "", float(m.vis.scale.selectpoint) * out.size
        out.shape(mjtGeom.mjGEOM_SPHERE, point, np.eye(3), radius, Mark(m.vis.rgba.selectpoint, _BODY, pert.select, label))
    for b in range(1, m.nbody) if not inertia else ():
        if _body_label(out, b):
            out.text(frame.xpos[b], frame.xmat[b], b, _body_label(out, b))


def _actuators(out: Lister) -> None:
    """The symbols of all actuators shown, slider-cranks excepted, which are always seen."""
    m, activation = out.m, bool(out.flags[mjtVisFlag.mjVIS_ACTIVATION])
    for i in map(int, np.flatnonzero(group_mask(m.actuator_group, out.opt.actuatorgroup))):
        label = out.name_if(mjtLabel.mjLABEL_ACTUATOR, mjtObj.mjOBJ_ACTUATOR, i)
        draw_actuator(out, m, out.frame, i, label, activation=activation)


def _island_labels(out: Lister) -> None:
    m, frame, island = out.m, out.frame, out.frame.tree_island
    for b in range(1, m.nbody):
        tree = int(m.body_treeid[b])
        if 0 <= tree < len(island) and island[tree] >= 0:
            out.text(frame.xipos[b], frame.ximat[b], b, str(int(island[tree])))


def _contacts(out: Lister) -> None:
    """Discs at contact points, their frames, arrows along their forces."""
    m, frame, contact = out.m, out.frame, out.d.contact
    split = bool(out.flags[mjtVisFlag.mjVIS_CONTACTSPLIT])
    for c in range(len(frame.contact_pos)):
        if out.flags[mjtVisFlag.mjVIS_CONTACTPOINT]:
            names = " | ".join(out.name(mjtObj.mjOBJ_GEOM, int(g)) for g in frame.contact_geom[c] if g >= 0)
            label = names if out.labels(mjtLabel.mjLABEL_CONTACTPOINT) else ""
            symbols.draw_contact_disc(out, m, frame, c, label, gap=int(contact.exclude[c]) == 1)
        out.axes_if(mjtFrame.mjFRAME_CONTACT, c, frame.contact_pos[c], frame.contact_frame[c].reshape(3, 3).T, scale=0.5)
        if out.flags[mjtVisFlag.mjVIS_CONTACTFORCE] and int(contact.efc_address[c]) >= 0:
            strength = float(np.linalg.norm(frame.contact_force[c, :3]))
            label = f"{strength:.3g}" if out.labels(mjtLabel.mjLABEL_CONTACTFORCE) else ""
            symbols.draw_contact_force(out, m, frame, c, symbols.force_length(m), label, split=split)
