"""Fields of a spec's structures from and to attributes of MJCF, as the table declares them."""

from __future__ import annotations

from typing import Any

from tumble.physics.spec.element import FORMS, MjsOrientation, SpecPart
from tumble.physics.spec.fields import held


def read(part: SpecPart, attributes: dict[str, Any]) -> None:
    """Give a structure what attributes say: those of MJCF, converted as the reader does."""
    for name, field in part.structure.coded.items():
        if name in attributes:
            part._values[field.name] = held(field, field.decoded(attributes[name]))


def written(part: SpecPart) -> dict[str, Any]:
    """The attributes that say what a structure has beyond the table's defaults."""
    return {name: field.encoded(part.value(field.name)) for name, field in part.structure.coded.items() if part.said(field.name)}


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
