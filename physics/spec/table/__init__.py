"""The table of all structures of a spec: what fields an element has, what they begin with, which attribute of MJCF says them.

Element classes, keywords of `add_*`, copies, reading and writing follow from it; see physics/spec/grammar.py for the language.
Source: MuJoCo documentation, API reference, Types, Attribute structs.
"""

from __future__ import annotations

from tumble.physics.spec.grammar import Structure
from tumble.physics.spec.table.assets import FLEX, HFIELD, MATERIAL, MESH, SKIN, TEXTURE
from tumble.physics.spec.table.relations import (
    ACTUATOR,
    EQUALITY,
    EXCLUDE,
    KEY,
    NUMERIC,
    PAIR,
    PLUGIN,
    SENSOR,
    TENDON,
    TEXT,
    TUPLE,
    WRAP,
)
from tumble.physics.spec.table.settings import COMPILER, ORIENTATION, SPEC
from tumble.physics.spec.table.tree import BODY, CAMERA, FRAME, GEOM, JOINT, LIGHT, SITE

__all__ = [
    "ACTUATOR", "BODY", "CAMERA", "COMPILER", "DEFAULTS", "EQUALITY", "EXCLUDE", "FLEX", "FRAME", "GEOM", "HFIELD", "JOINT",
    "KEY", "LIGHT", "MATERIAL", "MESH", "NUMERIC", "ORIENTATION", "PAIR", "PLUGIN", "SENSOR", "SITE", "SKIN", "SPEC",
    "TENDON", "TEXT", "TEXTURE", "TUPLE", "WRAP",
]  # fmt: skip

# What a default class holds, by the field of MjsDefault and the tag that says it in a file.
DEFAULTS: dict[str, Structure] = {
    "joint": JOINT, "geom": GEOM, "site": SITE, "camera": CAMERA, "light": LIGHT, "flex": FLEX, "mesh": MESH,
    "material": MATERIAL, "pair": PAIR, "equality": EQUALITY, "tendon": TENDON, "actuator": ACTUATOR,
}  # fmt: skip
