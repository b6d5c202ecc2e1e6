"""Elements that relate others: pairs, excludes, equalities; and what a model keeps for its user."""

from __future__ import annotations

from typing import Any

from tumble.physics.mjcf.schema import ElementRule, find
from tumble.physics.mjcf.spec import Element
from tumble.physics.spec.element import Classed, MjsElement, child_of, read_settings, source, write_settings
from tumble.physics.spec.grammar import PLUGIN, declare
from tumble.physics.spec.part import Configured, Owner
from tumble.physics.state.enums import mjtEq, mjtObj

_EQUALITIES = {
    "connect": mjtEq.mjEQ_CONNECT, "weld": mjtEq.mjEQ_WELD, "joint": mjtEq.mjEQ_JOINT, "tendon": mjtEq.mjEQ_TENDON,
    "flex": mjtEq.mjEQ_FLEX, "flexvert": mjtEq.mjEQ_FLEXVERT,
}  # fmt: skip


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
    """, *(find(f"equality/{tag}") for tag in _EQUALITIES))

    def _read(self, element: Element) -> None:
        if element.tag not in _EQUALITIES:
            return  # a default class, of any type
        self.type = _EQUALITIES[element.tag]
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
        tag = next((tag for tag, kind in _EQUALITIES.items() if kind == self.type), "")
        if not tag:
            element = Element(self.type.name[5:].lower(), source(self, self.entry.where))
            raise element.error(f"type {self.type.name} is not supported; valid: {', '.join(_EQUALITIES)}")
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

