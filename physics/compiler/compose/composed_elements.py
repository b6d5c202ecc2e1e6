"""Operations on trees of elements: copy, name, rename, find what refers to a subtree. What edits a model is made of these.

Elements that have been read are shared and never changed: what is to be changed is copied first. What an attribute means,
its own name or a reference and to what kind, is the schema's to say; there is no list of tags here.

What stands outside the tree, as tendons and sensors, is copied with a part of it, or lost: `belonging` and `complete` decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec import Struct

from tumble.physics.mjcf.references import each, kind_of, references
from tumble.physics.mjcf.schema import MUJOCO, ElementRule, find
from tumble.physics.mjcf.spec import Element, tree_of

# The rule of a body knows everything that any place of the tree may hold.
TREE = find("worldbody/body")

WORLD = "world"  # the body that every model has

Names = dict[str, set[str]]  # by kind
Copies = dict[int, Element]  # by the identity of what was copied


class Namespace(Struct, frozen=True):
    """Prefix and suffix that make the names of a copy unique."""

    prefix: str = ""
    suffix: str = ""

    def name(self, name: str) -> str:
        """A name in this namespace."""
        return f"{self.prefix}{name}{self.suffix}"


def rule_of(section: str) -> ElementRule:
    """The rule of a section of a model."""
    return MUJOCO.children[section]


def size(elements: Iterable[Element], most: int) -> int:
    """Number of these elements with all below them; counting stops a little above `most`."""
    return sum(1 for _ in islice((one for element in elements for one in tree_of(element)), most + 1))


def copy_tree(element: Element, copies: Copies) -> Element:
    """A copy of an element and all below it, to be changed; `copies` is told of every one. Values stay shared."""
    top = _copy(element, copies)
    pending = [top]
    while pending:
        parent = pending.pop()
        parent.children = [_copy(child, copies) for child in parent.children]
        pending += parent.children
    return top


def _copy(e: Element, copies: Copies) -> Element:
    made = Element(e.tag, e.where, dict(e.attributes), e.given, e.children, e.schema_defaults, e.actuator_steps, e.settings)
    copies[id(e)] = made
    return made


def declared(elements: Iterable[Element], parent: ElementRule) -> Names:
    """The names of elements and of all below them, by kind."""
    names: Names = {}
    for element, rule in each(elements, parent):
        _declare(element, rule, names)
    return names


def rename(
    elements: Iterable[Element], parent: ElementRule, namespace: Namespace, names: Names | None = None, *, world: bool = False
) -> None:
    """Put elements and all below them, copies, into a namespace: their own names, and what they refer to.

    names: the only references to change; None for all. world: whether those to the world change too, which every model has.
    """
    for element, rule in each(elements, parent):
        changed: dict[str, object] = {}
        for name, value in element.attributes.items():
            attribute = rule.attributes.get(name)
            if attribute is None:
                continue
            if attribute.kind == "name" and name == "name" and value:
                changed[name] = namespace.name(value)
            elif attribute.refers:
                kind = kind_of(element, attribute)
                one = _Renamed(namespace, None if names is None else names.get(kind, set()), kind == "body" and not world)
                changed[name] = tuple(map(one, value)) if isinstance(value, tuple) else one(value)
        element.attributes |= changed
        if element.actuator_steps and changed:
            *before, (tag, own) = element.actuator_steps
            element.actuator_steps = (*before, (tag, own | {name: changed[name] for name in changed if name in own}))


class _Renamed(Struct, frozen=True):
    """References in a namespace: those that are known, or all but blank ones and the world."""

    namespace: Namespace
    known: set[str] | None
    but_world: bool

    def __call__(self, name: str) -> str:
        stays = name == "" or (self.but_world and name == WORLD) if self.known is None else name not in self.known
        return name if stays else self.namespace.name(name)


# Sections that refer to the tree; each refers to those before it and to none behind. Of the first two, skins do.
SECTIONS = ("asset", "deformable", "tendon", "equality", "contact", "actuator", "sensor")
# A relation of something copied to something that is not: these keep the other end, the others are left out, as in the reference.
_KEEP_OTHER_END = frozenset({"tendon", "contact", "sensor"})
_PATH = {"site": "site", "geom": "geom", "joint": "joint"}  # what a tendon runs over; a side site is only where it bends


def _all_references(element: Element, rule: ElementRule) -> Iterator[tuple[str, str]]:
    """Kind and name of all that an element and those below it refer to."""
    for one, own in [(element, rule), *each(element.children, rule)]:
        yield from ((kind, name) for _, kind, name in references(one, own))


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
