"""Rule soft-contact: time constants that the engine raises to two time steps."""

from __future__ import annotations

from collections.abc import Iterable

from tumble.app.doctor.case import DoctorRule, Examination
from tumble.app.doctor.finding import Finding, ModelChange, Prediction, Severity, listed
from tumble.app.doctor.measures import depth_at_rest
from tumble.app.editing.stiffness import raised_time_constants
from tumble.app.simulation.changes import Change
from tumble.physics.run.program import is_hard

LIFTED = 0.1  # share of its depth that a change has to take away to be measured in a run


def _examine(case: Examination) -> Iterable[Finding]:
    step, raised = float(case.model.opt.timestep), raised_time_constants(case.model)
    if not raised:
        return
    shortest = min(one.asked for one in raised)
    yield Finding(
        RULE.id, Severity.WARNING,
        f"time constants below two time steps, {2 * step:g} s, are raised to that (refsafe): "
        f"{listed([one.text for one in raised], 8)}",
        f"Loads sink up to {(2 * step / shortest) ** 2:.3g} times as deep as the file says.",
        tuple(one.element for one in raised), {"time_constant": shortest, "timestep": step, "number": len(raised)},
        ModelChange(
            "option.timestep", f"{step:g}", f"{shortest / 2:g}", "all time constants hold",
            (Change("opt.timestep", None, (shortest / 2,)),), _prediction(case, shortest / 2),
        ),
    )  # fmt: skip


def _prediction(case: Examination, timestep: float) -> Prediction | None:
    """The contact at rest that a shorter time step [s] lifts most; None where none rests: nothing of the run shows the change."""
    depths = {} if is_hard(case.model) or not case.runs else case.watch.resting.at_timestep(case.model, case.data, timestep)
    pair, (before, after) = max(depths.items(), key=lambda item: item[1][0] - item[1][1], default=((-1, -1), (0.0, 0.0)))
    return Prediction(depth_at_rest(pair), before, after) if after < (1 - LIFTED) * before else None


RULE = DoctorRule(
    "soft-contact", "Time constants below two time steps",
    "A constraint follows a spring and damper whose time constant is the first number of `solref`. A step of semi-implicit "
    "Euler is stable for it only where the constant is two steps or longer, so the engine raises shorter ones to that "
    "(`refsafe`). The depth under a load grows with the square of the time constant.",
    _examine,
)  # fmt: skip
