"""The canonical form of MJCF: in which order attributes stand, which always stand, and of which the tail may be left out.

As the reference writes it; attributes that a row does not name follow in the order of the schema.
"""

from __future__ import annotations

from collections.abc import Iterable

from tumble.physics.mjcf.schema import ElementRule

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
