"""Elements that relate others: pairs, excludes, equalities; and what a model keeps for its user."""

from __future__ import annotations

from typing import Any

from tumble.physics.compiler.relations.equalities import EQUALITIES
from tumble.physics.errors import MisfitError
from tumble.physics.mjcf.schema import ElementRule, find
from tumble.physics.mjcf.schema.relations import kind_named
from tumble.physics.mjcf.spec import Element
from tumble.physics.sensor.kinds import BY_TAG, BY_TYPE, FRAME, OF_CONTACT, OF_RAY
from tumble.physics.spec.element import (
    Classed,
    MjsElement,
    child_of,
    read_plugin,
    read_settings,
    source,
    write_plugin,
    write_settings,
)
from tumble.physics.spec.grammar import PLUGIN, declare
from tumble.physics.spec.part import Configured, Owner
from tumble.physics.state.enums import mjtObj, mjtSensor


class MjsPair(Classed):
    """A <pair> of geoms that touch as it says."""

    __slots__ = ()
    structure = declare("pair", "geomname1 : geom1\ngeomname2 : geom2", find("contact/pair"))


class MjsExclude(MjsElement):
    """Two bodies that do not touch."""

    __slots__ = ()
    structure = declare("exclude", "bodyname1 : body1\nbodyname2 : body2", find("contact/exclude"))


class MjsEquality(Classed):
    """An equality constraint; what `data` holds depends on `type`, as eq_data of the model."""

    __slots__ = ()
    structure = declare("equality", """
        - body1 body2 site1 site2 anchor
        type         mjtEq = CONNECT
        data         double 11 = 0 1 0 0 0 0 0 0 0 0 1
        name1,name2  ref @type
        objtype      mjtObj
    """, *(find(f"equality/{tag}") for tag in EQUALITIES))

    def _read(self, element: Element) -> None:
        if element.tag not in EQUALITIES:
            return  # a default class, of any type
        self.type = EQUALITIES[element.tag]
        if element.tag in ("flex", "flexvert"):
            self.name1 = element.get("flex") or ""
            return
        if element.tag in ("joint", "tendon"):
            kind = element.tag
            self.data[:5] = element.get("polycoef")
        else:
            kind = "site" if element.has("site1") else "body"
            self.data[:3] = element.get("anchor", (0.0, 0.0, 0.0))
            self.data[3:10] = element.get("relpose", (0.0,) * 7)
            self.data[10] = element.get("torquescale", 1.0)
            self.objtype = mjtObj[f"mjOBJ_{kind.upper()}"]
        self.name1, self.name2 = element.get(f"{kind}1") or "", element.get(f"{kind}2") or ""

    def _rule(self) -> ElementRule:
        tag = next((tag for tag, kind in EQUALITIES.items() if kind == self.type), "")
        if not tag:
            element = Element(self.type.name[5:].lower(), source(self, self.entry.where))
            raise element.error(f"type {self.type.name} is not supported; valid: {', '.join(EQUALITIES)}")
        return find(f"equality/{tag}")

    def _write(self, element: Element, rule: ElementRule) -> None:
        tag, data = element.tag, self.value("data")
        if tag in ("joint", "tendon"):
            values: dict[str, Any] = {f"{tag}1": self.name1, "polycoef": data[:5].copy()}
            values |= {f"{tag}2": self.name2} if self.name2 else {}
        elif tag in ("flex", "flexvert"):
            values = {"flex": self.name1}
        elif self.objtype == mjtObj.mjOBJ_SITE:
            values = {"site1": self.name1, "site2": self.name2}
        else:
            values = {"body1": self.name1, "anchor": data[:3].copy()}
            values |= {"body2": self.name2} if self.name2 else {}
            if tag == "weld" and data[6:10].any():
                values["relpose"] = data[3:10].copy()
        if tag == "weld":
            values["torquescale"] = float(data[10])
        element.attributes |= values


class MjsNumeric(MjsElement):
    """Numbers for the user; size: how many, 0 for those of data."""

    __slots__ = ()
    structure = declare("numeric", "", find("custom/numeric"))

    def _read(self, element: Element) -> None:
        self.size = int(element.get("size") or len(self.value("data")))


class MjsText(MjsElement):
    """A text for the user."""

    __slots__ = ()
    structure = declare("text", "", find("custom/text"))


class MjsTuple(MjsElement):
    """A list of objects for the user, each with a number."""

    __slots__ = ()
    structure = declare("tuple", """
        objtype  ints
        objname  refs @objtype
        objprm   doubles
    """, find("custom/tuple"))

    def _read(self, element: Element) -> None:
        self.objtype = [int(mjtObj[f"mjOBJ_{part.get('objtype').upper()}"]) for part in element.children]
        self.objname = [part.get("objname") for part in element.children]
        self.objprm = [part.get("prm") for part in element.children]

    def _write(self, element: Element, rule: ElementRule) -> None:
        prm = list(self.objprm) or [0.0] * len(self.objname)
        if not len(self.objtype) == len(self.objname) == len(prm):
            raise element.error("needs as many objtype, objname and objprm")
        for kind, name, number in zip(self.objtype, self.objname, prm, strict=True):
            values = {"objtype": mjtObj(int(kind)).name[6:].lower(), "objname": name, "prm": float(number)}
            element.children.append(child_of(element, rule.children["element"], values))


class MjsKey(MjsElement):
    """A keyframe. Lists that are empty are as in the reference configuration."""

    __slots__ = ()
    structure = declare("key", "", find("keyframe/key"))


class MjsPlugin(MjsElement, Configured):
    """An instance of a plugin, with its settings by name."""

    __slots__ = ("_config",)
    structure = declare("plugin", PLUGIN, find("extension/plugin/instance"))

    def __init__(self, spec: Owner) -> None:
        super().__init__(spec)
        self._config = {}

    def _read(self, element: Element) -> None:
        self.active, self.config = 1, read_settings(element)

    def _write(self, element: Element, rule: ElementRule) -> None:
        write_settings(element, rule, self._config)


_MEASURED = ("dim", "needstage", "datatype")  # the compiler finds them; a <user> sensor alone has attributes for them
_REDUCTIONS = find("sensor/contact").attributes["reduce"].words


class MjsSensor(MjsElement):
    """A sensor: what it measures, of what, and what it does with it."""

    __slots__ = ()
    structure = declare("sensor", """
        - site objtype objname reftype refname plugin
        type       mjtSensor = TOUCH
        objtype    mjtObj
        objname    ref @objtype
        reftype    mjtObj
        refname    ref @reftype
        intprm     int 3
        datatype   mjtDataType
        needstage  mjtStage
        dim        int
        plugin     plugin
    """, *find("sensor").children.values())

    def _read(self, element: Element) -> None:
        kind = BY_TAG[element.tag]
        self.type = kind.type
        self.objtype, self.objname = _read_object(element, kind.of, ("objtype", "objname"))
        self.reftype, self.refname = _read_object(element, kind.to, ("reftype", "refname"))
        if self.type == mjtSensor.mjSENS_PLUGIN:
            read_plugin(self, element)
        if kind.extent is not None:
            try:
                self.intprm = kind.extent(element.get)[1]
            except ValueError as problem:
                raise element.error(str(problem)) from None

    def _rule(self) -> ElementRule:
        return find("sensor").children[BY_TYPE[mjtSensor(self.type)].tag]

    def _write(self, element: Element, rule: ElementRule) -> None:
        kind, attributes = BY_TYPE[mjtSensor(self.type)], element.attributes
        if self.type == mjtSensor.mjSENS_USER:
            attributes["dim"] = int(self.dim)
        else:
            for name in _MEASURED:
                attributes.pop(name, None)
        attributes |= _written_object(kind.of, self.objtype, self.objname, ("objtype", "objname"))
        attributes |= _written_object(kind.to, self.reftype, self.refname, ("reftype", "refname"))
        if self.type == mjtSensor.mjSENS_PLUGIN and self._has_plugin():
            write_plugin(self, element, rule)
        bits, reduction, number = (int(v) for v in self.value("intprm"))
        if self.type == mjtSensor.mjSENS_CONTACT:
            attributes |= {"data": _selected(OF_CONTACT, bits), "reduce": _REDUCTIONS[reduction], "num": number}
        elif self.type == mjtSensor.mjSENS_RANGEFINDER:
            attributes["data"] = _selected(OF_RAY, bits)

    def get_data_size(self) -> int:
        """Number of readings. Raises ValueError if they depend on a missing object."""
        kind = BY_TYPE[mjtSensor(self.type)]
        if self.type == mjtSensor.mjSENS_USER or self.type == mjtSensor.mjSENS_PLUGIN:
            return int(self.dim)
        if self.type == mjtSensor.mjSENS_CONTACT:
            return int(self.intprm[2]) * asked(OF_CONTACT, int(self.intprm[0]))
        if self.type == mjtSensor.mjSENS_RANGEFINDER:
            size = asked(OF_RAY, int(self.intprm[0]))
            if self.objtype == mjtObj.mjOBJ_CAMERA:
                camera = self._owner().contents.find("camera", self.objname)
                if camera is None:
                    raise MisfitError(f'camera "{self.objname}" not found')
                size *= int(camera.resolution[0]) * int(camera.resolution[1])
            return size
        if self.type == mjtSensor.mjSENS_TACTILE:
            mesh = self._owner().contents.find("mesh", self.objname)
            if mesh is None:
                raise MisfitError(f'mesh "{self.objname}" not found')
            return len(mesh.uservert)
        return kind.dim


def _read_object(element: Element, spec: str, frame: tuple[str, str]) -> tuple[mjtObj, str]:
    """Kind and name of what a sensor measures; spec: as the table of sensors has it."""
    if spec == FRAME:
        kind = element.get(frame[0])
        return (mjtObj[f"mjOBJ_{kind.upper()}"], element.get(frame[1]) or "") if kind else (mjtObj.mjOBJ_UNKNOWN, "")
    for word in spec.split():
        if element.get(word):
            return _object_of(word), element.get(word)
    return mjtObj.mjOBJ_UNKNOWN, ""


def _written_object(spec: str, kind: mjtObj, name: str, frame: tuple[str, str]) -> dict[str, Any]:
    """The attributes that name what a sensor measures."""
    if spec == FRAME:
        return {} if kind == mjtObj.mjOBJ_UNKNOWN else {frame[0]: kind.name[6:].lower(), frame[1]: name}
    if not spec or not name:
        return {}
    words = spec.split()
    chosen = next((word for word in words if _object_of(word) == kind), None)
    return {chosen or words[0]: name} if chosen or (len(words) == 1 and kind_named(words[0])) else {}


def _object_of(word: str) -> mjtObj:
    """The kind of object that an attribute of a sensor names: of `subtree1` a body with all below it."""
    kind = word.rstrip("12")
    return mjtObj.mjOBJ_XBODY if kind == "subtree" else mjtObj[f"mjOBJ_{kind.upper()}"]


def _selected(what: tuple[tuple[str, str, int], ...], bits: int) -> tuple[str, ...]:
    """The words of values selected by the bits."""
    return tuple(name for k, (name, _, _) in enumerate(what) if bits >> k & 1)


def asked(what: tuple[tuple[str, str, int], ...], bits: int) -> int:
    """Number of values selected by the bits."""
    return sum(width for k, (_, _, width) in enumerate(what) if bits >> k & 1)
