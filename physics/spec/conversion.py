"""From a spec to the elements of a document, as a file with the same values would be read, and from a document to a spec."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from tumble.physics.compiler.compose import compose
from tumble.physics.compiler.options import fill_options, fill_visual, sections_of
from tumble.physics.compiler.relations.lengthrange import read_options, section_of
from tumble.physics.mjcf.defaults import MAIN, DefaultClass
from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.model_files import attached_class
from tumble.physics.mjcf.references import check_references, check_supported, walk
from tumble.physics.mjcf.schema import MUJOCO, find
from tumble.physics.mjcf.spec import CompilerSettings, Element, Where
from tumble.physics.spec.compiler import MjsCompiler
from tumble.physics.spec.default import KINDS, MjsDefault
from tumble.physics.spec.element import PROGRAM, Classed, element_of, read_element, read_plugin, source
from tumble.physics.spec.elements import CLASSES
from tumble.physics.spec.elements.assets import stem
from tumble.physics.spec.elements.tree import HELD, MjsBody, MjsFrame, read_inertial
from tumble.physics.spec.part import MjsOrientation, Owner, clear, read, written, written_orientation

# The sections in the order in which they are made, with the kinds of elements in each; of extensions see below.
_SECTIONS: dict[str, tuple[str, ...]] = {
    "extension": (), "custom": ("numeric", "text", "tuple"), "asset": ("mesh", "hfield", "texture", "material"),
    "deformable": ("flex", "skin"), "contact": ("pair", "exclude"), "equality": ("equality",), "tendon": ("tendon",),
    "actuator": ("actuator",), "sensor": ("sensor",), "keyframe": ("key",),
}  # fmt: skip


def document_of(spec: Owner) -> Document:
    """The document that the compiler takes. Raises MjcfError for values that no file could say."""
    return _Builder(spec).document()


def directory_of(spec: Owner) -> str:
    """The folder from which files of a spec are found; "" if it has none."""
    read = spec.contents.source
    return spec.modelfiledir or (read.directory if read is not None else "")


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
        for tag, kinds in _SECTIONS.items():
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
        document = Document(file, directory_of(spec), held, root=root)
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
            if child.tag == "plugin":
                read_plugin(body, child)
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
        elif section.tag in _SECTIONS:
            kinds = _SECTIONS[section.tag]
            for element in section.children:
                kind = kinds[0] if len(kinds) == 1 else element.tag
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
