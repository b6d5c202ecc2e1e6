"""Sensors of a spec."""

from __future__ import annotations

from typing import Any

from tumble.physics.errors import MisfitError
from tumble.physics.mjcf.schema import ElementRule, find
from tumble.physics.mjcf.schema.relations import kind_named
from tumble.physics.mjcf.spec import Element
from tumble.physics.sensor.kinds import BY_TAG, BY_TYPE, FRAME, OF_CONTACT, OF_RAY
from tumble.physics.spec.element import MjsElement
from tumble.physics.spec.grammar import declare
from tumble.physics.state.enums import mjtObj, mjtSensor

_MEASURED = ("dim", "needstage", "datatype")  # the compiler finds them; a <user> sensor alone has attributes for them
_REDUCTIONS = ("none", "mindist", "maxforce", "netforce")


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
