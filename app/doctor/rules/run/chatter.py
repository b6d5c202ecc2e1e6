"""Rule chatter: contacts that make and break again and again, and do not die out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from msgspec import Struct

from tumble import physics
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.contact_change import contact_change
from tumble.app.doctor.finding import Finding, Measure, ModelChange, Prediction, Severity
from tumble.app.doctor.measures import LATE, impact_rate, late_impacts, of_pair
from tumble.app.doctor.proof import tried
from tumble.app.editing.impedance import Impedance, Spring, direct_ref, with_ratio
from tumble.app.editing.mixing import look_at, mix
from tumble.app.simulation.changes import Change
from tumble.physics import MjData, MjModel
from tumble.physics.observe.impacts import impacts_of
from tumble.physics.observe.thickness import DEEP, thickness_of
from tumble.physics.observe.touch import ContactTap
from tumble.physics.query.force import contact_velocities, normal_forces, separations
from tumble.physics.run.program import is_hard

Pair = tuple[int, int]
LEAST = 5  # impacts in the last half of a run
RATE = 8.0  # frequency [Hz] below which it may be a gait or a wheel with spokes
EVEN = 0.4  # spread of the times between impacts, as a share of their mean
STAYS = 0.6  # share that is left of their first at the end, of the times between impacts and of their forces
SLIDES = 3.0  # times its speed of approach from which a pair slides, and jumps over what it slides on
GONE = 0.2  # share of the impacts that a change may leave
FINER, LONGER = 4, 4  # times shorter steps, and times longer time constants
LISTED = 3  # pairs that are looked at


class _Strikes(Struct):
    """Impacts of a pair over the last half of a run, in the mean.

    approach, sliding: speed along and across the normal [m/s]; energy: that the contact gave in one [J].
    """

    approach: float = 0.0
    sliding: float = 0.0
    energy: float = 0.0


class _Chatter:
    def __init__(self, case: Examination) -> None:
        self._case, self._begin = case, float(case.data.time)
        self._tap = ContactTap(case.data, rows=1 << 14)
        self._tap.attach()

    def look(self, model: MjModel, data: MjData) -> None:
        """Nothing: the tap looks."""

    def findings(self) -> Iterable[Finding]:
        """The findings of the run."""
        case, end = self._case, float(self._case.data.time)
        self._tap.detach()
        if self._tap.since(0).jumps > 1:  # the state blew up
            return
        free = [(pair, rate) for pair, rate in self._pairs(end).items() if not _jammed(case, pair)]
        for pair, rate in sorted(free, key=lambda each: -each[1])[:LISTED]:
            strikes = _Strikes()
            tried(case, (), _strikes(pair, strikes))
            if strikes.sliding > SLIDES * strikes.approach:
                continue
            names = " and ".join(case.name(OBJ.mjOBJ_GEOM, g) for g in pair)
            moving = sorted(pair, key=lambda g: (not case.model.body_weldid[case.model.geom_bodyid[g]], -g))
            energy = f"gives {strikes.energy:.2g}" if strikes.energy > 0 else f"takes {-strikes.energy:.2g}"
            yield Finding(
                RULE.id, Severity.WARNING,
                f"{names} meet {rate:.3g} times a second without an end, at {strikes.approach:.2g} m/s; an impact {energy} J",
                "Forces come as blows in place of a load.", tuple((OBJ.mjOBJ_GEOM, g) for g in moving),
                {"frequency": rate, "approach": strikes.approach, "energy": strikes.energy}, _change(case, pair, rate), pair,
                time=end,
            )  # fmt: skip

    def _pairs(self, end: float) -> dict[Pair, float]:
        """Frequencies of the pairs that chatter [Hz]."""
        span, found = LATE * (end - self._begin), {}
        for pair in impacts_of(self._tap.since(0)):
            impacts = late_impacts(self._tap, pair, self._begin, end)
            rate = len(impacts.times) / span if span > 0 else 0.0
            if len(impacts.times) >= LEAST and rate >= RATE and _goes_on(impacts.times, impacts.peaks, end):
                found[pair] = rate
        return found


def _jammed(case: Examination, pair: Pair) -> bool:
    """True for parts of a mechanism that has parts deep in each other from the start: that keeps them moving."""
    model, data = case.model, case.start
    root = np.asarray(model.body_rootid)[np.asarray(model.geom_bodyid)]
    if root[pair[0]] != root[pair[1]]:
        return False
    geoms = np.asarray(data.contact_geom)[: data.ncon]
    own = (geoms >= 0).all(1) & (root[geoms] == root[pair[0]]).all(1)
    deep = -np.asarray(data.contact_dist)[: data.ncon] > DEEP * thickness_of(model)[geoms].min(axis=1)
    return bool((own & deep).any())


def _goes_on(times: np.ndarray, peaks: np.ndarray, end: float) -> bool:
    """True for impacts at even times whose force does not die out, up to the end [s]."""
    apart, half = np.diff(times), len(times) // 2
    mean = float(apart.mean())
    even = float(apart.std()) < EVEN * mean and end - times[-1] < 2 * mean
    early, late = apart[: len(apart) // 2].mean(), apart[len(apart) // 2 :].mean()
    return bool(even and late > STAYS * early and peaks[half:].mean() > STAYS * peaks[:half].mean())


def _strikes(pair: Pair, into: _Strikes) -> Measure:
    """Fills in the impacts of a pair: a second look at the run."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        taken = [_contact_now(model, data, pair) for data in steps]
        first = round((1 - LATE) * len(taken))
        met = [k for k in range(max(first, 1), len(taken)) if taken[k] is not None and taken[k - 1] is None]
        if met:
            meetings = [now for k in met if (now := taken[k]) is not None]
            into.approach, into.sliding = (float(np.mean([now[k] for now in meetings])) for k in range(2))
            powers = [now[2] for now in taken[first:] if now is not None]
            into.energy = float(np.sum(powers)) * float(model.opt.timestep) / len(met)
        return 0.0

    return Measure("impacts", "", of)


def _contact_now(model: MjModel, data: MjData, pair: Pair) -> tuple[float, float, float] | None:
    """Speed of approach and of sliding [m/s], and the power of the normal forces [W]; None without a contact."""
    mine = of_pair(data, pair) & (np.asarray(data.contact_efc_address) >= 0)
    if not mine.any():
        return None
    rows = data.contact_efc_address, data.contact_dim
    velocity = contact_velocities(np.asarray(data.efc_vel), *rows, data.contact_friction, data.efc_type)[mine]
    force = normal_forces(np.asarray(data.efc_force), *rows, data.efc_type)[mine]
    middle = velocity[:, 0] + 0.5 * float(model.opt.timestep) * separations(data)[mine]
    return -float(velocity[:, 0].min()), float(np.hypot(velocity[:, 1], velocity[:, 2]).max()), float(force @ middle)


def _change(case: Examination, pair: Pair, rate: float) -> ModelChange | None:
    """The first change that ends it; it is tried in the same run."""
    if is_hard(case.model):
        return None
    measure = impact_rate(pair)
    for path, before, after, change in _candidates(case, pair):
        left = tried(case, (change,), measure)
        if left <= GONE * rate:
            words = f"{left:.3g} impacts a second" if left else "it comes to rest"
            return ModelChange(path, before, after, words, (change,), Prediction(measure, rate, left))
    return None


def _candidates(case: Examination, pair: Pair) -> Iterator[tuple[str, str, str, Change]]:
    """More damping, a longer time constant, a finer step."""
    model, step = case.model, float(case.model.opt.timestep)
    mixed = mix(model, look_at(model), *pair)
    imp, asked = Impedance.of(mixed.solimp), tuple(mixed.solref)
    refsafe = not int(model.opt.disableflags) & int(physics.mjtDisableBit.mjDSBL_REFSAFE)
    spring = Spring.of(asked, imp, step, refsafe)
    wanted = []
    if asked[0] <= 0 and spring.damping_ratio < 1:
        wanted.append(direct_ref(with_ratio(spring.K, 1.0), imp))
    elif asked[1] < 1:
        wanted.append((asked[0], 1.0))
    if asked[0] > 0:
        wanted.append((LONGER * asked[0], max(asked[1], 1.0)))
    for solref in wanted:
        found = contact_change(case, pair, "solref", solref)
        if found is not None:
            yield found.path, found.before, found.after, found.change
    finer = float(f"{step / FINER:.2g}")
    yield "option.timestep", f"{step:g}", f"{finer:g}", Change("opt.timestep", None, (finer,))


RULE = DoctorRule(
    "chatter", "Contacts that make and break without an end",
    "A contact is a spring with a damper, stepped in time. One with little damping gives back what it takes, and so does one "
    "that a step of the time crosses: the pair parts and meets again at a frequency, as no real one does at rest. Impacts are "
    "those of the panel Contact events, which leaves out what flickers at rest; those that die out, and those slower than "
    "8 Hz, as steps of a walker are, do not count.",
    observe=_Chatter,
)  # fmt: skip
