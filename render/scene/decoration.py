"""Decoration of the window's pictures: the symbols that the options ask for, as far as a frame has poses for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.physics.state.enums import mjtGeom, mjtObj, mjtSensor
from tumble.render.camera import View
from tumble.render.drawlist import DrawList, frame_along
from tumble.render.frame import Frame
from tumble.render.options import FrameMode, RenderOptions, Selection, group_mask
from tumble.render.scene import symbols
from tumble.render.scene.canvas import Decor, Mark
from tumble.render.scene.contacts import draw_contacts
from tumble.render.scene.symbols import draw_actuator, slider_cranks
from tumble.render.scene.tendons import tendon_pieces

if TYPE_CHECKING:
    from tumble.physics import MjModel

_AXIS_RGBA = ((0.9, 0.15, 0.15, 1.0), (0.2, 0.75, 0.2, 1.0), (0.2, 0.35, 0.95, 1.0))
_PULL_RGBA = (0.95, 0.55, 0.15, 1.0)
_NO_ISLAND = (0.7, 0.7, 0.7)  # of tendons, which are in none, where islands have colours
_LINE = 0.02  # half the width of a line, in mean sizes of bodies: the reference draws lines of 3 pixels


def decoration(model: MjModel, frame: Frame, view: View, options: RenderOptions, selection: Selection) -> DrawList:
    """The draw list of all decoration but volumes and trails."""
    size = float(model.stat.meansize)
    out = Decor(_LINE * size)
    moving = len(frame.xpos) == model.nbody
    if options.tendon:
        _tendons(out, model, frame, options)
    _slider_cranks(out, model, frame)
    if options.joint and len(frame.xanchor) == model.njnt and moving:
        for i in map(int, np.flatnonzero(group_mask(model.jnt_group, options.joint_group))):
            symbols.draw_joint(out, model, frame, i)
    if options.actuator:
        for i in map(int, np.flatnonzero(group_mask(model.actuator_group, options.actuator_group))):
            draw_actuator(out, model, frame, i, activation=options.activation)
    if options.rangefinder and len(frame.sensordata) == model.nsensordata:
        for i in map(int, np.flatnonzero(np.asarray(model.sensor_type) == int(mjtSensor.mjSENS_RANGEFINDER))):
            symbols.draw_rays(out, model, frame, i)
    if options.equality and len(frame.eq_active) == model.neq and moving and len(frame.site_xpos) == model.nsite:
        _equalities(out, model, frame)
    if options.inertia and len(frame.xipos) == model.nbody:
        _inertias(out, model, frame, scaled=options.scale_inertia)
    if options.com and len(frame.subtree_com) == model.nbody:
        roots = (np.asarray(model.body_parentid) == 0) & (np.asarray(model.body_subtreemass) > 0)
        for b in map(int, np.flatnonzero(roots[1:]) + 1):
            symbols.draw_centre(out, model, frame, b)
    if options.auto_connect and moving:
        symbols.draw_connections(out, model, frame, 0.5)
    for i in range(len(frame.cam_xpos)) if options.camera else ():
        frustum = bool(np.abs(view.eye - frame.cam_xpos[i]).max() > 1e-6)
        symbols.draw_camera(out, model, frame, i, frustum=frustum)
    for i in range(len(frame.light_xpos)) if options.light else ():
        symbols.draw_light(out, model, frame, i)
    if options.contact_point or options.contact_force or options.contact_patch or selection.contact >= 0:
        draw_contacts(out, model, frame, view, options, selection.contact)
    if options.perturb_force and moving and len(frame.xfrc_applied) == model.nbody:
        symbols.draw_applied_forces(out, model, frame)
    if selection.body > 0 and moving:
        _selection(out, model, frame, options, selection, size)
    if options.frame != FrameMode.NONE:
        _frames(out, model, frame, options.frame, size)
    return out.to_list()


def _tendons(out: Decor, model: MjModel, frame: Frame, options: RenderOptions) -> None:
    """Capsules along each spatial tendon's path."""
    if not model.ntendon or len(frame.ten_wrapnum) != model.ntendon:
        return
    fade = float(model.vis.map.alpha) if options.transparent else 1.0
    for t in map(int, np.flatnonzero(group_mask(model.tendon_group, options.tendon_group))):
        material, rgba = int(model.tendon_matid[t]), np.array(model.tendon_rgba[t], float)
        if 0 <= material < model.nmat and np.allclose(rgba, (0.5, 0.5, 0.5, 1.0)):
            rgba = np.array(model.mat_rgba[material], float)
        if options.island:
            rgba[:3] = _NO_ISLAND
        rgba[3] *= fade
        if rgba[3] <= 0:
            continue
        for start, end in tendon_pieces(model, frame, t):
            out.rod(start, end, float(model.tendon_width[t]), Mark(rgba, mjtObj.mjOBJ_TENDON, t))


def _slider_cranks(out: Decor, model: MjModel, frame: Frame) -> None:
    """Slider and rod of each slider-crank actuator: they are machinery, and drawn even if actuators are hidden."""
    rgba, width = model.vis.rgba, float(model.vis.scale.slidercrank) * float(model.stat.meansize)
    for i, start, end, pin, broken in slider_cranks(model, frame):
        out.rod(start, end, width, Mark(rgba.slidercrank, mjtObj.mjOBJ_ACTUATOR, i))
        out.rod(end, pin, 0.5 * width, Mark(rgba.crankbroken if broken else rgba.slidercrank, mjtObj.mjOBJ_ACTUATOR, i))


def _equalities(out: Decor, model: MjModel, frame: Frame) -> None:
    """The two points that each active connect or weld holds together, joined by a rod while they are apart."""
    radius = 0.3 * float(model.vis.scale.constraint) * float(model.stat.meansize)
    for e in map(int, np.flatnonzero(frame.eq_active)):
        symbols.draw_equality(out, model, frame, e)
        points = symbols.held_points(model, frame, e)
        if points is not None:
            out.rod(*points, radius, Mark(model.vis.rgba.constraint, mjtObj.mjOBJ_EQUALITY, e))


def _inertias(out: Decor, model: MjModel, frame: Frame, *, scaled: bool) -> None:
    for b in range(1, model.nbody):
        shape = symbols.inertia_shape(model, b, scaled=scaled)
        if shape is not None:
            out.shape(shape[0], frame.xipos[b], frame.ximat[b], shape[1], Mark(model.vis.rgba.inertia, mjtObj.mjOBJ_BODY, b))


def _selection(out: Decor, model: MjModel, frame: Frame, options: RenderOptions, selection: Selection, size: float) -> None:
    """The selected point and, while it is pulled, a rod to where the mouse wants it."""
    b = selection.body
    if b >= model.nbody:
        return
    point = frame.xpos[b] + frame.xmat[b].reshape(3, 3) @ np.asarray(selection.localpos)
    radius = 0.5 * float(model.vis.scale.selectpoint) * size
    if options.select_point:
        out.shape(mjtGeom.mjGEOM_SPHERE, point, np.eye(3), radius, Mark(model.vis.rgba.selectpoint, mjtObj.mjOBJ_BODY, b))
    if selection.target is None or not options.perturb_object:
        return
    if selection.rotate:
        for axis in range(3):
            vector = 2.5 * size * frame.xmat[b].reshape(3, 3)[:, axis]
            out.arrow(frame.xipos[b], vector, 0.06 * size, Mark(_AXIS_RGBA[axis], mjtObj.mjOBJ_BODY, b))
    else:
        out.arrow(point, np.asarray(selection.target) - point, 0.5 * radius, Mark(_PULL_RGBA, mjtObj.mjOBJ_BODY, b))
        out.shape(mjtGeom.mjGEOM_SPHERE, selection.target, np.eye(3), radius, Mark(_PULL_RGBA, mjtObj.mjOBJ_BODY, b))


def _frames(out: Decor, model: MjModel, frame: Frame, mode: FrameMode, size: float) -> None:
    length, width = float(model.vis.scale.framelength) * size, 0.5 * float(model.vis.scale.framewidth) * size
    if mode == FrameMode.WORLD:
        _axes(out, np.zeros(3), np.eye(3), 2 * length, 2 * width)
        return
    poses: dict[FrameMode, tuple[Any, Any]] = {
        FrameMode.BODY: (frame.xpos[1:], frame.xmat[1:]),
        FrameMode.GEOM: (frame.geom_xpos, frame.geom_xmat),
        FrameMode.SITE: (frame.site_xpos, frame.site_xmat),
        FrameMode.CAMERA: (frame.cam_xpos, frame.cam_xmat),
        FrameMode.LIGHT: (frame.light_xpos, _light_axes(frame)),
        # A contact's rows are its axes; a pose's columns are.
        FrameMode.CONTACT: (frame.contact_pos, frame.contact_frame.reshape(-1, 3, 3).transpose(0, 2, 1)),
    }
    for pos, mat in zip(*poses[mode], strict=True):
        _axes(out, pos, np.asarray(mat).reshape(3, 3), length, width)


def _light_axes(frame: Frame) -> list[Any]:
    lengths = np.linalg.norm(frame.light_xdir, axis=1)
    return [frame_along(d / n) if n > 1e-9 else np.eye(3) for d, n in zip(frame.light_xdir, lengths, strict=True)]


def _axes(out: Decor, pos: ArrayLike, axes: NDArray[np.float64], length: float, width: float) -> None:
    for axis in range(3):
        out.arrow(pos, length * axes[:, axis], width, Mark(_AXIS_RGBA[axis]))
