"""Errors of a spec that no file could contain, in the reference's words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tumble.physics.compiler.assets.mesh.mesh_geoms import NSIZE
from tumble.physics.errors import MjcfError
from tumble.physics.sensor.kinds import OF_CONTACT
from tumble.physics.state.enums import mjtObj, mjtSensor

if TYPE_CHECKING:
    from tumble.physics.spec.owner import Owner

_REDUCTIONS = 4
_NOT_IN_XML = r"[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]"
_FIRST = (mjtObj.mjOBJ_UNKNOWN, mjtObj.mjOBJ_BODY, mjtObj.mjOBJ_XBODY, mjtObj.mjOBJ_GEOM, mjtObj.mjOBJ_SITE)


def check(spec: Owner) -> None:
    """Raise MjcfError for the first element that is wrong."""
    for kind in ("geom", "site"):
        for item in spec.contents.all_of(kind):
            _check_size(spec, item, kind)
    for hfield in spec.contents.lists["hfield"]:
        values = len(hfield.value("userdata"))
        if not hfield.file and values and values != hfield.nrow * hfield.ncol:
            raise wrong(spec, hfield, "elevation data length must match nrow*ncol")
    for sensor in spec.contents.lists["sensor"]:
        if sensor.type == mjtSensor.mjSENS_CONTACT:
            _check_contact(spec, sensor)
        elif sensor.type == mjtSensor.mjSENS_RANGEFINDER and sensor.value("intprm")[0] <= 0:
            raise wrong(spec, sensor, "data spec (intprm[0]) must be positive")


def _check_size(spec: Owner, item: Any, kind: str) -> None:
    if kind == "geom" and item.value("meshname"):
        return
    needed = 1 if item.is_set("fromto") else NSIZE.get(item.value("type"), 0)
    for k, value in enumerate(item.value("size")[:needed]):
        if not value > 0:
            raise wrong(spec, item, f"size {k} must be positive in {kind}")


def _check_contact(spec: Owner, sensor: Any) -> None:
    bits, reduction, number = (int(v) for v in sensor.value("intprm"))
    known = (1 << len(OF_CONTACT)) - 1
    if sensor.objtype not in _FIRST:
        raise wrong(spec, sensor, "first matching criterion: if set, must be (x)body, geom or site")
    if sensor.reftype not in _FIRST[:-1]:
        raise wrong(spec, sensor, "second matching criterion: if set, must be (x)body or geom")
    if bits <= 0:
        raise wrong(spec, sensor, f"data spec (intprm[0]) must be positive, got {bits}")
    if not bits & known:
        raise wrong(spec, sensor, f"data spec intprm[0]={bits} must have at least one bit set of the first mjNCONDATA bits")
    if bits & ~known:
        raise wrong(spec, sensor, f"data spec intprm[0]={bits} has bits set beyond the first mjNCONDATA bits")
    if not 0 <= reduction < _REDUCTIONS:
        raise wrong(spec, sensor, f"unknown reduction criterion. got {reduction}")
    if number <= 0:
        raise wrong(spec, sensor, "num (intprm[2]) must be positive in sensor")


def unwritable(spec: Owner, problem: str) -> MjcfError:
    """An error, to be raised, about the first element with a text that no XML file can hold; else with what a library says."""
    for element in spec.every():
        texts = {"name": element.entry.name} | {key: element.value(key) for key in element.structure.fields}
        for field, value in texts.items():
            for text in value if isinstance(value, list) else [value]:
                if isinstance(text, str) and re.search(_NOT_IN_XML, text):
                    return wrong(spec, element, f"{field} {text!r:.80} has a character that no XML file can hold")
    return MjcfError(f"Error: the spec cannot be written: {problem}")


def wrong(spec: Owner, element: Any, what: str) -> MjcfError:
    """An error about an element, to be raised: what is wrong, where a file says it, its name, number and `info`."""
    said = element.entry.where
    at = f"{said}: " if said is not None else ""
    held = spec.contents.all_of(element.structure.kind)
    number = next((k for k, other in enumerate(held) if other is element), -1)
    text = f"Error: {what}\nElement name '{element.entry.name}', id {number}"
    info = element.value("info")
    if at:
        info = f"{info}, {said}" if info else str(said)
    return MjcfError(text + (f", {info}" if info else ""), element=element, what=what)
