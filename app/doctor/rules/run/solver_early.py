"""Rule solver-early: a solver that stops by its tolerance far from the optimum."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tumble.app.doctor.case import DoctorRule, Examination
from tumble.app.doctor.finding import Finding, ModelChange, Prediction, Severity
from tumble.app.doctor.measures import apart, is_moment, mean_unsolved, optimum
from tumble.app.doctor.rules.run.solver_limit import LIMITED_SHARE
from tumble.app.simulation.changes import Change
from tumble.physics import MjData, MjModel
from tumble.physics.run.program import is_hard

MOMENTS = 5  # of a run that are solved again
# Mean error of an acceleration that matters, as a share of gravity, which constraints cancel at rest, or of the largest without
# constraints if that is less: light parts on springs have hundreds of m/s^2 and would hide all others.
MATTERS = 0.01
LEAST = 0.01  # error [m/s^2] that matters at all
FINER = (1e-8, 1e-10, 1e-12)  # tolerances to choose from
LEFT = 0.2  # share of the error that a change may leave


class _Early:
    """Solves some moments again, as the model does, with finer tolerances, and to the optimum."""

    def __init__(self, case: Examination) -> None:
        self._case = case
        own = float(case.model.opt.tolerance)
        self._errors: dict[float, list[float]] = {tolerance: [] for tolerance in (own, *(t for t in FINER if t < own))}
        self._about: list[float] = []

    def look(self, model: MjModel, data: MjData) -> None:
        """Take in the step that was just taken."""
        watch = self._case.watch
        if not is_moment(watch.steps, watch.length, MOMENTS) or is_hard(model) or not model.nv:
            return
        own, *finer = self._errors
        again, length = self._case.again, np.asarray(model.dof_length)
        exact = optimum(again, data)
        error = apart(model, again.solve(data), exact)
        self._errors[own].append(error)
        self._about.append(float((np.abs(data.qacc_smooth) * length).max(initial=0.0)))
        for tolerance in finer:
            left = apart(model, again.solve(data, tolerance=tolerance), exact) if error > LEAST else error
            self._errors[tolerance].append(left)

    def findings(self) -> Iterable[Finding]:
        """The findings of the run."""
        case, watch = self._case, self._case.watch
        if not self._about or watch.limited > LIMITED_SHARE * watch.steps:
            return
        error, *finer = (float(np.mean(errors)) for errors in self._errors.values())
        about = float(np.mean(self._about))
        gravity = float(np.linalg.norm(case.model.opt.gravity))
        scale = min(about, gravity) if gravity > 0 else about
        if not error > max(LEAST, MATTERS * scale):
            return
        own, *tolerances = self._errors
        better = next(((t, left) for t, left in zip(tolerances, finer, strict=True) if left <= LEFT * error), None)
        if better is not None:  # else it ends for another reason
            tolerance, left = better
            yield Finding(
                RULE.id, Severity.WARNING,
                f"the solver stops by its tolerance of {own:g} while accelerations are off by {error:.3g} m/s^2, "
                f"{100 * error / scale:.2g} % of {'gravity' if gravity == scale else 'those without constraints'} (mean of some moments)",
                "Constraint forces are not those of the optimum.",
                (), {"error": error, "scale": scale, "tolerance": own, "moments": len(self._about)},
                ModelChange(
                    "option.tolerance", f"{own:g}", f"{tolerance:g}", f"off by {left:.3g} m/s^2",
                    (Change("opt.tolerance", None, (tolerance,)),),
                    Prediction(mean_unsolved(watch.length, MOMENTS), error, left),
                ),
                time=float(case.data.time),
            )  # fmt: skip


RULE = DoctorRule(
    "solver-early", "A solver that stops before it has converged",
    "The solver stops where an iteration improves the cost, scaled by the mean inertia and the number of dofs, by less than "
    "`tolerance`. Light parts of a heavy model add next to nothing to that cost: their accelerations may still be far off. Some "
    "moments are solved again to the optimum, and with finer tolerances.",
    observe=_Early,
)  # fmt: skip
