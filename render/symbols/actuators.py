"""Actuators in the picture: the symbol or the shape of what each drives, in the colour of how hard it does; slider-cranks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.physics.state.enums import mjtGeom, mjtJoint, mjtObj, mjtTrn
from tumble.render.constants import MeshId
from tumble.render.drawlist import Decor
from tumble.render.frame import Frame
from tumble.render.options import NGROUP, RenderOptions
from tumble.render.symbols.tendons import tendon_pieces

if TYPE_CHECKING:
    from tumble.physics import MjModel

_LARGER = 1.05  # than the site or geom it covers
_BALL = 0.33  # of a ball or free joint, in mean sizes of bodies: covers the joint's own symbol
_ACTUATOR = int(mjtObj.mjOBJ_ACTUATOR)
_ROUND = {int(mjtGeom.mjGEOM_SPHERE): MeshId.SPHERE, int(mjtGeom.mjGEOM_CAPSULE): MeshId.CAPSULE,
          int(mjtGeom.mjGEOM_CYLINDER): MeshId.CYLINDER}  # fmt: skip
_THREE = {int(mjtGeom.mjGEOM_ELLIPSOID): MeshId.SPHERE, int(mjtGeom.mjGEOM_BOX): MeshId.BOX}


def draw_actuators(decor: Decor, model: MjModel, frame: Frame, options: RenderOptions) -> None:
    """The symbols of all actuators whose groups are shown, as far as the frame has poses for them."""
    group = np.clip(np.asarray(model.actuator_group, int), 0, NGROUP - 1)
    for i in map(int, np.flatnonzero(np.asarray(options.actuator_group, bool)[group])):
        value, low, high = drive(model, frame, i, options.activation)
        _symbol(decor, model, frame, i, _colour(model, value, low, high))


def drive(model: MjModel, frame: Frame, i: int, activation: bool) -> tuple[float, float, float]:
    """The control of an actuator, or its activation if asked for and it has one; and its range: that of the control first."""
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


def _symbol(decor: Decor, model: MjModel, frame: Frame, i: int, rgba: ArrayLike) -> None:
    size = float(model.stat.meansize)
    kind, target = int(model.actuator_trntype[i]), int(model.actuator_trnid[i][0])
    if kind in (mjtTrn.mjTRN_JOINT, mjtTrn.mjTRN_JOINTINPARENT) and len(frame.xanchor) == model.njnt:
        if int(model.jnt_type[target]) in (mjtJoint.mjJNT_FREE, mjtJoint.mjJNT_BALL):
            decor.sphere(frame.xanchor[target], _BALL * size, rgba, _ACTUATOR, i)
        else:
            width, length = float(model.vis.scale.actuatorwidth) * size, 0.5 * float(model.vis.scale.actuatorlength) * size
            decor.arrow(frame.xanchor[target], length * frame.xaxis[target], width, rgba, _ACTUATOR, i)
    elif kind == mjtTrn.mjTRN_TENDON and len(frame.ten_wrapnum) == model.ntendon:
        width = float(model.tendon_width[target]) * float(model.vis.map.actuatortendon)
        path = int(frame.ten_wrapadr[target]), int(frame.ten_wrapnum[target])
        for start, end in zip(*tendon_pieces(model, target, *path, frame.wrap_xpos, frame.wrap_obj), strict=True):
            decor.rod(start, end, width, rgba, _ACTUATOR, i)
    elif kind == mjtTrn.mjTRN_SITE and len(frame.site_xpos) == model.nsite:
        shape = int(model.site_type[target]), np.asarray(model.site_size[target])
        _cover(decor, *shape, frame.site_xpos[target], frame.site_xmat[target], rgba, i)
    elif kind == mjtTrn.mjTRN_BODY and len(frame.geom_xpos) == model.ngeom:
        first = int(model.body_geomadr[target])
        for g in range(first, first + int(model.body_geomnum[target])):
            shape = int(model.geom_type[g]), np.asarray(model.geom_size[g])
            _cover(decor, *shape, frame.geom_xpos[g], frame.geom_xmat[g], rgba, i)


def _cover(
    decor: Decor, kind: int, size: NDArray[np.float64], pos: ArrayLike, mat: ArrayLike, rgba: ArrayLike, actuator: int
) -> None:
    """A shape around that of a site or geom; none around meshes, height fields and planes."""
    x, y, z = (_LARGER * float(v) for v in size)
    if kind in _ROUND:
        half = y if kind != mjtGeom.mjGEOM_SPHERE else 0.0
        mesh = _ROUND[kind]
        scale = (x, x, half, 0.0) if mesh is MeshId.CYLINDER else (x, x, x, half)
        decor.add(mesh, pos, mat, scale, rgba, _ACTUATOR, actuator)
    elif kind in _THREE:
        decor.add(_THREE[kind], pos, mat, (x, y, z), rgba, _ACTUATOR, actuator)


def draw_slider_cranks(decor: Decor, model: MjModel, frame: Frame) -> None:
    """Slider and rod of each actuator of that kind: they are machinery, and seen whether or not actuators are."""
    if not model.nu or len(frame.site_xpos) != model.nsite:
        return
    look, width = model.vis.rgba, float(model.vis.scale.slidercrank) * float(model.stat.meansize)
    for i in map(int, np.flatnonzero(np.asarray(model.actuator_trntype) == int(mjtTrn.mjTRN_SLIDERCRANK))):
        crank, slider = (int(site) for site in model.actuator_trnid[i])
        start, axis = frame.site_xpos[slider], frame.site_xmat[slider].reshape(3, 3)[:, 2]
        pin, rod = frame.site_xpos[crank], float(model.actuator_cranklength[i])
        along = float((pin - start) @ axis)
        # The rod's end on the axis: along it as far as the pin, less the rod's share; a rod too short leaves it there.
        rest = along * along + rod * rod - float((pin - start) @ (pin - start))
        end = start + axis * (along - math.sqrt(max(rest, 0.0)))
        decor.rod(start, end, width, look.slidercrank, _ACTUATOR, i)
        decor.rod(end, pin, 0.5 * width, look.crankbroken if rest < 0 else look.slidercrank, _ACTUATOR, i)
