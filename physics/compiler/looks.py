"""Opening a model without what concerns its looks alone: textures, materials and skins that are missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from tumble.physics.errors import MjcfError
from tumble.physics.mjcf import notes
from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.faults import gathered
from tumble.physics.mjcf.references import kind_of, walk
from tumble.physics.mjcf.spec import LOOKS, Element, each_of

T = TypeVar("T")


def without(read: Callable[[], Document], make: Callable[[Document], T]) -> T:
    """The result of `make` for a document without those visual parts that raise errors; each is noted.

    read: reads the document afresh, for making changes it. Raises MjcfError for what is wrong with anything else.
    """
    left_out: frozenset[str] = frozenset()
    while True:
        try:
            with gathered():
                document = read()
                document.without = left_out
                return make(document)
        except MjcfError as error:
            new = frozenset(error.looks) - left_out
            if not new:  # every round leaves more out, so they end
                raise
            for one in each_of(error):
                notes.add(f"{one}; it is left out")
            left_out |= new


def leave_out(root: Element, places: frozenset[str]) -> None:
    """Remove the textures, materials and skins at these places, and what refers to them."""
    if not places:
        return
    gone: dict[str, set[str]] = {}
    for element, rule in walk(root):
        if element.tag in LOOKS and str(element.where) in places:
            gone.setdefault(rule.names, set()).add(element.attributes.get("name", ""))
    for element, rule in walk(root):
        element.children = [child for child in element.children if not (child.tag in LOOKS and str(child.where) in places)]
        for name, value in list(element.attributes.items()):
            attribute = rule.attributes.get(name)
            if attribute is not None and attribute.refers and value in gone.get(kind_of(element, attribute), ()):
                del element.attributes[name]
        element.children = [child for child in element.children if child.tag != "layer" or "texture" in child.attributes]
