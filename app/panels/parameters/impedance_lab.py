"""The impedance lab without its widgets: rows of an element, facts and warnings, and the solref that reaches a typed target."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.numbers import length, metric
from tumble.app.editing.edits import EditPlace, Values
from tumble.app.editing.impedance import (
    Impedance,
    Physical,
    Spring,
    SteadyLoad,
    creep_speed,
    damping_for,
    direct_ref,
    physical,
    rest_depth,
    rounded,
    spring_for,
    standard_ref,
    stiffest,
    stiffness_to_sink,
    with_ratio,
)
from tumble.app.editing.mixing import Look, mix, mixture, unmix
from tumble.app.editing.parameters import LARGEST, ParameterOwner, dofs, places, units
from tumble.physics.query.force import normal_forces, normal_velocities
from tumble.physics.state.own import ContactModel

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel


Array = NDArray[Any]
PYRAMIDAL = int(physics.mjtConstraint.mjCNSTR_CONTACT_PYRAMIDAL)
MOST = 1000  # rows that are looked at: more dots than that are one blot


class Carried(Struct):
    """The rows of an element at one moment; a contact, a connect or a weld is one row here.

    key: owner of a row: the two geoms of a contact, or the element and 0;
    depth: violation beyond the margin [m or rad]; start: the distance at which a contact's force begins, margin minus gap [m];
    load: normal force, or force or torque of the row [N or N m];
    weight: inverse inertia that scales it [1/kg or 1/(kg m^2)]; velocity: of the residual; total: how many there are;
    target: the element that was looked at; time [s]; timestep [s]; hard: contacts do not follow solref and solimp (LCP).
    """

    key: Array = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    depth: Array = field(default_factory=lambda: np.zeros(0))
    start: Array = field(default_factory=lambda: np.zeros(0))
    load: Array = field(default_factory=lambda: np.zeros(0))
    weight: Array = field(default_factory=lambda: np.zeros(0))
    velocity: Array = field(default_factory=lambda: np.zeros(0))
    total: int = 0
    target: tuple[str, int] = ("", -1)
    time: float = 0.0
    hard: bool = False


class ElementProbe:
    """Copies the rows of one element: the window chooses it by `aim`, one assignment that the other thread sees atomically."""

    def __init__(self) -> None:
        self._aim: tuple[ParameterOwner, int] | None = None

    def aim(self, kind: ParameterOwner | None, index: int = -1) -> None:
        """Choose the element to copy; None: no element."""
        self._aim = None if kind is None else (kind, index)

    def room(self, model: MjModel, data: MjData) -> Carried:
        """New storage for one snapshot."""
        return Carried()

    def take(self, model: MjModel, data: MjData, into: Carried) -> None:
        """Fill the storage."""
        aim = self._aim
        empty = Carried()
        into.target = ("", -1) if aim is None else (aim[0].name, aim[1])
        into.time = float(data.time)
        into.hard = int(model.tumble.contact_model) == int(ContactModel.LCP)
        into.key, into.depth, into.load, into.weight, into.velocity = (
            empty.key, empty.depth, empty.load, empty.weight, empty.velocity,
        )  # fmt: skip
        into.start, into.total = empty.start, 0
        if aim is None or not data.nefc:
            return
        kind, index = aim
        if index >= getattr(model, kind.count):
            return  # another model is loaded, and the window will soon choose an element of it
        if kind.rows:
            _rows(model, data, kind, index, into)
        else:
            _contacts(model, data, kind, index, into)


def _contacts(model: MjModel, data: MjData, kind: ParameterOwner, index: int, into: Carried) -> None:
    """Contacts of a geom, or of the two geoms of a pair: their normal forces."""
    count = int(data.ncon)
    geom = np.asarray(data.contact.geom)[:count].reshape(-1, 2)
    adr = np.asarray(data.contact.efc_address)[:count]
    if kind.name == "pair":
        wanted = {int(model.pair_geom1[index]), int(model.pair_geom2[index])}
        mine = np.isin(geom, list(wanted)).all(axis=1) & (geom[:, 0] != geom[:, 1])
    else:
        mine = (geom == index).any(axis=1)
    which = np.flatnonzero(mine & (adr >= 0))
    into.total = len(which)
    which = which[:MOST]
    if len(which) == 0:
        return
    first = adr[which]
    pyramid = np.asarray(data.efc_type)[first] == PYRAMIDAL
    dim = np.asarray(data.contact.dim)[which]
    edges = np.where(pyramid & (dim > 1), 2 * (dim - 1), 1)
    rows = first, dim, data.efc_type
    into.key = geom[which]
    into.depth = (np.asarray(data.efc_margin) - np.asarray(data.efc_pos))[first]
    into.start = np.asarray(data.efc_margin)[first]
    into.load = normal_forces(data.efc_force, *rows)
    into.weight = np.asarray(data.efc_diagApprox)[first] / edges
    into.velocity = normal_velocities(data.efc_vel, *rows)


def _rows(model: MjModel, data: MjData, kind: ParameterOwner, index: int, into: Carried) -> None:
    """Rows of a limit or of dry friction; those of an equality constraint are put together.

    The impedance of a connect or a weld depends on the length of its whole residual. With f_k W_k = K d^2 r_k / (1 - d)
    for each row the lengths of both sides are equal: the load is given as that of one row with the mean weight.
    """
    wanted = list(dofs(model, index)) if kind.name == "joint friction" else [index]
    type_ = int(physics.mjtConstraint[f"mjCNSTR_{kind.rows}"])
    which = np.flatnonzero((np.asarray(data.efc_type) == type_) & np.isin(np.asarray(data.efc_id), wanted))
    into.total = len(which)
    if len(which) == 0:
        return
    residual = (np.asarray(data.efc_pos) - np.asarray(data.efc_margin))[which]
    load, weight = np.asarray(data.efc_force)[which], np.asarray(data.efc_diagApprox)[which]
    velocity = np.asarray(data.efc_vel)[which]
    key = np.column_stack((np.asarray(data.efc_id)[which], np.zeros(len(which), np.int64)))
    if kind.name == "equality":
        drive, mean = float(np.linalg.norm(load * weight)), float(weight.mean())
        into.total = 1
        into.key, into.depth = key[:1], np.array([np.linalg.norm(residual)])
        into.load, into.weight = np.array([drive / max(mean, physics.mjMINVAL)]), np.array([mean])
        into.velocity = np.array([np.linalg.norm(velocity)])
        return
    into.key, into.depth, into.velocity = key, -residual, velocity
    into.load, into.weight = np.abs(load), weight


REFSAFE_OFF = int(physics.mjtDisableBit.mjDSBL_REFSAFE)
EULER_LIKE = int(physics.mjtIntegrator.mjINT_RK4)  # the integrator that the step matrix is not of
NEAR = 0.02  # relative: a depth this near to the one wanted is that one


class ImpedanceReading(Struct):
    """An element's constraint as the lab shows it; lengths and forces in its units.

    whose: where solref comes from, as 50 % left, 50 % plank, "" of no contact.
    solref, solimp: those in force, of a contact mixed; depths: of all rows now; at: which row the numbers are of, the one
    that carries most, -1 if nothing is carried; load: its mean; rest: the depth it settles at, or the creep speed of friction;
    start: the distance at which its force begins [m], not 0 for a contact with a margin;
    partner: the other geom of a contact, -1; warnings: a line each.
    """

    solref: Values
    solimp: Values
    imp: Impedance
    spring: Spring
    length: str
    force: str
    depths: NDArray[Any]
    total: int = 0
    at: int = -1
    load: float = 0.0
    loads: float = 0.0
    weight: float = 0.0
    depth: float = 0.0
    start: float = 0.0
    rest: float = 0.0
    d: float = 0.0
    now: Physical | None = None
    friction: bool = False
    partner: int = -1
    whose: str = ""
    hard: bool = False
    warnings: list[str] = field(default_factory=list)


def own_parameters(model: MjModel, look: Look, kind: ParameterOwner, index: int) -> tuple[Values, Values]:
    """The solref and solimp of the element itself."""
    by_name = {p.attribute.removesuffix("limit").removesuffix("friction"): p for p in reversed(kind.parameters)}
    solref, solimp = (look(places(model, kind, index, by_name[name])[0]) for name in ("solref", "solimp"))
    return solref, solimp


def numbered(keys: list[list[int]]) -> list[tuple[int, ...]]:
    """Keys made different: each with the how-manyth of its like it is, by which a row is followed from moment to moment."""
    seen: dict[tuple[int, ...], int] = {}
    result = []
    for key in map(tuple, keys):
        seen[key] = seen.get(key, -1) + 1
        result.append((*key, seen[key]))
    return result


def read(model: MjModel, look: Look, kind: ParameterOwner, index: int, carried: Carried, steady: SteadyLoad) -> ImpedanceReading:
    """Facts that the impedance lab shows for an element."""
    length, force = units(model, kind, index)
    loads = steady.update(numbered(carried.key.tolist()), carried.load.tolist(), carried.time)
    drives = np.array(loads) * carried.weight
    at = int(np.argmax(drives)) if len(drives) and drives.max() > 0 else -1
    solref, solimp = own_parameters(model, look, kind, index)
    partner, whose = -1, ""
    if kind.name in ("geom", "pair") and at >= 0:
        g1, g2 = (int(g) for g in carried.key[at, :2])
        partner = g2 if g1 == index and kind.name == "geom" else g1
        mixed = mix(model, look, g1, g2)
        solref, solimp = mixed.solref, mixed.solimp
        whose = mixture(model, look, g1, g2)
    timestep = look(EditPlace("opt.timestep"))[0]
    refsafe = not int(look(EditPlace("opt.disableflags"))[0]) & REFSAFE_OFF
    imp = Impedance.of(solimp)
    spring = Spring.of(solref, imp, timestep, refsafe)
    result = ImpedanceReading(solref, solimp, imp, spring, length, force, carried.depth, carried.total, friction=kind.friction)
    result.hard = carried.hard and kind.name in ("geom", "pair")
    result.whose = whose
    result.partner = partner if kind.name == "geom" else -1
    result.loads, result.at = float(sum(loads)), at
    if at >= 0:
        result.load, result.weight = loads[at], float(carried.weight[at])
        result.depth = float(carried.depth[at])
        result.start = float(carried.start[at]) if len(carried.start) else 0.0
        drive = float(drives[at])
        result.rest = creep_speed(drive, spring, imp) if kind.friction else rest_depth(drive, spring, imp)
        result.d = imp.d(0.0 if kind.friction else result.depth)
        settled = imp.d(0.0 if kind.friction else min(result.rest, 1e9))
        result.now = physical(spring, settled, result.weight)
    result.warnings = warnings(result, look, timestep, refsafe)
    return result


def warnings(reading: ImpedanceReading, look: Look, timestep: float, refsafe: bool) -> list[str]:
    """Problems of a constraint's parameters, one line each."""
    lines = []
    spring, least = reading.spring, 2 * timestep
    if reading.hard:
        lines.append("Contacts are hard now (LCP): solref and solimp do not act on them.")
    if spring.mixed:
        lines.append("One number of solref is positive and the other not: the engine takes 0.02 1 in their place.")
    elif spring.raised:
        lines.append(f"Time constant {reading.solref[0]:.3g} s is below two timesteps: refsafe raises it to {least:.3g} s.")
    elif not refsafe and Spring.of(reading.solref, reading.imp, timestep).raised:
        lines.append(f"Time constant {reading.solref[0]:.3g} s is below two timesteps ({least:.3g} s), and refsafe is off.")
    share = spring.step_share(reading.imp.high, timestep)
    if share >= 1 and int(look(EditPlace("opt.integrator"))[0]) != EULER_LIKE:
        lines.append(f"Too stiff or damped for a timestep of {timestep:.3g} s: {share:.2g} times the stable limit.")
    elif spring.B * reading.imp.high * timestep > 1 + 1e-9:
        lines.append("More damped than a timestep can follow: the velocity changes its sign at every step.")
    if spring.K <= 0 and not reading.friction:
        lines.append("No stiffness: nothing brings it back, a load sinks in without end.")
    return lines


def gap_text(reading: ImpedanceReading) -> str:
    """Signed distance as in the table of contacts, and the distance at which the force begins."""
    return f"{length(reading.start - reading.depth)}   force from {length(reading.start)} on"


def depth_text(reading: ImpedanceReading) -> str:
    """Depth of a row, measured from where its force begins, and the impedance there."""
    depth = length(reading.depth) if reading.length == "m" else metric(reading.depth, reading.length)
    return f"{depth}   d = {reading.d:.4g}"


class LabWish(Struct, frozen=True):
    """One of depth [m or rad], stiffness [N/m] and damping [N s/m] as typed; of the row that carries most.

    direct: to be written as -stiffness, -damping; keep_ratio: the damping ratio stays where depth or stiffness changes.
    """

    depth: float | None = None
    stiffness: float | None = None
    damping: float | None = None
    direct: bool = False
    keep_ratio: bool = True


def solref_for(
    model: MjModel, reading: ImpedanceReading, look: Look, kind: ParameterOwner, index: int, wish: LabWish
) -> tuple[Values | None, str]:
    """Solref of the element for a target, with significant digits; or None and the reason."""
    why = _impossible(reading, wish)
    if why:
        return None, why
    spring = _spring(reading, wish)
    why = "" if reading.friction else _too_stiff(reading, look, spring, wish)
    if why:
        return None, why
    wanted = direct_ref(spring, reading.imp) if wish.direct else standard_ref(spring, reading.imp)
    if wanted is None:
        return None, "without damping there is no time constant: use the direct form"
    if not all(map(math.isfinite, wanted)) or max(map(abs, wanted)) > LARGEST:
        return None, "this is beyond what can be simulated"
    if reading.partner < 0:
        return _rounded(reading, look, lambda values: values, wanted), ""
    own, why = unmix(look, index, reading.partner, wanted)
    if own is None:
        return None, why
    place = EditPlace("geom_solref", index)

    def mixed(values: Values) -> Values:
        return mix(model, lambda p: values if p == place else look(p), index, reading.partner).solref

    return _rounded(reading, look, mixed, own), ""


def _impossible(reading: ImpedanceReading, wish: LabWish) -> str:
    """Reason why a target cannot be reached with any numbers; "" if it may."""
    if reading.hard:
        return "contacts are hard now (LCP): solref does not act on them"
    if reading.at < 0 or reading.now is None or reading.load <= 0:
        return "it carries no load now"
    if wish.depth is not None and wish.depth <= 0:
        return "a soft constraint sinks under a load: the depth must be above 0"
    if (wish.stiffness is not None and wish.stiffness <= 0) or (wish.damping is not None and wish.damping < 0):
        return "stiffness must be above 0, damping 0 or more"
    return ""


def _spring(reading: ImpedanceReading, wish: LabWish) -> Spring:
    """The spring for a target."""
    now, imp, weight = reading.now, reading.imp, reading.weight
    assert now is not None
    damping = now.damping if wish.damping is None else wish.damping
    if reading.friction:  # it has a damping only, at d0
        return Spring(reading.spring.K, damping_for(damping, weight, reading.d))
    if wish.depth is not None:
        K = stiffness_to_sink(wish.depth, reading.load * weight, imp)
        spring = Spring(K, damping_for(damping, weight, imp.d(wish.depth)))
    else:
        spring = spring_for(now.stiffness if wish.stiffness is None else wish.stiffness, damping, weight, reading.load, imp)
    ratio = reading.spring.damping_ratio
    keeps = wish.keep_ratio and wish.damping is None and 0 < ratio < math.inf
    return with_ratio(spring.K, ratio) if keeps else spring


def _too_stiff(reading: ImpedanceReading, look: Look, spring: Spring, wish: LabWish) -> str:
    """Reason why the time step cannot follow a spring or the load rests elsewhere, and what can be reached; "" if none."""
    h, imp = look(EditPlace("opt.timestep"))[0], reading.imp
    drive = reading.load * reading.weight
    refsafe = not int(look(EditPlace("opt.disableflags"))[0]) & REFSAFE_OFF
    ratio = spring.damping_ratio
    limited = "refsafe" if refsafe and not wish.direct and spring.time_constant(imp.high) < 2 * h * (1 - 1e-9) else ""
    if not limited and spring.step_share(imp.high, h) >= 1 and int(look(EditPlace("opt.integrator"))[0]) != EULER_LIKE:
        limited = "stability"
    if limited and 0 < ratio < math.inf:
        best = stiffest(ratio, imp, h, direct=limited == "stability")
        depth = metric(rest_depth(drive, best, imp), reading.length)
        shorter = metric(h * math.sqrt(best.K / spring.K), "s")
        if limited == "refsafe":
            constant = metric(spring.time_constant(imp.high), "s")
            return (f"it needs a time constant of {constant}, which refsafe raises to two time steps, {metric(2 * h, 's')}: "
                    f"{depth} is the least depth. Take a time step of at most {shorter}, or write solref directly")  # fmt: skip
        return (f"too stiff for a time step of {metric(h, 's')}, it would be unstable: {depth} is the least depth. "
                f"Take a time step of at most {shorter}")  # fmt: skip
    depth_at_rest = rest_depth(drive, spring, imp)
    if wish.depth is not None and abs(depth_at_rest - wish.depth) > NEAR * wish.depth:
        return f"with this solimp the load comes to rest at {metric(depth_at_rest, reading.length)} already: dwidth is below d0"
    return ""


def _rounded(reading: ImpedanceReading, look: Look, in_force: Callable[[Values], Values], own: Values) -> Values:
    """The element's solref with as few digits as keep what follows from it; in_force: what acts of it, of a contact mixed."""
    h = look(EditPlace("opt.timestep"))[0]
    drive = reading.load * reading.weight

    def effect(values: Values) -> tuple[float, float]:
        spring = Spring.of(in_force(values), reading.imp, h, refsafe=False)
        return 0.0 if reading.friction else rest_depth(drive, spring, reading.imp), spring.B

    return rounded(own, effect)
