"""Actuators in a scene: the symbol or the shape of what each drives, in the colour of how hard it does."""

from __future__ import annotations

from typing import Any

import numpy as np

from tumble.physics.state.enums import mjtGeom, mjtLabel, mjtObj, mjtTrn, mjtVisFlag
from tumble.render.abstract.lister import Lister, connection, group_mask, three_sizes

_LARGER = 1.05  # than the site or geom it covers
_BALL = 0.33  # of a ball or free joint, in mean sizes of bodies: covers the joint's own symbol


def add_actuators(out: Lister) -> None:
    """The symbols of all actuators shown, slider-cranks excepted, which are always seen."""
    m = out.m
    for i in map(int, np.flatnonzero(group_mask(m.actuator_group, out.opt.actuatorgroup)) if m.nu else ()):
        label = out.name_if(mjtLabel.mjLABEL_ACTUATOR, mjtObj.mjOBJ_ACTUATOR, i)
        if int(m.actuator_trntype[i]) == mjtTrn.mjTRN_BODY:
            label = ""  # the body's own is there
        for shape in _shapes(out, i):
            out.decor(mjtObj.mjOBJ_ACTUATOR, i, label, rgba=_colour(out, i), **shape)
            label = ""


def _shapes(out: Lister, i: int) -> list[dict[str, Any]]:
    from tumble.render.abstract.decoration import joint_symbol
    from tumble.render.abstract.elements import tendon_path

    m, d = out.m, out.d
    kind, target = int(m.actuator_trntype[i]), int(m.actuator_trnid[i][0])
    if kind in (mjtTrn.mjTRN_JOINT, mjtTrn.mjTRN_JOINTINPARENT):
        width, length = float(m.vis.scale.actuatorwidth) * out.size, float(m.vis.scale.actuatorlength) * out.size
        return [joint_symbol(out, target, width, length, _BALL * out.size)]
    if kind == mjtTrn.mjTRN_TENDON:
        width = float(m.tendon_width[target]) * float(m.vis.map.actuatortendon)
        return [connection(int(mjtGeom.mjGEOM_CAPSULE), width, *ends) for ends in tendon_path(out, target)]
    if kind == mjtTrn.mjTRN_SITE:
        of, pose = (m.site_type, m.site_size), (d.site_xpos, d.site_xmat)
        return [_covering(of, pose, target)]
    if kind == mjtTrn.mjTRN_BODY:
        first = int(m.body_geomadr[target])
        of, pose = (m.geom_type, m.geom_size), (d.geom_xpos, d.geom_xmat)
        geoms = range(first, first + int(m.body_geomnum[target]))
        return [_covering(of, pose, g) for g in geoms if int(m.geom_type[g]) <= int(mjtGeom.mjGEOM_BOX)]
    return []


def _covering(of: Any, pose: Any, i: int) -> dict[str, Any]:  # noqa: ANN401  # columns of the model and of its data
    size = three_sizes(np.array([int(of[0][i])]), np.asarray(of[1])[i : i + 1])[0]
    return {"type": int(of[0][i]), "size": _LARGER * size, "pos": pose[0][i], "mat": np.asarray(pose[1][i]).reshape(3, 3)}


def _colour(out: Lister, i: int) -> Any:  # noqa: ANN401  # (4,) rgba
    """Between the colours of rest and of the range's ends: of the control, or the activation if asked for and there is one."""
    m, d = out.m, out.d
    last = int(m.actuator_actadr[i]) + int(m.actuator_actnum[i]) - 1
    active = bool(out.flags[mjtVisFlag.mjVIS_ACTIVATION]) and int(m.actuator_actadr[i]) >= 0
    value, low, high = float(d.act[last] if active else d.ctrl[i]), -1.0, 1.0
    if active and m.actuator_actlimited[i]:
        low, high = (float(v) for v in m.actuator_actrange[i])
    elif m.actuator_ctrllimited[i]:
        low, high = (float(v) for v in m.actuator_ctrlrange[i])
    reach = high if value > 0 else -low
    share = min(abs(value) / reach, 1.0) if reach > 0 else 0.0
    look = m.vis.rgba
    end = look.actuatorpositive if value > 0 else look.actuatornegative
    return (1.0 - share) * np.asarray(look.actuator) + share * np.asarray(end)
