"""A spec as MJCF in the reference's canonical form: sections in their order, angles in radians, what is inherited left out.

Reading the text and compiling it gives the model of the spec: numbers have all the digits that tell them from others, and
each element says all that its class does not. Orientations become quaternions. Comments of the files that the spec came from
stand where they stood: before the elements that they were written before.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

import numpy as np
from lxml import etree
from msgspec import Struct, field
from msgspec.structs import replace

from tumble.physics.compiler.assets.asset_files import file_name
from tumble.physics.compiler.bodies.frames import read_orientation
from tumble.physics.compiler.bodies.geoms import NSIZE
from tumble.physics.compiler.compile import compile
from tumble.physics.errors import PhysicsError
from tumble.physics.mjcf.schema import DEFAULT, MUJOCO, ElementRule, find
from tumble.physics.mjcf.source import tolerate
from tumble.physics.mjcf.spec import CompilerSettings, Element, Where
from tumble.physics.mjcf.values import text_of
from tumble.physics.query.text import mju_writeNumBytes
from tumble.physics.spec import canonical
from tumble.physics.spec.attach import write_keys
from tumble.physics.spec.compiling import unwritable
from tumble.physics.spec.conversion import document_of
from tumble.physics.spec.default import MjsDefault
from tumble.physics.spec.element import MjsElement, Source, part_of
from tumble.physics.spec.elements.assets import FACES, FileAsset
from tumble.physics.spec.part import FORMS, Owner
from tumble.physics.state.enums import mjtDyn
from tumble.physics.state.model import Model

_FREE = ("eulerseq", "angle_unit", "meshdir", "texturedir", "strippath", "folder", "settotalmass")  # may differ between elements
_SIZES = {"plane": 3, **{shape.name[7:].lower(): count for shape, count in NSIZE.items()}}  # those of other types do not count
_USERS = {"body": "body", "jnt": "joint", "geom": "geom", "site": "site", "cam": "camera", "tendon": "tendon",
          "actuator": "actuator", "sensor": "sensor"}  # fmt: skip
_WRAPS = ("site", "geom", "joint", "pulley")
_FIXED = ("joint", "geom", "site", "camera", "light", "plugin", "inertial")


def write(spec: Owner) -> str:
    """The text of a spec. Raises MjcfError for what no file can say, at the element."""
    try:
        return SpecWriter(spec).text()
    except ValueError as error:
        if isinstance(error, PhysicsError):
            raise
        raise unwritable(spec, str(error)) from error  # of the library that makes XML: a character


class SpecWriter:
    """Writes one spec, by way of the elements that the compiler would take."""

    def __init__(self, spec: Owner) -> None:
        self._spec = spec
        self._source = spec.contents.source
        self._document = document_of(spec)
        write_keys(spec, self._document.root)
        self._settings = self._document.root.settings
        self._classes: dict[int, dict[str, canonical.Values]] = {}  # what is inherited from a class, by the kind of element
        self._model: Model | None = None
        self._comments, self._sections = Comments(), {}
        if self._source is not None:
            for model in [self._source, *self._source.library.values()]:
                for file, data in model.contents.items():
                    self._comments.read(file, data)
            self._sections = {section.tag: section.where for section in reversed(self._source.root.children)}

    def text(self) -> str:
        """The whole text."""
        root = etree.Element("mujoco", model=str(self._spec.modelname))
        held = {section.tag: section for section in self._document.root.children}
        for tag in canonical.SECTIONS:
            made = etree.Element(tag)
            if tag == "compiler":
                self._compiler(made, held[tag])
            elif tag == "size":
                _give(made, self._size())
            elif tag == "default":
                self._default(made, self._spec.default, None)
            elif tag in held:
                self._section(made, held[tag])
            if len(made) or made.attrib or tag == "worldbody":
                self._place(root, made, self._sections.get(tag) if tag != "default" else None)
        where = self._source.root.where if self._source is not None else None
        self._inside(root, where)
        _indent(root)
        above = [f"<!--{_dashes(text)}-->\n" for text in self._before(where)]
        return "".join(above) + etree.tostring(root, encoding="unicode") + "\n"

    # ---------------------------------------------------------------- sections

    def _section(self, made: etree._Element, section: Element) -> None:
        rule = MUJOCO.children[section.tag]
        single = np.float32 if section.tag == "visual" else None
        self._plain(made, section, rule, single)
        held = _merged(section.children) if section.tag == "worldbody" else section.children
        if section.tag == "asset":
            held = sorted(held, key=lambda child: canonical.ASSETS.index(child.tag))
        for child in held:
            if section.tag in ("option", "visual"):
                below = etree.Element(child.tag)
                self._plain(below, child, rule.children[child.tag], single)
                if below.attrib:
                    made.append(below)
            else:
                self._element(made, child, rule.children[child.tag], self._spec.default)
        self._inside(made, self._sections.get(section.tag))

    def _plain(self, made: etree._Element, element: Element, rule: ElementRule, single: Any = None) -> None:
        """Attributes that are not as the schema has them. single: the type of its numbers, if it is not float64."""
        given = element.attributes.items()
        values = {name: canonical.shortest(value, _kind(value)) if single else value for name, value in given}
        schema = rule.schema_defaults
        kept = {name: value for name, value in values.items()
                if value is not None and (name not in schema or not np.array_equal(value, schema[name]))}  # fmt: skip
        made.attrib.update({name: text_of(kept[name]) for name in canonical.ordered(element.tag, kept, rule)})

    def _compiler(self, made: etree._Element, section: Element) -> None:
        compiler, settings = self._spec.compiler, self._settings
        made.set("angle", "radian")
        own, base = canonical.values_of(compiler, settings), canonical.default_values(compiler.structure, settings)
        made.attrib.update({name: text_of(value) for name, value in own.items() if canonical.differs(value, base[name])})
        if settings.strippath:
            made.set("strippath", "true")
        for child in section.children:
            below = etree.Element(child.tag)
            self._plain(below, child, find("compiler/lengthrange"))
            if below.attrib:
                made.append(below)

    def _size(self) -> dict[str, str]:
        """Sizes, with those that the elements make."""
        spec = self._spec
        schema = find("size").schema_defaults
        own = {name: value for name, value in canonical.values_of(spec, self._settings).items() if value != schema[name]}
        for short, kind in _USERS.items():
            most = max((len(item.value("userdata")) for item in spec.contents.all_of(kind)), default=0)
            if most > own.get(f"nuser_{short}", -1) and most:
                own[f"nuser_{short}"] = most
        if len(spec.contents.all_of("key")) > own.get("nkey", 0):
            own["nkey"] = len(spec.contents.all_of("key"))
        if "memory" in own:
            own["memory"] = mju_writeNumBytes(own["memory"])
        return {name: text_of(own[name]) for name in canonical.ordered("size", own, find("size"))}

    def _default(self, made: etree._Element, default: MjsDefault, above: MjsDefault | None) -> None:
        """A default class with those in it."""
        if above is not None or default.name != "main":
            made.set("class", default.name)
        element = self._element_of(default)
        section = element if element is not None and element.tag == "default" else None
        places = {child.tag: child.where for child in section.children} if section is not None else {}
        for tag, rule in DEFAULT.children.items():
            kind = "actuator" if tag == "general" else tag
            part = default.part(kind)
            if part is None:
                continue
            settings = self._settings_of(part)
            base = self._inherited(above, kind) if above is not None else canonical.default_values(part.structure, settings)
            own = canonical.values_of(part, settings)
            said = [name for name in rule.attributes if name in own and name != "texture"]
            changed = [name for name in said if canonical.differs(own[name], base[name])]
            for name in changed:
                if own[name] is None:
                    raise _Where(default).error(f"{kind}: the class around it says {name}, which cannot be taken back in a file")
            self._classes.setdefault(id(default), {})[kind] = base | {name: own[name] for name in changed}
            if changed:
                below = etree.Element(tag)
                below.attrib.update({name: text_of(_trimmed(name, own, base)) for name in canonical.ordered(tag, changed, rule)})
                self._place(made, below, places.get(tag))
        for child in default.children:
            below = etree.Element("default")
            self._default(below, child, default)
            element = self._element_of(child)
            self._place(made, below, element.where if element is not None else None)
        if section is not None:
            self._inside(made, section.where)

    def _element_of(self, default: MjsDefault) -> Element | None:
        """The element of a default class in the file that the spec was read from."""
        read = self._source.classes.get(default.name) if self._source is not None else None
        return read.element if read is not None else None

    def _inherited(self, default: MjsDefault, kind: str) -> canonical.Values:
        return self._classes[id(default)][kind]

    def _settings_of(self, part: Any) -> CompilerSettings:
        found: CompilerSettings = part.entry.compiler.settings()
        return found

    # ---------------------------------------------------------------- elements

    def _element(self, parent: etree._Element, element: Element, rule: ElementRule, scope: MjsDefault) -> None:
        """Add an element with all in it. scope: the class of elements that name none."""
        part = part_of(element)
        tags = {of.tag for of in part.structure.rules} if isinstance(part, MjsElement) else set()
        if element.tag == "joint" and element.attributes.get("type") == "free" and "align" in element.attributes:
            element, rule = _aligned(element, part), find("worldbody/body/freejoint")
        made = etree.Element(element.tag)
        if element.tag in tags:
            assert isinstance(part, MjsElement)
            self._check(element)
            _give(made, self._attributes(element, part, rule, scope))
            scope = self._spec.find_default(part.value("childclass")) or scope if element.tag in ("body", "frame") else scope
        else:
            self._child(made, element, rule)
        held = _merged(element.children) if element.tag in ("body", "frame") else element.children
        for child in held:
            self._element(made, child, rule.children[child.tag], scope)
        own = element.tag in tags or element.tag in _WRAPS  # others stand in the place of what they are in
        self._inside(made, element.where if element.tag in tags else None)
        self._place(parent, made, element.where if own else None)

    def _child(self, made: etree._Element, element: Element, rule: ElementRule) -> None:
        """An element that is no part of its own: what its own attributes say."""
        turned = [form for form in FORMS if form in element.attributes]
        if turned:
            quat = np.array(read_orientation(element))
            left = {name: value for name, value in element.attributes.items() if name not in turned}
            element = replace(element, attributes=left | {"quat": quat})
        self._plain(made, element, rule)
        if element.tag == "inertial" and "pos" not in made.attrib:
            made.attrib.update({"pos": "0 0 0", **{name: made.attrib.pop(name) for name in list(made.attrib)}})

    def _attributes(self, element: Element, part: Any, rule: ElementRule, scope: MjsDefault) -> dict[str, str]:
        """An element's own attributes, as texts."""
        kind, settings = part.structure.kind, element.settings
        own = canonical.values_of(part, settings)
        given = part.classname if rule.defaults else None
        base = self._inherited(given, kind) if given is not None else canonical.default_values(part.structure, settings)
        # Attributes that no single field holds, as the compiler takes them.
        special = {name: value for name, value in element.attributes.items() if name not in own and name not in FORMS}
        own |= special | {name: element.attributes[name] for name in ("name", "elevation") if name in element.attributes}
        base = {name: rule.schema_defaults.get(name) for name in own} | base
        if kind in ("geom", "site"):
            self._shape(own, base)
        elif kind == "key":
            own |= self._state(part, element, base)
        elif kind == "actuator" and part.inheritrange > 0:
            own |= self._range(part)
        always = [name for name in canonical.ALWAYS.get(kind, ()) if _stands(name, own)]
        names = [name for name in own if name in rule.attributes and (canonical.differs(own[name], base[name]) or name in always)]
        if given is not None and given is not scope:
            own["class"] = given.name
            names.append("class")
        for name in names:
            if own[name] is None:
                raise element.error(f"its class says {name}, which cannot be taken back in a file")
        if isinstance(part, FileAsset):
            own |= {name: self._file(element, name) for name in ("file", *FACES) if own.get(name)}
        return {name: text_of(_trimmed(name, own, base)) for name in canonical.ordered(element.tag, names, rule)}

    def _shape(self, own: canonical.Values, base: canonical.Values) -> None:
        """Leave out of a size what its type does not have, and what an end point says."""
        count = _SIZES.get(str(own["type"]), 0)
        if own.get("fromto") is not None:
            count -= 1
            own |= {name: base[name] for name in ("pos", "quat")}
        if own.get("mesh"):
            count = 0
        size, inherited = own["size"], base["size"]
        if not count or np.array_equal(size, inherited):
            own["size"] = inherited
        elif np.array_equal(size[count:], inherited[count:]):
            own["size"] = size[:count]

    def _range(self, actuator: Any) -> canonical.Values:
        """The range that an actuator takes over from what it moves: <general> cannot say that it does."""
        name = "actrange" if actuator.dyntype == mjtDyn.mjDYN_INTEGRATOR else "ctrlrange"
        found = np.array(getattr(self._compiled(), f"actuator_{name}")[self._spec.contents.all_of("actuator").index(actuator)])
        return {name: found} if found.any() else {}

    def _state(self, key: Any, element: Element, base: canonical.Values) -> canonical.Values:
        """The numbers of a keyframe. Those that an attached part leaves open are what the complete model begins with."""
        found = {name: element.attributes.get(name, base[name]) for name in base}
        for name, value in found.items():
            if isinstance(value, np.ndarray) and np.isnan(value).any():
                number = self._spec.contents.all_of("key").index(key)
                found[name] = np.array(getattr(self._compiled(), f"key_{name}")[number]).reshape(-1)
        return found

    def _compiled(self) -> Model:
        if self._model is None:
            document = document_of(self._spec)
            write_keys(self._spec, document.root)
            self._model = compile(document, Model)
        return self._model

    def _file(self, element: Element, attribute: str) -> str:
        """The name of a file as it is found from the folders that the text says."""
        settings, root = element.settings, self._settings
        name = file_name(element, attribute)
        folder = "texturedir" if element.tag == "texture" else "meshdir"
        here, there = (os.path.join(of.folder, getattr(of, folder)) for of in (settings, root))
        return name if here == there else os.path.relpath(os.path.join(here, name), there or ".")

    def _check(self, element: Element) -> None:
        """Raise MjcfError if an element is of an attached model that is compiled in another way."""
        if element.settings is self._settings:
            return
        alike = replace(element.settings, **{name: getattr(self._settings, name) for name in _FREE})
        if alike != self._settings:
            names = [name for name in CompilerSettings.__struct_fields__ if getattr(alike, name) != getattr(self._settings, name)]
            raise element.error(f"cannot be written: it is of a model with another <compiler {' '.join(names)}> than the whole")

    # ---------------------------------------------------------------- comments

    def _before(self, where: Where | None) -> list[str]:
        return [] if where is None else self._comments.before.pop((where.file, where.line, where.column), [])

    def _place(self, parent: etree._Element, made: etree._Element, where: Where | None) -> None:
        """Add an element, after the comments that stood before it."""
        parent.extend([etree.Comment(_dashes(text)) for text in self._before(where)])
        parent.append(made)

    def _inside(self, made: etree._Element, where: Where | None) -> None:
        """Add the comments that stood at the end of an element."""
        if where is not None:
            found = self._comments.inside.pop((where.file, where.line, where.column), [])
            made.extend([etree.Comment(_dashes(text)) for text in found])


def _aligned(joint: Element, part: Any) -> Element:
    """A free joint that says `align`, as <freejoint>, which has no class. Raises MjcfError if it says more than that can."""
    own, base = canonical.values_of(part, joint.settings), canonical.default_values(part.structure, joint.settings)
    more = [name for name in own if name not in ("type", "align", "group") and canonical.differs(own[name], base[name])]
    if more:
        raise joint.error(f"cannot be written: a file can say align or {more[0]} of a free joint, not both")
    return replace(joint, tag="freejoint")


class _Where:
    """The place of a default class in a message."""

    def __init__(self, default: MjsDefault) -> None:
        self._default = default

    def error(self, what: str) -> Exception:
        return Element("default", Source("the spec", 1, 1)).error(f'class "{self._default.name}": {what}')


def _give(made: etree._Element, attributes: dict[str, str]) -> None:
    for name, text in attributes.items():
        made.set(name, text)


def _stands(name: str, own: canonical.Values) -> bool:
    """True if an attribute that always stands does so here."""
    return own.get("type") != "free" and (name != "axis" or own["type"] in ("hinge", "slide"))


def _trimmed(name: str, own: canonical.Values, base: canonical.Values) -> Any:
    """A list without the tail that it inherits, where the canonical form leaves it out."""
    value, inherited = own[name], base.get(name)
    if name not in canonical.TRIMMED or inherited is None or (name == "friction" and "geom1" in own):
        return value
    last = max((k for k in range(len(value)) if value[k] != inherited[k]), default=0)
    return value[: last + 1]


def _kind(value: Any) -> str:
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return "floats"
    return "float" if isinstance(value, float | np.floating) else ""


def _merged(children: list[Element]) -> list[Element]:
    """Children of a body or frame, each frame once where that preserves the order of each kind."""
    once: list[Element] = []
    made: dict[int, Element] = {}
    for child in children:
        if child.tag != "frame":
            once.append(child)
            continue
        key = id(part_of(child))
        if key in made:
            made[key].children += child.children
        else:
            made[key] = replace(child, children=list(child.children))
            once.append(made[key])
    last = [child for child in once if child.tag in _FIXED] + [child for child in once if child.tag not in _FIXED]
    wanted = _order(children)
    return next((found for found in (last, once) if _order(found) == wanted), children)


def _order(children: list[Element]) -> dict[str, list[int]]:
    """The elements of each kind in the order in which they are read."""
    found: dict[str, list[int]] = {}
    for child in _leaves(children):
        found.setdefault(child.tag, []).append(id(part_of(child)))
    return found


def _leaves(children: list[Element]) -> Iterator[Element]:
    for child in children:
        if child.tag == "frame":
            yield from _leaves(child.children)
        else:
            yield child


def _dashes(text: str) -> str:
    """A comment's text without what XML does not allow in it."""
    text = "".join(c if c >= " " or c in "\t\n" else " " for c in text).replace("--", "- -")
    return text + " " if text.endswith("-") else text


def _indent(root: etree._Element) -> None:
    """Two blanks for a level, and a blank line between sections; a comment belongs to what follows it."""
    etree.indent(root)
    held = list(root)
    for child in held[:-1]:
        if not isinstance(child, etree._Comment):
            child.tail = "\n\n  "


Place = tuple[str, int, int]  # file, line, column


class Comments(Struct):
    """before: an element, by its place; inside: at the end of one."""

    before: dict[Place, list[str]] = field(default_factory=dict)
    inside: dict[Place, list[str]] = field(default_factory=dict)

    def read(self, file: str, data: bytes) -> None:
        """Add those of a file, as far as it can be read."""
        if b"<!--" in data:
            CommentReader(file, data, self).run()


class CommentReader:
    """One run over one file."""

    def __init__(self, file: str, data: bytes, found: Comments) -> None:
        self._file, self._data, self._found = file, data, found
        self._open: list[Place] = []
        self._waiting: list[str] = []
        self._parser = expat.ParserCreate(encoding="utf-8")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CommentHandler = self._comment

    def run(self) -> None:
        """Add what is found."""
        try:
            self._parser.Parse(tolerate(self._data), True)
        except expat.ExpatError:
            return  # the reader has mended what stands from here on; comments so far are kept

    def _comment(self, _: str) -> None:
        # From the file's own bytes, whose places are the same: what expat sees has blanks for what it would refuse.
        begin = self._parser.CurrentByteIndex + len("<!--")
        self._waiting.append(self._data[begin : self._data.find(b"-->", begin)].decode("utf-8", "replace"))

    def _start(self, tag: str, _: dict[str, str]) -> None:
        place = (self._file, self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1)
        self._open.append(place)
        if self._waiting and tag != "include":
            self._found.before[place] = self._waiting
            self._waiting = []

    def _end(self, tag: str) -> None:
        place = self._open.pop()
        if self._waiting and tag != "include":
            self._found.inside[place] = self._waiting
            self._waiting = []
