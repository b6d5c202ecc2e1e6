"""Sensors: what each measures, of what, when, and how many numbers it gives, by the table physics/sensor/kinds.py.

And the histories of sensors and controls: how many samples are kept and where, how they are read, delays and intervals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from tumble.physics.compiler.draft import Draft
from tumble.physics.compiler.fill import fill, fill_from, fill_user
from tumble.physics.mjcf import faults
from tumble.physics.mjcf.references import ALIASES
from tumble.physics.mjcf.schema.relations import kind_named
from tumble.physics.mjcf.spec import Element
from tumble.physics.mjcf.suggest import with_article
from tumble.physics.sensor.kinds import BY_TAG, FIRST_GEOMS, FRAME, SensorKind
from tumble.physics.state.block import MOST_BYTES
from tumble.physics.state.enums import mjtDataType, mjtJoint, mjtObj, mjtSensor, mjtStage
from tumble.physics.state.history import buffer_size
from tumble.physics.state.model import Model
from tumble.physics.state.plugins import GRID_CHANNELS, GRID_X, GRID_Y

_MOST = 10_000_000  # numbers that all sensors together may give

_DATATYPES = {d.name[11:].lower(): d for d in mjtDataType}
_STAGES = {s.name[8:].lower(): s for s in mjtStage}


class Sensor(Struct):
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
    kind = BY_TAG[element.tag]
    sensor = Sensor(kind.type, kind.datatype, kind.stage, kind.dim)
    sensor.objtype, sensor.objid = _read_object(draft, element, kind.of, ("objtype", "objname"))
    sensor.reftype, sensor.refid = _read_object(draft, element, kind.to, ("reftype", "refname"))
    if kind.of == FIRST_GEOMS and (sensor.objtype, sensor.objid) == (sensor.reftype, sensor.refid):
        raise element.error("measures between two things: the first and the second must differ")
    if kind.extent is not None:
        try:
            sensor.dim, sensor.intprm = kind.extent(element.get)
        except ValueError as error:
            raise element.error(str(error)) from None
    if sensor.type == mjtSensor.mjSENS_TACTILE:  # a pressure and two speeds at every vertex
        sensor.dim = 3 * len(draft.assets.meshes[sensor.objid].shape.vertices)
    if sensor.type == mjtSensor.mjSENS_PLUGIN:
        sensor.dim = _grid_size(draft, element, sensor)
    if kind.of == "site camera" and sensor.objtype == mjtObj.mjOBJ_CAMERA:  # its numbers, for every pixel
        width, height = (int(v) for v in draft.cameras[sensor.objid].element.get("resolution"))
        sensor.dim *= width * height
    sensor.datatype = _DATATYPES.get(element.get("datatype", ""), kind.datatype)
    sensor.needstage = _STAGES.get(element.get("needstage", ""), kind.stage)
    _check(draft, element, sensor, kind)
    return sensor


def _read_object(draft: Draft, element: Element, spec: str, frame: tuple[str, str]) -> tuple[mjtObj, int]:
    """Kind and id of the object that one of the attributes of a spec names; frame: the attributes of one of any kind."""
    if spec == FRAME:
        return _object(draft, element, *frame)
    words = spec.split()
    written = words if len(words) == 1 else [word for word in words if element.get(word)]
    if not written:
        return mjtObj.mjOBJ_UNKNOWN, -1
    kind = kind_named(written[0])
    stored = "xbody" if written[0].startswith("subtree") else kind
    return mjtObj[f"mjOBJ_{stored.upper()}"], draft.required_id(element, written[0], kind)


def _object(draft: Draft, element: Element, kind: str, name: str) -> tuple[mjtObj, int]:
    if not element.has(kind):
        return mjtObj.mjOBJ_UNKNOWN, -1
    written = element.get(kind)
    if not element.get(name):
        raise element.error(f"{name} is empty: it needs the name of {with_article(written)}")
    return mjtObj[f"mjOBJ_{written.upper()}"], draft.id(element, name, ALIASES.get(written, written))


def _check(draft: Draft, element: Element, sensor: Sensor, kind: SensorKind) -> None:
    if kind.of == "joint":
        joint = draft.joints[sensor.objid]
        if kind.joint == "ball":
            if joint.type != mjtJoint.mjJNT_BALL:
                raise element.error("needs a ball joint")
        elif kind.joint == "limited":
            if not joint.limited:
                raise element.error("needs a joint with limits: give that one a range")
        elif joint.type not in (mjtJoint.mjJNT_SLIDE, mjtJoint.mjJNT_HINGE):
            raise element.error("needs a slide or hinge joint")
    if sensor.type == mjtSensor.mjSENS_TACTILE and not _collides(draft, sensor.refid):
        raise element.error("needs a geom on a body of which a geom can collide: contype or conaffinity not 0")
    for name in ("cutoff", "noise"):
        if element.get(name, 0.0) < 0:
            raise element.error(f"{name} must not be negative, is {element.get(name):g}")
    turned = sensor.datatype in (mjtDataType.mjDATATYPE_AXIS, mjtDataType.mjDATATYPE_QUATERNION)
    if element.get("cutoff", 0.0) > 0 and turned and kind.of != FIRST_GEOMS:  # there it is the distance that is cut off
        raise element.error("cutoff does not fit a direction or an orientation, which have length 1")
    if not 0 <= sensor.dim <= _MOST:
        raise element.error(f"gives {sensor.dim} numbers; it can give 0 to {_MOST}")
    needed = {mjtDataType.mjDATATYPE_AXIS: 3, mjtDataType.mjDATATYPE_QUATERNION: 4}.get(sensor.datatype, sensor.dim)
    if sensor.dim != needed:
        raise element.error(f"dim must be {needed} for its datatype, is {sensor.dim}")


def _grid_size(draft: Draft, element: Element, sensor: Sensor) -> int:
    """Number of values of a touch grid. Raises MjcfError unless it is on a site."""
    if sensor.objtype != mjtObj.mjOBJ_SITE:
        raise element.error('a touch grid is on a site: give it objtype="site" and the name of a site as objname')
    values = draft.plugins.values(element)
    return int(values[GRID_CHANNELS] * values[GRID_X] * values[GRID_Y])


def _collides(draft: Draft, geom: int) -> bool:
    """True if any geom of a geom's body takes part in collisions."""
    geoms = next(body.geoms for body in draft.bodies if draft.geoms[geom] in body.geoms)
    return any(g.element.get("contype") or g.element.get("conaffinity") for g in geoms)


def read_sensors(draft: Draft) -> list[Sensor]:
    """All sensors of a model, what stands for one that is wrong among them, so that each is at the place of its element.

    Raises MjcfError if they give more numbers than there is room for.
    """
    sensors, total = [], 0
    for element in draft.sensors:
        sensor = Sensor(mjtSensor.mjSENS_USER, mjtDataType.mjDATATYPE_REAL, mjtStage.mjSTAGE_POS, 0)
        with faults.tolerated():
            sensor = read_sensor(draft, element)
        sensors.append(sensor)
        total += sensor.dim
        if total > _MOST:
            raise element.error(f"brings the numbers of all sensors to {total}; at most {_MOST} fit")
    return sensors


def fill_sensors(draft: Draft, sensors: list[Sensor], m: Model) -> None:
    """Write the sensors of a model."""
    elements = draft.sensors
    fill(m, "sensor_", elements, ("cutoff",))
    m.sensor_noise = [element.get("noise", 0.0) for element in elements]
    fill_user(m.sensor_user, elements)
    fill_from(m, "sensor_", sensors, ("type", "datatype", "needstage", "dim", "objtype", "objid", "reftype", "refid", "intprm"))
    m.sensor_adr = np.cumsum(m.sensor_dim) - m.sensor_dim
    m.sensor_plugin = [draft.plugins.of(element) for element in elements]


INTERPOLATIONS = ("zoh", "linear", "cubic")
_MOST_SAMPLES = 2**24  # of one buffer


def history_size(draft: Draft, sensors: Sequence[Sensor]) -> int:
    """Numbers that the histories of all actuators and sensors take.

    Raises MjcfError for a delay, an interval or a number of samples that cannot be.
    """
    total = 0
    for element, dim in _signals(draft, sensors):
        _check_history(element)
        total += _buffer_size(element, dim)
        if 8 * total > MOST_BYTES:
            raise element.error(f"nsample brings the histories of all signals to {8 * total} bytes; {MOST_BYTES} are the most")
    return total


def _buffer_size(element: Element, dim: int) -> int:
    return buffer_size(int(element.get("nsample", 0)), dim)


def _check_history(element: Element) -> None:
    n, delay = element.get("nsample", 0), element.get("delay", 0.0)
    period, phase = read_interval(element)
    if delay > 0 and n <= 0:
        raise element.error("delay needs a history: give it nsample, the number of samples to keep")
    if n > _MOST_SAMPLES:
        raise element.error(f"nsample must be at most {_MOST_SAMPLES}, is {n}")
    if period < 0:
        raise element.error(f"interval must not be negative, is {period:g}")
    if phase > 0:
        raise element.error(f"the phase of interval must not be positive, is {phase:g}: it is a time before the beginning")
    if period > 0 and phase <= -period:
        raise element.error(f"the phase of interval must be greater than {-period:g}, is {phase:g}")
    if delay < 0:
        element.warn(f"delay is negative, {delay:g}: nothing is known in advance")
    if period > 0 and n <= 0:
        element.warn("interval needs a history, nsample: the sensor is computed at every step")
    if phase < 0 and period == 0:
        element.warn("interval has a phase and no period: the sensor is computed at every step")


def read_interval(element: Element) -> tuple[float, float]:
    """Period and phase [s] of a sensor; zeros for what has none."""
    given = [float(v) for v in np.atleast_1d(element.get("interval", 0.0))]
    return given[0], given[1] if len(given) > 1 else 0.0


def fill_histories(draft: Draft, sensors: Sequence[Sensor], m: Model) -> None:
    """Write the histories of a model: the buffers of its actuators, then those of its sensors."""
    sizes = np.array([_buffer_size(element, dim) for element, dim in _signals(draft, sensors)], int)
    addresses = np.where(sizes > 0, np.cumsum(sizes) - sizes, -1)
    m.actuator_historyadr, m.sensor_historyadr = addresses[: m.nu], addresses[m.nu :]
    for kind, elements in (("actuator", draft.actuators), ("sensor", draft.sensors)):
        if elements:
            kept = [(element.get("nsample", 0), INTERPOLATIONS.index(element.get("interp", "zoh"))) for element in elements]
            setattr(m, f"{kind}_history", kept)
            setattr(m, f"{kind}_delay", [element.get("delay", 0.0) for element in elements])
    if draft.sensors:
        m.sensor_interval = [read_interval(element) for element in draft.sensors]


def _signals(draft: Draft, sensors: Sequence[Sensor]) -> Iterator[tuple[Element, int]]:
    """All elements that may have a history, and how many numbers each gives."""
    return zip([*draft.actuators, *draft.sensors], [1] * len(draft.actuators) + [sensor.dim for sensor in sensors], strict=True)
