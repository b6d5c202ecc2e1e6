"""Actuators of a spec."""

from __future__ import annotations

import math
from typing import Any

from tumble.physics.compiler.relations.actuators import TARGETS, Force, replay
from tumble.physics.errors import MisfitError
from tumble.physics.mjcf.schema import ElementRule, find
from tumble.physics.mjcf.schema.actuators import KINDS
from tumble.physics.mjcf.spec import Element
from tumble.physics.spec.element import Classed, read_plugin, write_plugin
from tumble.physics.spec.fields import list_of
from tumble.physics.spec.grammar import declare
from tumble.physics.state.arguments import checked
from tumble.physics.state.enums import mjtTrn

_FORCE = ("gaintype", "gainprm", "biastype", "biasprm", "dyntype", "dynprm", "inheritrange")
_LIMITS = find("actuator/general").attributes["ctrllimited"].words
_TARGETS = {name: kind for name, (kind, _) in TARGETS.items()} | {"cranksite": mjtTrn.mjTRN_SLIDERCRANK}


class MjsActuator(Classed):
    """An actuator in its general form; `set_to_*` write what the shortcuts of MJCF mean."""

    __slots__ = ()
    structure = declare("actuator", """
        - joint jointinparent tendon site body cranksite plugin
        gaintype  mjtGain
        biastype  mjtBias
        dyntype   mjtDyn
        trntype   mjtTrn = UNDEFINED
        target    ref @trntype
        inheritrange
        plugin    plugin
    """, *(find(f"actuator/{tag}") for tag in KINDS), find("actuator/plugin"))

    def _read(self, element: Element) -> None:
        self._take_force(replay(element))
        if element.tag == "plugin":
            read_plugin(self, element)
        elif KINDS[element.tag].one_sided and element.has("ctrlrange") and element.get("ctrlrange").min() < 0:
            raise element.error("ctrlrange of a damper or an adhesion must not be negative")
        for attribute, kind in _TARGETS.items():
            if element.get(attribute):
                self.trntype, self.target = kind, element.get(attribute)
        if self.is_set("slidersite"):
            self.trntype = mjtTrn.mjTRN_SLIDERCRANK

    def _rule(self) -> ElementRule:
        return find("actuator/plugin" if self._has_plugin() else "actuator/general")

    def _write(self, element: Element, rule: ElementRule) -> None:
        if self._has_plugin():
            write_plugin(self, element, rule)
        attribute = next((attribute for attribute, kind in _TARGETS.items() if kind == self.trntype), "")
        if attribute and self.target:
            element.attributes[attribute] = self.target
        element.actuator_steps = (("general", element.attributes),)

    def _take_force(self, force: Force) -> None:
        for name in _FORCE:
            setattr(self, name, getattr(force, name))
        for name in ("ctrllimited", "actlimited"):
            setattr(self, name, _LIMITS.index(getattr(force, name)))

    def set_to_motor(self) -> None:
        """A force equal to the control."""
        self._set("motor")

    @checked
    def set_to_position(
        self, kp: float, kv: float = -1, dampratio: float = -1, timeconst: float = -1, inheritrange: float = 0
    ) -> None:
        """A position servo; values below 0 are not given. Raises ValueError for both kv and dampratio."""
        self._set("position", **self._servo(kp, kv, dampratio, timeconst, inheritrange))

    @checked
    def set_to_intvelocity(
        self, kp: float, kv: float = -1, dampratio: float = -1, timeconst: float = -1, inheritrange: float = 0
    ) -> None:
        """A position servo whose set point integrates the control; as `set_to_position`."""
        self._set("intvelocity", **self._servo(kp, kv, dampratio, timeconst, inheritrange))
        self.actlimited = 1

    @checked
    def set_to_velocity(self, kv: float) -> None:
        """A velocity servo."""
        self._set("velocity", kv=float(kv))

    @checked
    def set_to_damper(self, kv: float) -> None:
        """A damper whose coefficient is scaled by the control. Raises ValueError for a negative one."""
        self._set_one_sided("damper", "a damper", "kv", kv)

    @checked
    def set_to_cylinder(self, timeconst: float, bias: float, area: float, diameter: float = -1) -> None:
        """A pneumatic or hydraulic cylinder; diameter: in place of the area, if not below 0."""
        area = math.pi / 4 * diameter**2 if diameter >= 0 else area
        self._set("cylinder", timeconst=float(timeconst), bias=[float(bias)], area=float(area))

    @checked
    def set_to_adhesion(self, gain: float) -> None:
        """An adhesive force on contacts of a body. Raises ValueError for a negative gain or control range."""
        self._set_one_sided("adhesion", "an adhesion", "gain", gain)

    @checked
    def set_to_muscle(
        self, timeconst: Any = -1, tausmooth: float = 0, range: Any = (-1.0, -1.0), force: float = -1, scale: float = -1,
        lmin: float = -1, lmax: float = -1, vmax: float = -1, fpmax: float = -1, fvmax: float = -1,
    ) -> None:  # fmt: skip
        """A muscle; values below 0 are not given. timeconst: of activation and deactivation [s]."""
        if tausmooth < 0:
            raise MisfitError(f"tausmooth of a muscle cannot be negative, is {tausmooth:g}")
        times, ends = list_of(timeconst, "timeconst"), list_of(range, "range")
        numbers = {"force": force, "scale": scale, "lmin": lmin, "lmax": lmax, "vmax": vmax, "fpmax": fpmax, "fvmax": fvmax}
        self._set("muscle", timeconst=times, tausmooth=float(tausmooth),
                  range=ends, **{name: float(v) for name, v in numbers.items()})  # fmt: skip

    def _servo(self, kp: float, kv: float, dampratio: float, timeconst: float, inheritrange: float) -> dict[str, float]:
        given = {"kp": kp, "kv": kv, "dampratio": dampratio, "timeconst": timeconst}
        found = {name: float(value) for name, value in given.items() if value >= 0}
        if "kv" in found and "dampratio" in found:
            raise MisfitError("kv and dampratio cannot both be defined")
        if "kp" not in found:
            raise MisfitError(f"kp cannot be negative, is {kp:g}")
        if inheritrange and self.is_set("ctrlrange"):
            raise MisfitError("inheritrange and a range of its own cannot both be defined")
        return {**found, "inheritrange": float(inheritrange)}

    def _set_one_sided(self, tag: str, what: str, name: str, value: float) -> None:
        if value < 0:
            raise MisfitError(f"{name} of {what} cannot be negative, is {value:g}")
        if self.is_set("ctrlrange") and min(self.ctrlrange) < 0:
            raise MisfitError(f"ctrlrange of {what} cannot be negative")
        self._set(tag, **{name: float(value)})
        self.ctrllimited = 1

    def _set(self, tag: str, **given: Any) -> None:
        """Do as the element of a shortcut does, on what there is."""
        force = Force(self.gaintype, self.biastype, self.dyntype, self.gainprm.tolist(), self.biasprm.tolist(),
                      self.dynprm.tolist(), self.inheritrange)  # fmt: skip
        getattr(force, tag)(given)
        for name in _FORCE:
            setattr(self, name, getattr(force, name))
