"""MJCF 3.5.0, the section sensor: its elements come from the table of sensors (physics/sensor/kinds.py)."""

from __future__ import annotations

from tumble.physics.mjcf.schema.grammar import ElementRule, rule, without
from tumble.physics.mjcf.schema.settings import OBJECTS, config
from tumble.physics.sensor.kinds import FRAME, KINDS, SensorKind

_COMMON = """
    name      name
    nsample   int = 0
    interp    keys zoh|linear|cubic = zoh
    delay     real = 0
    interval  real 1..2 = 0 0
    cutoff    real = 0
    noise     real = 0
    user      real 1..*
"""
_FRAMES = "body|xbody|geom|site|camera"
# Kinds of which a part is missing; what is refused stands in the table of sensors.
_PARTLY = {"tactile": "partly: meshes without a distance function and height fields do not press on it"}


def _named(spec: str, kind: SensorKind, prefix: str) -> str:
    """The attributes that name an object; prefix: of those that name one of any kind."""
    if spec == FRAME:
        needed = " !" if prefix == "obj" and not kind.free else ""
        kinds = OBJECTS if kind.free else _FRAMES
        return f"{prefix}type keys {kinds}{needed}\n{prefix}name ref @{prefix}type{needed}\n"
    words = spec.split()
    needed = " !" if len(words) == 1 else ""
    return "".join(f"{word} ref {kind_named(word)}{needed}\n" for word in words)


def kind_named(attribute: str) -> str:
    """The kind of object whose name an attribute holds: `geom2` names a geom, `subtree1` a body."""
    return attribute.rstrip("12").replace("subtree", "body")


def _sensor(kind: SensorKind) -> ElementRule:
    table = _named(kind.of, kind, "obj") + _named(kind.to, kind, "ref") + kind.attributes
    table += without(_COMMON, *kind.lacks.split())
    choices = tuple(tuple(spec.split()) for spec in (kind.of, kind.to) if " " in spec)
    pairs = ((kind.of, kind.free, ("objtype", "objname")), (kind.to, True, ("reftype", "refname")))
    together = tuple(pair for spec, free, pair in pairs if spec == FRAME and free)  # those that are required need no such rule
    children = (config(),) if kind.type.name.endswith("PLUGIN") else ()
    return rule(kind.tag, "*", table, children, kind.status or _PARTLY.get(kind.tag, ""), names="sensor", together=together,
                exclusive=choices if kind.free else (), exactly=() if kind.free else choices)  # fmt: skip


SENSOR = rule("sensor", "*", "", [_sensor(kind) for kind in KINDS])
