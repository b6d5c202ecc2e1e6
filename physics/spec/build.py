"""From a spec to the elements that the compiler takes: what a file with the same values would be read as."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from tumble.physics.compiler.options import sections_of
from tumble.physics.compiler.relations.lengthrange import section_of
from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.references import walk
from tumble.physics.mjcf.schema import MUJOCO, find
from tumble.physics.mjcf.spec import CompilerSettings, Element, Where
from tumble.physics.spec.compiler import MjsCompiler
from tumble.physics.spec.element import PROGRAM, element_of, source
from tumble.physics.spec.elements.tree import HELD, MjsFrame
from tumble.physics.spec.part import MjsOrientation, Owner, written, written_orientation

_SECTIONS = (
    ("extension", ()), ("custom", ("numeric", "text", "tuple")),
    ("asset", ("mesh", "hfield", "texture", "material")), ("deformable", ("flex", "skin")), ("contact", ("pair", "exclude")),
    ("equality", ("equality",)), ("tendon", ("tendon",)), ("actuator", ("actuator",)), ("sensor", ("sensor",)),
    ("keyframe", ("key",)),
)  # fmt: skip


def document_of(spec: Owner) -> Document:
    """The document that the compiler takes. Raises MjcfError for values that no file could say."""
    return _Builder(spec).document()


def oriented(orientation: MjsOrientation, settings: CompilerSettings) -> Element:
    """An element with an orientation alone."""
    return Element("frame", Where(PROGRAM, 1, 1), written_orientation(orientation), settings=settings)


class _Builder:
    """Makes the elements of one spec."""

    def __init__(self, spec: Owner) -> None:
        self._spec = spec
        self._settings: dict[int, CompilerSettings] = {}
        self._written: set[int] = set()  # frames whose names are written

    def document(self) -> Document:
        spec, read = self._spec, self._spec.contents.source
        root = Element("mujoco", source(spec, None), schema_defaults=MUJOCO.schema_defaults)
        root.attributes["model"] = spec.modelname
        root.settings = self._settings_of(spec.compiler)
        root.children = [self._compiler(), self._size(), *sections_of(spec.contents.settings, source(spec, None))]
        for tag, kinds in _SECTIONS:
            section = Element(tag, source(spec, None), settings=root.settings)
            section.children = [self._element(item) for kind in kinds for item in spec.contents.lists[kind]]
            if tag == "extension":
                section.children = self._plugins()
            if section.children:
                root.children.append(section)
        root.children.append(self._world())
        _check_required(root)
        held = {name: data.encode("utf-8", "replace") if isinstance(data, str) else data for name, data in spec.assets.items()}
        file = read.file if read is not None else PROGRAM
        directory = spec.modelfiledir or (read.directory if read is not None else "")
        document = Document(file, directory, held, root=root)
        if read is not None:
            document.sources, document.texts, document.files = list(read.sources), read.texts, read.files
        return document

    # ---------------------------------------------------------------- elements

    def _settings_of(self, compiler: MjsCompiler) -> CompilerSettings:
        if id(compiler) not in self._settings:
            self._settings[id(compiler)] = compiler.settings()
        return self._settings[id(compiler)]

    def _element(self, part: Any) -> Element:
        return element_of(part, self._settings_of(part.entry.compiler))

    def _compiler(self) -> Element:
        element = Element("compiler", source(self._spec, None), schema_defaults=find("compiler").schema_defaults)
        element.children = [section_of(self._spec.compiler.LRopt, element.where)]
        return element

    def _size(self) -> Element:
        element = Element("size", source(self._spec, None), schema_defaults=find("size").schema_defaults)
        element.attributes = written(self._spec)
        return element

    # ---------------------------------------------------------------- the tree

    def _world(self) -> Element:
        world = Element("worldbody", source(self._spec.contents.world, self._spec.contents.world.entry.where))
        world.settings = self._settings_of(self._spec.contents.world.entry.compiler)
        pending = [(self._spec.contents.world, world)]
        while pending:
            body, element = pending.pop()
            for kind in HELD[1:]:
                for frame, group in groupby(body.entry.held[kind], key=lambda item: item.entry.frame):
                    members = [(member, self._element(member)) for member in group]
                    element.children += self._framed(frame, [inner for _, inner in members])
                    if kind == "body":
                        pending += members
        return world

    def _framed(self, frame: MjsFrame | None, elements: list[Element]) -> list[Element]:
        """Elements inside the frames around them. A frame is written as often as that keeps elements in order, its name once."""
        while frame is not None:
            around = self._element(frame)
            if id(frame) in self._written:
                around.attributes.pop("name", None)
            self._written.add(id(frame))
            around.children = elements
            elements, frame = [around], frame.entry.frame
        return elements

    # ---------------------------------------------------------------- sections

    def _plugins(self) -> list[Element]:
        """<plugin> for each that is active, with its instances."""
        rule, elements = find("extension/plugin"), []
        instances = [item for item in self._spec.contents.lists["plugin"] if item.active]
        names = dict.fromkeys([*self._spec.contents.plugins, *(item.plugin_name for item in instances)])
        for name in names:
            element = Element("plugin", source(self._spec, None), {"plugin": name}, frozenset(), [], rule.schema_defaults)
            for item in instances:
                if item.plugin_name == name:
                    element.children.append(self._element(item))
            elements.append(element)
        return elements


def _check_required(root: Element) -> None:
    """Raise MjcfError for an element that does not say what it has to."""
    for element, rule in walk(root):
        for attribute in rule.attributes.values():
            if attribute.required and attribute.name not in element.attributes:
                raise element.error(f"needs the attribute {attribute.name}: {attribute.describe()}")
