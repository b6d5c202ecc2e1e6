"""The proof of a change: the same run without and with it, and what a measure says of both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from tumble import physics
from tumble.app.doctor.evidence import quantity
from tumble.app.doctor.finding import Measure, ModelChange, Prediction

if TYPE_CHECKING:
    from tumble.app.doctor.case import Examination
    from tumble.app.simulation.changes import Change
    from tumble.physics import MjData, MjModel

ASKED = 50  # steps between two questions whether a run that is tried goes on
WITHIN = 1 / 3  # of the improvement that was predicted, by which the measured one may differ


class Proof(Struct, frozen=True):
    """A measure over two runs from one state: without the change and with it; problem: why there is no number."""

    prediction: Prediction
    before: float
    after: float
    problem: str = ""

    @property
    def holds(self) -> bool:
        """True if the measure improves by what was predicted, within a third."""
        promised = self.prediction.before - self.prediction.after
        return bool(abs(self.before - self.after - promised) <= WITHIN * abs(promised))

    @property
    def text(self) -> str:
        """One line: "depth at rest: 26 mm without, 0.11 mm with the change (0.108 mm predicted)"."""
        if self.problem:
            return self.problem
        measure = self.prediction.measure
        without, changed, predicted = (
            quantity(number, measure.unit) for number in (self.before, self.after, self.prediction.after)
        )
        return f"{measure.name}: {without} without, {changed} with the change ({predicted} predicted)"


def changed(model: MjModel, data: MjData, change: ModelChange) -> tuple[MjModel, MjData]:
    """A model and data of their own that continue from `data` with the change. Raises PhysicsError where memory is short."""
    other, own = physics.fork(model, data)
    for each in change.changes:
        each.make(other, own)
    return other, own


def prove(
    model: MjModel, start: MjData, change: ModelChange, seconds: float, going: Callable[[int, int], None] = lambda done, all: None
) -> Proof:
    """Run `seconds` of simulated time from `start` without and with a change that has a prediction.

    going: called before each step with the number done and of all; may raise to stop. Raises ValueError without a prediction.
    """
    if change.prediction is None:
        raise ValueError(f"no measure shows what a change of {change.path} does")
    measure = change.prediction.measure
    plain, other = physics.fork(model, start), changed(model, start, change)
    first, second = (steps_in(m, seconds) for m, _ in (plain, other))
    before = measure.of(plain[0], _steps(*plain, first, lambda k: going(k, first + second)))
    after = measure.of(other[0], _steps(*other, second, lambda k: going(first + k, first + second)))
    problem = "" if np.isfinite((before, after)).all() else f"{measure.name}: the run blew up"
    return Proof(change.prediction, before, after, problem)


def steps_in(model: MjModel, seconds: float) -> int:
    """Steps of a run of some simulated time [s]."""
    return max(1, round(seconds / float(model.opt.timestep)))


def tried(case: Examination, changes: Iterable[Change], measure: Measure) -> float:
    """A measure of the run of a case with some changes; what `going` of the case raises ends it."""
    model, data = physics.fork(case.model, case.start)
    for each in changes:
        each.make(model, data)
    length = case.watch.length

    def going(done: int) -> None:
        if done % ASKED == 0:
            case.going(length, length)

    return measure.of(model, _steps(model, data, steps_in(model, case.seconds), going))


def _steps(model: MjModel, data: MjData, count: int, going: Callable[[int], None]) -> Iterator[MjData]:
    """The data after each step of a run."""
    for k in range(count):
        going(k)
        physics.mj_step(model, data)
        yield data
