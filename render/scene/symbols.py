"""Symbols of elements without a shape: joints, actuators, constraints, sensors, cameras, lights, inertias, forces, contacts.

Sizes follow the model's `visual/scale` (multiples of the mean body size) and colours its `visual/rgba`, as in the reference.
Every function draws one element, whose poses the frame must have.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.physics.dynamics.fluid.box import box_side
from tumble.physics.state.enums import mjtEq, mjtGeom, mjtJoint, mjtObj, mjtTrn
from tumble.render.camera import sides_of
from tumble.render.constants import CONTACT
from tumble.render.frame import Frame
from tumble.render.scene.canvas import Mark, SymbolCanvas
from tumble.render.scene.tendons import tendon_pieces

if TYPE_CHECKING:
    from tumble.physics import MjModel

Vec = NDArray[np.float64]

_BODY, _CAMERA, _LIGHT = int(mjtObj.mjOBJ_BODY), int(mjtObj.mjOBJ_CAMERA), int(mjtObj.mjOBJ_LIGHT)
_NO_MASS = 1e-12
_WATER = 1000.0  # density [kg/m^3] of the boxes that stand for inertias scaled by mass
_JOINT = 0.3  # half size of free and ball joints, in mean sizes of bodies


def draw_joint(out: SymbolCanvas, model: MjModel, frame: Frame, i: int, label: str = "") -> None:
    """An arrow along the axis of a joint, or a box or ball."""
    scale, size = model.vis.scale, float(model.stat.meansize)
    width, length = float(scale.jointwidth) * size, float(scale.jointlength) * size
    joint_symbol(out, model, frame, i, (width, length, _JOINT * size), Mark(model.vis.rgba.joint, mjtObj.mjOBJ_JOINT, i, label))


def joint_symbol(
    out: SymbolCanvas, model: MjModel, frame: Frame, joint: int, sizes: tuple[float, float, float], mark: Mark
) -> None:
    """The symbol of a joint. sizes [m]: an arrow's width, twice its length, and half a box or ball."""
    kind, anchor, (width, length, half) = int(model.jnt_type[joint]), frame.xanchor[joint], sizes
    if kind in (mjtJoint.mjJNT_FREE, mjtJoint.mjJNT_BALL):
        shape = mjtGeom.mjGEOM_BOX if kind == mjtJoint.mjJNT_FREE else mjtGeom.mjGEOM_SPHERE
        out.shape(shape, anchor, frame.xmat[model.jnt_bodyid[joint]], half, mark)
    else:
        # As in the reference, an arrow is half as long as in `visual`.
        vector, barbed = 0.5 * length * frame.xaxis[joint], kind == mjtJoint.mjJNT_SLIDE
        out.arrow(anchor, vector, width, mark, barbed=barbed)


def held_points(model: MjModel, frame: Frame, e: int) -> tuple[Vec, Vec] | None:
    """The points (3,) [m] that a connect or a weld keeps together; None for equality constraints of other kinds."""
    kind = int(model.eq_type[e])
    if kind not in (mjtEq.mjEQ_CONNECT, mjtEq.mjEQ_WELD):
        return None
    a, b = int(model.eq_obj1id[e]), int(model.eq_obj2id[e])
    if int(model.eq_objtype[e]) == mjtObj.mjOBJ_SITE:
        return frame.site_xpos[a], frame.site_xpos[b]
    data = np.asarray(model.eq_data[e])
    # A weld keeps the point of the second body first.
    of_first, of_second = (data[0:3], data[3:6]) if kind == mjtEq.mjEQ_CONNECT else (data[3:6], data[0:3])
    one = frame.xpos[a] + frame.xmat[a].reshape(3, 3) @ of_first
    return one, frame.xpos[b] + frame.xmat[b].reshape(3, 3) @ of_second


def draw_equality(out: SymbolCanvas, model: MjModel, frame: Frame, e: int, label: str = "") -> None:
    """Balls at the anchor points of a connect or a weld; skipped for other types."""
    points = held_points(model, frame, e)
    if points is None:
        return
    radius = float(model.vis.scale.constraint) * float(model.stat.meansize)
    mats = frame.site_xmat if int(model.eq_objtype[e]) == mjtObj.mjOBJ_SITE else frame.xmat
    pair, colours = (model.eq_obj1id[e], model.eq_obj2id[e]), (model.vis.rgba.connect, model.vis.rgba.constraint)
    for point, i, rgba in zip(points, pair, colours, strict=True):
        out.shape(mjtGeom.mjGEOM_SPHERE, point, mats[i], radius, Mark(rgba, mjtObj.mjOBJ_EQUALITY, e, label))


def draw_rays(out: SymbolCanvas, model: MjModel, frame: Frame, sensor: int) -> None:
    """Lines along the rays of a rangefinder, of the measured length; none without a hit."""
    from tumble.physics.sensor.components import measured_rays  # brings the kernels of rays, which few models need

    i, first = int(model.sensor_objid[sensor]), int(model.sensor_adr[sensor])
    of_site = int(model.sensor_objtype[sensor]) == mjtObj.mjOBJ_SITE
    pos, mat = (frame.site_xpos, frame.site_xmat) if of_site else (frame.cam_xpos, frame.cam_xmat)
    if i < len(pos):
        measured = frame.sensordata[first : first + int(model.sensor_dim[sensor])]
        for start, end in measured_rays(model, sensor, pos[i], mat[i], measured):
            out.line(start, end, Mark(model.vis.rgba.rangefinder, mjtObj.mjOBJ_SENSOR, sensor))


def inertia_shape(model: MjModel, body: int, *, scaled: bool) -> tuple[mjtGeom, Vec] | None:
    """The solid box (or ellipsoid) with a body's mass and principal moments: its half sizes (3,) [m]; None without mass.

    scaled: made as large as if it were of water. A box of half sizes a, b, c has Ixx = m (b^2 + c^2) / 3, an ellipsoid
    m (b^2 + c^2) / 5: it is larger by the root of 5/3.
    """
    mass = float(model.body_mass[body])
    if mass <= _NO_MASS:
        return None
    x, y, z = (float(moment) for moment in model.body_inertia[body])
    kind, fill, factor = mjtGeom.mjGEOM_BOX, 8.0, 0.5
    if model.vis.global_.ellipsoidinertia:
        kind, fill, factor = mjtGeom.mjGEOM_ELLIPSOID, 4.0 / 3.0 * math.pi, 0.5 * math.sqrt(5.0 / 3.0)
    half = factor * np.array([box_side(x, y, z, mass), box_side(y, x, z, mass), box_side(z, x, y, mass)])
    volume = fill * float(np.prod(half))
    if scaled and volume > 0:
        half *= (mass / (_WATER * volume)) ** (1.0 / 3.0)
    return kind, half


def draw_centre(out: SymbolCanvas, model: MjModel, frame: Frame, body: int) -> None:
    """The centre of mass of a body's subtree."""
    radius = float(model.vis.scale.com) * float(model.stat.meansize)
    out.shape(mjtGeom.mjGEOM_SPHERE, frame.subtree_com[body], np.eye(3), radius, Mark(model.vis.rgba.com, _BODY, body))


def draw_connections(out: SymbolCanvas, model: MjModel, frame: Frame, thick: float) -> None:
    """Rods from each body's centre of mass over its joints to its parent's, trees' roots excepted; thick: a factor of them."""
    radius = thick * float(model.vis.scale.connect) * float(model.stat.meansize)
    for b in map(int, np.flatnonzero(np.asarray(model.body_parentid) > 0)):
        first = int(model.body_jntadr[b])
        joints = range(first + int(model.body_jntnum[b]) - 1, first - 1, -1)
        points = [frame.xipos[b], *(frame.xanchor[j] for j in joints), frame.xipos[int(model.body_parentid[b])]]
        for start, end in pairwise(points):
            out.rod(start, end, radius, Mark(model.vis.rgba.connect, _BODY, b))


def draw_camera(out: SymbolCanvas, model: MjModel, frame: Frame, i: int, label: str = "", *, frustum: bool = True) -> None:
    """A box with a lens, and the view frustum of a camera with a sensor; frustum: False for the eye that looks through it."""
    unit = float(model.vis.scale.camera) * float(model.stat.meansize)
    pos, axes, rgba = frame.cam_xpos[i], frame.cam_xmat[i].reshape(3, 3), np.array(model.vis.rgba.camera, float)
    if frustum and np.asarray(model.cam_sensorsize[i]).min() > 0:
        _frustum(out, model, i, pos, axes)
        rgba[3] *= 0.3
    out.shape(mjtGeom.mjGEOM_BOX, pos, axes, (unit, 0.8 * unit, 0.4 * unit), Mark(rgba, _CAMERA, i, label))
    lens, size = pos - 0.6 * unit * axes[:, 2], (0.4 * unit, 0.4 * unit, 0.3 * unit)
    out.shape(mjtGeom.mjGEOM_CYLINDER, lens, axes, size, Mark(rgba * (0.5, 0.5, 0.5, 1.0), _CAMERA, i))


def _frustum(out: SymbolCanvas, model: MjModel, camera: int, pos: Vec, axes: Vec) -> None:
    """Frustum of a camera's sensor, from the near plane to `visual/scale frustum` mean sizes of bodies away."""
    near = float(model.vis.map.znear) * float(model.stat.extent)
    far = float(model.vis.scale.frustum) * float(model.stat.meansize)
    (below, above), (left, right) = sides_of(model, camera, near)
    corners = np.array([[-left, -below, -near], [right, -below, -near], [right, above, -near], [-left, above, -near]])
    wide = corners * (1.0, 1.0, far / near) if model.cam_projection[camera] else corners * (far / near)
    close, distant, rgba = pos + corners @ axes.T, pos + wide @ axes.T, model.vis.rgba.frustum
    for i in range(4):
        j = (i + 1) % 4
        for corner, one, two in ((close[i], distant[i], close[j]), (distant[i], distant[j], close[j])):
            # A triangle's axes are the ways to its two other corners, and its normal; its sizes how far they are.
            ways = one - corner, two - corner
            sides = np.stack([*ways, np.cross(*ways)], axis=1)
            lengths = np.linalg.norm(sides, axis=0)
            mat = sides / np.maximum(lengths, 1e-15)
            out.shape(mjtGeom.mjGEOM_TRIANGLE, corner, mat, lengths, Mark(rgba, _CAMERA, camera))
        for start, end in ((close[i], close[j]), (distant[i], distant[j]), (close[i], distant[i])):
            out.line(start, end, Mark(rgba, _CAMERA, camera))


def draw_light(out: SymbolCanvas, model: MjModel, frame: Frame, i: int, label: str = "") -> None:
    """A cylinder behind a light, about its direction."""
    unit, direction = float(model.vis.scale.light) * float(model.stat.meansize), frame.light_xdir[i]
    length = float(np.linalg.norm(direction))
    ahead = direction / length if length > 1e-9 else np.array([0.0, 0.0, 1.0])
    front = frame.light_xpos[i]
    out.rod(front - 2.0 * unit * ahead, front, 0.8 * unit, Mark(model.vis.rgba.light, _LIGHT, i, label), flat=True)


def draw_applied_forces(out: SymbolCanvas, model: MjModel, frame: Frame) -> None:
    """Arrows along the forces that programs and users apply to bodies."""
    width = float(model.vis.scale.forcewidth) * float(model.stat.meansize)
    for b in map(int, np.flatnonzero(np.any(frame.xfrc_applied[:, :3] != 0, axis=1))):
        vector = force_length(model) * frame.xfrc_applied[b, :3]
        out.arrow(frame.xipos[b], vector, width, Mark(model.vis.rgba.force, _BODY, b))


def force_length(model: MjModel) -> float:
    """Length of the arrow of one newton [m/N]."""
    return 0.5 * float(model.vis.map.force) / max(float(model.stat.meanmass), _NO_MASS)


def draw_contact_disc(out: SymbolCanvas, model: MjModel, frame: Frame, c: int, label: str = "", *, gap: bool) -> None:
    """A disc at a contact point; gap: of two that are still apart."""
    scale, size, rgba = model.vis.scale, float(model.stat.meansize), model.vis.rgba
    axes, radius = frame.contact_frame[c].reshape(3, 3), float(scale.contactwidth) * size
    mat, half = np.stack([axes[1], axes[2], axes[0]], axis=1), float(scale.contactheight) * size
    colour = rgba.contactgap if gap else rgba.contactpoint
    out.shape(mjtGeom.mjGEOM_CYLINDER, frame.contact_pos[c], mat, (radius, radius, half), Mark(colour, CONTACT, c, label))


def draw_contact_force(
    out: SymbolCanvas, model: MjModel, frame: Frame, c: int, length: float, label: str = "", *, split: bool
) -> None:
    """An arrow along a contact's force; length: of one newton's [m/N]; split: one for its normal part, one for friction."""
    width, rgba = float(model.vis.scale.forcewidth) * float(model.stat.meansize), model.vis.rgba
    pos, axes, force = frame.contact_pos[c], frame.contact_frame[c].reshape(3, 3), length * frame.contact_force[c, :3]
    if split:
        out.arrow(pos, force[0] * axes[0], width, Mark(rgba.contactforce, CONTACT, c, label))
        out.arrow(pos, force[1] * axes[1] + force[2] * axes[2], width, Mark(rgba.contactfriction, CONTACT, c))
    else:
        out.arrow(pos, force @ axes, width, Mark(rgba.contactforce, CONTACT, c, label))



_LARGER = 1.05  # than the site or geom it covers
_BALL = 0.33  # of a ball or free joint, in mean sizes of bodies: covers the joint's own symbol
_ACTUATOR = int(mjtObj.mjOBJ_ACTUATOR)


def three_sizes(kind: NDArray[np.integer], size: ArrayLike) -> Vec:
    """(n, 3) sizes as symbols and scenes have them, of geoms' own: all radii are given, then half a length."""
    sizes = np.array(size, float)
    sphere = kind == int(mjtGeom.mjGEOM_SPHERE)
    sizes[sphere, 1:] = sizes[sphere, :1]
    long = (kind == int(mjtGeom.mjGEOM_CAPSULE)) | (kind == int(mjtGeom.mjGEOM_CYLINDER))
    sizes[long, 2] = sizes[long, 1]
    sizes[long, 1] = sizes[long, 0]
    return sizes


def draw_actuator(out: SymbolCanvas, model: MjModel, frame: Frame, i: int, label: str = "", *, activation: bool) -> None:
    """The symbol of an actuator, as far as the frame has poses for it; activation: coloured by that instead of the control."""
    size = float(model.stat.meansize)
    mark = Mark(_colour(model, *drive(model, frame, i, activation)), _ACTUATOR, i, label)
    kind, target = int(model.actuator_trntype[i]), int(model.actuator_trnid[i][0])
    if kind in (mjtTrn.mjTRN_JOINT, mjtTrn.mjTRN_JOINTINPARENT):
        if len(frame.xanchor) != model.njnt or len(frame.xmat) != model.nbody:
            return
        scale = model.vis.scale
        sizes = float(scale.actuatorwidth) * size, float(scale.actuatorlength) * size, _BALL * size
        joint_symbol(out, model, frame, target, sizes, mark)
    elif kind == mjtTrn.mjTRN_TENDON and len(frame.ten_wrapnum) == model.ntendon:
        width = float(model.tendon_width[target]) * float(model.vis.map.actuatortendon)
        for start, end in tendon_pieces(model, frame, target):
            out.rod(start, end, width, mark)
            mark = mark._replace(label="")
    elif kind == mjtTrn.mjTRN_SITE and len(frame.site_xpos) == model.nsite:
        shape = int(model.site_type[target]), np.asarray(model.site_size[target])
        _cover(out, *shape, frame.site_xpos[target], frame.site_xmat[target], mark)
    elif kind == mjtTrn.mjTRN_BODY and len(frame.geom_xpos) == model.ngeom:
        first = int(model.body_geomadr[target])
        for g in range(first, first + int(model.body_geomnum[target])):
            shape = int(model.geom_type[g]), np.asarray(model.geom_size[g])
            _cover(out, *shape, frame.geom_xpos[g], frame.geom_xmat[g], mark._replace(label=""))  # the body has its own


def drive(model: MjModel, frame: Frame, i: int, activation: bool) -> tuple[float, float, float]:
    """The control of an actuator, or its activation if requested and present; and its range: that of the control first."""
    last = int(model.actuator_actadr[i]) + int(model.actuator_actnum[i]) - 1
    active = activation and model.actuator_actadr[i] >= 0 and last < len(frame.act)
    value = frame.act[last] if active else frame.ctrl[i] if i < len(frame.ctrl) else 0.0
    if model.actuator_ctrllimited[i]:
        low, high = (float(v) for v in model.actuator_ctrlrange[i])
    elif active and model.actuator_actlimited[i]:
        low, high = (float(v) for v in model.actuator_actrange[i])
    else:
        low, high = -1.0, 1.0
    return float(value), low, high


def _colour(model: MjModel, value: float, low: float, high: float) -> NDArray[np.float64]:
    reach = high if value > 0 else -low
    share = min(abs(value) / reach, 1.0) if reach > 0 else 0.0
    look = model.vis.rgba
    end = look.actuatorpositive if value > 0 else look.actuatornegative
    return np.asarray((1.0 - share) * np.asarray(look.actuator) + share * np.asarray(end))


def _cover(out: SymbolCanvas, kind: int, size: Vec, pos: ArrayLike, mat: ArrayLike, mark: Mark) -> None:
    """A shape around that of a site or geom; none around meshes."""
    if kind <= mjtGeom.mjGEOM_BOX:
        larger = _LARGER * three_sizes(np.array([kind]), size[None])[0]
        out.shape(mjtGeom(kind), pos, mat, larger, mark)


def slider_cranks(model: MjModel, frame: Frame) -> list[tuple[int, Vec, Vec, Vec, bool]]:
    """Of each actuator of that kind: its number, three points (3,) [m] and whether its rod is too short to reach its axis.

    The points are the slider, the end of the rod on the slider's axis, and the pin at the rod's other end.
    """
    result: list[tuple[int, Vec, Vec, Vec, bool]] = []
    if not model.nu or len(frame.site_xpos) != model.nsite:
        return result
    for i in map(int, np.flatnonzero(np.asarray(model.actuator_trntype) == int(mjtTrn.mjTRN_SLIDERCRANK))):
        crank, slider = (int(site) for site in model.actuator_trnid[i])
        start, axis = frame.site_xpos[slider], frame.site_xmat[slider].reshape(3, 3)[:, 2]
        pin, rod = frame.site_xpos[crank], float(model.actuator_cranklength[i])
        along = float((pin - start) @ axis)
        # The rod's end on the axis: along it as far as the pin, less the rod's share; a rod too short leaves it there.
        rest = along * along + rod * rod - float((pin - start) @ (pin - start))
        result.append((i, start, start + axis * (along - math.sqrt(max(rest, 0.0))), pin, rest < 0))
    return result
