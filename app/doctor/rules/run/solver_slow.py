"""Rule solver-slow: many iterations where another method needs few."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean
from typing import Unpack

import numpy as np
from msgspec import Struct

from tumble.app.doctor.case import DoctorRule, Examination
from tumble.app.doctor.finding import Finding, ModelChange, Prediction, Severity
from tumble.app.doctor.measures import NEWTON, is_moment, iterations_of, mean_iterations
from tumble.app.doctor.proof import tried
from tumble.app.doctor.rules.run.solver_limit import LIMITED_SHARE, SOLVERS
from tumble.app.simulation.changes import Change
from tumble.physics import MjData, MjModel, mjtDisableBit
from tumble.physics.observe.fork import SolveSettings
from tumble.physics.run.program import is_hard

MOMENTS = 5  # of a run that are solved again
MANY = 15  # mean iterations in a step that are many
FEWER = 0.25  # share of them that another method may need
FASTER = 0.7  # share of the time that it may take
ROUNDS = 3  # times that each solve is measured, of which the fastest counts
_NO_ISLAND = int(mjtDisableBit.mjDSBL_ISLAND)


class _Solve(Struct, frozen=True):
    """Iterations of a solve, and its time [s]."""

    iterations: float
    seconds: float

    @classmethod
    def mean(cls, solves: Sequence[_Solve]) -> _Solve:
        """The mean of some."""
        return cls(fmean(one.iterations for one in solves), fmean(one.seconds for one in solves))

    def beats(self, other: _Solve) -> bool:
        """True if it takes far fewer iterations, and less time: an iteration of Newton's method costs more."""
        return self.iterations <= FEWER * other.iterations and self.seconds < FASTER * other.seconds


class _Slow:
    """Solves moments of many iterations again by Newton's method, and by islands where these are off."""

    def __init__(self, case: Examination) -> None:
        self._case = case
        flags = int(case.model.opt.disableflags)
        self._newton = int(case.model.opt.solver) != NEWTON
        self._whole = bool(flags & _NO_ISLAND)
        self._solves: list[tuple[_Solve, _Solve, _Solve]] = []

    def look(self, model: MjModel, data: MjData) -> None:
        """Take in the step that was just taken."""
        watch = self._case.watch
        if not is_moment(watch.steps, watch.length, MOMENTS) or is_hard(model) or iterations_of(data) < MANY:
            return
        own = self._solve(data)
        newton = self._solve(data, solver=NEWTON) if self._newton else own
        island = self._solve(data, island=True) if self._whole else own
        self._solves.append((own, newton, island))

    def _solve(self, data: MjData, **settings: Unpack[SolveSettings]) -> _Solve:
        solved = [self._case.again.solve(data, **settings) for _ in range(ROUNDS)]
        return _Solve(int(np.max(solved[0].niter, initial=0)), min(each.seconds for each in solved))

    def findings(self) -> Iterable[Finding]:
        """The findings of the run."""
        case, watch = self._case, self._case.watch
        mean = watch.mean_iterations
        if mean < MANY or watch.limited > LIMITED_SHARE * watch.steps or not self._solves:
            return
        for path, before, after, words, change in self._candidates():
            measure = mean_iterations()
            left = tried(case, (change,), measure)
            if left <= FEWER * mean:
                yield Finding(
                    RULE.id, Severity.ADVICE, f"the solver takes {mean:.3g} iterations in a step, {words} {left:.3g}", "", (),
                    {"iterations": mean, "other": left, "steps": watch.steps},
                    ModelChange(
                        path, before, after, f"{left:.3g} iterations in a step", (change,), Prediction(measure, mean, left)
                    ),
                )  # fmt: skip
                return

    def _candidates(self) -> Iterator[tuple[str, str, str, str, Change]]:
        own, newton, island = (_Solve.mean(solves) for solves in zip(*self._solves, strict=True))
        opt = self._case.model.opt
        if newton.beats(own):
            change = Change("opt.solver", None, (NEWTON,))
            yield "option.solver", SOLVERS[int(opt.solver)], SOLVERS[NEWTON], "Newton's method", change
        if island.beats(own):
            flags = Change("opt.disableflags", None, (int(opt.disableflags) & ~_NO_ISLAND,))
            yield "option.flag.island", "disable", "enable", "island by island", flags


RULE = DoctorRule(
    "solver-slow", "A solver that needs many iterations",
    "PGS and CG converge linearly, the slower the worse conditioned the problem is, and so is one of different masses or of "
    "long chains; Newton's method takes a few iterations whatever the condition, but each costs more. Islands are problems of "
    "their own, each with its own number of iterations. Some states are solved again both ways: a finding is what takes a "
    "quarter of the iterations, and less time.",
    observe=_Slow,
)  # fmt: skip
