"""Write a model that was read as one text: includes in place, default classes resolved, numbers to the last bit.

What else a file says stays as it says it: frames, angles in degrees, orientations as written, the compiler's settings. So
reading the text gives the same elements, and compiling it the same model.

Actuators keep classes, one for each different chain of defaults: what a shortcut takes from its class depends on all that
the class says, in order (physics/mjcf/defaults.py), and no attributes on the element can say that. So do elements with a
value that only a class may say, as the width of a fixed tendon.
"""

from __future__ import annotations

import os
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from physics.mjcf.document import Document
from physics.mjcf.schema import MUJOCO, ElementRule
from physics.mjcf.spec import Element

_CLASSES = ("class", "childclass")
_FOLDERS = ("assetdir", "meshdir", "texturedir")

Steps = tuple[tuple[str, dict[str, Any]], ...]


def write(document: Document, folder: str) -> str:
    """The text of a document, for a file in `folder`: names of other files are made to be found from there."""
    writer = _Writer({name: os.path.relpath(model.file, folder or ".") for name, model in document.models.items()})
    root = document.root
    placed = _placed(root, os.path.relpath(document.directory or ".", folder or "."))
    inner = [line for section in root.children if section.tag != "default"
             for line in writer.element(section, MUJOCO.children[section.tag], 1)]  # fmt: skip
    lines = [_tag("mujoco", root.attributes, 0, closed=False), *placed, *writer.classes(), *inner, "</mujoco>"]
    return "\n".join(lines) + "\n"


def _placed(root: Element, moved: str) -> list[str]:
    """A <compiler> that finds files from another folder, before the model's own; settings of several add up."""
    if moved == "." or not any("file" in element.attributes for element in _below(root)):
        return []
    given: dict[str, str] = {}
    for section in root.all("compiler"):
        given |= {name: section.attributes[name] for name in _FOLDERS if name in section.attributes}
    folders = {name: os.path.join(moved, given.get(name, given.get("assetdir", ""))) for name in ("meshdir", "texturedir")}
    for section in root.all("compiler"):
        for name in _FOLDERS:
            section.attributes.pop(name, None)
    return [_tag("compiler", folders, 1)]


def _below(root: Element) -> list[Element]:
    found, pending = [], [root]
    while pending:
        element = pending.pop()
        found.append(element)
        pending += element.children
    return found


class _Writer:
    """Lines of elements, and the classes that they turn out to need."""

    def __init__(self, models: dict[str, str]) -> None:
        self._models = models  # where the files of attached models are, by their names
        self._chains: dict[str, tuple[str, list[str]]] = {}  # by the lines of the chain: its class, and the lines

    def element(self, element: Element, rule: ElementRule, depth: int) -> list[str]:
        """The lines of an element and all in it."""
        values = self._values(element, rule)
        if not element.children:
            return [_tag(element.tag, values, depth)]
        inner = [line for child in element.children for line in self.element(child, rule.children[child.tag], depth + 1)]
        return [_tag(element.tag, values, depth, closed=False), *inner, f"{'  ' * depth}</{element.tag}>"]

    def _values(self, element: Element, rule: ElementRule) -> dict[str, Any]:
        """What an element says itself, with the class that says the rest."""
        values = {name: value for name, value in element.attributes.items() if name not in _CLASSES}
        if len(element.actuator_steps) > 1:
            own = element.actuator_steps[-1][1]
            values = {name: value for name, value in own.items() if name not in _CLASSES}
            values["class"] = self._class_of(element.actuator_steps[:-1])
        inherited = {name: value for name, value in values.items() if name not in rule.attributes}
        if inherited:
            values = {name: value for name, value in values.items() if name in rule.attributes}
            values["class"] = self._class_of(((rule.defaults, inherited),))
        if element.tag == "model":
            values["file"] = self._models.get(values.get("name", ""), values["file"])
        return values

    def _class_of(self, steps: Steps) -> str:
        """The class of a chain of defaults. A class may say each tag once, so every step has one, inside that before it."""
        lines = [_tag(tag, {n: v for n, v in values.items() if n not in _CLASSES}, 0) for tag, values in steps]
        return self._chains.setdefault("\n".join(lines), (f"class{len(self._chains)}", lines))[0]

    def classes(self) -> list[str]:
        """The <default> section, where one is needed; to be asked for after all elements."""
        if not self._chains:
            return []
        inner: list[str] = []
        for name, lines in self._chains.values():
            for k, line in enumerate(lines, start=1):
                rest = len(lines) - k
                inner += [f"{'  ' * (k + 1)}<default class=\"{name}{f'-{rest}' if rest else ''}\">", "  " * (k + 2) + line]
            inner += ["  " * (k + 1) + "</default>" for k in range(len(lines), 0, -1)]
        return ["  <default>", *inner, "  </default>"]


def _tag(tag: str, values: dict[str, Any], depth: int, *, closed: bool = True) -> str:
    attributes = "".join(f" {name}={quoteattr(_text(value), {chr(10): '&#10;'})}" for name, value in values.items())
    return f"{'  ' * depth}<{tag}{attributes}{'/' if closed else ''}>"


def _text(value: Any) -> str:
    """A value as the reader takes it: numbers with all the digits that tell them from others."""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, np.ndarray):
        return " ".join(_text(v) for v in value.tolist())
    if isinstance(value, tuple):
        return " ".join(value)
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 1e15 and str(value) != "-0.0" else repr(value)
    return str(value)
