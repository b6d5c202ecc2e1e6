"""Additions to MJCF after 3.5.0: known by name, so that files open, with a note of what is ignored."""

from __future__ import annotations

from tumble.physics.mjcf.schema.actuators import ACTUATOR

_KINDS = frozenset({"orientation", "pid", "dcmotor"})

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
LATER_ELEMENTS = {"actuator": _KINDS, "default": _KINDS, "equality": frozenset({"flexstrain"})}

# One number in 3.5.0, the first of several coefficients since.
LATER_POLYNOMIALS = {tag: frozenset({"stiffness", "damping"}) for tag in ("joint", "tendon", "spatial", "fixed")}
