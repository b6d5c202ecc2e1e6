"""Tendons of a spec, and the parts of their paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tumble.physics.errors import ArgumentError
from tumble.physics.mjcf.schema import ElementRule, find
from tumble.physics.mjcf.spec import Element, Where
from tumble.physics.spec.element import Classed, child_of, source
from tumble.physics.spec.fields import MjsVec
from tumble.physics.spec.grammar import INFO, LIMITS, declare
from tumble.physics.spec.part import Owner, SpecPart
from tumble.physics.state.arguments import checked
from tumble.physics.state.enums import mjtWrap

if TYPE_CHECKING:
    from tumble.physics.spec.default import MjsDefault

_TYPES = {"site": mjtWrap.mjWRAP_SITE, "geom": mjtWrap.mjWRAP_SPHERE, "joint": mjtWrap.mjWRAP_JOINT,
          "pulley": mjtWrap.mjWRAP_PULLEY}  # fmt: skip


class MjsWrap(SpecPart):
    """One part of a tendon's path: a site, a geom with perhaps a side site, a joint with a coefficient, or a pulley.

    type: mjWRAP_SPHERE or mjWRAP_CYLINDER of a geom is known once the spec is compiled. target: the element that it names,
    None if there is none. coef: of a joint, divisor: of a pulley, None of others. sidesite: the site, None if there is none.
    """

    __slots__ = ("_tendon", "_where")
    structure = declare("", """
        type          mjtWrap = SITE
        target        ref @type
        sidesite      ref site
        coef,divisor  double
    """ + INFO)

    def __init__(self, tendon: MjsTendon, type: mjtWrap, where: Where | None = None, **values: Any) -> None:
        super().__init__()
        self._tendon, self._where = tendon, where
        self._values |= {"type": type, **values}

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
        return self._find(self.kind, self.value("target"))

    @property
    def sidesite(self) -> Any:
        """The site on whose side of a geom the tendon passes."""
        return self._find("site", self.value("sidesite"))

    def _find(self, kind: str, name: str) -> Any:
        self._live()
        spec = self._tendon.entry.spec
        return spec.contents.find(kind, name) if spec is not None and name and kind != "pulley" else None

    @property
    def coef(self) -> float | None:
        """The coefficient of a joint."""
        return float(self.value("coef")) if self.kind == "joint" else None

    @property
    def divisor(self) -> float | None:
        """The divisor of a pulley."""
        return float(self.value("divisor")) if self.kind == "pulley" else None

    @property
    def tendon(self) -> MjsTendon:
        """The tendon that it is a part of."""
        return self._tendon


class MjsTendonPath(MjsVec[MjsWrap]):
    """The parts of a tendon, in order."""

    def __init__(self, wraps: list[MjsWrap]) -> None:
        self._values = wraps

    def __setitem__(self, index: int, value: MjsWrap) -> None:
        raise ArgumentError("a tendon's path grows by wrap_site, wrap_geom, wrap_joint and wrap_pulley")


class MjsTendon(Classed):
    """A tendon: spatial if its path has sites, fixed if it has joints."""

    __slots__ = ("_path",)
    structure = declare("tendon", "rgba float" + LIMITS, find("tendon/spatial"), find("tendon/fixed"))

    def __init__(self, spec: Owner) -> None:
        super().__init__(spec)
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
        return self._wrapped(MjsWrap(self, mjtWrap.mjWRAP_SITE, target=name))

    @checked
    def wrap_geom(self, name: str, sidesite: str) -> MjsWrap:
        """Continue the path around a sphere or cylinder; sidesite: on which side, "" if that is left open."""
        return self._wrapped(MjsWrap(self, mjtWrap.mjWRAP_SPHERE, target=name, sidesite=sidesite))

    @checked
    def wrap_joint(self, name: str, coef: float) -> MjsWrap:
        """Add the position of a joint, times a coefficient."""
        return self._wrapped(MjsWrap(self, mjtWrap.mjWRAP_JOINT, target=name, coef=float(coef)))

    @checked
    def wrap_pulley(self, divisor: float) -> MjsWrap:
        """Begin a branch that pulls with a part of the force."""
        return self._wrapped(MjsWrap(self, mjtWrap.mjWRAP_PULLEY, divisor=float(divisor)))

    def _read(self, element: Element) -> None:
        for part in element.children:
            values = {name: part.get(name) for name in ("sidesite", "coef", "divisor") if part.get(name) is not None}
            self._path.append(MjsWrap(self, _TYPES[part.tag], part.where, target=part.get(part.tag) or "", **values))

    def _rule(self) -> ElementRule:
        return find("tendon/fixed" if any(wrap.kind == "joint" for wrap in self._path) else "tendon/spatial")

    def _write(self, element: Element, rule: ElementRule) -> None:
        if element.tag == "fixed" and any(wrap.kind != "joint" for wrap in self._path):
            raise element.error("has joints and other parts in its path: a fixed tendon has joints alone, a spatial one has none")
        for wrap in self._path:
            kind = wrap.kind
            values: dict[str, Any] = {"divisor": wrap.divisor} if kind == "pulley" else {kind: wrap.value("target")}
            if kind == "joint":
                values["coef"] = wrap.coef
            if wrap.value("sidesite"):
                values["sidesite"] = wrap.value("sidesite")
            where = source(wrap, wrap._where or self.entry.where)
            element.children.append(child_of(element, rule.children[kind], values, where))

    def _wrapped(self, wrap: MjsWrap) -> MjsWrap:
        self._live()
        self._path.append(wrap)
        return wrap

    def _take(self, other: SpecPart) -> None:
        super()._take(other)
        if isinstance(other, MjsTendon):
            self._path += [MjsWrap(self, where=wrap._where, **wrap._values) for wrap in other._path]
