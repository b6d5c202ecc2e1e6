"""Default classes of a file's geoms, with the <default> sections that declare them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from tumble.physics.compiler.draft import Draft
    from tumble.physics.mjcf.document import Document
    from tumble.physics.mjcf.spec import Element, Where

MAIN = "main"
_WITHOUT_GEOMS = ("default", "asset")


class GeomClass(Struct, frozen=True):
    """A default class with geoms. members: their numbers; section: its <default>; setting: the <geom> in it, None without."""

    name: str
    members: tuple[int, ...]
    section: Element
    setting: Element | None


def geom_classes(document: Document, draft: Draft) -> list[GeomClass]:
    """Default classes of a model's geoms that are in the file, in its order.

    Geoms of attached models are omitted: their classes are of other files.
    """
    named = dict(_class_of_geoms(document.root))
    members: dict[str, list[int]] = {}
    for number, geom in enumerate(draft.geoms):
        name = named.get(geom.element.where)
        if name is not None:
            members.setdefault(name, []).append(number)
    sections = {name: entry.element for name, entry in document.classes.items() if entry.element.tag == "default"}
    if MAIN not in sections:
        tops = list(document.root.all("default"))
        sections |= {MAIN: tops[0]} if tops else {}
    return [
        GeomClass(name, tuple(members[name]), section, next(reversed(list(section.all("geom"))), None))
        for name, section in sections.items()
        if name in members
    ]


def _class_of_geoms(root: Element) -> Iterator[tuple[Where, str]]:
    """The place of every geom, and the class that it uses: its own, else the nearest childclass around it, else main."""
    pending = [(section, MAIN) for section in root.children if section.tag not in _WITHOUT_GEOMS]
    while pending:
        element, scope = pending.pop()
        scope = str(element.attributes.get("childclass", scope))
        if element.tag == "geom":
            yield element.where, str(element.attributes.get("class", scope))
        pending += [(child, scope) for child in element.children]
