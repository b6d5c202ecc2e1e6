"""The table of sensors: what each kind measures, of what, when, and how many numbers it gives.

The schema of MJCF, the compiler, what is noted as not computed, units and the kernels' sets of kinds come from it; the
stages in this folder compute what the rows say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from tumble.physics.errors import MisfitError
from tumble.physics.state.enums import mjtDataType, mjtSensor, mjtStage
from tumble.physics.state.model import Model
from tumble.physics.state.stages import Entry

POS, VEL, ACC = mjtStage.mjSTAGE_POS, mjtStage.mjSTAGE_VEL, mjtStage.mjSTAGE_ACC
_POSITIVE, _AXIS = mjtDataType.mjDATATYPE_POSITIVE, mjtDataType.mjDATATYPE_AXIS
_QUATERNION = mjtDataType.mjDATATYPE_QUATERNION

FRAME = "@"  # an object of a kind that a second attribute names
FIRST_GEOMS, SECOND_GEOMS = "geom1 body1", "geom2 body2"
_LATE = "nsample interp delay interval"

# What sensors can be asked for by bits, in their order: what it is called, its unit, how many numbers it has.
Asked = tuple[tuple[str, str, int], ...]
OF_CONTACT: Asked = (("found", "", 1), ("force", "N", 3), ("torque", "N m", 3), ("dist", "m", 1), ("pos", "m", 3),
                     ("normal", "", 3), ("tangent", "", 3))  # fmt: skip
OF_RAY: Asked = (("dist", "m", 1), ("dir", "", 3), ("origin", "m", 3), ("point", "m", 3), ("normal", "", 3), ("depth", "m", 1))

# What a sensor's own attributes make of it: its numbers, and the integers that its stage reads.
Extent = Callable[[Callable[[str], Any]], tuple[int, tuple[int, int, int]]]


class SensorKind(Struct, frozen=True):
    """One kind of sensor, by the tag of its element.

    of, to: the attributes that name what is measured, and against what; of several, one is written. dim: its numbers.
    unit: of a joint's sensor, that of a slide and that of a hinge; "" if none is known. joint: which joints it takes.
    free: it may name nothing. attributes: those of its own, in the language of the schema; extent: what they make of it.
    lacks: attributes of other sensors that it does not have. by: the stage of its own that computes it, if it has one.
    awake: it never sleeps.
    """

    tag: str
    type: mjtSensor
    of: str
    dim: int
    stage: mjtStage
    unit: str | tuple[str, str] = ""
    datatype: mjtDataType = mjtDataType.mjDATATYPE_REAL
    to: str = ""
    joint: str = "scalar"
    free: bool = False
    attributes: str = ""
    extent: Extent | None = None
    lacks: str = ""
    by: Entry | None = None
    awake: bool = False


def _rays(get: Callable[[str], Any]) -> tuple[int, tuple[int, int, int]]:
    """The numbers of one ray of a range finder."""
    width, bits = _asked(OF_RAY, get("data"))
    return width, (bits, 0, 0)


def _contacts(get: Callable[[str], Any]) -> tuple[int, tuple[int, int, int]]:
    """The numbers of the contacts that a contact sensor tells of. Raises ValueError for less than one."""
    width, bits = _asked(OF_CONTACT, get("data"))
    number = get("num")
    if number < 1:
        raise MisfitError(f"num must be positive, is {number}")
    reduction = ("none", "mindist", "maxforce", "netforce").index(get("reduce"))
    return number * width, (bits, reduction, number)


def _asked(table: Asked, words: Sequence[str]) -> tuple[int, int]:
    """Number of values selected by the words, and their bits."""
    asked = [k for k, (name, _, _) in enumerate(table) if name in words]
    return sum(table[k][2] for k in asked), sum(1 << k for k in asked)


def _given(get: Callable[[str], Any]) -> tuple[int, tuple[int, int, int]]:
    """The numbers that the element asks for."""
    return get("dim"), (0, 0, 0)


_RAY_DATA = "data flags dist|dir|origin|point|normal|depth = dist\n"
_CONTACT_DATA = """
    num     int = 1
    data    flags found|force|torque|dist|pos|normal|tangent = found
    reduce  keys none|mindist|maxforce|netforce = none
"""
_USER_DATA = """
    dim        int !
    needstage  keys none|pos|vel|acc = acc
    datatype   keys real|positive|axis|quaternion = real
"""

KINDS = (
    SensorKind("touch", mjtSensor.mjSENS_TOUCH, "site", 1, ACC, "N", _POSITIVE),
    SensorKind("accelerometer", mjtSensor.mjSENS_ACCELEROMETER, "site", 3, ACC, "m/s^2"),
    SensorKind("velocimeter", mjtSensor.mjSENS_VELOCIMETER, "site", 3, VEL, "m/s"),
    SensorKind("gyro", mjtSensor.mjSENS_GYRO, "site", 3, VEL, "rad/s"),
    SensorKind("force", mjtSensor.mjSENS_FORCE, "site", 3, ACC, "N"),
    SensorKind("torque", mjtSensor.mjSENS_TORQUE, "site", 3, ACC, "N m"),
    SensorKind("magnetometer", mjtSensor.mjSENS_MAGNETOMETER, "site", 3, POS, "T"),
    SensorKind("jointpos", mjtSensor.mjSENS_JOINTPOS, "joint", 1, POS, ("m", "rad")),
    SensorKind("jointvel", mjtSensor.mjSENS_JOINTVEL, "joint", 1, VEL, ("m/s", "rad/s")),
    SensorKind("jointactuatorfrc", mjtSensor.mjSENS_JOINTACTFRC, "joint", 1, ACC, ("N", "N m")),
    SensorKind("ballquat", mjtSensor.mjSENS_BALLQUAT, "joint", 4, POS, "", _QUATERNION, joint="ball"),
    SensorKind("ballangvel", mjtSensor.mjSENS_BALLANGVEL, "joint", 3, VEL, "rad/s", joint="ball"),
    SensorKind("jointlimitpos", mjtSensor.mjSENS_JOINTLIMITPOS, "joint", 1, POS, ("m", "rad"), joint="limited"),
    SensorKind("jointlimitvel", mjtSensor.mjSENS_JOINTLIMITVEL, "joint", 1, VEL, ("m/s", "rad/s"), joint="limited"),
    SensorKind("jointlimitfrc", mjtSensor.mjSENS_JOINTLIMITFRC, "joint", 1, ACC, ("N", "N m"), joint="limited"),
    SensorKind("tendonpos", mjtSensor.mjSENS_TENDONPOS, "tendon", 1, POS),
    SensorKind("tendonvel", mjtSensor.mjSENS_TENDONVEL, "tendon", 1, VEL),
    SensorKind("tendonactuatorfrc", mjtSensor.mjSENS_TENDONACTFRC, "tendon", 1, ACC),
    SensorKind("tendonlimitpos", mjtSensor.mjSENS_TENDONLIMITPOS, "tendon", 1, POS),
    SensorKind("tendonlimitvel", mjtSensor.mjSENS_TENDONLIMITVEL, "tendon", 1, VEL),
    SensorKind("tendonlimitfrc", mjtSensor.mjSENS_TENDONLIMITFRC, "tendon", 1, ACC),
    SensorKind("actuatorpos", mjtSensor.mjSENS_ACTUATORPOS, "actuator", 1, POS),
    SensorKind("actuatorvel", mjtSensor.mjSENS_ACTUATORVEL, "actuator", 1, VEL),
    SensorKind("actuatorfrc", mjtSensor.mjSENS_ACTUATORFRC, "actuator", 1, ACC),
    SensorKind("subtreecom", mjtSensor.mjSENS_SUBTREECOM, "body", 3, POS, "m"),
    SensorKind("subtreelinvel", mjtSensor.mjSENS_SUBTREELINVEL, "body", 3, VEL, "m/s"),
    SensorKind("subtreeangmom", mjtSensor.mjSENS_SUBTREEANGMOM, "body", 3, VEL, "kg m^2/s"),
    SensorKind("camprojection", mjtSensor.mjSENS_CAMPROJECTION, "site", 2, POS, "px", to="camera", by=Entry.SENSOR_SHAPES),
    SensorKind("rangefinder", mjtSensor.mjSENS_RANGEFINDER, "site camera", 1, POS, "m", attributes=_RAY_DATA, extent=_rays,
               by=Entry.SENSOR_SHAPES, awake=True),
    SensorKind("framepos", mjtSensor.mjSENS_FRAMEPOS, FRAME, 3, POS, "m", to=FRAME),
    SensorKind("framequat", mjtSensor.mjSENS_FRAMEQUAT, FRAME, 4, POS, "", _QUATERNION, to=FRAME),
    SensorKind("framexaxis", mjtSensor.mjSENS_FRAMEXAXIS, FRAME, 3, POS, "", _AXIS, to=FRAME),
    SensorKind("frameyaxis", mjtSensor.mjSENS_FRAMEYAXIS, FRAME, 3, POS, "", _AXIS, to=FRAME),
    SensorKind("framezaxis", mjtSensor.mjSENS_FRAMEZAXIS, FRAME, 3, POS, "", _AXIS, to=FRAME),
    SensorKind("framelinvel", mjtSensor.mjSENS_FRAMELINVEL, FRAME, 3, VEL, "m/s", to=FRAME),
    SensorKind("frameangvel", mjtSensor.mjSENS_FRAMEANGVEL, FRAME, 3, VEL, "rad/s", to=FRAME),
    SensorKind("framelinacc", mjtSensor.mjSENS_FRAMELINACC, FRAME, 3, ACC, "m/s^2"),
    SensorKind("frameangacc", mjtSensor.mjSENS_FRAMEANGACC, FRAME, 3, ACC, "rad/s^2"),
    SensorKind("insidesite", mjtSensor.mjSENS_INSIDESITE, FRAME, 1, POS, "", _POSITIVE, to="site", by=Entry.SENSOR_SHAPES),
    SensorKind("distance", mjtSensor.mjSENS_GEOMDIST, FIRST_GEOMS, 1, POS, "m", to=SECOND_GEOMS, by=Entry.SENSOR_SHAPES),
    SensorKind("normal", mjtSensor.mjSENS_GEOMNORMAL, FIRST_GEOMS, 3, POS, "", _AXIS, to=SECOND_GEOMS, by=Entry.SENSOR_SHAPES),
    SensorKind("fromto", mjtSensor.mjSENS_GEOMFROMTO, FIRST_GEOMS, 6, POS, "m", to=SECOND_GEOMS, by=Entry.SENSOR_SHAPES),
    SensorKind("contact", mjtSensor.mjSENS_CONTACT, "geom1 body1 subtree1 site", 1, ACC, to="geom2 body2 subtree2", free=True,
               attributes=_CONTACT_DATA, extent=_contacts, by=Entry.SENSOR_CONTACTS),
    SensorKind("e_potential", mjtSensor.mjSENS_E_POTENTIAL, "", 1, POS, "J"),
    SensorKind("e_kinetic", mjtSensor.mjSENS_E_KINETIC, "", 1, POS, "J"),
    SensorKind("clock", mjtSensor.mjSENS_CLOCK, "", 1, POS, "s", awake=True),
    SensorKind("tactile", mjtSensor.mjSENS_TACTILE, "mesh", 0, ACC, to="geom", lacks="cutoff noise",
               by=Entry.SENSOR_TAXELS),
    SensorKind("user", mjtSensor.mjSENS_USER, FRAME, 1, ACC, free=True, attributes=_USER_DATA, extent=_given, lacks=_LATE,
               awake=True),
    SensorKind("plugin", mjtSensor.mjSENS_PLUGIN, FRAME, 0, ACC, to=FRAME, free=True, lacks=f"{_LATE} noise", awake=True,
               attributes="plugin string\n instance ref plugin\n", by=Entry.SENSOR_GRIDS),
)  # fmt: skip

BY_TAG = {kind.tag: kind for kind in KINDS}
BY_TYPE = {kind.type: kind for kind in KINDS}

# Sets of kinds as kernels read them: the bit of a kind's number says whether it belongs.
APART = sum(1 << kind.type for kind in KINDS if kind.by is not None)
ALWAYS_AWAKE = sum(1 << kind.type for kind in KINDS if kind.awake)


def has_sensors_by(m: Model, stage: Entry) -> bool:
    """True if a model has sensors that a stage of their own computes."""
    return any(BY_TYPE[mjtSensor(kind)].by is stage for kind in m.sensor_type)
