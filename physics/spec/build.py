"""From a spec to the elements that the compiler takes: what a file with the same values would be read as."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, fields
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from tumble.physics.compiler.flex.read import NODES
from tumble.physics.compiler.options import sections_of
from tumble.physics.compiler.relations.lengthrange import MjLROpt
from tumble.physics.mjcf.defaults import schema_defaults
from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.references import walk
from tumble.physics.mjcf.schema import MUJOCO, ElementRule, find
from tumble.physics.mjcf.schema.sensors import kind_named
from tumble.physics.mjcf.settings import CompilerSettings
from tumble.physics.mjcf.spec import Element, Where
from tumble.physics.sensor.kinds import BY_TYPE, FRAME, OF_CONTACT, OF_RAY
from tumble.physics.spec import codec
from tumble.physics.spec.element import MjsElement, MjsOrientation
from tumble.physics.spec.grammar import same
from tumble.physics.spec.load import EQUALITIES, FACES, TARGETS, object_of
from tumble.physics.spec.settings import MjsCompiler
from tumble.physics.spec.tree import HELD, MjsBody, MjsFrame
from tumble.physics.state.enums import mjtGeom, mjtObj, mjtSensor, mjtTextureRole, mjtTrn

if TYPE_CHECKING:
    from tumble.physics.spec.spec import MjSpec

_MADE = "the spec"  # stands for a file in messages about what a program has added
_SECTIONS = (
    ("extension", ()), ("custom", ("numeric", "text", "tuple")),
    ("asset", ("mesh", "hfield", "texture", "material")), ("deformable", ("flex", "skin")), ("contact", ("pair", "exclude")),
    ("equality", ("equality",)), ("tendon", ("tendon",)), ("actuator", ("actuator",)), ("sensor", ("sensor",)),
    ("keyframe", ("key",)),
)  # fmt: skip
_REDUCTIONS = ("none", "mindist", "maxforce", "netforce")
_MEASURED = ("dim", "needstage", "datatype")  # of a sensor, which only a <user> says itself
_MODES = ("none", "muscle", "muscleuser", "all")


@dataclass(frozen=True, slots=True)
class Source(Where):
    """The place of an element of a spec: that of a file, if one says it. part: the element itself."""

    part: Any = None


def source(part: Any, said: Where | None) -> Source:
    """The place of a part of a spec."""
    return Source(_MADE, 1, 1, -1, part) if said is None else Source(said.file, said.line, said.column, said.offset, part)


def document_of(spec: MjSpec) -> Document:
    """The document that the compiler takes. Raises MjcfError for values that no file could say."""
    return _Builder(spec).document()


def oriented(orientation: MjsOrientation, settings: CompilerSettings) -> Element:
    """An element with an orientation alone."""
    return Element("frame", Where(_MADE, 1, 1), codec.written_orientation(orientation), settings=settings)


class _Builder:
    """Makes the elements of one spec."""

    def __init__(self, spec: MjSpec) -> None:
        self._spec = spec
        self._settings: dict[int, CompilerSettings] = {}
        self._written: set[int] = set()  # frames whose names are written

    def document(self) -> Document:
        spec, read = self._spec, self._spec._source
        root = Element("mujoco", source(spec, None), schema_defaults=MUJOCO.schema_defaults)
        root.attributes["model"] = spec.modelname
        root.settings = self._settings_of(spec.compiler)
        root.children = [self._compiler(), self._size(), *sections_of(spec._settings, source(spec, None))]
        for tag, kinds in _SECTIONS:
            section = Element(tag, source(spec, None), settings=root.settings)
            section.children = self._plugins() if tag == "extension" else self._section(kinds)
            if section.children:
                root.children.append(section)
        root.children.append(self._world())
        _check_required(root)
        held = {name: data.encode("utf-8", "replace") if isinstance(data, str) else data for name, data in spec.assets.items()}
        file = read.file if read is not None else _MADE
        directory = spec.modelfiledir or (read.directory if read is not None else "")
        made = Document(file, directory, held, root=root)
        if read is not None:
            made.sources, made.texts, made.files = list(read.sources), read.texts, read.files
        return made

    # ---------------------------------------------------------------- elements

    def _settings_of(self, compiler: MjsCompiler) -> CompilerSettings:
        if id(compiler) not in self._settings:
            self._settings[id(compiler)] = compiler.settings()
        return self._settings[id(compiler)]

    def _element(self, tag: str, made: Any, rule: ElementRule, values: dict[str, Any] | None = None) -> Element:
        """The element of a part of the spec, with all that the table says, and more values."""
        where = source(made, made._said_in)
        element = Element(tag, where, schema_defaults=schema_defaults(rule), settings=self._settings_of(made._compiler))
        try:
            found = codec.written(made)
        except ValueError as problem:
            raise element.error(str(problem)) from None
        if "alt" in made._parts and "alt" in made._values:
            found |= codec.written_orientation(made.alt)
        if made._name and rule.names:
            found["name"] = made._name
        element.attributes = found | (values or {})
        element.given = self._given(made, element)
        return element

    def _given(self, made: MjsElement, element: Element) -> frozenset[str]:
        """The attributes that are not as the element's class has them."""
        inherited = made._class.part(made.structure.kind) if made._class is not None else None
        if inherited is None:
            return frozenset(element.attributes)
        coded = made.structure.coded
        return frozenset(
            name for name in element.attributes
            if name not in coded or not same(made.value(coded[name].name), inherited.value(coded[name].name))
        )  # fmt: skip

    def _child(self, parent: Element, tag: str, values: dict[str, Any], rule: ElementRule, where: Where | None = None) -> Element:
        return Element(tag, where or parent.where, values, frozenset(values), [], rule.schema_defaults, settings=parent.settings)

    def _compiler(self) -> Element:
        compiler = self._spec.compiler
        element = Element("compiler", source(self._spec, None), schema_defaults=find("compiler").schema_defaults)
        values: dict[str, Any] = {field.name: getattr(compiler.LRopt, field.name) for field in fields(MjLROpt)}
        values["mode"] = _MODES[int(values["mode"])]
        values |= {name: bool(values[name]) for name in ("useexisting", "uselimit")}
        element.children = [self._child(element, "lengthrange", values, find("compiler/lengthrange"))]
        return element

    def _size(self) -> Element:
        element = Element("size", source(self._spec, None), schema_defaults=find("size").schema_defaults)
        element.attributes = codec.written(self._spec)
        return element

    # ---------------------------------------------------------------- the tree

    def _world(self) -> Element:
        world = Element("worldbody", source(self._spec._world, self._spec._world._said_in))
        world.settings = self._settings_of(self._spec._world._compiler)
        pending = [(self._spec._world, world)]
        while pending:
            body, element = pending.pop()
            if _has_inertia(body):
                element.children.append(self._inertial(body, element))
            for kind in HELD[1:]:
                for frame, members in groupby(body._held[kind], key=lambda item: item._frame):
                    made = [self._held(kind, member) for member in members]
                    element.children += self._framed(frame, made)
                    if kind == "body":
                        pending += [(one.where.part, one) for one in made]  # type: ignore[attr-defined]  # a Source
        return world

    def _framed(self, frame: MjsFrame | None, made: list[Element]) -> list[Element]:
        """Elements inside the frames around them. A frame is written as often as that keeps elements in order, its name once."""
        while frame is not None:
            around = self._element("frame", frame, find("worldbody/frame"))
            if id(frame) in self._written:
                around.attributes.pop("name", None)
            self._written.add(id(frame))
            around.children = made
            made, frame = [around], frame._frame
        return made

    def _held(self, kind: str, item: Any) -> Element:
        rule = find("worldbody/body").children[kind]
        element = self._element(kind, item, rule)
        if (kind == "body" and item.said("plugin")) or ("plugin" in item._parts and _is_used(item)):
            element.children = self._plugin(element, item)
        if kind == "joint" and item._body._body is None:
            raise element.error("the world does not move: only a body can have joints")
        if kind == "joint" and "align" in element.attributes and element.get("type") != "free":
            del element.attributes["align"]
        if (kind == "geom" and item.type >= mjtGeom.mjNGEOMTYPES) or (kind == "site" and item.type > mjtGeom.mjGEOM_BOX):
            raise element.error(f"type {item.type.name} is for drawing alone")
        return element

    def _inertial(self, body: MjsBody, element: Element) -> Element:
        ipos = body.value("ipos")
        values: dict[str, Any] = {"pos": np.where(np.isnan(ipos), 0.0, ipos), "mass": body.mass}
        values["quat"] = body.value("iquat").copy()
        values |= codec.written_orientation(body.ialt)
        full = body.value("fullinertia")
        if not np.isnan(full).any():
            values["fullinertia"] = full.copy()
        if np.isnan(full).any() or body.said("inertia"):
            values["diaginertia"] = body.value("inertia").copy()
        return self._child(element, "inertial", values, find("worldbody/body/inertial"))

    def _plugin(self, element: Element, item: Any) -> list[Element]:
        inner = item.plugin
        values = {"instance": inner.name} if inner.name else {"plugin": inner.plugin_name}
        rule = find("worldbody/body/plugin")
        made = self._child(element, "plugin", values, rule)
        made.children = [] if inner.name else self._config(made, inner.config)
        return [made]

    def _config(self, element: Element, config: dict[str, str]) -> list[Element]:
        rule = find("worldbody/body/plugin/config")
        return [self._child(element, "config", {"key": key, "value": value}, rule) for key, value in config.items()]

    # ---------------------------------------------------------------- sections

    def _plugins(self) -> list[Element]:
        """<plugin> for each that is active, with its instances."""
        rule, found = find("extension/plugin"), []
        instances = [item for item in self._spec._lists["plugin"] if item.active]
        names = dict.fromkeys([*self._spec._plugins_active, *(item.plugin_name for item in instances)])
        for name in names:
            element = Element("plugin", source(self._spec, None), {"plugin": name}, frozenset(), [], rule.schema_defaults)
            for item in instances:
                if item.plugin_name == name:
                    made = self._child(element, "instance", {"name": item._name}, rule.children["instance"])
                    made.where = source(item, item._said_in)
                    made.children = self._config(made, item.config)
                    element.children.append(made)
            found.append(element)
        return found

    def _section(self, kinds: Iterable[str]) -> list[Element]:
        return [getattr(self, f"_{kind}", self._plain)(item) for kind in kinds for item in self._spec._lists[kind]]

    def _plain(self, item: Any) -> Element:
        return self._element(item.structure.kind, item, item.structure.rules[0])

    def _named(self, item: Any) -> Element:
        """An asset, which has the name of its file if it has none."""
        element = self._plain(item)
        if not item._name and item.file:
            element.attributes["name"] = os.path.splitext(os.path.basename(item.file.replace("\\", "/")))[0]
        return element

    def _mesh(self, item: Any) -> Element:
        element = self._named(item)
        if item._builtin is not None:
            kind, parameters = item._builtin
            element.attributes |= {"builtin": kind, "params": np.array(parameters)}
        if _is_used(item):
            element.children = self._plugin(element, item)
        return element

    def _hfield(self, item: Any) -> Element:
        element = self._named(item)
        values = item.value("userdata").astype(float)
        if values.size:
            if values.size == item.nrow * item.ncol:
                values = values.reshape(item.nrow, item.ncol)[::-1].reshape(-1)
            element.attributes["elevation"] = values
        element.attributes["size"] = item.value("size").copy()
        return element

    def _texture(self, item: Any) -> Element:
        element = self._named(item)
        element.attributes |= {face: file for face, file in zip(FACES, item.cubefiles, strict=True) if file}
        count = int(np.prod(item.value("gridsize")))
        if item.said("gridlayout") and 0 < count <= 12:
            element.attributes["gridlayout"] = "".join(item.gridlayout)[:count]
        if item.data:
            element.attributes["data"] = item.data
        return element

    def _material(self, item: Any) -> Element:
        element = self._plain(item)
        used = {mjtTextureRole(k).name[10:].lower(): name for k, name in enumerate(item.textures) if name}
        if used.keys() == {"rgb"}:
            element.attributes["texture"] = used["rgb"]
        else:
            rule = find("asset/material/layer")
            element.children = [
                self._child(element, "layer", {"texture": name, "role": role}, rule) for role, name in used.items()
            ]
        return element

    def _flex(self, item: Any) -> Element:
        element = self._plain(item)
        rule, said = find("deformable/flex"), element.attributes
        for tag in ("contact", "elasticity", "edge"):
            below = rule.children[tag]
            values = {name: said.pop(name) for name in below.attributes if name in said and name not in rule.attributes}
            if tag == "edge" and (item.edgestiffness or item.edgedamping):
                values = {"stiffness": float(item.edgestiffness), "damping": float(item.edgedamping)}
            if values:
                element.children.append(self._child(element, tag, values, below))
        if item.value("node").any():
            said[NODES] = item.value("node").astype(np.float64)
        return element

    def _skin(self, item: Any) -> Element:
        element = self._named(item)
        rule = find("deformable/skin/bone")
        pos, quat = item.value("bindpos").astype(float), item.value("bindquat").astype(float)
        number = len(item.bodyname)
        if (pos.size, quat.size) != (3 * number, 4 * number) or {len(item.vertid), len(item.vertweight)} != {number}:
            raise element.error("needs as many bodyname, bindpos, bindquat, vertid and vertweight as it has bones")
        lists = item.bodyname, pos.reshape(-1, 3), quat.reshape(-1, 4), item.vertid, item.vertweight
        for name, at, turn, ids, weights in zip(*lists, strict=True):
            values = {"body": name, "bindpos": at, "bindquat": turn, "vertid": np.array(ids, np.int64),
                      "vertweight": np.array(weights, float)}  # fmt: skip
            element.children.append(self._child(element, "bone", values, rule))
        return element

    def _equality(self, item: Any) -> Element:
        tag = next((tag for tag, kind in EQUALITIES.items() if kind == item.type), item.type.name[5:].lower())
        rule = find("equality").children.get(tag)
        if rule is None:
            raise self._plain(item).error(f"type {item.type.name} is not supported; valid: {', '.join(EQUALITIES)}")
        element = self._element(tag, item, rule)
        data = item.value("data")
        if tag in ("joint", "tendon"):
            values: dict[str, Any] = {f"{tag}1": item.name1, "polycoef": data[:5].copy()}
            values |= {f"{tag}2": item.name2} if item.name2 else {}
        elif tag in ("flex", "flexvert"):
            values = {"flex": item.name1}
        elif item.objtype == mjtObj.mjOBJ_SITE:
            values = {"site1": item.name1, "site2": item.name2}
        else:
            values = {"body1": item.name1, "anchor": data[:3].copy()}
            values |= {"body2": item.name2} if item.name2 else {}
            if tag == "weld" and data[6:10].any():
                values["relpose"] = data[3:10].copy()
        if tag == "weld":
            values["torquescale"] = float(data[10])
        element.attributes |= values
        return element

    def _tendon(self, item: Any) -> Element:
        kinds = [wrap.kind for wrap in item._path]
        tag = "fixed" if "joint" in kinds else "spatial"
        rule = find(f"tendon/{tag}")
        element = self._element(tag, item, rule)
        if tag == "fixed" and set(kinds) != {"joint"}:
            raise element.error("has joints and other parts in its path: a fixed tendon has joints alone, a spatial one has none")
        for wrap, kind in zip(item._path, kinds, strict=True):
            values: dict[str, Any] = {"divisor": wrap._number} if kind == "pulley" else {kind: wrap._target}
            if kind == "joint":
                values["coef"] = wrap._number
            if wrap._side:
                values["sidesite"] = wrap._side
            where = source(wrap, wrap._place or item._said_in)
            element.children.append(self._child(element, kind, values, rule.children[kind], where))
        return element

    def _actuator(self, item: Any) -> Element:
        if _is_used(item):
            element = self._element("plugin", item, find("actuator/plugin"))
            element.attributes |= {"plugin": item.plugin.plugin_name}
            return element
        element = self._element("general", item, find("actuator/general"))
        name = next((name for name, kind in TARGETS.items() if kind == item.trntype), "")
        if name and item.target:
            element.attributes[name] = item.target
        if item.trntype != mjtTrn.mjTRN_SLIDERCRANK and not item.said("cranklength"):
            element.attributes.pop("cranklength", None)
        element.actuator_steps = (("general", element.attributes),)
        return element

    def _sensor(self, item: Any) -> Element:
        kind = BY_TYPE[mjtSensor(item.type)]
        element = self._element(kind.tag, item, find("sensor").children[kind.tag])
        element.attributes |= _object(kind.of, item.objtype, item.objname, ("objtype", "objname"))
        element.attributes |= _object(kind.to, item.reftype, item.refname, ("reftype", "refname"))
        bits, reduction, number = (int(v) for v in item.value("intprm"))
        if item.type == mjtSensor.mjSENS_USER:
            element.attributes["dim"] = int(item.dim)
        else:  # found by the compiler
            element.attributes = {name: value for name, value in element.attributes.items() if name not in _MEASURED}
        if item.type == mjtSensor.mjSENS_CONTACT:
            element.attributes |= {"data": _asked(OF_CONTACT, bits), "reduce": _REDUCTIONS[reduction], "num": number}
        elif item.type == mjtSensor.mjSENS_RANGEFINDER:
            element.attributes["data"] = _asked(OF_RAY, bits)
        return element

    def _tuple(self, item: Any) -> Element:
        element = self._plain(item)
        rule = find("custom/tuple/element")
        prm = list(item.objprm) or [0.0] * len(item.objname)
        if not len(item.objtype) == len(item.objname) == len(prm):
            raise element.error("needs as many objtype, objname and objprm")
        for kind, name, number in zip(item.objtype, item.objname, prm, strict=True):
            values = {"objtype": mjtObj(int(kind)).name[6:].lower(), "objname": name, "prm": float(number)}
            element.children.append(self._child(element, "element", values, rule))
        return element


def _check_required(root: Element) -> None:
    """Raise MjcfError for an element that does not say what it has to."""
    for element, rule in walk(root):
        for attribute in rule.attributes.values():
            if attribute.required and attribute.name not in element.attributes:
                raise element.error(f"needs the attribute {attribute.name}: {attribute.describe()}")


def _has_inertia(body: MjsBody) -> bool:
    """True if a body says its inertia itself: explicitly, by its centre, or because it has no geoms to say it."""
    if body._body is None:
        return False
    said = body.said("inertia") or body.said("fullinertia")
    return bool(body.explicitinertial) or body.said("ipos") or (said and body.mass > 0 and not body._held["geom"])


def _is_used(item: Any) -> bool:
    """True if an element has a plugin."""
    return "plugin" in item._values and bool(item.plugin.active) and bool(item.plugin.name or item.plugin.plugin_name)


def _asked(table: tuple[tuple[str, str, int], ...], bits: int) -> tuple[str, ...]:
    return tuple(name for k, (name, _, _) in enumerate(table) if bits >> k & 1)


def _object(spec: str, kind: mjtObj, name: str, frame: tuple[str, str]) -> dict[str, Any]:
    """The attributes that name what a sensor measures."""
    if spec == FRAME:
        if kind == mjtObj.mjOBJ_UNKNOWN:
            return {}
        return {frame[0]: kind.name[6:].lower(), frame[1]: name}
    if not spec or not name:
        return {}
    words = spec.split()
    chosen = next((word for word in words if object_of(word) == kind), None)
    return {chosen or words[0]: name} if chosen or (len(words) == 1 and kind_named(words[0])) else {}
