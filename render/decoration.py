"""Decoration: symbols for joints, actuators, contacts, forces, inertias, centres of mass, frames, cameras and lights.

Sizes follow the model's `visual/scale` (multiples of the mean body size) and colours its `visual/rgba`, as in the reference.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.physics.dynamics.fluid.box import box_side
from tumble.physics.state.enums import mjtJoint, mjtObj, mjtSensor
from tumble.render.camera import View, sides_of
from tumble.render.constants import MeshId
from tumble.render.contacts.draw import draw_contacts
from tumble.render.drawlist import Decor, frame_along
from tumble.render.frame import Frame
from tumble.render.options import FrameMode, RenderOptions, Selection
from tumble.render.symbols.actuators import draw_actuators, draw_slider_cranks
from tumble.render.symbols.equalities import held_points
from tumble.render.symbols.tendons import tendon_pieces

if TYPE_CHECKING:
    from tumble.physics import MjModel

_AXIS_RGBA = ((0.9, 0.15, 0.15, 1.0), (0.2, 0.75, 0.2, 1.0), (0.2, 0.35, 0.95, 1.0))
_PULL_RGBA = (0.95, 0.55, 0.15, 1.0)
_NO_ISLAND = (0.7, 0.7, 0.7)  # of tendons, which are in none, where islands have colours
_WATER = 1000.0  # density [kg/m^3] of the boxes that stand for inertias scaled by mass
_RAY_WIDTH = 0.02  # of a rangefinder's ray, in mean sizes of bodies: the reference draws lines of 3 pixels


def decorate(
    decor: Decor, model: MjModel, frame: Frame, view: View, options: RenderOptions, selection: Selection
) -> None:
    """Add all decoration that the options ask for, as far as the frame has poses for it."""
    size = float(model.stat.meansize)
    moving = len(frame.xpos) == model.nbody
    if options.tendon:
        _tendons(decor, model, frame, options)
    draw_slider_cranks(decor, model, frame)
    if options.joint and len(frame.xanchor) == model.njnt and moving:
        for i in np.flatnonzero(_shown(model.jnt_group, options.joint_group)):
            _joint(decor, model, frame, int(i), size, model.vis.rgba.joint, 1.0)
    if options.actuator:
        draw_actuators(decor, model, frame, options)
    if options.rangefinder and len(frame.sensordata) == model.nsensordata:
        _rangefinders(decor, model, frame, size)
    if options.equality and len(frame.eq_active) == model.neq and moving and len(frame.site_xpos) == model.nsite:
        _equalities(decor, model, frame, size)
    if options.inertia and len(frame.xipos) == model.nbody:
        _inertias(decor, model, frame, scaled=options.scale_inertia)
    if options.com and len(frame.subtree_com) == model.nbody:
        _centres(decor, model, frame, size)
    if options.auto_connect and moving:
        _connections(decor, model, frame, size)
    if options.camera:
        _cameras(decor, model, frame, view, size)
    if options.light:
        _lights(decor, model, frame, size)
    if options.contact_point or options.contact_force or options.contact_patch or selection.contact >= 0:
        draw_contacts(decor, model, frame, view, options, selection.contact)
    if options.perturb_force and moving and len(frame.xfrc_applied) == model.nbody:
        _applied_forces(decor, model, frame, size)
    if selection.body > 0 and moving:
        _selection(decor, model, frame, options, selection, size)
    if options.frame != FrameMode.NONE:
        _frames(decor, model, frame, options.frame, size)


def _shown(groups: ArrayLike, switches: list[bool]) -> NDArray[np.bool_]:
    return np.asarray(np.take(np.asarray(switches, bool), np.asarray(groups), mode="clip"))


def _joint(decor: Decor, model: MjModel, frame: Frame, i: int, size: float, rgba: ArrayLike, scale: float) -> None:
    # Arrows are half as long as `visual` says: so the reference draws them.
    width, length = float(model.vis.scale.jointwidth) * size, 0.5 * float(model.vis.scale.jointlength) * size
    kind = int(model.jnt_type[i])
    if kind == mjtJoint.mjJNT_FREE:
        half = 0.3 * size * scale
        body = int(model.jnt_bodyid[i])
        decor.add(MeshId.BOX, frame.xanchor[i], frame.xmat[body], (half, half, half), rgba, mjtObj.mjOBJ_JOINT, i)
    elif kind == mjtJoint.mjJNT_BALL:
        decor.sphere(frame.xanchor[i], 0.3 * size * scale, rgba, mjtObj.mjOBJ_JOINT, i)
    else:
        decor.arrow(frame.xanchor[i], length * scale * frame.xaxis[i], width * scale, rgba, mjtObj.mjOBJ_JOINT, i)


def _rangefinders(decor: Decor, model: MjModel, frame: Frame, size: float) -> None:
    """Thin rods along the rays of rangefinders, as long as they measure; none where they meet nothing."""
    sensors = np.flatnonzero(np.asarray(model.sensor_type) == int(mjtSensor.mjSENS_RANGEFINDER))
    if not len(sensors):
        return
    from tumble.physics.sensor.rays import measured_rays  # brings the kernels of rays, which few models need

    radius = _RAY_WIDTH * size
    for s in map(int, sensors):
        i, first = int(model.sensor_objid[s]), int(model.sensor_adr[s])
        of_site = int(model.sensor_objtype[s]) == mjtObj.mjOBJ_SITE
        pos, mat = (frame.site_xpos, frame.site_xmat) if of_site else (frame.cam_xpos, frame.cam_xmat)
        if i < len(pos):
            for start, end in measured_rays(model, s, pos[i], mat[i], frame.sensordata[first : first + int(model.sensor_dim[s])]):
                decor.rod(start, end, radius, model.vis.rgba.rangefinder, mjtObj.mjOBJ_SENSOR, s)


def _equalities(decor: Decor, model: MjModel, frame: Frame, size: float) -> None:
    """The two points that each active connect or weld holds together, joined by a rod while they are apart."""
    first, second = model.vis.rgba.connect, model.vis.rgba.constraint
    radius = float(model.vis.scale.constraint) * size
    for e in map(int, np.flatnonzero(frame.eq_active)):
        points = held_points(model, frame, e)
        if points is None:
            continue
        one, two = points
        decor.sphere(one, radius, first, mjtObj.mjOBJ_EQUALITY, e)
        decor.sphere(two, radius, second, mjtObj.mjOBJ_EQUALITY, e)
        decor.rod(one, two, 0.3 * radius, second, mjtObj.mjOBJ_EQUALITY, e)


def _tendons(decor: Decor, model: MjModel, frame: Frame, options: RenderOptions) -> None:
    """Capsules along each spatial tendon's path."""
    if not model.ntendon or len(frame.ten_wrapnum) != model.ntendon:
        return
    fade = float(model.vis.map.alpha) if options.transparent else 1.0
    for t in map(int, np.flatnonzero(_shown(model.tendon_group, options.tendon_group))):
        material, rgba = int(model.tendon_matid[t]), np.array(model.tendon_rgba[t], float)
        if 0 <= material < model.nmat and np.allclose(rgba, (0.5, 0.5, 0.5, 1.0)):
            rgba = np.array(model.mat_rgba[material], float)
        if options.island:
            rgba[:3] = _NO_ISLAND
        rgba[3] *= fade
        if rgba[3] <= 0:
            continue
        path = int(frame.ten_wrapadr[t]), int(frame.ten_wrapnum[t])
        for start, end in zip(*tendon_pieces(model, t, *path, frame.wrap_xpos, frame.wrap_obj), strict=True):
            decor.rod(start, end, float(model.tendon_width[t]), rgba, mjtObj.mjOBJ_TENDON, t)


def _inertias(decor: Decor, model: MjModel, frame: Frame, *, scaled: bool) -> None:
    """The solid box (or ellipsoid) with a body's mass and principal moments; scaled: made as large as if it were of water.

    A box of half sizes a, b, c has Ixx = m (b^2 + c^2) / 3, an ellipsoid m (b^2 + c^2) / 5: it is larger by the root of 5/3.
    """
    ellipsoid = bool(model.vis.global_.ellipsoidinertia)
    factor, mesh = (0.5 * math.sqrt(5 / 3), MeshId.SPHERE) if ellipsoid else (0.5, MeshId.BOX)
    fill = 4.0 / 3.0 * math.pi if ellipsoid else 8.0
    for b in range(1, model.nbody):
        mass = float(model.body_mass[b])
        if mass <= 1e-12:
            continue
        x, y, z = (float(moment) for moment in model.body_inertia[b])
        half = factor * np.array([box_side(x, y, z, mass), box_side(y, x, z, mass), box_side(z, x, y, mass)])
        volume = fill * float(np.prod(half))
        if scaled and volume > 0:
            half *= (mass / (_WATER * volume)) ** (1.0 / 3.0)
        decor.add(mesh, frame.xipos[b], frame.ximat[b], tuple(half), model.vis.rgba.inertia, mjtObj.mjOBJ_BODY, b)


def _centres(decor: Decor, model: MjModel, frame: Frame, size: float) -> None:
    """The centre of mass of every kinematic tree."""
    for b in range(1, model.nbody):
        if int(model.body_parentid[b]) == 0 and float(model.body_subtreemass[b]) > 0:
            radius = float(model.vis.scale.com) * size
            decor.sphere(frame.subtree_com[b], radius, model.vis.rgba.com, mjtObj.mjOBJ_BODY, b)


def _connections(decor: Decor, model: MjModel, frame: Frame, size: float) -> None:
    """Rods from each body's centre of mass over its joints to its parent's, trees' roots excepted."""
    radius, rgba = 0.5 * float(model.vis.scale.connect) * size, model.vis.rgba.connect
    for b in map(int, np.flatnonzero(np.asarray(model.body_parentid) > 0)):
        point = frame.xipos[b]
        first, count = int(model.body_jntadr[b]), int(model.body_jntnum[b])
        for j in range(first + count - 1, first - 1, -1):
            if int(model.jnt_type[j]) == mjtJoint.mjJNT_FREE:
                continue
            decor.rod(point, frame.xanchor[j], radius, rgba, mjtObj.mjOBJ_BODY, b)
            point = frame.xanchor[j]
        decor.rod(point, frame.xipos[int(model.body_parentid[b])], radius, rgba, mjtObj.mjOBJ_BODY, b)


def _cameras(decor: Decor, model: MjModel, frame: Frame, view: View, size: float) -> None:
    """A box with a lens, and what a camera with a sensor sees; not around the eye that looks through it."""
    unit = float(model.vis.scale.camera) * size
    for i in range(len(frame.cam_xpos)):
        axes = frame.cam_xmat[i].reshape(3, 3)
        rgba = np.array(model.vis.rgba.camera, float)
        if np.asarray(model.cam_sensorsize[i]).min() > 0 and np.abs(view.eye - frame.cam_xpos[i]).max() > 1e-6:
            _frustum(decor, model, i, frame.cam_xpos[i], axes, size)
            rgba[3] *= 0.3
        lens = rgba * (0.5, 0.5, 0.5, 1.0)
        decor.add(MeshId.BOX, frame.cam_xpos[i], axes, (unit, 0.8 * unit, 0.4 * unit), rgba, mjtObj.mjOBJ_CAMERA, i)
        pos = frame.cam_xpos[i] - 0.6 * unit * axes[:, 2]
        decor.cylinder(pos, axes, 0.4 * unit, 0.3 * unit, lens, mjtObj.mjOBJ_CAMERA, i)


def _frustum(decor: Decor, model: MjModel, camera: int, pos: NDArray[np.float64], axes: NDArray[np.float64], size: float) -> None:
    """What a camera's sensor sees, from the near plane to `visual/scale frustum` mean sizes of bodies away."""
    near, far = float(model.vis.map.znear) * float(model.stat.extent), float(model.vis.scale.frustum) * size
    (below, above), (left, right) = sides_of(model, camera, near)
    corners = np.array([[-left, -below, -near], [right, -below, -near], [right, above, -near], [-left, above, -near]])
    wide = corners * (1.0, 1.0, far / near) if model.cam_projection[camera] else corners * (far / near)
    close, distant = pos + corners @ axes.T, pos + wide @ axes.T
    rgba, width = model.vis.rgba.frustum, _RAY_WIDTH * size
    for i in range(4):
        j = (i + 1) % 4
        for corner, one, two in ((close[i], distant[i], close[j]), (distant[i], distant[j], close[j])):
            ways = one - corner, two - corner
            normal = np.cross(*ways)
            lengths = np.array([np.linalg.norm(way) for way in (*ways, normal)])
            mat = np.stack([*ways, normal], axis=1) / np.maximum(lengths, 1e-15)
            decor.add(MeshId.TRIANGLE, corner, mat, (lengths[0], lengths[1], 1.0), rgba, mjtObj.mjOBJ_CAMERA, camera)
        for start, end in ((close[i], close[j]), (distant[i], distant[j]), (close[i], distant[i])):
            decor.rod(start, end, width, rgba, mjtObj.mjOBJ_CAMERA, camera)


def _lights(decor: Decor, model: MjModel, frame: Frame, size: float) -> None:
    unit = float(model.vis.scale.light) * size
    for i in range(len(frame.light_xpos)):
        length = float(np.linalg.norm(frame.light_xdir[i]))
        axes = frame_along(frame.light_xdir[i] / length) if length > 1e-9 else np.eye(3)
        pos = frame.light_xpos[i] - unit * axes[:, 2]
        decor.cylinder(pos, axes, 0.8 * unit, unit, model.vis.rgba.light, mjtObj.mjOBJ_LIGHT, i)


def _applied_forces(decor: Decor, model: MjModel, frame: Frame, size: float) -> None:
    length = 0.5 * float(model.vis.map.force) / max(float(model.stat.meanmass), 1e-9)
    for b in np.flatnonzero(np.any(frame.xfrc_applied[:, :3] != 0, axis=1)):
        width = float(model.vis.scale.forcewidth) * size
        decor.arrow(frame.xipos[b], length * frame.xfrc_applied[b, :3], width, model.vis.rgba.force, mjtObj.mjOBJ_BODY, int(b))


def _selection(decor: Decor, model: MjModel, frame: Frame, options: RenderOptions, selection: Selection, size: float) -> None:
    """The selected point and, while it is pulled, a rod to where the mouse wants it."""
    b = selection.body
    if b >= model.nbody:
        return
    point = frame.xpos[b] + frame.xmat[b].reshape(3, 3) @ np.asarray(selection.localpos)
    radius = 0.5 * float(model.vis.scale.selectpoint) * size
    if options.select_point:
        decor.sphere(point, radius, model.vis.rgba.selectpoint, mjtObj.mjOBJ_BODY, b)
    if selection.target is None or not options.perturb_object:
        return
    if selection.rotate:
        for axis in range(3):
            vector = 2.5 * size * frame.xmat[b].reshape(3, 3)[:, axis]
            decor.arrow(frame.xipos[b], vector, 0.06 * size, _AXIS_RGBA[axis], mjtObj.mjOBJ_BODY, b)
    else:
        decor.arrow(point, np.asarray(selection.target) - point, 0.5 * radius, _PULL_RGBA, mjtObj.mjOBJ_BODY, b)
        decor.sphere(selection.target, radius, _PULL_RGBA, mjtObj.mjOBJ_BODY, b)


def _frames(decor: Decor, model: MjModel, frame: Frame, mode: FrameMode, size: float) -> None:
    length, width = float(model.vis.scale.framelength) * size, 0.5 * float(model.vis.scale.framewidth) * size
    if mode == FrameMode.WORLD:
        _axes(decor, np.zeros(3), np.eye(3), 2 * length, 2 * width)
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
        _axes(decor, pos, np.asarray(mat).reshape(3, 3), length, width)


def _light_axes(frame: Frame) -> list[Any]:
    lengths = np.linalg.norm(frame.light_xdir, axis=1)
    return [frame_along(d / n) if n > 1e-9 else np.eye(3) for d, n in zip(frame.light_xdir, lengths, strict=True)]


def _axes(decor: Decor, pos: ArrayLike, axes: NDArray[np.float64], length: float, width: float) -> None:
    for axis in range(3):
        decor.arrow(pos, length * axes[:, axis], width, _AXIS_RGBA[axis])
