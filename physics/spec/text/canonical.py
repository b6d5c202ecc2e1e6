"""Values of an element of a spec in the canonical text's form: radians and quaternions."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from tumble.physics.compiler.bodies.frames import read_orientation
from tumble.physics.mjcf.compiler_settings import CompilerSettings
from tumble.physics.spec.build import oriented
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
