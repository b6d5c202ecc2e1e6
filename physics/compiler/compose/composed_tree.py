"""Operations on trees of elements: copy, name, rename, find what refers to a subtree. What edits a model is made of these.

Elements that have been read are shared and never changed: what is to be changed is copied first. What an attribute means,
its own name or a reference and to what kind, is the schema's to say; there is no list of tags here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from tumble.physics.mjcf.references import kind_of
from tumble.physics.mjcf.schema import MUJOCO, ElementRule, find
from tumble.physics.mjcf.spec import Element

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


def each(elements: Iterable[Element], parent: ElementRule) -> Iterator[tuple[Element, ElementRule]]:
    """Elements and all below them with their rules, in document order; `parent` is the rule of what holds them."""
    pending = [(element, parent.children[element.tag]) for element in elements][::-1]
    while pending:
        element, rule = pending.pop()
        yield element, rule
        pending += [(child, rule.children[child.tag]) for child in reversed(element.children)]


def rule_of(section: str) -> ElementRule:
    """The rule of a section of a model."""
    return MUJOCO.children[section]


def size(elements: Iterable[Element], most: int) -> int:
    """Number of these elements with all below them; counting stops a little above `most`."""
    total, pending = 0, list(elements)
    while pending and total <= most:
        element = pending.pop()
        total += 1
        pending += element.children
    return total


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
        name = element.attributes.get("name") if rule.names else None
        if name:
            names.setdefault(rule.names, set()).add(name)
    return names


def references(element: Element, rule: ElementRule) -> list[tuple[str, str]]:
    """The references of an element itself: kind and name of each; a blank name refers to nothing."""
    found: list[tuple[str, str]] = []
    for name, value in element.attributes.items():
        attribute = rule.attributes.get(name)
        if attribute is not None and attribute.refers:
            kind = kind_of(element, attribute)
            found += [(kind, one) for one in (value if isinstance(value, tuple) else (value,)) if one]
    return found


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
