"""Measures of a run that several rules predict."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np

from tumble import physics
from tumble.app.doctor.finding import Measure
from tumble.app.editing.dampers import dampers
from tumble.app.editing.stiffness import ElementAt, StiffnessWatch, servos
from tumble.physics import MjData, MjModel
from tumble.physics.observe.again import Again, Solved
from tumble.physics.observe.creep import creep_of
from tumble.physics.observe.energy_balance import EnergyBalance
from tumble.physics.observe.impacts import Impacts, impacts_of
from tumble.physics.observe.touch import ContactTap

LATE = 0.5  # share of a run, its last, over which contacts are measured: by then what was dropped has come to rest

_BAD = [int(physics.mjtWarning[name]) for name in ("mjWARN_BADQPOS", "mjWARN_BADQVEL", "mjWARN_BADQACC")]


def depth_at_rest(pair: tuple[int, int]) -> Measure:
    """Depth of two geoms in each other at the end of a run [m]; 0 where they do not touch."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        depth = 0.0
        for data in steps:
            depth = _depth(data, pair)
        return depth

    return Measure("depth at rest", "m", of)


def _depth(data: MjData, pair: tuple[int, int]) -> float:
    return float((-np.asarray(data.contact_dist)[: data.ncon])[of_pair(data, pair)].max(initial=0.0))


def of_pair(data: MjData, pair: tuple[int, int]) -> np.ndarray:
    """Mask (ncon,) of the contacts of two geoms."""
    geoms = np.asarray(data.contact_geom)[: data.ncon]
    mask: np.ndarray = (geoms == pair).all(1) | (geoms == pair[::-1]).all(1)
    return mask


def creep_distance(pair: tuple[int, int]) -> Measure:
    """Distance that two geoms in contact slide on each other in the last half of a run [m]."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        velocities = [creep_of(data).sliding[of_pair(data, pair)] for data in steps]
        late = [each.mean(axis=0) for each in velocities[round((1 - LATE) * len(velocities)) :] if len(each)]
        return float(np.linalg.norm(np.sum(late, axis=0))) * float(model.opt.timestep)

    return Measure("sliding", "m", of)


def late_impacts(tap: ContactTap, pair: tuple[int, int], begin: float, end: float) -> Impacts:
    """Impacts of two geoms in the last half of a run from `begin` to `end` [s]."""
    impacts = impacts_of(tap.since(0)).get(pair, Impacts(np.zeros(0), np.zeros(0)))
    return impacts.since(end - LATE * (end - begin))


def impact_rate(pair: tuple[int, int]) -> Measure:
    """Frequency at which two geoms meet in the last half of a run [Hz]."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        tap, begin, end = None, 0.0, 0.0
        for data in steps:
            if tap is None:
                tap, begin = ContactTap(data), float(data.time)
                tap.attach()
            end = float(data.time)
        return 0.0 if tap is None or end <= begin else len(late_impacts(tap, pair, begin, end).times) / (LATE * (end - begin))

    return Measure("impacts", "Hz", of)


def mean_iterations() -> Measure:
    """Iterations of the solver in a step, of the island that needs most."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        return float(np.mean([iterations_of(data) for data in steps]))

    return Measure("mean iterations", "", of)


def share_at_limit() -> Measure:
    """Share of the steps in which the solver ends at its limit of iterations."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        return float(np.mean([iterations_of(data) >= int(model.opt.iterations) for data in steps]))

    return Measure("share of steps at the limit", "", of)


def iterations_of(data: MjData) -> int:
    """Iterations in a step, of the island that needed most; 0 without constraints."""
    return int(np.max(np.asarray(data.solver_niter)[: max(1, int(data.nisland))])) if data.nefc else 0


EXACT = 1e-15  # tolerance that a solver reaches only where nothing improves any more
MOST = 500  # iterations for that
NEWTON = int(physics.mjtSolver.mjSOL_NEWTON)


def optimum(again: Again, data: MjData) -> Solved:
    """The present state solved to the end."""
    return again.solve(data, solver=NEWTON, tolerance=EXACT, iterations=MOST)


def apart(model: MjModel, one: Solved, other: Solved) -> float:
    """The largest difference of accelerations [m/s^2]; angles count with the lengths that sleep tolerances use, dof_length."""
    return float((np.abs(one.qacc - other.qacc) * np.asarray(model.dof_length)).max(initial=0.0))


def mean_unsolved(length: int, moments: int) -> Measure:
    """Distance of the solver's end from its optimum [m/s^2], in the mean over some moments of a run of so many steps."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        again, errors = Again(model), []
        for k, data in enumerate(steps, 1):
            if is_moment(k, length, moments):
                errors.append(apart(model, again.solve(data), optimum(again, data)))
        return float(np.mean(errors)) if errors else 0.0

    return Measure("error of accelerations", "m/s\N{SUPERSCRIPT TWO}", of)


def is_moment(step: int, length: int, moments: int) -> bool:
    """True for so many of the steps 1 to `length`, evenly spread."""
    return step * moments // length != (step - 1) * moments // length


def balance_over(model: MjModel, steps: Iterator[MjData]) -> EnergyBalance | None:
    """The balance of energy from the first step of a run on; None without any."""
    balance = None
    for data in steps:
        if balance is None:
            balance = EnergyBalance(model, data)
        else:
            balance.look(model, data)
    return balance


def energy_gained() -> Measure:
    """Energy that nothing in the model gave over a run [J]."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        balance = balance_over(model, steps)
        return 0.0 if balance is None else max(0.0, balance.gained)

    return Measure("energy gained", "J", of)


def diverges() -> Measure:
    """1 for a run in which a position, velocity or acceleration becomes huge or not a number, else 0."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        first: int | None = None
        for data in steps:
            count = resets(data)
            first = count if first is None else first
            if count > first or not np.isfinite(data.qvel).all():
                return 1.0
        return 0.0

    return Measure("runs that diverge", "", of)


def resets(data: MjData) -> int:
    """The number of times that a state became huge or not a number."""
    return int(np.asarray(data.warning.number)[_BAD].sum())


def servo_share(element: ElementAt, name: str) -> Measure:
    """Share of stability of a servo or spring at the end of a run; 0 if missing."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        data = _last(steps)
        return 0.0 if data is None else next((s.share for s in servos(model, data) if s.element == element), 0.0)

    return Measure(f"share of stability of {name}", "", of)


def damper_share(element: ElementAt, name: str) -> Measure:
    """Share of stability of a damper that is taken explicitly at the end of a run; 0 if missing."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        data = _last(steps)
        return 0.0 if data is None else next((s.share for s in dampers(model, data) if s.element == element), 0.0)

    return Measure(f"share of stability of {name}", "", of)


def constraint_share(kind: str) -> Measure:
    """The largest share of stability over a run of the constraints of a kind, as in `StiffnessWatch.groups`."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        watch = StiffnessWatch(1)
        for data in steps:
            watch.look(model, data)
        return watch.groups[kind].share if kind in watch.groups else 0.0

    return Measure(f"largest share of stability of a {kind}", "", of)


def actuator_offset(actuator: int, target: float) -> Measure:
    """Distance of an actuator's length from a target at the end of a run [m or rad]."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        data = _last(steps)
        return 0.0 if data is None else abs(float(data.actuator_length[actuator]) - target)

    return Measure("distance from the target after the run", "m or rad", of)


def actuator_speed(actuator: int) -> Measure:
    """Speed of an actuator's length at the end of a run [m/s or rad/s]."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        data = _last(steps)
        return 0.0 if data is None else abs(float(data.actuator_velocity[actuator]))

    return Measure("speed after the run", "m/s or rad/s", of)


def ringing(actuator: int, seconds: float) -> Measure:
    """Length [m or rad] between the extremes of an actuator's motion over the last part of a run, `seconds` long."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        lengths: deque[float] = deque(maxlen=max(2, round(seconds / float(model.opt.timestep))))
        for data in steps:
            lengths.append(float(data.actuator_length[actuator]))
        return max(lengths) - min(lengths) if lengths else 0.0

    return Measure("swing at the end of the run", "m or rad", of)


def _last(steps: Iterator[MjData]) -> MjData | None:
    """The data after the last step of a run."""
    last = deque(steps, maxlen=1)
    return last[0] if last else None
