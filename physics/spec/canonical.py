"""The canonical form of MJCF, as the reference writes it: radians and quaternions, the order of attributes, which always stand.

Attributes that a row of the order does not name follow in the order of the schema.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

from tumble.physics.compiler.bodies.frames import read_orientation
from tumble.physics.mjcf.schema import ElementRule
from tumble.physics.mjcf.spec import CompilerSettings
from tumble.physics.spec.conversion import oriented
from tumble.physics.spec.elements.assets import layers_of
from tumble.physics.spec.grammar import Structure
from tumble.physics.spec.part import SpecPart, clear
from tumble.physics.state.enums import mjtJoint, mjtOrientation

Values = dict[str, Any]  # by attribute; None: not set

_AUTO = 2  # of a limit: the range decides


def values_of(part: SpecPart, settings: CompilerSettings) -> Values:
    """The value of each attribute that a field of a structure holds, defaults too.

    settings: how its angles are to be understood. Raises ValueError for a value that no attribute can have.
    """
    own: Values = {}
    for name, field in part.structure.coded.items():
        value = part.value(field.name)
        nothing = isinstance(value, float | np.ndarray) and np.size(value) and np.isnan(np.ravel(value)[0])
        own[name] = None if nothing else shortest(field.encoded(value), field.kind)
    if "alt" in part.structure.fields and part.is_set("alt") and part.alt.type != mjtOrientation.mjORIENTATION_QUAT:
        own["quat"] = np.array(read_orientation(oriented(part.alt, settings)))
    _of_kind(part, own, settings)
    return own


@cache
def default_values(structure: Structure, settings: CompilerSettings) -> Values:
    """Values of a structure's default element, shared: never to be changed."""
    empty: SpecPart = SpecPart.__new__(type("Empty", (SpecPart,), {"structure": structure, "__slots__": ()}))
    clear(empty)
    return values_of(empty, settings)


def shortest(value: Any, kind: str) -> Any:
    """A number of 32 bits as the shortest one of 64 that is rounded to it."""
    if kind == "float":
        return float(str(np.float32(value))) if np.ndim(value) == 0 else np.array([float(str(np.float32(v))) for v in value])
    return np.array([float(str(np.float32(v))) for v in value]) if kind == "floats" else value


def _of_kind(part: Any, own: Values, settings: CompilerSettings) -> None:
    """Exceptions from the table's rules for attributes."""
    kind = part.structure.kind
    if kind == "joint":
        _joint(part, own, settings)
    elif kind == "material":
        used = layers_of(part)
        own["texture"] = used.get("rgb", "") if used.keys() <= {"rgb"} else ""


def _joint(joint: Any, own: Values, settings: CompilerSettings) -> None:
    """Angles of hinges and balls. A range that does not hold is no angle: the compiler leaves it as it stands."""
    kind, limited = joint.value("type"), joint.value("limited")
    low, high = (float(v) for v in joint.value("range"))
    holds = low < high if limited == _AUTO else bool(limited)
    if kind in (mjtJoint.mjJNT_HINGE, mjtJoint.mjJNT_BALL) and holds:
        own["range"] = np.array([settings.angle(low), settings.angle(high)])
    if kind == mjtJoint.mjJNT_HINGE:
        own |= {name: settings.angle(float(own[name])) for name in ("ref", "springref")}
    if kind != mjtJoint.mjJNT_FREE or own["align"] == "auto":
        own["align"] = None


def differs(a: Any, b: Any) -> bool:
    """True if two values of an attribute are not the same."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return a is None or b is None or np.shape(a) != np.shape(b) or np.asarray(a).tobytes() != np.asarray(b).tobytes()
    return bool(a != b)


_ORDER = {
    "body": "name childclass pos quat mocap gravcomp sleep user",
    "frame": "name childclass pos quat",
    "inertial": "pos quat mass diaginertia fullinertia",
    "joint": "name class joint joint1 joint2 pos axis type group ref springref solreflimit solimplimit "
             "solreffriction solimpfriction springdamper stiffness limited range actuatorfrclimited "
             "actuatorgravcomp actuatorfrcrange margin armature damping frictionloss user coef polycoef active",
    "geom": "name class geom sidesite fromto size pos quat type contype conaffinity condim group priority "
            "friction solmix solref solimp margin gap fluidshape fluidcoef shellinertia mass density material "
            "rgba hfield mesh fitscale user",
    "site": "name class site fromto pos quat size group type material rgba user",
    "camera": "name class target pos quat ipd mode resolution output projection fovy sensorsize focal focalpixel "
              "principal principalpixel user",
    "light": "name class target pos dir bulbradius intensity range type texture castshadow active attenuation "
             "cutoff exponent ambient diffuse specular mode",
    "pair": "class geom1 geom2 name condim margin gap solref solreffriction solimp friction",
    "connect": "name class body1 body2 site1 site2 anchor active solref solimp",
    "weld": "name class body1 body2 site1 site2 anchor relpose torquescale active solref solimp",
    "texture": "type colorspace name content_type file gridsize gridlayout builtin mark rgb1 rgb2 markrgb random "
               "width height",
    "material": "name class texture texuniform texrepeat emission specular shininess reflectance metallic roughness "
                "rgba",
    "layer": "texture role",
    "mesh": "name class content_type file builtin params vertex normal texcoord face inertia refpos refquat scale "
            "smoothnormal maxhullvert material",
    "hfield": "name content_type file size nrow ncol elevation",
    "spatial": "name class group solreflimit solimplimit solreffriction solimpfriction limited range "
               "actuatorfrclimited actuatorfrcrange margin stiffness damping frictionloss springlength armature "
               "material width rgba user",
    "general": "name class joint jointinparent tendon site refsite body cranksite slidersite cranklength group "
               "nsample interp delay ctrllimited ctrlrange forcelimited forcerange actlimited actrange lengthrange "
               "gear actearly actdim dyntype dynprm gaintype biastype gainprm biasprm user",
    "numeric": "name size data",
    "key": "name time qpos qvel act mpos mquat ctrl",
    "element": "objtype objname prm",
}  # fmt: skip
_ORDER |= {"fixed": _ORDER["spatial"], "tendon": _ORDER["spatial"], "equality": "active solref solimp"}

# What stands even where it says nothing new; a joint's axis only if it has one.
ALWAYS = {
    "joint": ("pos", "axis"), "site": ("pos",), "camera": ("pos",), "light": ("pos", "dir"), "texture": ("type", "colorspace"),
}  # fmt: skip

# Lists whose tail may be left out where it is the one that is inherited.
TRIMMED = frozenset({"friction", "solref", "solimp", "solreflimit", "solimplimit", "solreffriction", "solimpfriction", "gainprm",
                     "biasprm"})  # fmt: skip

SECTIONS = ("compiler", "option", "size", "visual", "statistic", "default", "extension", "custom", "asset", "worldbody",
            "contact", "deformable", "equality", "tendon", "actuator", "sensor", "keyframe")  # fmt: skip
ASSETS = ("texture", "material", "mesh", "hfield")


def ordered(tag: str, names: Iterable[str], rule: ElementRule) -> list[str]:
    """Names of attributes as they stand in an element."""
    first = _ORDER[tag].split() if tag in _ORDER else _sensor(rule)
    places = {name: k for k, name in enumerate([*first, *(name for name in rule.attributes if name not in first)])}
    return sorted(names, key=lambda name: places.get(name, len(places)))


def _sensor(rule: ElementRule) -> list[str]:
    """Of any other element: what it names first, then its own name."""
    if "cutoff" not in rule.attributes:
        return list(rule.attributes)
    named = [name for name, attribute in rule.attributes.items() if attribute.refers or name in ("objtype", "reftype")]
    pairs = ("objtype", "objname", "reftype", "refname")
    return [*(name for name in pairs if name in named), *(name for name in named if name not in pairs), "name"]
