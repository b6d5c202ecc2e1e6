"""Rule solver-limit: steps in which the solver ends at its limit of iterations."""

from __future__ import annotations

from collections.abc import Iterable

from tumble.app.doctor.case import DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Severity

LIMITED_SHARE = 0.01  # of steps in which the solver may end at its limit before that is a finding


def _examine(case: Examination) -> Iterable[Finding]:
    watch = case.watch
    if watch.limited > LIMITED_SHARE * watch.steps:
        limit = int(case.model.opt.iterations)
        yield Finding(
            RULE.id, Severity.WARNING,
            f"the solver ended at its limit of {limit} iterations in {watch.limited} of {watch.steps} steps",
            "Constraint forces are not those of the optimum: contacts are deeper and friction weaker than the parameters say.",
            (), {"iterations": limit, "limited": watch.limited, "steps": watch.steps},
        )  # fmt: skip


RULE = DoctorRule(
    "solver-limit", "A solver that ends at its limit",
    "The solver minimizes a convex cost until an iteration improves it by less than `tolerance`, at most `iterations` times. "
    "At the limit the forces are what was reached by then.",
    _examine,
)  # fmt: skip
