"""The proof of a change: the same run without and with it, and what a measure says of both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from tumble import physics
from tumble.app.doctor.evidence import quantity
from tumble.app.doctor.finding import ModelChange, Prediction

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

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
        without, changed, said = (quantity(number, measure.unit) for number in (self.before, self.after, self.prediction.after))
        return f"{measure.name}: {without} without, {changed} with the change ({said} predicted)"


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
    lengths = [max(1, round(seconds / float(m.opt.timestep))) for m, _ in (plain, other)]
    total = sum(lengths)
    before = measure.of(plain[0], _steps(*plain, lengths[0], lambda k: going(k, total)))
    after = measure.of(other[0], _steps(*other, lengths[1], lambda k: going(lengths[0] + k, total)))
    problem = "" if np.isfinite((before, after)).all() else f"{measure.name}: the run blew up"
    return Proof(change.prediction, before, after, problem)


def _steps(model: MjModel, data: MjData, count: int, going: Callable[[int], None]) -> Iterator[MjData]:
    """The data after each step of a run."""
    for k in range(count):
        going(k)
        physics.mj_step(model, data)
        yield data
