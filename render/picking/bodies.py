"""The body that an object of a model belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tumble.physics.state.enums import mjtObj, mjtTrn

if TYPE_CHECKING:
    from tumble.physics import MjModel

_FIELDS = {
    mjtObj.mjOBJ_GEOM: "geom_bodyid", mjtObj.mjOBJ_SITE: "site_bodyid", mjtObj.mjOBJ_JOINT: "jnt_bodyid",
    mjtObj.mjOBJ_CAMERA: "cam_bodyid", mjtObj.mjOBJ_LIGHT: "light_bodyid",
}  # fmt: skip
# What actuators pull on, for those whose target has a place of its own.
_TARGETS = {
    mjtTrn.mjTRN_JOINT: mjtObj.mjOBJ_JOINT, mjtTrn.mjTRN_JOINTINPARENT: mjtObj.mjOBJ_JOINT, mjtTrn.mjTRN_SITE: mjtObj.mjOBJ_SITE,
    mjtTrn.mjTRN_BODY: mjtObj.mjOBJ_BODY,
}  # fmt: skip


def body_of(model: MjModel, objtype: int, objid: int) -> int:
    """The body of an object: 0 is the world, -1 for what belongs to none, or to several (tendons, contacts, flexes, skins)."""
    if objtype in (mjtObj.mjOBJ_BODY, mjtObj.mjOBJ_XBODY):
        return objid
    if objtype in _FIELDS:
        return int(getattr(model, _FIELDS[mjtObj(objtype)])[objid])
    if objtype == mjtObj.mjOBJ_SENSOR:
        return body_of(model, int(model.sensor_objtype[objid]), int(model.sensor_objid[objid]))
    if objtype == mjtObj.mjOBJ_ACTUATOR:
        target = _TARGETS.get(mjtTrn(int(model.actuator_trntype[objid])))
        return -1 if target is None else body_of(model, int(target), int(model.actuator_trnid[objid][0]))
    return -1
