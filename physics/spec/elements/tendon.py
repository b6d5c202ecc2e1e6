"""Tendons of a spec, and the parts of their paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tumble.physics.errors import ArgumentError
from tumble.physics.mjcf.schema import ElementRule, find
from tumble.physics.mjcf.spec import Element
from tumble.physics.spec import table
from tumble.physics.spec.element import Classed, child_of, source
from tumble.physics.spec.part import SpecPart
from tumble.physics.spec.vectors import MjsVec
from tumble.physics.state.arguments import checked
from tumble.physics.state.enums import mjtWrap

if TYPE_CHECKING:
    from tumble.physics.spec.default import MjsDefault
    from tumble.physics.spec.spec import MjSpec

_TYPES = {"site": mjtWrap.mjWRAP_SITE, "geom": mjtWrap.mjWRAP_SPHERE, "joint": mjtWrap.mjWRAP_JOINT,
          "pulley": mjtWrap.mjWRAP_PULLEY}  # fmt: skip


class MjsWrap(SpecPart):
    """One part of a tendon's path: a site, a geom with perhaps a side site, a joint with a coefficient, or a pulley.

    type: mjWRAP_SPHERE or mjWRAP_CYLINDER of a geom is known once the spec is compiled. target: the element that it names,
    None if there is none. coef: of a joint, divisor: of a pulley, None of others. sidesite: the site, None if there is none.
    """

    __slots__ = ("_number", "_place", "_side", "_target", "_tendon")
    structure = table.WRAP

    def __init__(self, tendon: MjsTendon, kind: mjtWrap, target: str = "", side: str = "", number: float = 0.0) -> None:
        super().__init__()
        self._tendon, self._target, self._side, self._number = tendon, target, side, float(number)
        self._values["type"] = kind
        self._place: Any = None  # where a file says it

    def _live(self) -> dict[str, Any]:
        self._tendon._live()
        return self._values

    @property
    def kind(self) -> str:
        """The kind of its target: "site", "geom", "joint"; "pulley" for a pulley."""
        names = {mjtWrap.mjWRAP_JOINT: "joint", mjtWrap.mjWRAP_PULLEY: "pulley", mjtWrap.mjWRAP_SITE: "site"}
        return names.get(self.value("type"), "geom")

    @property
    def target(self) -> Any:
        """The site, geom or joint."""
        return self._found(self.kind, self._target)

    @property
    def sidesite(self) -> Any:
        """The site on whose side of a geom the tendon passes."""
        return self._found("site", self._side)

    def _found(self, kind: str, name: str) -> Any:
        return self._tendon._owner()._find(kind, name) if name and kind != "pulley" else None

    @property
    def coef(self) -> float | None:
        """The coefficient of a joint."""
        return self._number if self.kind == "joint" else None

    @property
    def divisor(self) -> float | None:
        """The divisor of a pulley."""
        return self._number if self.kind == "pulley" else None


class MjsTendonPath(MjsVec[MjsWrap]):
    """The parts of a tendon, in order."""

    def __init__(self, wraps: list[MjsWrap]) -> None:
        self._values = wraps

    def __setitem__(self, index: int, value: MjsWrap) -> None:
        raise ArgumentError("a tendon's path grows by wrap_site, wrap_geom, wrap_joint and wrap_pulley")


class MjsTendon(Classed):
    """A tendon: spatial if its path has sites, fixed if it has joints."""

    __slots__ = ("_path",)
    structure = table.TENDON

    def __init__(self, spec: MjSpec, made_in: MjsDefault | None = None) -> None:
        super().__init__(spec, made_in)
        self._path: list[MjsWrap] = []

    @property
    def path(self) -> MjsTendonPath:
        """Elements of its path."""
        self._live()
        return MjsTendonPath(list(self._path))

    def default(self) -> MjsDefault:
        """Default class."""
        return self.classname

    @checked
    def wrap_site(self, name: str) -> MjsWrap:
        """Continue the path at a site."""
        return self._wrapped(MjsWrap(self, mjtWrap.mjWRAP_SITE, name))

    @checked
    def wrap_geom(self, name: str, sidesite: str) -> MjsWrap:
        """Continue the path around a sphere or cylinder; sidesite: on which side, "" if that is left open."""
        return self._wrapped(MjsWrap(self, mjtWrap.mjWRAP_SPHERE, name, sidesite))

    @checked
    def wrap_joint(self, name: str, coef: float) -> MjsWrap:
        """Add the position of a joint, times a coefficient."""
        return self._wrapped(MjsWrap(self, mjtWrap.mjWRAP_JOINT, name, "", coef))

    @checked
    def wrap_pulley(self, divisor: float) -> MjsWrap:
        """Begin a branch that pulls with a part of the force."""
        return self._wrapped(MjsWrap(self, mjtWrap.mjWRAP_PULLEY, "", "", divisor))

    def _read(self, element: Element) -> None:
        for part in element.children:
            number = part.get("coef") if part.tag == "joint" else part.get("divisor", 0.0)
            wrap = MjsWrap(self, _TYPES[part.tag], part.get(part.tag) or "", part.get("sidesite") or "", number)
            wrap._place = part.where
            self._path.append(wrap)

    def _rule(self) -> ElementRule:
        return find("tendon/fixed" if any(wrap.kind == "joint" for wrap in self._path) else "tendon/spatial")

    def _write(self, element: Element, rule: ElementRule) -> None:
        if element.tag == "fixed" and any(wrap.kind != "joint" for wrap in self._path):
            raise element.error("has joints and other parts in its path: a fixed tendon has joints alone, a spatial one has none")
        for wrap in self._path:
            kind = wrap.kind
            values: dict[str, Any] = {"divisor": wrap._number} if kind == "pulley" else {kind: wrap._target}
            if kind == "joint":
                values["coef"] = wrap._number
            if wrap._side:
                values["sidesite"] = wrap._side
            where = source(wrap, wrap._place or self._said_in)
            element.children.append(child_of(element, rule.children[kind], values, where))

    def _wrapped(self, wrap: MjsWrap) -> MjsWrap:
        self._live()
        self._path.append(wrap)
        return wrap

    def _take(self, other: SpecPart) -> None:
        super()._take(other)
        if isinstance(other, MjsTendon):
            for wrap in other._path:
                made = MjsWrap(self, wrap.value("type"), wrap._target, wrap._side, wrap._number)
                made._take(wrap)
                made._place = wrap._place
                self._path.append(made)
