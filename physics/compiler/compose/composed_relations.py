"""Elements outside the tree that are copied with a part of it, and those that are lost."""

from __future__ import annotations

from collections.abc import Iterator

from tumble.physics.compiler.compose.composed_tree import WORLD, Names, each, references, rule_of
from tumble.physics.mjcf.schema import ElementRule
from tumble.physics.mjcf.spec import Element

# Sections that refer to the tree; each refers to those before it and to none behind. Of the first two, skins do.
SECTIONS = ("asset", "deformable", "tendon", "equality", "contact", "actuator", "sensor")
# A relation of something copied to something that is not: these keep the other end, the others are left out, as in the reference.
_KEEP_OTHER_END = frozenset({"tendon", "contact", "sensor"})
_PATH = {"site": "site", "geom": "geom", "joint": "joint"}  # what a tendon runs over; a side site is only where it bends


def _all_references(element: Element, rule: ElementRule) -> Iterator[tuple[str, str]]:
    yield from references(element, rule)
    for child, below in each(element.children, rule):
        yield from references(child, below)


def _leads(element: Element, section: str, rule: ElementRule) -> list[tuple[str, str]]:
    """The references that decide whether an element belongs to a part of the tree."""
    if section in ("asset", "deformable"):  # all bones of a skin
        return [(kind, name) for kind, name in _all_references(element, rule) if kind == "body"]
    if section == "tendon":
        return [(kind, str(child.get(kind))) for child in element.children if (kind := _PATH.get(child.tag, ""))]
    return list(_all_references(element, rule))


def belonging(section: Element, names: Names) -> tuple[list[Element], list[Element]]:
    """The elements of a section to be copied with a part of their own model that has these names, and those that are lost.

    What refers to nothing in the part is neither. `names` gets the names of what is copied: other relations refer to it.
    """
    copied, lost = [], []
    parent = rule_of(section.tag)
    for element in section.children:
        rule = parent.children[element.tag]
        inside = [name in names.get(kind, ()) for kind, name in _all_references(element, rule)]
        if not any(inside):
            continue
        leads = [name in names.get(kind, ()) for kind, name in _leads(element, section.tag, rule)]
        if any(leads) if section.tag in _KEEP_OTHER_END else all(leads):
            copied.append(element)
            _declare(element, rule, names)
        else:
            lost.append(element)
    return copied, lost


def complete(section: Element, names: Names, rule: ElementRule) -> list[Element]:
    """The elements of a section that need nothing but these names, to which theirs are added, or the world besides them.

    An equality constraint with the world by its name is not among them: in the reference a missing second body is the world.
    """
    found = []
    for element in section.children:
        below = rule.children[element.tag]
        there = [name in names.get(kind, ()) for kind, name in _all_references(element, below)
                 if section.tag == "equality" or (kind, name) != ("body", WORLD) or WORLD in names.get("body", ())]  # fmt: skip
        refers = any(True for _ in _all_references(element, below))
        if all(there) and (there or not refers) and (element.tag != "tuple" or element.children):
            found.append(element)
            _declare(element, below, names)
    return found


def _declare(element: Element, rule: ElementRule, names: Names) -> None:
    name = element.get("name", "")
    if name and rule.names:
        names.setdefault(rule.names, set()).add(name)
