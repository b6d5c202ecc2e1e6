"""Rules stiff-contact, stiff-servo, stiff-spring: springs and dampers that are stiff for the time step."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, ModelChange, Severity
from tumble.app.editing.stiffness import COARSE, UNSTABLE, Servo

_ABOUT = (
    "A spring w [1/s^2] with damping g [1/s], in units of acceleration, stepped by semi-implicit Euler with the step h, is "
    "stable alone if and only if 2 h g + h^2 w < 4. Its share of that is measured: far below 1 the motion is smooth, from 1/4 "
    "on the step is coarse for it, at 1 it explodes."
)
LISTED = 8  # springs and servos that are named
_EFFECT = {
    True: "It gains energy in each step and blows up.",
    False: "Its motion is rough: it overshoots where the real one does not.",
}


def _stiffness(case: Examination, rule: str, name: str, share: float, longest: float) -> Finding:
    step, unstable = float(case.model.opt.timestep), share >= UNSTABLE
    return Finding(
        rule, Severity.ERROR if unstable else Severity.WARNING,
        f"{name} is {'unstable at' if unstable else 'stiff for'} a time step of {step:g} s (share {share:.3g}); try "
        f"{longest:.2g} s",
        _EFFECT[unstable], (), {"share": share, "timestep": step, "longest": longest},
        ModelChange("option.timestep", f"{step:g}", f"{longest:.2g}", f"its share is {COARSE:g}"),
    )  # fmt: skip


def _contacts(case: Examination) -> Iterable[Finding]:
    # A constraint with a time constant of two steps, the shortest that refsafe lets through, has a share of about a half.
    for kind, group in case.watch.groups.items():
        if group.share >= UNSTABLE:
            finding = _stiffness(case, STIFF_CONTACT.id, f"{kind} {group.stiffest}", group.share, group.longest)
            yield replace(finding, elements=() if group.element is None else (group.element,), pair=group.pair)


def _springs(case: Examination, rule: str, kind: object) -> Iterable[Finding]:
    for servo in case.servos[:LISTED]:  # the stiffest come first
        if servo.element[0] == kind and servo.share >= COARSE:
            yield _with_gains(
                replace(_stiffness(case, rule, servo.name, servo.share, servo.longest), elements=(servo.element,)), servo
            )


def _with_gains(finding: Finding, servo: Servo) -> Finding:
    evidence = {"stiffness": servo.stiffness, "damping": servo.damping, "inertia": servo.inertia}
    return replace(finding, evidence=finding.evidence | evidence)


STIFF_CONTACT = DoctorRule("stiff-contact", "Constraints that are unstable at the time step", _ABOUT, _contacts)
STIFF_SERVO: DoctorRule = DoctorRule(
    "stiff-servo", "Servos that are stiff for the time step",
    f"{_ABOUT} The inertia that a servo moves is 1 / (J M^-1 J'), J its moment arms.",
    lambda case: _springs(case, STIFF_SERVO.id, OBJ.mjOBJ_ACTUATOR),
)  # fmt: skip
STIFF_SPRING: DoctorRule = DoctorRule(
    "stiff-spring", "Springs of joints that are stiff for the time step", _ABOUT,
    lambda case: _springs(case, STIFF_SPRING.id, OBJ.mjOBJ_JOINT),
)  # fmt: skip
