"""Attributes of a model's file by path: `geom[foot].solref[0]`, `option.timestep`, `joint[leg*].damping`.

    element    a tag of MJCF, or a section whose elements have several (actuator, sensor, equality, tendon), or a child: inertial
    [name]     the element's name, its number in the file from 0, or a pattern with * and ?; an inertial goes by its body;
               left out where the file has one such element
    attribute  as in the file, in the file's units
    [k]        which number of several, from 0

A value is given to the model through the text of its files, as an editor would write it there: what a study runs is what it can
write to the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from tumble.app.editing.attribute_text import Writing
from tumble.app.editing.parameters import shown
from tumble.physics.mjcf.schema import MUJOCO

if TYPE_CHECKING:
    from tumble.physics.mjcf.document import Document
    from tumble.physics.mjcf.schema import Attribute, ElementRule
    from tumble.physics.mjcf.spec import Element, Where

Value = float | str

_PATH = re.compile(r"\s*(\w+)\s*(?:\[([^\]]*)\])?\s*\.\s*(\w+)\s*(?:\[\s*(\d+)\s*\])?\s*")
_SECTIONS = ("actuator", "sensor", "equality", "tendon")
_MOST_NAMED = 8  # names that a message lists
_VALUED = ("int", "real", "bool", "keys")


class AttributePathError(ValueError):
    """A path that leads to no attribute of the model; the message says what is valid."""


class _Placed(Struct, frozen=True):
    """An element with its rule and what it goes by: its name, or its body's."""

    element: Element
    rule: ElementRule
    section: str
    name: str


class AttributeTarget(Struct, frozen=True):
    """An attribute of one element that a study varies.

    where: the element, or where it would be put; child: the tag of an element that the file does not have yet.
    index: which number, None for a single one. base: what the file says, with defaults; () for nothing. name: of the element.
    """

    where: Where
    child: str
    attribute: Attribute
    index: int | None
    base: tuple[Value, ...]
    name: str = ""

    @property
    def value(self) -> Value | None:
        """The value in the file; None for nothing."""
        return self.base[self.index or 0] if self.base else None

    @property
    def before(self) -> tuple[float, ...] | None:
        """The numbers in the file; None for nothing, and for words."""
        return tuple(map(float, self.base)) if self.base and self.attribute.kind in ("int", "real") else None

    def written(self, value: Value) -> str:
        """A value of the attribute as text."""
        if isinstance(value, str):
            return value
        if self.attribute.kind == "bool":
            return "true" if value else "false"
        return str(round(value)) if self.attribute.kind == "int" else shown(value)


def targets(document: Document, path: str) -> list[AttributeTarget]:
    """The attributes that a path names, at least one. Raises AttributePathError."""
    match = _PATH.fullmatch(path)
    if match is None:
        raise AttributePathError(f"{path!r} is no path; valid are geom[foot].friction[0], option.timestep, joint[*].damping")
    tag, name, attribute, index = match.groups()
    every = list(_all(document))
    listed = [placed for placed in every if tag in (placed.element.tag, placed.section)]
    if not listed and tag in MUJOCO.children and not MUJOCO.children[tag].children.keys() - {"flag"}:
        rule = MUJOCO.children[tag]
        return [_target(path, document.root.where, tag, _attribute(rule, attribute), index, None)]
    if not listed:
        tags = sorted({placed.element.tag for placed in every} | {"option"})
        close = get_close_matches(tag, tags, 3) or tags[:_MOST_NAMED]
        raise AttributePathError(f"the model has no <{tag}>; it has {', '.join(close)}")
    return [
        _target(path, placed.element.where, "", _attribute(placed.rule, attribute), index, placed.element, placed.name)
        for placed in _chosen(listed, tag, name, path)
    ]


def _all(document: Document) -> Iterator[_Placed]:
    """The elements of a model, and of those that it attaches, in the order of their files."""
    pending = [document]
    done: set[int] = set()
    while pending:
        model = pending.pop(0)
        if id(model) not in done:
            done.add(id(model))
            pending += model.models.values()
            yield from _below(model.root, MUJOCO, "", "")


def _below(parent: Element, rule: ElementRule, section: str, name: str) -> Iterator[_Placed]:
    for child in parent.children:
        if child.tag not in rule.children or child.tag == "default":
            continue
        own = str(child.get("name") or name)
        yield _Placed(child, rule.children[child.tag], section, own)
        yield from _below(child, rule.children[child.tag], section or (child.tag if child.tag in _SECTIONS else ""), own)


def _chosen(listed: Sequence[_Placed], tag: str, name: str | None, path: str) -> list[_Placed]:
    """The elements that the brackets name."""
    if name is None:
        if len(listed) > 1:
            example = f"{tag}[{_names(listed)[0]}], or {tag}[*]"
            raise AttributePathError(f"{path}: the model has {len(listed)} of <{tag}>; say which, as {example}")
        return list(listed)
    name = name.strip().strip("\"'")
    named = [placed for placed in listed if fnmatchcase(placed.name, name)]
    if not named and name.isdecimal() and int(name) < len(listed):
        named = [listed[int(name)]]
    if not named:
        names = _names(listed)
        close = get_close_matches(name, names, 3) or names[:_MOST_NAMED]
        raise AttributePathError(f"{path}: no <{tag}> is called {name!r}; there are {', '.join(close)}")
    return named


def _names(listed: Sequence[_Placed]) -> list[str]:
    return [placed.name or str(k) for k, placed in enumerate(listed)]


def _attribute(rule: ElementRule, name: str) -> Attribute:
    """The attribute of an element. Raises AttributePathError."""
    valid = {each.name: each for each in rule.attributes.values() if each.kind in _VALUED}
    if name not in valid:
        close = get_close_matches(name, valid, 3) or list(valid)[:_MOST_NAMED]
        raise AttributePathError(f"<{rule.tag}> has no attribute {name!r} with numbers or words; valid are {', '.join(close)}")
    return valid[name]


def _target(
    path: str, where: Where, child: str, attribute: Attribute, index: str | None, element: Element | None, name: str = ""
) -> AttributeTarget:
    base = _base(element.get(attribute.name, attribute.default) if element is not None else attribute.default)
    several = attribute.high is None or attribute.high > 1
    count = len(base) if attribute.high is None else attribute.high
    if index is None and several:
        raise AttributePathError(f"{path}: {attribute.name} has several numbers: say which, as {attribute.name}[0]")
    if index is not None and not (several and int(index) < count):
        valid = f"[0] to [{count - 1}]" if several else "no brackets"
        raise AttributePathError(f"{path}: {attribute.name} is {attribute.describe()}: valid is {valid}")
    if index is not None and int(index) >= len(base):
        raise AttributePathError(f"{path}: the file gives {attribute.name} {len(base)} numbers; write them there first")
    return AttributeTarget(where, child, attribute, None if index is None else int(index), base, name)


def _base(value: object) -> tuple[Value, ...]:
    if value is None:
        return ()
    if isinstance(value, str | bool | int | float):
        return (value,)
    return tuple(float(v) for v in np.ravel(np.asarray(value, float)))


def writings(values: Iterable[tuple[AttributeTarget, Value]]) -> list[Writing]:
    """Changes of the text for some values."""
    made: dict[tuple[Where, str], Writing] = {}
    for target, value in values:
        writing = made.setdefault((target.where, target.child), Writing(target.where, target.child))
        _, words = writing.values.setdefault(target.attribute.name, (target.before, [*map(target.written, target.base)] or [""]))
        words[target.index or 0] = target.written(value)
    return list(made.values())
