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

from lxml import etree

from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.schema import MUJOCO, ElementRule
from tumble.physics.mjcf.spec import Element, tree_of
from tumble.physics.mjcf.values import text_of

_CLASSES = ("class", "childclass")
_FOLDERS = ("assetdir", "meshdir", "texturedir")

Steps = tuple[tuple[str, dict[str, Any]], ...]
Chain = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]  # of each step the tag, and its attributes as texts


def write(document: Document, folder: str) -> str:
    """The text of a document, for a file in `folder`: names of other files are made to be found from there."""
    writer = _Writer({name: os.path.relpath(model.file, folder or ".") for name, model in document.models.items()})
    placed = _placed(document.root, os.path.relpath(document.directory or ".", folder or "."))
    root = etree.Element("mujoco", _texts(document.root.attributes))
    if placed:
        etree.SubElement(root, "compiler", placed)
    for section in document.root.children:
        if section.tag != "default":
            writer.add(root, section, MUJOCO.children[section.tag])
    writer.add_classes(root, 1 if placed else 0)
    etree.indent(root)
    return etree.tostring(root, encoding="unicode") + "\n"


def _placed(root: Element, moved: str) -> dict[str, str]:
    """Attributes of a <compiler> that finds files from another folder; removes the model's own folder attributes."""
    if moved == "." or not any("file" in element.attributes for element in tree_of(root)):
        return {}
    given: dict[str, str] = {}
    for section in root.all("compiler"):
        given |= {name: section.attributes[name] for name in _FOLDERS if name in section.attributes}
    folders = {name: os.path.join(moved, given.get(name, given.get("assetdir", ""))) for name in ("meshdir", "texturedir")}
    for section in root.all("compiler"):
        for name in _FOLDERS:
            section.attributes.pop(name, None)
    return folders


class _Writer:
    """Adds elements to the tree of lxml, and the classes that they turn out to need."""

    def __init__(self, models: dict[str, str]) -> None:
        self._models = models  # where the files of attached models are, by their names
        self._chains: dict[Chain, str] = {}  # the class of each chain

    def add(self, parent: etree._Element, element: Element, rule: ElementRule) -> None:
        """Add an element and all in it."""
        added = etree.SubElement(parent, element.tag, _texts(self._values(element, rule)))
        for child in element.children:
            self.add(added, child, rule.children[child.tag])

    def _values(self, element: Element, rule: ElementRule) -> dict[str, Any]:
        """An element's own attributes, with the class that gives the rest."""
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
        chain = tuple((tag, tuple(_texts(values, without=_CLASSES).items())) for tag, values in steps)
        return self._chains.setdefault(chain, f"class{len(self._chains)}")

    def add_classes(self, root: etree._Element, index: int) -> None:
        """Add the <default> section, if one is needed; to be called after all elements are added."""
        if not self._chains:
            return
        section = etree.Element("default")
        root.insert(index, section)
        for chain, name in self._chains.items():
            parent = section
            for rest, (tag, values) in zip(range(len(chain) - 1, -1, -1), chain, strict=True):
                parent = etree.SubElement(parent, "default", {"class": f"{name}-{rest}" if rest else name})
                etree.SubElement(parent, tag, dict(values))


def _texts(values: dict[str, Any], without: tuple[str, ...] = ()) -> dict[str, str]:
    return {name: text_of(value) for name, value in values.items() if name not in without}
