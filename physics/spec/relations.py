"""Elements that relate others: pairs, equalities, tendons, actuators, sensors; and what a model keeps for its user."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from tumble.physics.compiler.relations.actuators import Force
from tumble.physics.errors import ArgumentError, MisfitError, quoted
from tumble.physics.sensor.kinds import BY_TYPE, OF_CONTACT, OF_RAY
from tumble.physics.spec import table
from tumble.physics.spec.element import Classed, MjsElement, SpecPart, settings_of
from tumble.physics.spec.vectors import MjsVec
from tumble.physics.state.arguments import checked
from tumble.physics.state.enums import mjtObj, mjtSensor, mjtWrap

if TYPE_CHECKING:
    from tumble.physics.spec.default import MjsDefault
    from tumble.physics.spec.spec import MjSpec


class MjsPair(Classed):
    """A <pair> of geoms that touch as it says."""

    __slots__ = ()
    structure = table.PAIR


class MjsExclude(MjsElement):
    """Two bodies that do not touch."""

    __slots__ = ()
    structure = table.EXCLUDE


class MjsEquality(Classed):
    """An equality constraint; what `data` holds depends on `type`, as eq_data of the model."""

    __slots__ = ()
    structure = table.EQUALITY


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


class MjsActuator(Classed):
    """An actuator in its general form; `set_to_*` write what the shortcuts of MJCF mean."""

    __slots__ = ()
    structure = table.ACTUATOR

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
        if kv < 0:
            raise MisfitError(f"kv of a damper cannot be negative, is {kv:g}")
        if self.said("ctrlrange") and min(self.ctrlrange) < 0:
            raise MisfitError("ctrlrange of a damper cannot be negative")
        self._set("damper", kv=float(kv))
        self.ctrllimited = 1

    @checked
    def set_to_cylinder(self, timeconst: float, bias: float, area: float, diameter: float = -1) -> None:
        """A pneumatic or hydraulic cylinder; diameter: in place of the area, if not below 0."""
        area = math.pi / 4 * diameter**2 if diameter >= 0 else area
        self._set("cylinder", timeconst=float(timeconst), bias=[float(bias)], area=float(area))

    @checked
    def set_to_adhesion(self, gain: float) -> None:
        """An adhesive force on contacts of a body. Raises ValueError for a negative gain or control range."""
        if gain < 0:
            raise MisfitError(f"gain of an adhesion cannot be negative, is {gain:g}")
        if self.said("ctrlrange") and min(self.ctrlrange) < 0:
            raise MisfitError("ctrlrange of an adhesion cannot be negative")
        self._set("adhesion", gain=float(gain))
        self.ctrllimited = 1

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
        if inheritrange and self.said("ctrlrange"):
            raise MisfitError("inheritrange and a range of its own cannot both be defined")
        return {**found, "inheritrange": float(inheritrange)}

    def _set(self, tag: str, **given: Any) -> None:
        """Do as the element of a shortcut does, on what there is."""
        force = Force(self.gaintype, self.biastype, self.dyntype, self.gainprm.tolist(), self.biasprm.tolist(),
                      self.dynprm.tolist(), self.inheritrange)  # fmt: skip
        getattr(force, tag)(given)
        for name in ("gaintype", "biastype", "dyntype", "gainprm", "biasprm", "dynprm", "inheritrange"):
            setattr(self, name, getattr(force, name))


def list_of(values: Any, name: str) -> list[float]:
    """A number, or several, as a list. Raises ArgumentError for what is neither."""
    try:
        return [float(v) for v in np.atleast_1d(np.asarray(values, float))]
    except (TypeError, ValueError, OverflowError, RecursionError):
        raise ArgumentError(f"{name} should be a number or a list of numbers, not {quoted(values)}") from None


class MjsSensor(MjsElement):
    """A sensor: what it measures, of what, and what it does with it."""

    __slots__ = ()
    structure = table.SENSOR

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
                camera = self._owner()._find("camera", self.objname)
                if camera is None:
                    raise MisfitError(f'camera "{self.objname}" not found')
                size *= int(camera.resolution[0]) * int(camera.resolution[1])
            return size
        if self.type == mjtSensor.mjSENS_TACTILE:
            mesh = self._owner()._find("mesh", self.objname)
            if mesh is None:
                raise MisfitError(f'mesh "{self.objname}" not found')
            return len(mesh.uservert)
        return kind.dim


def asked(what: tuple[tuple[str, str, int], ...], bits: int) -> int:
    """Number of values selected by the bits."""
    return sum(width for k, (_, _, width) in enumerate(what) if bits >> k & 1)


class MjsNumeric(MjsElement):
    """Numbers for the user; size: how many, 0 for those of data."""

    __slots__ = ()
    structure = table.NUMERIC


class MjsText(MjsElement):
    """A text for the user."""

    __slots__ = ()
    structure = table.TEXT


class MjsTuple(MjsElement):
    """A list of objects for the user, each with a number."""

    __slots__ = ()
    structure = table.TUPLE


class MjsKey(MjsElement):
    """A keyframe. Lists that are empty are as in the reference configuration."""

    __slots__ = ()
    structure = table.KEY


class MjsPlugin(MjsElement):
    """An instance of a plugin, with its settings by name."""

    __slots__ = ("_config",)
    structure = table.PLUGIN

    def __init__(self, spec: MjSpec, made_in: MjsDefault | None = None) -> None:
        super().__init__(spec, made_in)
        self._config: dict[str, str] = {}

    @property
    def config(self) -> dict[str, str]:
        """Settings, as texts; replaced as a whole."""
        self._live()
        return dict(self._config)

    @config.setter
    def config(self, value: dict[str, str]) -> None:
        self._live()
        self._config = settings_of(value)

    def _take(self, other: SpecPart) -> None:
        super()._take(other)
        if isinstance(other, MjsPlugin):
            self._config = dict(other._config)
