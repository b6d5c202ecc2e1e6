"""Rule stiff-damper: dampers that the integrator takes explicitly and that are stiff for the time step."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from tumble.app.doctor.case import DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Severity
from tumble.app.doctor.measures import damper_share
from tumble.app.doctor.rules.stiff import LISTED, at_end, share_prediction, stiff_finding, stops_divergence, to_implicit
from tumble.app.editing import stiffness
from tumble.app.editing.dampers import COARSE, dampers
from tumble.app.editing.stiffness import UNSTABLE, damped_share


def _examine(case: Examination) -> Iterable[Finding]:
    step = float(case.model.opt.timestep)
    every = dampers(case.model, case.start)
    stiff = [damper for damper in every[:LISTED] if damper.share >= COARSE]
    ends = at_end(case, dampers) if stiff else {}
    smooth = all(damped_share(servo.spring, step) < stiffness.COARSE for servo in case.servos)
    for damper in stiff:
        unstable = damper.share >= UNSTABLE
        finding = stiff_finding(RULE.id, f"the damping of {damper.name}", damper.share, step, damper.longest)
        prediction = stops_divergence(case, smooth) or share_prediction(
            case, damper, ends.get(damper.element), damper_share(damper.element, f"the damping of {damper.name}"), 0.0
        )
        yield replace(
            finding, severity=Severity.ERROR if unstable else Severity.WARNING, elements=(damper.element,),
            effect="Each step turns its velocity around and makes it larger." if unstable else
            "A step is too long to follow its decay: the velocity is off at the end of each.",
            evidence=finding.evidence | {"damping": damper.damping, "inertia": damper.inertia},
            change=to_implicit(case, "it is stable at any time step", prediction),
        )  # fmt: skip


RULE = DoctorRule(
    "stiff-damper", "Dampers that are stiff for the time step",
    "A damper g [1/s], in units of acceleration, multiplies its velocity by 1 - h g in a step h of Euler's method, and is "
    "stable for h g below 2; with RK4 below 2.785. Its share of that is measured; from a half on the step is coarse for "
    "it. Euler takes the damping of joints at the end of the step, where it is stable at any step, but not that of tendons "
    "and actuators; the implicit integrators take all of it there. The damping of servos is part of stiff-servo.",
    _examine,
)  # fmt: skip
