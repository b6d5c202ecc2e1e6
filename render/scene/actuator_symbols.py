"""Actuators in the picture: a symbol or the shape of each target, coloured by its effort; slider-cranks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.physics.state.enums import mjtGeom, mjtObj, mjtTrn
from tumble.render.frame import Frame
from tumble.render.scene.canvas import Mark, SymbolCanvas
from tumble.render.scene.symbols import joint_symbol
from tumble.render.scene.tendons import tendon_pieces

if TYPE_CHECKING:
    from tumble.physics import MjModel

Vec = NDArray[np.float64]

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
