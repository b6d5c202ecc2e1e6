"""Read a model: text, includes, checks against the schema, values, sections put together, default classes, names."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from difflib import get_close_matches
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tumble.physics.errors import ArgumentError, MjcfError, quoted
from tumble.physics.mjcf import faults
from tumble.physics.mjcf.defaults import resolve
from tumble.physics.mjcf.document import URDF, Document, FileProblem
from tumble.physics.mjcf.model_files import attached_class, expand, read_models, take_beside
from tumble.physics.mjcf.references import collect_names, is_complete
from tumble.physics.mjcf.schema import LATER_ATTRIBUTES, LATER_ELEMENTS, LATER_POLYNOMIALS, MUJOCO, Attribute, ElementRule
from tumble.physics.mjcf.source import MAX_DEPTH, Node, file_error, parse
from tumble.physics.mjcf.spec import CompilerSettings, Element, tree_of
from tumble.physics.mjcf.suggest import meant
from tumble.physics.mjcf.urdf import read_robot
from tumble.physics.mjcf.values import ValueProblem, convert, overlay

# What the reference reads directly in <mujoco>, and makes nothing of: such files are made to be included in others.
_STRAY = frozenset({"body", "frame"})
# Sections that say what elsewhere is meant: what is wrong there may seem wrong elsewhere too.
_FAR = frozenset({"compiler", "default"})
# Where elements stand of which each is something by itself, below the sections.
_PLACES = frozenset({"body", "frame"})
_ITEM = 3  # depth of what stands in a section
# Sections whose attributes add up when they are repeated; of all others the children do.
_SETTINGS = frozenset({"compiler", "option", "size", "visual", "statistic"})


def read_path(
    path: str | os.PathLike[str], texts: Mapping[str, bytes] | None = None, files: dict[str, str] | None = None,
    assets: Mapping[str, bytes | str] | None = None, *, alike: bool = False, named: dict[str, str] | None = None,
) -> Document:  # fmt: skip
    """The model in a file; texts: what to read in place of files, by the paths that `sources` of the document has.

    assets: contents of files by name, looked up before the disk, also for the file itself; alike: several may have the last
    part of their paths alike. files: filled with `files` of the
    document, even if the model is wrong; named: with its `named`.
    Raises MjcfError, and nothing else, for anything that is not a model.
    """
    file = os.fspath(path)
    kept = held(assets, file, alike)
    document = Document(file, os.path.dirname(file), kept, [file], texts or {}, {} if files is None else files)
    document.named = document.named if named is None else named
    given = document.asset(file)
    try:
        data = document.read(file) if given is None else document.assets[given]
    except FileProblem as problem:
        raise file_error(file, f"is missing: the path {problem}; expected an MJCF or URDF file") from None
    return _read_whole(data, document)


def read_string(
    xml: str | bytes, assets: Mapping[str, bytes | str] | None = None, name: str = "model.xml", *, alike: bool = False
) -> Document:
    """The model in a text; `assets`: contents of included files, meshes and textures by name; `name` for messages.

    alike: several of these names may have their last part alike. Files that are not among the assets are looked up from the
    working directory. Raises MjcfError, and nothing else.
    """
    return _read_whole(_encoded(xml), Document(name, "", held(assets, name, alike)))


def read_sealed(data: bytes, files: Mapping[str, bytes], name: str, named: Mapping[str, str] | None = None) -> Document:
    """The model in a file that has all its files with it, by the paths that they had from its folder; nothing else is read.

    name: of the file, for messages. named: as `Document.named` was when they were read. Raises MjcfError, and nothing else.
    """
    return _read_whole(data, Document(name, "", {}, [name], files, sealed=True, named=dict(named or {})))


def held(assets: Mapping[str, bytes | str] | None, file: str, alike: bool = False) -> dict[str, bytes]:
    """Contents of files by name. Raises MjcfError where two have one file name, unless they may: of a path, its last part."""
    found: dict[str, str] = {}
    if not isinstance(assets, Mapping | None):
        raise ArgumentError(f"assets should be contents of files by name, a dict; they are {quoted(assets)}")
    for path in assets or {}:
        if not isinstance(path, str):
            raise ArgumentError(f"assets should be contents of files by name; there is the name {quoted(path)}")
        if (base := os.path.basename(path).lower()) in found and not alike:
            raise file_error(file, f"cannot be read. Repeated file name in assets: {found[base]!r} and {path!r}")
        found[base] = path
    return {path: _encoded(value) for path, value in (assets or {}).items()}


def _encoded(text: str | bytes) -> bytes:
    if not isinstance(text, str | bytes):
        raise ArgumentError(f"contents of a file should be bytes or text, not {quoted(text)}")
    # A lone surrogate cannot be encoded; as a question mark it is reported in its place like any other mistake.
    return text.encode("utf-8", "replace") if isinstance(text, str) else text


def _read_whole(data: bytes, document: Document) -> Document:
    """As `_read`; raises MjcfError with all errors of the file."""
    with faults.gathered():
        return _read(data, document)


def _read(data: bytes, document: Document) -> Document:
    node = parse(data, document.file)
    document.contents[document.file] = data
    if node.tag == "robot":
        document.format = URDF
        document.root = read_robot(node, document, _build_sound)
    elif node.tag == "mujoco":
        expand(node, document)
        document.root = _build(node, MUJOCO)
        faults.settle()
    else:
        raise node.error(_wrong_root(node.tag))
    document.root.schema_defaults = MUJOCO.schema_defaults
    document.root.children = _join_sections(document.root.children)
    if any(True for section in document.root.all("asset") for _ in section.all("model")):
        faults.settle(always=True)
        read_models(document, _read)
        faults.settle()
    document.classes = resolve(document.root, partial(attached_class, document))
    _settle(document.root, document.folder)
    _name_by_file(document.root)
    if len(document.contents) > 1:
        take_beside(document)
    if is_complete(document.root):
        collect_names(document.root)
    return document


def _wrong_root(tag: str) -> str:
    known = {
        "sdf": "is the root of an SDFormat file, which is not read; convert it to MJCF",
        "mujocoinclude": "is the root of a file to be included in another; open the one that includes it",
        "include": "is not a model by itself; put it inside <mujoco>",
    }
    return known.get(tag, "is not the root of a model file") + "; valid: <mujoco> of MJCF, <robot> of URDF"


def _build_sound(node: Node, rule: ElementRule) -> Element:
    """As `_build`; raises MjcfError for all that is wrong."""
    element = _build(node, rule)
    faults.settle(always=True)
    return element


class _Making(Struct):
    """An element that is made: how deep it stands, and whether what is wrong in it may seem wrong elsewhere too."""

    node: Node
    rule: ElementRule
    element: Element
    depth: int = 1
    hides: bool = False

    def report(self, error: MjcfError, *, hides: bool = False) -> None:
        """Remember an error at this element."""
        faults.report(error, again=True, hides=hides or self.hides)

    def report_child(self, child: Node, what: str) -> None:
        """Remember an error at a child that is left out: this element is wrong too, if it is not a place for others."""
        faults.report(child.error(what), hides=self.hides or _has_names(child))
        if self.depth >= _ITEM and self.element.tag not in _PLACES:
            faults.spoil(self.node.where)


def _build(node: Node, rule: ElementRule) -> Element:
    """The element of a node, its attributes converted, with all in it; checks all that its rule says.

    With its own stack, for files nest as deep as calls may.
    """
    root = _Making(node, rule, Element(node.tag, node.where))
    pending = [root]
    while pending:
        making = pending.pop()
        if making.depth > MAX_DEPTH:
            what = f"is nested too deeply; at most {MAX_DEPTH} levels are read, those of included files together"
            raise making.node.error(what)
        _set_attributes(making)
        pending += reversed(_set_children(making))
    return root.element


def _set_attributes(making: _Making) -> None:
    node, rule, element = making.node, making.rule, making.element
    if node.tag == "worldbody" and node.attributes:
        making.report(node.error("has attributes; the world body takes none, put its elements into a <body> or <frame>"))
        return
    for name, text in node.attributes.items():
        if name in rule.attributes:
            try:
                value = _value(node, element, rule.attributes[name], text)
            except ValueProblem as problem:
                making.report(node.error(str(problem)))
                continue
            if value is not None:
                element.attributes[name] = value
        elif name in LATER_ATTRIBUTES.get(node.tag, ()):
            element.warn(f"{name} is of a later release than 3.5.0: it is left out")
        else:
            error = node.error(f'has no attribute "{name}"; {meant(name, rule.attributes)}')
            making.report(error, hides=_may_name(name, rule, node))
    element.given = frozenset(element.attributes)
    if not faults.is_faulty(node.where):
        try:
            _check_presence(element, rule)
        except MjcfError as error:
            making.report(error)


def _set_children(making: _Making) -> list[_Making]:
    """Give an element its children, which are returned, still to be filled; those that do not belong here are left out."""
    rule = making.rule
    first: dict[str, Node] = {}
    made: list[_Making] = []
    for child in making.node.children:
        below = rule.children.get(child.tag)
        if rule is MUJOCO and child.tag in _STRAY:
            Element(child.tag, child.where).warn("stands outside of <worldbody>: it is left out")
            continue
        if below is None and child.tag in LATER_ELEMENTS.get(rule.tag, ()):
            Element(child.tag, child.where).warn("is of a later release than 3.5.0: it is left out")
            continue
        if below is None:
            making.report_child(child, f"is not valid in <{rule.tag}>; {meant(child.tag, rule.children)}")
            continue
        if below.occurs == "?" and child.tag in first:
            making.report_child(child, f"is a second one in <{rule.tag}>, after {first[child.tag].where}; valid: at most one")
            continue
        first[child.tag] = child
        element, hides = Element(child.tag, child.where), making.hides or child.tag in _FAR
        made.append(_Making(child, below, element, making.depth + 1, hides))
        making.element.children.append(element)
    return made


def _may_name(written: str, rule: ElementRule, node: Node) -> bool:
    """True if an attribute that a node does not have may be meant for its name."""
    return bool(rule.names) and "name" not in node.attributes and bool(get_close_matches("name", [written[:100]]))


def _has_names(node: Node) -> bool:
    """True if a node or one in it has a name, which others may refer to, or default classes."""
    return any(one.tag == "default" or "name" in one.attributes for one in tree_of(node))


def _value(node: Node, element: Element, attribute: Attribute, text: str) -> Any:
    """The value of an attribute, None for one that counts as not written. Raises ValueProblem."""
    if attribute.name in LATER_POLYNOMIALS.get(node.tag, ()) and len(words := text.split()) > 1:
        element.warn(f"{attribute.name} has more than one number, as in releases after 3.5.0: the first counts")
        text = words[0]
    return convert(attribute, text)


def _check_presence(element: Element, rule: ElementRule) -> None:
    given = element.given
    for attribute in rule.attributes.values():
        if attribute.required and attribute.name not in given:
            raise element.error(f"needs the attribute {attribute.name}: {attribute.describe()}")
    for group in rule.exclusive:
        found = [name for name in group if name in given]
        if len(found) > 1:
            raise element.error(f"has {' and '.join(found)}; valid: one of {', '.join(group)}")
    for group in rule.exactly:
        if not any(name in given for name in group):
            raise element.error(f"needs one of {' or '.join(group)}")
        if all(name in given for name in group):
            raise element.error(f"has {' and '.join(group)}; valid: one of them")
    for a, b in rule.together:
        if (a in given) != (b in given):
            has, lacks = (a, b) if a in given else (b, a)
            raise element.error(f"has {has} but not {lacks}; valid: both or none")


def _settle(root: Element, folder: str) -> None:
    """Give every element the settings by which it is interpreted; folder: of the file, as seen from the main one's."""
    settings = replace(_read_settings(root), folder=folder)
    for element in tree_of(root):
        element.settings = settings


def _read_settings(root: Element) -> CompilerSettings:
    """The settings of a model; where `<compiler>` is repeated, what is written last counts.

    Raises MjcfError at what is no longer valid.
    """
    value: dict[str, object] = {}
    for element in root.all("compiler"):
        if element.get("coordinate", "local") != "local":
            raise element.error('coordinate="global" is no longer valid: write every pose in its parent\'s frame')
        for name in ("autolimits", "boundmass", "boundinertia", "settotalmass", "balanceinertia", "discardvisual", "strippath",
                     "fusestatic", "alignfree", "eulerseq", "inertiafromgeom", "meshdir", "texturedir",
                     "fitaabb"):  # fmt: skip
            if element.has(name):
                value[name] = element.get(name)
        if element.has("assetdir"):
            value |= {name: element.get("assetdir") for name in ("meshdir", "texturedir") if not element.has(name)}
        if element.has("angle"):
            value["angle_unit"] = 1.0 if element.get("angle") == "radian" else math.pi / 180
        if element.has("inertiagrouprange"):
            low, high = (int(v) for v in element.get("inertiagrouprange"))
            value["inertiagrouprange"] = (low, high)
        _check_compiler(element)
    return CompilerSettings(**value)  # type: ignore[arg-type]  # the schema has typed each of them


def _check_compiler(element: Element) -> None:
    for name in ("boundmass", "boundinertia"):
        if element.get(name, 0.0) < 0:
            element.warn(f"{name} is negative, {element.get(name):g}: it bounds nothing")


def _name_by_file(root: Element) -> None:
    """Give an asset without a name that of its file, without folder and extension."""
    for section in root.all("asset", "deformable"):
        for asset in section.all("mesh", "hfield", "skin", "texture"):
            if not asset.attributes.get("name") and asset.attributes.get("file"):
                file = asset.attributes["file"].replace("\\", "/")
                asset.attributes["name"] = os.path.splitext(os.path.basename(file))[0]


def _join_sections(sections: list[Element]) -> list[Element]:
    """Each section once, where it stands first; <default> sections stay apart: their order tells what is inherited."""
    joined: dict[str, Element] = {}
    result: list[Element] = []
    for section in sections:
        first = joined.setdefault(section.tag, section)
        if first is section or section.tag == "default":
            result.append(section)
        elif section.tag in _SETTINGS:
            _add_settings(first, section, MUJOCO.children[section.tag])
        else:
            first.children += section.children
    return result


def _add_settings(first: Element, more: Element, rule: ElementRule) -> None:
    for name, value in more.attributes.items():
        attribute = rule.attributes[name]
        base = attribute.default
        if name in first.given:
            base = overlay(attribute, first.attributes[name], base)
        first.attributes[name] = overlay(attribute, value, base)
    first.given |= more.given
    for child in more.children:
        same = next(first.all(child.tag), None)
        if same is None:
            first.children.append(child)
        else:
            _add_settings(same, child, rule.children[child.tag])
