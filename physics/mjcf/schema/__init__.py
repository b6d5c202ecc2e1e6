"""MJCF 3.5.0 declared: every element, attribute, type and default. Reader, checks and documentation come from it.

`MUJOCO` is the root; a ElementRule knows its attributes and the rules of its children.
"""

from __future__ import annotations

from tumble.physics.mjcf.schema import bodies, relations
from tumble.physics.mjcf.schema.actuators import ACTUATOR, COMPUTED, KINDS
from tumble.physics.mjcf.schema.assets import ASSET, DEFORMABLE, MATERIAL_DEFAULTS, MESH_DEFAULTS, layer
from tumble.physics.mjcf.schema.grammar import Attribute, ElementRule, rule
from tumble.physics.mjcf.schema.settings import COMPILER, CUSTOM, EXTENSION, KEYFRAME, OPTION, SIZE, STATISTIC, VISUAL

__all__ = [
    "ACTUATOR_TAGS", "COMPUTED", "DEFAULT", "INCLUDE", "LATER_ATTRIBUTES", "LATER_ELEMENTS", "LATER_POLYNOMIALS", "MUJOCO",
    "Attribute", "ElementRule", "describe", "find",
]  # fmt: skip

ACTUATOR_TAGS = frozenset(ACTUATOR.children)

DEFAULT = rule("default", "R", "class class", [
    rule("mesh", "?", MESH_DEFAULTS),
    rule("material", "?", MATERIAL_DEFAULTS, [layer()]),
    rule("joint", "?", bodies.JOINT_DEFAULTS),
    rule("geom", "?", bodies.GEOM_DEFAULTS),
    rule("site", "?", bodies.SITE_DEFAULTS),
    rule("camera", "?", bodies.CAMERA_DEFAULTS, exclusive=bodies.CAMERA_LENS),
    rule("light", "?", bodies.LIGHT_DEFAULTS, exclusive=bodies.LIGHT_TYPE, displaces=bodies.LIGHT_TYPE),
    rule("pair", "?", relations.PAIR_DEFAULTS),
    rule("equality", "?", relations.EQUALITY_DEFAULTS),
    rule("tendon", "?", relations.TENDON_DEFAULTS),
    *(rule(kind.tag, "?", kind.defaults) for kind in KINDS.values()),
])
DEFAULT.children["default"] = DEFAULT

# Valid everywhere below the root; replaced by what its file holds before anything else is read.
INCLUDE = rule("include", "*", "file file !")

MUJOCO = rule("mujoco", "!", "model string = MuJoCo Model", [
    COMPILER, OPTION, SIZE, VISUAL, STATISTIC, DEFAULT, EXTENSION, CUSTOM, ASSET, bodies.WORLDBODY, DEFORMABLE, relations.CONTACT,
    relations.EQUALITY, relations.TENDON, ACTUATOR, relations.SENSOR, KEYFRAME,
])


# Additions to MJCF after 3.5.0: known by name, so that files open, with a note of what is ignored.
_LATER_KINDS = frozenset({"orientation", "pid", "dcmotor"})

# Attributes by the tag of their element.
LATER_ATTRIBUTES = {
    "compiler": frozenset({"conflict"}),
    "flag": frozenset({"diagexact"}),
    "body": frozenset({"simple"}),
    "geom": frozenset({"surfacevel", "adhesion"}),
    "attach": frozenset({"frame"}),
    "light": frozenset({"softness"}),
    "pair": frozenset({"adhesion"}),
    "flexcomp": frozenset({"cellcount"}),
    "flex": frozenset({"cellcount", "dof", "nodecoord", "cell"}),
    **{tag: frozenset({"damping", "armature"}) for tag in ACTUATOR.children},
    "general": frozenset({"damping", "armature", "input", "velrange", "ffrange"}),
}

# Elements by the tag of the one that holds them.
LATER_ELEMENTS = {"actuator": _LATER_KINDS, "default": _LATER_KINDS, "equality": frozenset({"flexstrain"})}

# One number in 3.5.0, the first of several coefficients since.
LATER_POLYNOMIALS = {tag: frozenset({"stiffness", "damping"}) for tag in ("joint", "tendon", "spatial", "fixed")}


def find(path: str) -> ElementRule:
    """The rule of the element at a path of tags below <mujoco>, as in `worldbody/body/geom`; "" is <mujoco> itself.

    Raises KeyError, naming the tags that are valid there, for a path that leads nowhere.
    """
    found = MUJOCO
    for tag in filter(None, path.split("/")):
        if tag not in found.children:
            raise KeyError(f"no <{tag}> in <{found.tag}>; valid: {', '.join(sorted(found.children))}")
        found = found.children[tag]
    return found


def describe(path: str) -> str:
    """Rule of the element at a path of tags: attributes, types, defaults, children."""
    return find(path).describe()
