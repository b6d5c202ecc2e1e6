"""Rule solver-limit: steps in which the solver ends at its limit of iterations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from tumble import physics
from tumble.app.doctor.case import DoctorRule, Examination
from tumble.app.doctor.finding import Finding, ModelChange, Prediction, Severity
from tumble.app.doctor.measures import iterations_of, share_at_limit
from tumble.app.doctor.proof import tried
from tumble.app.simulation.changes import Change
from tumble.physics import MjData, MjModel
from tumble.physics.run.program import is_hard

LIMITED_SHARE = 0.01  # of steps in which the solver may end at its limit before that is a finding
MOMENTS = 6  # that are solved again
ENOUGH = (10, 20, 50, 100, 200)  # limits of iterations to choose from
SPARE = 2  # times the iterations of those moments that a limit should be
LEFT = 0.2  # share of the limited steps that a change may leave
NEWTON = int(physics.mjtSolver.mjSOL_NEWTON)


class _Limit:
    """Solves some of the states again in which the solver was at its limit: with Newton's method and with more iterations."""

    def __init__(self, case: Examination) -> None:
        self._case = case
        self._newton: list[int] = []
        self._own: list[int] = []
        self._next = 0

    def look(self, model: MjModel, data: MjData) -> None:
        """Take in the step that was just taken."""
        if len(self._own) == MOMENTS or is_hard(model) or iterations_of(data) < int(model.opt.iterations):
            return
        done, length = self._case.watch.steps, self._case.watch.length
        if done < self._next:
            return
        self._next = done + length // MOMENTS
        most = max(ENOUGH)
        self._own.append(_most(self._case.again.solve(data, iterations=most).niter))
        self._newton.append(_most(self._case.again.solve(data, iterations=most, solver=NEWTON).niter))

    def findings(self) -> Iterable[Finding]:
        """The findings of the run."""
        case, watch = self._case, self._case.watch
        if watch.limited > LIMITED_SHARE * watch.steps:
            limit = int(case.model.opt.iterations)
            yield Finding(
                RULE.id, Severity.WARNING,
                f"the solver ended at its limit of {limit} iterations in {watch.limited} of {watch.steps} steps",
                "Constraint forces are not those of the optimum: contacts are deeper and friction weaker than the parameters "
                "say.",
                (), {"iterations": limit, "limited": watch.limited, "steps": watch.steps}, self._change(),
            )  # fmt: skip

    def _change(self) -> ModelChange | None:
        """The first change with which the solver ends before its limit in the same run."""
        before, measure = self._case.watch.limited / self._case.watch.steps, share_at_limit()
        for path, old, new, changes in self._candidates():
            after = tried(self._case, changes, measure)
            if np.isfinite(after) and after <= LEFT * before:
                words = f"{100 * after:.3g} % of the steps at the limit in place of {100 * before:.3g} %"
                return ModelChange(path, old, new, words, changes, Prediction(measure, before, after))
        return None

    def _candidates(self) -> Iterator[tuple[str, str, str, tuple[Change, ...]]]:
        """Changes that would do in the states solved again: more iterations of Newton's method, the method, more of the own."""
        if not self._own:
            return
        opt = self._case.model.opt
        limit, solver = int(opt.iterations), int(opt.solver)
        method = Change("opt.solver", None, (NEWTON,))
        if solver != NEWTON and SPARE * max(self._newton) <= limit:
            yield "option.solver", SOLVERS[solver], SOLVERS[NEWTON], (method,)
        for most, changes in ((max(self._own), ()), (max(self._newton), () if solver == NEWTON else (method,))):
            more = next((n for n in ENOUGH if n >= SPARE * most and n > limit), None)
            if more is not None:
                words = f"{more} with {SOLVERS[NEWTON]}" if changes else f"{more}"
                yield "option.iterations", f"{limit}", words, (Change("opt.iterations", None, (more,)), *changes)


SOLVERS = ("PGS", "CG", "Newton")


def _most(iterations: np.ndarray) -> int:
    return int(np.max(iterations, initial=0))


RULE = DoctorRule(
    "solver-limit", "A solver that ends at its limit",
    "The solver minimizes a convex cost until an iteration improves it by less than `tolerance`, at most `iterations` times. "
    "At the limit the forces are what was reached by then. Some of these states are solved again, with Newton's method and with "
    "more iterations: the change is one with which the same run ends before the limit.",
    observe=_Limit,
)  # fmt: skip
