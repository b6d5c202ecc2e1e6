"""From the elements of a document to a spec: everything that the compiler would read of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from tumble.physics.compiler.compose import compose
from tumble.physics.compiler.flex.read import NODES
from tumble.physics.compiler.options import fill_options, fill_visual
from tumble.physics.compiler.relations.actuators import Force, replay
from tumble.physics.compiler.relations.lengthrange import read_options
from tumble.physics.compiler.supported import check_supported
from tumble.physics.mjcf.defaults import MAIN, DefaultClass
from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.models import attached_class
from tumble.physics.mjcf.references import check_references
from tumble.physics.mjcf.schema.actuators import KINDS as ACTUATORS
from tumble.physics.mjcf.settings import CompilerSettings
from tumble.physics.mjcf.spec import Element, Where
from tumble.physics.sensor.kinds import BY_TAG, FRAME
from tumble.physics.spec import codec
from tumble.physics.spec.default import MjsDefault
from tumble.physics.spec.relations import MjsWrap
from tumble.physics.spec.settings import MjsCompiler
from tumble.physics.spec.table import DEFAULTS
from tumble.physics.spec.tree import MjsBody, MjsFrame
from tumble.physics.state.enums import (
    mjtEq,
    mjtJoint,
    mjtLightType,
    mjtObj,
    mjtTextureRole,
    mjtTrn,
    mjtWrap,
)

if TYPE_CHECKING:
    from tumble.physics.spec.spec import MjSpec

TARGETS = {
    "joint": mjtTrn.mjTRN_JOINT, "jointinparent": mjtTrn.mjTRN_JOINTINPARENT, "tendon": mjtTrn.mjTRN_TENDON,
    "site": mjtTrn.mjTRN_SITE, "body": mjtTrn.mjTRN_BODY, "cranksite": mjtTrn.mjTRN_SLIDERCRANK,
}  # fmt: skip
FACES = ("fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")
FORCE = ("gaintype", "gainprm", "biastype", "biasprm", "dyntype", "dynprm", "inheritrange")
LIMITS = ("false", "true", "auto")
EQUALITIES = {
    "connect": mjtEq.mjEQ_CONNECT, "weld": mjtEq.mjEQ_WELD, "joint": mjtEq.mjEQ_JOINT, "tendon": mjtEq.mjEQ_TENDON,
    "flex": mjtEq.mjEQ_FLEX, "flexvert": mjtEq.mjEQ_FLEXVERT,
}  # fmt: skip


def role_of(word: str) -> int:
    """The place in a material's textures of a role, by its word in a file."""
    return int(mjtTextureRole[f"mjTEXROLE_{word.upper()}"])


class SpecLoader:
    """Fills an empty spec with a document. Raises MjcfError for what is wrong with the file or not supported."""

    def __init__(self, document: Document, spec: MjSpec) -> None:
        self._document, self._spec = document, spec
        self._compilers: dict[CompilerSettings, MjsCompiler] = {}

    def run(self) -> None:
        """Fill the spec."""
        spec, root = self._spec, compose(self._document)
        check_supported(root)
        check_references(root)
        spec._source = self._document
        self._settings(root)
        self._defaults()
        for section in root.all("worldbody"):
            self._tree(section)
        for section in root.children:
            self._section(section)
        spec._names = None

    # ---------------------------------------------------------------- settings and classes

    def _settings(self, root: Element) -> None:
        spec = self._spec
        spec._values["modelname"] = root.get("model", "")
        spec._values["modelfiledir"] = self._document.directory
        spec.compiler.read(root.settings)
        self._compilers[root.settings] = spec.compiler
        for section in root.all("compiler"):
            for name in ("usethread", "saveinertial"):
                if section.has(name):
                    setattr(spec.compiler, name, int(section.get(name)))
            for child in section.all("lengthrange"):
                read_options(child, spec.compiler.LRopt)
        fill_options(root, spec._settings)
        fill_visual(root, spec._settings)
        for section in root.all("statistic"):
            for name, value in section.attributes.items():
                setattr(spec.stat, name, value)
        for section in root.all("size"):
            codec.read(spec, section.attributes)

    def _defaults(self) -> None:
        classes = self._document.classes
        main = classes.get(MAIN)
        if main is not None:
            self._class(self._spec.default, main)
        pending = [(section, self._spec.default) for section in self._document.root.all("default")]
        while pending:
            section, made = pending.pop(0)
            for child in section.all("default"):
                name = child.attributes["class"]
                pending.append((child, self._add_class(name, classes[name], made)))

    def _add_class(self, name: str, said: DefaultClass, parent: MjsDefault) -> MjsDefault:
        made = self._spec.add_default(name, parent)
        self._class(made, said)
        return made

    def _class(self, made: MjsDefault, said: DefaultClass) -> None:
        """Give a default class all that it says, itself and by the classes around it."""
        for kind in DEFAULTS:
            part = made._parts[kind]
            values = said.values.get("general" if kind == "actuator" else kind, {})
            part._values = {}
            codec.read(part, values)
            if "alt" in part._parts:
                codec.read_orientation(part, values)
            if kind == "actuator":
                element = Element("general", said.element.where, actuator_steps=said.steps)
                _take_force(part, replay(element))
            elif kind == "material":
                for role, layer in said.layers.items():
                    part.textures[role_of(role)] = layer.attributes["texture"]
            elif kind == "light" and "directional" in values:
                part.type = _light_type(values["directional"])

    def _class_of(self, element: Element, scope: str) -> MjsDefault:
        name = element.attributes.get("class") or scope
        found = self._spec.find_default(name)
        if found is None and name:
            said = attached_class(self._document, name)
            found = self._add_class(name, said, self._spec.default) if said is not None else None
        return found or self._spec.default

    def _compiler_of(self, element: Element) -> MjsCompiler:
        found = self._compilers.get(element.settings)
        if found is None:
            found = self._compilers[element.settings] = MjsCompiler()
            found.read(element.settings)
        return found

    # ---------------------------------------------------------------- elements

    def _made(self, kind: str, element: Element, scope: str = "") -> Any:
        """A new element of the spec, with its name, class and all fields that an attribute of the same value says."""
        from tumble.physics.spec.parts import CLASSES

        made = CLASSES[kind](self._spec)
        made._name = element.attributes.get("name", "")
        if "name" not in element.given and made._name == _stem(element.attributes.get("file") or ""):
            made._name = ""  # the reader has named it by its file, and so does whoever looks for it
        made._class = self._class_of(element, scope) if hasattr(type(made), "classname") else None
        made._compiler = self._compiler_of(element)
        made._said_in = element.where
        made._values["info"] = f"line {element.where.line}"
        codec.read(made, element.attributes)
        if "alt" in made._parts:
            codec.read_orientation(made, element.attributes)
        return made

    def _tree(self, world: Element) -> None:
        """Read a tree; with its own stack, for files nest deeper than calls may."""
        top = self._spec._world
        top._compiler, top._said_in = self._compiler_of(world), world.where
        pending: list[tuple[MjsBody, MjsFrame | None, str, Any]] = [(top, None, MAIN, iter(world.children))]
        while pending:
            body, frame, scope, rest = pending[-1]
            child = next(rest, None)
            if child is None:
                pending.pop()
                continue
            if child.tag == "inertial":
                self._inertial(body, child)
                continue
            kind = "joint" if child.tag == "freejoint" else child.tag
            made = self._made(kind, child, scope)
            made._body, made._frame = body, frame
            body._held[kind].append(made)
            self._finish(made, child)
            if kind in ("body", "frame"):
                inner = child.attributes.get("childclass") or scope
                made._values["childclass"] = child.attributes.get("childclass", "")
                pending.append(
                    (made, None, inner, iter(child.children)) if kind == "body" else (body, made, inner, iter(child.children))
                )

    def _inertial(self, body: MjsBody, element: Element) -> None:
        values = element.attributes
        body.explicitinertial, body.mass = 1, element.get("mass")
        body.ipos, body.iquat = element.get("pos"), element.get("quat")
        codec.read_orientation(body, values, "i")
        if "diaginertia" in values:
            body.inertia = values["diaginertia"]
        if "fullinertia" in values:
            body.fullinertia = values["fullinertia"]

    def _finish(self, made: Any, element: Element) -> None:
        """Fields of a body's children that the table leaves to code."""
        if element.tag == "freejoint":
            made.type = mjtJoint.mjJNT_FREE
        elif element.tag == "light" and element.has("directional"):
            made.type = _light_type(element.get("directional"))
        elif element.tag == "geom":
            self._plugin(made, element)

    def _plugin(self, made: Any, element: Element) -> None:
        for child in element.all("plugin"):
            made.plugin.name, made.plugin.plugin_name = child.get("instance") or "", child.get("plugin") or ""
            made.plugin.active, made.plugin.config = 1, _config(child)

    def _section(self, section: Element) -> None:
        kinds = {"contact": "", "asset": "", "deformable": "", "custom": "", "equality": "equality", "tendon": "tendon",
                 "actuator": "actuator", "sensor": "sensor", "keyframe": "key"}  # fmt: skip
        if section.tag == "extension":
            self._extension(section)
        if section.tag not in kinds:
            return
        for element in section.children:
            kind = kinds[section.tag] or element.tag
            if kind == "model":
                continue
            made = self._made(kind, element)
            finish = getattr(self, f"_{kind}", None)
            if finish is not None:
                finish(made, element)
            self._spec._lists[kind].append(made)

    def _extension(self, section: Element) -> None:
        for plugin in section.all("plugin"):
            name = str(plugin.get("plugin"))
            if name not in self._spec._plugins_active:
                self._spec._plugins_active.append(name)
            for instance in plugin.all("instance"):
                made = self._made("plugin", instance)
                made.plugin_name, made.active, made.config = name, 1, _config(instance)
                self._spec._lists["plugin"].append(made)

    def _material(self, made: Any, element: Element) -> None:
        if element.attributes.get("texture"):
            made.textures[role_of("rgb")] = element.attributes["texture"]
        for layer in element.all("layer"):
            made.textures[role_of(layer.attributes["role"])] = layer.attributes["texture"]

    def _mesh(self, made: Any, element: Element) -> None:
        if element.get("builtin", "none") != "none":
            made._builtin = element.get("builtin"), tuple(float(v) for v in np.atleast_1d(element.get("params", ())))
        self._plugin(made, element)

    def _hfield(self, made: Any, element: Element) -> None:
        rows, values = int(element.get("nrow")), np.atleast_1d(element.get("elevation", ()))
        if rows > 0 and values.size and values.size % rows == 0:
            values = values.reshape(rows, -1)[::-1].reshape(-1)
        made.userdata = values

    def _texture(self, made: Any, element: Element) -> None:
        made.gridlayout = str(element.get("gridlayout") or "").ljust(12, ".")
        made.cubefiles = [str(element.get(face) or "") for face in FACES]

    def _flex(self, made: Any, element: Element) -> None:
        made.node = np.atleast_1d(element.get(NODES, ()))
        for child in element.all("contact", "elasticity"):
            codec.read(made, child.attributes)
        for child in element.all("edge"):
            made.edgestiffness, made.edgedamping = child.get("stiffness"), child.get("damping")

    def _skin(self, made: Any, element: Element) -> None:
        bones = list(element.all("bone"))
        made.bodyname = [str(bone.get("body")) for bone in bones]
        made.bindpos = [v for bone in bones for v in bone.get("bindpos")]
        made.bindquat = [v for bone in bones for v in bone.get("bindquat")]
        made.vertid = [np.atleast_1d(bone.get("vertid")).tolist() for bone in bones]
        made.vertweight = [np.atleast_1d(bone.get("vertweight")).tolist() for bone in bones]

    def _equality(self, made: Any, element: Element) -> None:
        made.type = EQUALITIES[element.tag]
        if element.tag in ("joint", "tendon"):
            kind = element.tag
            made.data[:5] = element.get("polycoef")
        elif element.tag in ("flex", "flexvert"):
            made.name1 = element.get("flex") or ""
            return
        else:
            kind = "site" if element.has("site1") else "body"
            made.data[:3] = element.get("anchor", (0.0, 0.0, 0.0))
            made.data[3:10] = element.get("relpose", (0.0,) * 7)
            made.data[10] = element.get("torquescale", 1.0)
            made.objtype = mjtObj[f"mjOBJ_{kind.upper()}"]
        made.name1, made.name2 = element.get(f"{kind}1") or "", element.get(f"{kind}2") or ""

    def _tendon(self, made: Any, element: Element) -> None:
        kinds = {"site": mjtWrap.mjWRAP_SITE, "geom": mjtWrap.mjWRAP_SPHERE, "joint": mjtWrap.mjWRAP_JOINT,
                 "pulley": mjtWrap.mjWRAP_PULLEY}  # fmt: skip
        for part in element.children:
            number = part.get("coef") if part.tag == "joint" else part.get("divisor", 0.0)
            wrap = MjsWrap(made, kinds[part.tag], part.get(part.tag) or "", part.get("sidesite") or "", number)
            wrap._place = part.where
            made._path.append(wrap)

    def _actuator(self, made: Any, element: Element) -> None:
        force = replay(element)
        _take_force(made, force)
        if ACTUATORS[element.tag].one_sided and element.has("ctrlrange") and element.get("ctrlrange").min() < 0:
            raise element.error("ctrlrange of a damper or an adhesion must not be negative")
        for name, kind in TARGETS.items():
            if element.get(name):
                made.trntype, made.target = kind, element.get(name)
        if made.said("slidersite"):
            made.trntype = mjtTrn.mjTRN_SLIDERCRANK

    def _sensor(self, made: Any, element: Element) -> None:
        kind = BY_TAG[element.tag]
        made.type = kind.type
        made.objtype, made.objname = _object(element, kind.of, ("objtype", "objname"))
        made.reftype, made.refname = _object(element, kind.to, ("reftype", "refname"))
        if kind.extent is not None:
            try:
                made.intprm = kind.extent(element.get)[1]
            except ValueError as problem:
                raise element.error(str(problem)) from None

    def _numeric(self, made: Any, element: Element) -> None:
        made.size = int(element.get("size") or len(made.value("data")))

    def _tuple(self, made: Any, element: Element) -> None:
        made.objtype = [int(mjtObj[f"mjOBJ_{part.get('objtype').upper()}"]) for part in element.children]
        made.objname = [part.get("objname") for part in element.children]
        made.objprm = [part.get("prm") for part in element.children]


def _stem(file: str) -> str:
    return os.path.splitext(os.path.basename(file.replace("\\", "/")))[0]


def _config(element: Element) -> dict[str, str]:
    return {str(config.get("key")): str(config.get("value")) for config in element.all("config")}


def _light_type(directional: bool) -> mjtLightType:
    return mjtLightType.mjLIGHT_DIRECTIONAL if directional else mjtLightType.mjLIGHT_SPOT


def _take_force(made: Any, force: Force) -> None:
    for name in FORCE:
        setattr(made, name, getattr(force, name))
    for name in ("ctrllimited", "actlimited"):
        setattr(made, name, LIMITS.index(getattr(force, name)))


def _object(element: Element, spec: str, frame: tuple[str, str]) -> tuple[mjtObj, str]:
    """Kind and name of what a sensor measures; spec: as the table of sensors says it."""
    if spec == FRAME:
        kind = element.get(frame[0])
        return (mjtObj[f"mjOBJ_{kind.upper()}"], element.get(frame[1]) or "") if kind else (mjtObj.mjOBJ_UNKNOWN, "")
    for word in spec.split():
        if element.get(word):
            return object_of(word), element.get(word)
    return mjtObj.mjOBJ_UNKNOWN, ""


def object_of(word: str) -> mjtObj:
    """The kind of object that an attribute of a sensor names: of `subtree1` a body with all below it."""
    kind = word.rstrip("12")
    return mjtObj.mjOBJ_XBODY if kind == "subtree" else mjtObj[f"mjOBJ_{kind.upper()}"]


def place(made: Any) -> Where | None:
    """Place of an element in a file; None without one."""
    found: Where | None = made._said_in
    return found
