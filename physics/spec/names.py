"""Names in a spec: what an element refers to, so that it can be renamed or deleted with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from tumble.physics.spec.part import SpecPart, assign_raw
from tumble.physics.state.enums import mjtEq, mjtObj, mjtTrn, mjtWrap

_OF_TRANSMISSION = {
    mjtTrn.mjTRN_JOINT: "joint", mjtTrn.mjTRN_JOINTINPARENT: "joint", mjtTrn.mjTRN_SLIDERCRANK: "site",
    mjtTrn.mjTRN_TENDON: "tendon", mjtTrn.mjTRN_SITE: "site", mjtTrn.mjTRN_BODY: "body",
}  # fmt: skip
_OF_EQUALITY = {mjtEq.mjEQ_JOINT: "joint", mjtEq.mjEQ_TENDON: "tendon", mjtEq.mjEQ_FLEX: "flex",
                mjtEq.mjEQ_FLEXVERT: "flex"}  # fmt: skip
_OF_WRAP = {
    mjtWrap.mjWRAP_SITE: "site", mjtWrap.mjWRAP_JOINT: "joint", mjtWrap.mjWRAP_SPHERE: "geom", mjtWrap.mjWRAP_CYLINDER: "geom",
    mjtWrap.mjWRAP_PULLEY: "", mjtWrap.mjWRAP_NONE: "",
}  # fmt: skip
_ALIASES = {"xbody": "body", "dof": "joint", "unknown": ""}


class Reference(Struct, frozen=True):
    """A name in an element; kind: of the object; rename: writes another one in its place."""

    kind: str
    name: str
    rename: Callable[[str], None]


def object_kind(number: int) -> str:
    """The kind of objects that a mjtObj says; "" for none."""
    try:
        word = mjtObj(number).name[6:].lower()
    except ValueError:
        return ""
    return _ALIASES.get(word, word)


def references(element: Any) -> Iterator[Reference]:
    """All names of other objects in an element."""
    for field in element.structure.fields.values():
        if not field.refers:
            continue
        if field.kind == "string":
            name = element.value(field.name)
            kind = _kind(element, field.refers)
            if name and kind:
                yield Reference(kind, name, _writer(element, field.name))
        else:
            names = getattr(element, field.name)
            for k, name in enumerate(names):
                kind = object_kind(element.objtype[k]) if field.refers.startswith("@") else field.refers
                if name and kind:
                    yield Reference(kind, name, _placer(names, k))
    for wrap in getattr(element, "path", ()):  # of a tendon
        yield from references(wrap)


def _kind(element: Any, refers: str) -> str:
    if not refers.startswith("@"):
        return refers
    number = element.value(refers[1:])
    if isinstance(number, mjtWrap):
        return _OF_WRAP[number]
    if refers == "@trntype":
        return _OF_TRANSMISSION.get(number, "")
    if refers == "@type":
        return _OF_EQUALITY.get(number) or object_kind(element.value("objtype")) or "body"
    return object_kind(number)


def _writer(holder: SpecPart, field: str) -> Callable[[str], None]:
    return lambda name: assign_raw(holder, field, name)


def _placer(names: Any, at: int) -> Callable[[str], None]:
    return lambda name: names.__setitem__(at, name)
