"""From the elements of a document to a spec: everything that the compiler would read of them."""

from __future__ import annotations

from typing import Any

from tumble.physics.compiler.compose import compose
from tumble.physics.compiler.options import fill_options, fill_visual
from tumble.physics.compiler.relations.lengthrange import read_options
from tumble.physics.compiler.supported import check_supported
from tumble.physics.mjcf.defaults import MAIN, DefaultClass
from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.model_files import attached_class
from tumble.physics.mjcf.references import check_references
from tumble.physics.mjcf.spec import CompilerSettings, Element
from tumble.physics.spec.compiler import MjsCompiler
from tumble.physics.spec.default import KINDS, MjsDefault
from tumble.physics.spec.element import Classed, read_element
from tumble.physics.spec.elements import CLASSES
from tumble.physics.spec.elements.assets import stem
from tumble.physics.spec.elements.tree import MjsBody, MjsFrame, read_inertial
from tumble.physics.spec.part import Owner, clear, read

_SECTIONS = {"contact": "", "asset": "", "deformable": "", "custom": "", "equality": "equality", "tendon": "tendon",
             "actuator": "actuator", "sensor": "sensor", "keyframe": "key"}  # fmt: skip


class SpecLoader:
    """Fills an empty spec with a document. Raises MjcfError for what is wrong with the file or not supported."""

    def __init__(self, document: Document, spec: Owner) -> None:
        self._document, self._spec = document, spec
        self._compilers: dict[CompilerSettings, MjsCompiler] = {}

    def run(self) -> None:
        """Fill the spec."""
        spec, root = self._spec, compose(self._document)
        check_supported(root)
        check_references(root)
        spec.contents.source = self._document
        self._settings(root)
        self._defaults()
        for section in root.all("worldbody"):
            self._tree(section)
        for section in root.children:
            self._section(section)
        spec.contents.names = None

    # ---------------------------------------------------------------- settings and classes

    def _settings(self, root: Element) -> None:
        spec = self._spec
        spec.modelname, spec.modelfiledir = root.get("model", ""), self._document.directory
        spec.compiler.read(root.settings)
        self._compilers[root.settings] = spec.compiler
        for section in root.all("compiler"):
            for name in ("usethread", "saveinertial"):
                if section.has(name):
                    setattr(spec.compiler, name, int(section.get(name)))
            for child in section.all("lengthrange"):
                read_options(child, spec.compiler.LRopt)
        fill_options(root, spec.contents.settings)
        fill_visual(root, spec.contents.settings)
        for section in root.all("statistic"):
            for name, value in section.attributes.items():
                setattr(spec.stat, name, value)
        for section in root.all("size"):
            read(spec, section.attributes)

    def _defaults(self) -> None:
        classes = self._document.classes
        main = classes.get(MAIN)
        if main is not None:
            self._class(self._spec.default, main)
        pending = [(section, self._spec.default) for section in self._document.root.all("default")]
        while pending:
            section, around = pending.pop(0)
            for child in section.all("default"):
                name = child.attributes["class"]
                pending.append((child, self._add_class(name, classes[name], around)))

    def _add_class(self, name: str, values: DefaultClass, parent: MjsDefault) -> MjsDefault:
        default = self._spec.add_default(name, parent)
        self._class(default, values)
        return default

    def _class(self, default: MjsDefault, values: DefaultClass) -> None:
        """Give a default class its own values and those of the classes around it."""
        for kind in KINDS:
            tag = "general" if kind == "actuator" else kind
            element = Element(tag, values.element.where, values.values.get(tag, {}), actuator_steps=values.steps)
            element.children = list(values.layers.values()) if kind == "material" else []
            part = default.part(kind)
            assert part is not None
            clear(part)
            read_element(part, element)

    def _class_of(self, element: Element, scope: str) -> MjsDefault:
        name = element.attributes.get("class") or scope
        default = self._spec.find_default(name)
        if default is None and name:
            values = attached_class(self._document, name)
            default = self._add_class(name, values, self._spec.default) if values is not None else None
        return default or self._spec.default

    def _compiler_of(self, element: Element) -> MjsCompiler:
        compiler = self._compilers.get(element.settings)
        if compiler is None:
            compiler = self._compilers[element.settings] = MjsCompiler()
            compiler.read(element.settings)
        return compiler

    # ---------------------------------------------------------------- elements

    def _new(self, kind: str, element: Element, scope: str = "") -> Any:
        """A new structure of a kind, with the name, class and values of an element."""
        part = CLASSES[kind](self._spec)
        entry, name = part.entry, element.attributes.get("name", "")
        if "name" in element.given or name != stem(element.attributes.get("file") or ""):
            entry.name = name  # else the reader has named it by its file, as `SpecContents.find` does
        entry.default = self._class_of(element, scope) if isinstance(part, Classed) else None
        entry.compiler, entry.where = self._compiler_of(element), element.where
        part.info = f"line {element.where.line}"
        read_element(part, element)
        return part

    def _tree(self, world: Element) -> None:
        """Read a tree; with its own stack, for files nest deeper than calls may."""
        top = self._spec.contents.world
        top.entry.compiler, top.entry.where = self._compiler_of(world), world.where
        pending: list[tuple[MjsBody, MjsFrame | None, str, Any]] = [(top, None, MAIN, iter(world.children))]
        while pending:
            body, frame, scope, rest = pending[-1]
            child = next(rest, None)
            if child is None:
                pending.pop()
                continue
            if child.tag == "inertial":
                read_inertial(body, child)
                continue
            kind = "joint" if child.tag == "freejoint" else child.tag
            part = self._new(kind, child, scope)
            part.entry.body, part.entry.frame = body, frame
            body.entry.held[kind].append(part)
            inner = child.attributes.get("childclass") or scope
            if kind == "body":
                pending.append((part, None, inner, iter(child.children)))
            elif kind == "frame":
                pending.append((body, part, inner, iter(child.children)))

    def _section(self, section: Element) -> None:
        if section.tag == "extension":
            self._extension(section)
        if section.tag in _SECTIONS:
            for element in section.children:
                kind = _SECTIONS[section.tag] or element.tag
                if kind != "model":
                    self._spec.contents.lists[kind].append(self._new(kind, element))

    def _extension(self, section: Element) -> None:
        for plugin in section.all("plugin"):
            name = str(plugin.get("plugin"))
            if name not in self._spec.contents.plugins:
                self._spec.contents.plugins.append(name)
            for element in plugin.all("instance"):
                instance = self._new("plugin", element)
                instance.plugin_name = name
                self._spec.contents.lists["plugin"].append(instance)
