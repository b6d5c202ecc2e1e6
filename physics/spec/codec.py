"""Values of a spec's fields and of MJCF's attributes, from one to the other, as table and schema declare them."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from tumble.physics.errors import MisfitError
from tumble.physics.mjcf.schema import Attribute
from tumble.physics.spec.element import FORMS, MjsOrientation, SpecPart
from tumble.physics.spec.fields import held
from tumble.physics.spec.grammar import NUMBERS, SpecField, Structure, Words

_LISTS = {"doubles": np.float64, "floats": np.float32, "ints": np.int32}


@cache
def pairs(structure: Structure) -> tuple[tuple[SpecField, Attribute, Words | None], ...]:
    """The fields of a structure that an attribute says, each with that attribute and its words, if it has any."""
    found = []
    for field in structure.fields.values():
        attribute = structure.attribute(field.attribute) if field.attribute else None
        if attribute is not None:
            found.append((field, attribute, Words(attribute.words, field.enum) if attribute.kind == "keys" else None))
    return tuple(found)


def read(part: SpecPart, attributes: dict[str, Any]) -> None:
    """Give a structure what attributes say: those of MJCF, converted as the reader does."""
    for field, attribute, words in pairs(part.structure):
        if attribute.name in attributes:
            part._values[field.name] = held(field, _decoded(field, words, attributes[attribute.name]))


def _decoded(field: SpecField, words: Words | None, value: Any) -> Any:
    if words is not None:
        number = words.numbers[value]
        return field.enum(number) if field.enum else float(number) if field.kind == "double" else number
    if field.enum is not None:
        return field.enum(int(value))
    if field.kind in _LISTS:
        return np.array(value, _LISTS[field.kind]).reshape(-1)
    if field.kind in NUMBERS and field.size:
        whole = field.fresh()
        given = np.atleast_1d(value)
        whole[: len(given)] = given
        return whole
    if field.kind in NUMBERS:
        return int(value) if field.kind in ("int", "byte") else float(np.float32(value) if field.kind == "float" else value)
    return str(value)


def written(part: SpecPart) -> dict[str, Any]:
    """The attributes that say what a structure has beyond the table's defaults."""
    found = {}
    for field, attribute, words in pairs(part.structure):
        if part.said(field.name):
            found[attribute.name] = encoded(field, attribute, words, part.value(field.name))
    return found


def encoded(field: SpecField, attribute: Attribute, words: Words | None, value: Any) -> Any:
    """The value of an attribute, in the type that the reader gives it. Raises ValueError for a number that is no word."""
    if words is not None:
        if not math.isfinite(value) or int(value) not in words.words:
            valid = ", ".join(f"{number}: {word}" for number, word in words.words.items())
            raise MisfitError(f"{field.name} is {value:g}, which is not valid; valid: {valid}")
        return words.words[int(value)]
    if attribute.kind == "bool":
        return bool(value)
    if isinstance(value, np.ndarray):
        return value.astype(np.int64 if attribute.kind == "int" else np.float64)
    if attribute.kind == "int":
        return int(value)
    return float(value) if attribute.kind == "real" else value


def read_orientation(part: Any, attributes: dict[str, Any], letter: str = "") -> None:
    """Take over another way to write an orientation, into `alt` or with the letter i into `ialt`."""
    for form, kind in FORMS.items():
        if form in attributes:
            alt = getattr(part, f"{letter}alt")
            setattr(alt, form, attributes[form])
            alt.type = kind


def written_orientation(alt: MjsOrientation) -> dict[str, Any]:
    """The attribute that says another way to write an orientation; nothing for a quaternion."""
    return {form: getattr(alt, form).copy() for form, kind in FORMS.items() if alt.type == kind}
