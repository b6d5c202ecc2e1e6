"""Checks that the sensors of a model measure what their stages take them to measure, and have room for it.

The compiler writes nothing else. What a program has written is checked by them, besides by physics/state/export/references.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tumble.physics.sensor.kinds import BY_TYPE, FRAME, OF_CONTACT, OF_RAY, Asked, SensorKind
from tumble.physics.state.enums import mjtJoint, mjtObj, mjtSensor

if TYPE_CHECKING:
    from tumble.physics.state.declared import ModelBlock

READS = "sensor_.*|jnt_type|mesh_vertnum"  # pattern of the fields that decide
_FRAMES = frozenset(mjtObj[f"mjOBJ_{name}"] for name in ("BODY", "XBODY", "GEOM", "SITE", "CAMERA"))
_CALLERS = (mjtSensor.mjSENS_USER, mjtSensor.mjSENS_PLUGIN)  # theirs are what a callback makes of them


def sensor_strays(m: ModelBlock) -> Iterator[str]:
    """The sensors that their stage cannot compute, each with what is wrong."""
    for s, type in enumerate(m.sensor_type.tolist()):
        kind = BY_TYPE[mjtSensor(type)]
        if kind.type in _CALLERS:
            continue
        yield from _object(m, s, kind, "obj", kind.of)
        yield from _object(m, s, kind, "ref", kind.to)
        if kind.joint == "ball" and m.jnt_type[m.sensor_objid[s]] != mjtJoint.mjJNT_BALL:
            yield f"sensor_objid leads to a joint that is no ball: sensor_objid[{s}] is {m.sensor_objid[s]}"
        numbers = _numbers(m, s, kind)
        if m.sensor_dim[s] < numbers or numbers < 0:
            yield f"sensor_dim leaves no room for {kind.tag}, which has {numbers} numbers: sensor_dim[{s}] is {m.sensor_dim[s]}"


def _object(m: ModelBlock, s: int, kind: SensorKind, side: str, spec: str) -> Iterator[str]:
    """spec: the attributes that name what is measured, or against what."""
    type, number = int(m._arrays[f"sensor_{side}type"][s]), int(m._arrays[f"sensor_{side}id"][s])
    optional = kind.free or (side == "ref" and spec == FRAME)
    known = _FRAMES if spec == FRAME else {_named(word) for word in spec.split()}
    if spec and not (type in known and number >= 0) and not (optional and type == mjtObj.mjOBJ_UNKNOWN):
        words = ", ".join(sorted(mjtObj(one).name for one in known))
        yield f"sensor_{side}type is no {words}, or has no number: sensor_{side}type[{s}] is {type}, of {kind.tag}"


def _named(word: str) -> mjtObj:
    """The kind of element that an attribute names."""
    name = word.rstrip("12")
    return mjtObj.mjOBJ_XBODY if name == "subtree" else mjtObj[f"mjOBJ_{name.upper()}"]


def _numbers(m: ModelBlock, s: int, kind: SensorKind) -> int:
    """Numbers that the stage of a sensor writes at least; -1 if its parameters make no sense."""
    bits, _, slots = m.sensor_intprm[s].tolist()
    if kind.type == mjtSensor.mjSENS_CONTACT:
        return slots * _width(OF_CONTACT, bits) if slots > 0 else -1
    if kind.type == mjtSensor.mjSENS_RANGEFINDER:
        return _width(OF_RAY, bits)
    if kind.type == mjtSensor.mjSENS_TACTILE:
        mesh = int(m.sensor_objid[s])
        return 3 * int(m.mesh_vertnum[mesh]) if 0 <= mesh < m.nmesh else -1
    return kind.dim


def _width(table: Asked, bits: int) -> int:
    """Numbers that bits ask for."""
    return sum(width for k, (_, _, width) in enumerate(table) if bits >> k & 1)
