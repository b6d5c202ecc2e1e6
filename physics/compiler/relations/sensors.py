"""Sensors: one table says what each kind measures, from what, when, and how many numbers it gives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from physics.compiler.draft import Draft, fill, fill_user
from physics.compiler.relations.actuators import INTERPOLATIONS
from physics.mjcf.spec import Element
from physics.mjcf.suggest import with_article
from physics.state.enums import mjtConDataField, mjtDataType, mjtJoint, mjtObj, mjtRayDataField, mjtSensor, mjtStage
from physics.state.model import Model

_MOST = 10_000_000  # numbers that all sensors together may give

_DATATYPES = {d.name[11:].lower(): d for d in mjtDataType}
_STAGES = {s.name[8:].lower(): s for s in mjtStage}

# tag: what is named, numbers, data type, stage
_KINDS = {
    "touch": ("site", 1, "positive", "acc"), "accelerometer": ("site", 3, "real", "acc"),
    "velocimeter": ("site", 3, "real", "vel"), "gyro": ("site", 3, "real", "vel"), "force": ("site", 3, "real", "acc"),
    "torque": ("site", 3, "real", "acc"), "magnetometer": ("site", 3, "real", "pos"),
    "camprojection": ("site", 2, "real", "pos"), "rangefinder": ("", 1, "real", "pos"),
    "jointpos": ("joint", 1, "real", "pos"), "jointvel": ("joint", 1, "real", "vel"),
    "tendonpos": ("tendon", 1, "real", "pos"), "tendonvel": ("tendon", 1, "real", "vel"),
    "actuatorpos": ("actuator", 1, "real", "pos"), "actuatorvel": ("actuator", 1, "real", "vel"),
    "actuatorfrc": ("actuator", 1, "real", "acc"), "jointactuatorfrc": ("joint", 1, "real", "acc"),
    "tendonactuatorfrc": ("tendon", 1, "real", "acc"), "ballquat": ("joint", 4, "quaternion", "pos"),
    "ballangvel": ("joint", 3, "real", "vel"), "jointlimitpos": ("joint", 1, "real", "pos"),
    "jointlimitvel": ("joint", 1, "real", "vel"), "jointlimitfrc": ("joint", 1, "real", "acc"),
    "tendonlimitpos": ("tendon", 1, "real", "pos"), "tendonlimitvel": ("tendon", 1, "real", "vel"),
    "tendonlimitfrc": ("tendon", 1, "real", "acc"), "framepos": ("@", 3, "real", "pos"),
    "framequat": ("@", 4, "quaternion", "pos"), "framexaxis": ("@", 3, "axis", "pos"), "frameyaxis": ("@", 3, "axis", "pos"),
    "framezaxis": ("@", 3, "axis", "pos"), "framelinvel": ("@", 3, "real", "vel"), "frameangvel": ("@", 3, "real", "vel"),
    "framelinacc": ("@", 3, "real", "acc"), "frameangacc": ("@", 3, "real", "acc"), "subtreecom": ("body", 3, "real", "pos"),
    "subtreelinvel": ("body", 3, "real", "vel"), "subtreeangmom": ("body", 3, "real", "vel"),
    "insidesite": ("@", 1, "positive", "pos"), "distance": ("", 1, "real", "pos"), "normal": ("", 3, "axis", "pos"),
    "fromto": ("", 6, "real", "pos"), "contact": ("", 1, "real", "acc"), "e_potential": ("", 1, "real", "pos"),
    "e_kinetic": ("", 1, "real", "pos"), "clock": ("", 1, "real", "pos"), "user": ("@", 1, "real", "acc"),
}  # fmt: skip
_NAMED_OTHERWISE = {
    "jointactuatorfrc": "JOINTACTFRC", "tendonactuatorfrc": "TENDONACTFRC", "distance": "GEOMDIST", "normal": "GEOMNORMAL",
    "fromto": "GEOMFROMTO",
}  # fmt: skip
_REDUCTIONS = ("none", "mindist", "maxforce", "netforce")
_CONTACT_WIDTH = dict(zip(mjtConDataField, (1, 3, 3, 1, 3, 3, 3), strict=False))
_RAY_WIDTH = dict(zip(mjtRayDataField, (1, 3, 3, 3, 3, 1), strict=False))


@dataclass(slots=True)
class Sensor:
    """One sensor as the model stores it."""

    type: mjtSensor
    datatype: mjtDataType
    needstage: mjtStage
    dim: int
    objtype: mjtObj = mjtObj.mjOBJ_UNKNOWN
    objid: int = -1
    reftype: mjtObj = mjtObj.mjOBJ_UNKNOWN
    refid: int = -1
    intprm: tuple[int, int, int] = (0, 0, 0)


def read_sensor(draft: Draft, element: Element) -> Sensor:
    """A sensor with the ids of what it refers to. Raises MjcfError for what cannot be measured."""
    if element.tag not in _KINDS:
        raise element.error("is not supported yet as a sensor")
    kind, dim, datatype, stage = _KINDS[element.tag]
    name = _NAMED_OTHERWISE.get(element.tag, element.tag.upper())
    sensor = Sensor(mjtSensor[f"mjSENS_{name}"], _DATATYPES[datatype], _STAGES[stage], dim)
    if kind == "@":
        sensor.objtype, sensor.objid = _object(draft, element, "objtype", "objname")
        sensor.reftype, sensor.refid = _object(draft, element, "reftype", "refname")
    elif kind:
        sensor.objtype, sensor.objid = mjtObj[f"mjOBJ_{kind.upper()}"], draft.id(element, kind, kind)
    match element.tag:
        case "camprojection":
            sensor.reftype, sensor.refid = mjtObj.mjOBJ_CAMERA, draft.id(element, "camera", "camera")
        case "rangefinder":
            _read_rangefinder(draft, element, sensor)
        case "insidesite":
            sensor.reftype, sensor.refid = mjtObj.mjOBJ_SITE, draft.id(element, "site", "site")
        case "distance" | "normal" | "fromto":
            sensor.objtype, sensor.objid = _first_of(draft, element, geom1="geom", body1="body")
            sensor.reftype, sensor.refid = _first_of(draft, element, geom2="geom", body2="body")
            if (sensor.objtype, sensor.objid) == (sensor.reftype, sensor.refid):
                raise element.error("measures between two things: the first and the second must differ")
        case "contact":
            _read_contact(draft, element, sensor)
        case "user":
            sensor.dim = element.get("dim")
            sensor.datatype, sensor.needstage = _DATATYPES[element.get("datatype")], _STAGES[element.get("needstage")]
    _check(draft, element, sensor)
    return sensor


def _object(draft: Draft, element: Element, kind: str, name: str) -> tuple[mjtObj, int]:
    if not element.has(kind):
        return mjtObj.mjOBJ_UNKNOWN, -1
    written = element.get(kind)
    if not element.get(name):
        raise element.error(f"{name} is empty: it needs the name of {with_article(written)}")
    return mjtObj[f"mjOBJ_{written.upper()}"], draft.id(element, name, {"xbody": "body", "dof": "joint"}.get(written, written))


def _first_of(draft: Draft, element: Element, **kinds: str) -> tuple[mjtObj, int]:
    """The object named by the first of these attributes that is written; kinds: attribute and kind of object."""
    for attribute, kind in kinds.items():
        if element.get(attribute):
            stored = "xbody" if attribute.startswith("subtree") else kind
            return mjtObj[f"mjOBJ_{stored.upper()}"], draft.id(element, attribute, kind)
    return mjtObj.mjOBJ_UNKNOWN, -1


def _read_rangefinder(draft: Draft, element: Element, sensor: Sensor) -> None:
    sensor.objtype, sensor.objid = _first_of(draft, element, site="site", camera="camera")
    fields = [mjtRayDataField[f"mjRAYDATA_{word.upper()}"] for word in element.get("data")]
    sensor.intprm = (sum(1 << f for f in fields), 0, 0)
    sensor.dim = sum(_RAY_WIDTH[f] for f in fields)
    if sensor.objtype == mjtObj.mjOBJ_CAMERA:
        width, height = (int(v) for v in draft.cameras[sensor.objid].element.get("resolution"))
        sensor.dim *= width * height


def _read_contact(draft: Draft, element: Element, sensor: Sensor) -> None:
    first = {"site": "site", "geom1": "geom", "body1": "body", "subtree1": "body"}
    sensor.objtype, sensor.objid = _first_of(draft, element, **first)
    sensor.reftype, sensor.refid = _first_of(draft, element, geom2="geom", body2="body", subtree2="body")
    fields = [mjtConDataField[f"mjCONDATA_{word.upper()}"] for word in element.get("data")]
    number = element.get("num")
    if number < 1:
        raise element.error(f"num must be positive, is {number}")
    sensor.intprm = (sum(1 << f for f in fields), _REDUCTIONS.index(element.get("reduce")), number)
    sensor.dim = number * sum(_CONTACT_WIDTH[f] for f in fields)


def _check(draft: Draft, element: Element, sensor: Sensor) -> None:
    if sensor.objtype == mjtObj.mjOBJ_JOINT and element.tag != "user":
        joint = draft.joints[sensor.objid]
        if element.tag.startswith("ball"):
            if joint.type != mjtJoint.mjJNT_BALL:
                raise element.error("needs a ball joint")
        elif "limit" in element.tag:
            if not joint.limited:
                raise element.error("needs a joint with limits: give that one a range")
        elif joint.type not in (mjtJoint.mjJNT_SLIDE, mjtJoint.mjJNT_HINGE):
            raise element.error("needs a slide or hinge joint")
    for name in ("cutoff", "noise"):
        if element.get(name, 0.0) < 0:
            raise element.error(f"{name} must not be negative, is {element.get(name):g}")
    turned = sensor.datatype in (mjtDataType.mjDATATYPE_AXIS, mjtDataType.mjDATATYPE_QUATERNION)
    if element.get("cutoff", 0.0) > 0 and turned and element.tag != "normal":  # there it is the distance that is cut off
        raise element.error("cutoff does not fit a direction or an orientation, which have length 1")
    if not 0 <= sensor.dim <= _MOST:
        raise element.error(f"gives {sensor.dim} numbers; it can give 0 to {_MOST}")
    needed = {mjtDataType.mjDATATYPE_AXIS: 3, mjtDataType.mjDATATYPE_QUATERNION: 4}.get(sensor.datatype, sensor.dim)
    if sensor.dim != needed:
        raise element.error(f"dim must be {needed} for its datatype, is {sensor.dim}")


def read_sensors(draft: Draft) -> list[Sensor]:
    """All sensors of a model. Raises MjcfError if they give more numbers than there is room for."""
    sensors, total = [], 0
    for element in draft.sensors:
        sensors.append(read_sensor(draft, element))
        total += sensors[-1].dim
        if total > _MOST:
            raise element.error(f"brings the numbers of all sensors to {total}; at most {_MOST} fit")
    return sensors


def fill_sensors(draft: Draft, sensors: list[Sensor], m: Model) -> None:
    """Write the sensors of a model."""
    elements = draft.sensors
    fill(m, "sensor_", elements, ("cutoff",))
    m.sensor_noise = [element.get("noise", 0.0) for element in elements]
    fill_user(m.sensor_user, elements)
    for name in ("type", "datatype", "needstage", "dim", "objtype", "objid", "reftype", "refid"):
        getattr(m, f"sensor_{name}")[...] = [getattr(sensor, name) for sensor in sensors]
    if sensors:
        m.sensor_intprm = [sensor.intprm for sensor in sensors]
    m.sensor_adr = np.cumsum(m.sensor_dim) - m.sensor_dim
    m.sensor_plugin = m.sensor_historyadr = -1
    m.sensor_history[:, 1] = [INTERPOLATIONS.index(element.get("interp", "zoh")) for element in elements]
