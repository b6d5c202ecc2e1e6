"""Rule soft-contact: time constants that the engine raises to two time steps."""

from __future__ import annotations

from collections.abc import Iterable

from tumble.app.doctor.case import DoctorRule, Examination
from tumble.app.doctor.finding import Finding, ModelChange, Severity, listed
from tumble.app.editing.stiffness import raised_time_constants


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
        ModelChange("option.timestep", f"{step:g}", f"{shortest / 2:g}", "all time constants hold"),
    )  # fmt: skip


RULE = DoctorRule(
    "soft-contact", "Time constants below two time steps",
    "A constraint follows a spring and damper whose time constant is the first number of `solref`. A step of semi-implicit "
    "Euler is stable for it only where the constant is two steps or longer, so the engine raises shorter ones to that "
    "(`refsafe`). The depth under a load grows with the square of the time constant.",
    _examine,
)  # fmt: skip
