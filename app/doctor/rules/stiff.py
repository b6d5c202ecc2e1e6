"""Rules stiff-contact, stiff-servo, stiff-spring: springs and dampers that are stiff for the time step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from tumble import physics
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Measure, ModelChange, Prediction, Severity
from tumble.app.doctor.measures import constraint_share, diverges, resets, servo_share
from tumble.app.editing.dampers import dampers
from tumble.app.editing.stiffness import COARSE, UNSTABLE, ElementAt, Servo, servos, share_of
from tumble.app.simulation.changes import Change
from tumble.physics.run.program import is_hard

_ABOUT = (
    "A spring w [1/s^2] with damping g [1/s], in units of acceleration, stepped by semi-implicit Euler with the step h, is "
    "stable alone if and only if 2 h g + h^2 w < 4. Its share of that is measured: far below 1 the motion is smooth, from 1/4 "
    "on the step is coarse for it, at 1 it explodes."
)
LISTED = 8  # springs and servos that are named
ALIKE = 0.2  # by which the share of a servo may change over a run for a prediction at its end
MOST_STEPS = 40  # steps for one of the run without the change that a proof takes at most
EULER, IMPLICIT_FAST = int(physics.mjtIntegrator.mjINT_EULER), int(physics.mjtIntegrator.mjINT_IMPLICITFAST)
_IMPLICIT = (int(physics.mjtIntegrator.mjINT_IMPLICIT), IMPLICIT_FAST)
_EFFECT = {
    True: "It gains energy in each step and blows up.",
    False: "Its motion is rough: it overshoots where the real one does not.",
}


def stiff_finding(rule: str, name: str, share: float, timestep: float, longest: float) -> Finding:
    """A finding without elements and change; longest: time step [s] that suits it."""
    unstable = share >= UNSTABLE
    return Finding(
        rule, Severity.ERROR if unstable else Severity.WARNING,
        f"{name} is {'unstable at' if unstable else 'stiff for'} a time step of {timestep:g} s (share {share:.3g}); try "
        f"{longest:.2g} s",
        _EFFECT[unstable], (), {"share": share, "timestep": timestep, "longest": longest},
    )  # fmt: skip


def shorter_step(case: Examination, longest: float, prediction: Prediction | None) -> ModelChange:
    """The change of the time step to `longest` [s]; without a prediction where its proof would take too many steps."""
    step, after = float(case.model.opt.timestep), float(f"{longest:.2g}")
    return ModelChange(
        "option.timestep", f"{step:g}", f"{after:g}", f"its share is {COARSE:g}", (Change("opt.timestep", None, (after,)),),
        prediction if step <= MOST_STEPS * after else None,
    )  # fmt: skip


def to_implicit(case: Examination, predicted: str, prediction: Prediction | None) -> ModelChange:
    """The change of the integrator to implicitfast, which takes dampers at the end of the step."""
    own = physics.mjtIntegrator(int(case.model.opt.integrator)).name.removeprefix("mjINT_")
    before = {"EULER": "Euler"}.get(own, own)
    changes = (Change("opt.integrator", None, (float(IMPLICIT_FAST),)),)
    return ModelChange("option.integrator", before, "implicitfast", predicted, changes, prediction)


def share_prediction(case: Examination, start: Servo, end: Servo | None, measure: Measure, after: float) -> Prediction | None:
    """Effect of a change on a share at the end of the run; None where the run changes the share, or diverges.

    start, end: the servo at the start and at the end; after: its share at the end with the change.
    """
    if end is None or resets(case.data) or abs(end.share - start.share) > ALIKE * start.share:
        return None
    return Prediction(measure, end.share, after)


def stops_divergence(case: Examination, mends: bool) -> Prediction | None:
    """Effect of a change of the time step or integrator on a run that diverges; None where it does not, or for other reasons too.

    mends: whether the change suits all servos, springs and dampers.
    """
    constraints = all(group.share < UNSTABLE for group in case.watch.groups.values())
    return Prediction(diverges(), 1.0, 0.0) if mends and constraints and resets(case.data) else None


def at_end(case: Examination, listing: Callable[[physics.MjModel, physics.MjData], list[Servo]]) -> dict[ElementAt, Servo]:
    """Servos or dampers at the end of the run, by element; none where it diverged."""
    return {} if resets(case.data) else {servo.element: servo for servo in listing(case.model, case.data)}


def _contacts(case: Examination) -> Iterable[Finding]:
    # A constraint with a time constant of two steps, the shortest that refsafe lets through, has a share of about a half.
    step = float(case.model.opt.timestep)
    for kind, group in case.watch.groups.items():
        if group.share >= UNSTABLE:
            finding = stiff_finding(STIFF_CONTACT.id, f"{kind} {group.stiffest}", group.share, step, group.longest)
            prediction = None if is_hard(case.model) else Prediction(constraint_share(kind), group.share, COARSE)
            yield replace(
                finding, elements=() if group.element is None else (group.element,), pair=group.pair,
                change=shorter_step(case, group.longest, prediction),
            )  # fmt: skip


def _springs(case: Examination, rule: str, kind: object) -> Iterable[Finding]:
    step = float(case.model.opt.timestep)
    stiff = [servo for servo in case.servos[:LISTED] if servo.element[0] == kind and servo.share >= COARSE]
    ends = at_end(case, servos) if stiff else {}
    for servo in stiff:
        finding = stiff_finding(rule, servo.name, servo.share, step, servo.longest)
        evidence = {"stiffness": servo.stiffness, "damping": servo.damping, "inertia": servo.inertia}
        yield replace(
            finding, elements=(servo.element,), evidence=finding.evidence | evidence,
            change=_change(case, servo, ends.get(servo.element), case.servos),
        )  # fmt: skip


def _change(case: Examination, servo: Servo, end: Servo | None, every: Sequence[Servo]) -> ModelChange:
    """The implicit integrator where it alone suits the servo, which costs least, else a shorter step."""
    step, integrator = float(case.model.opt.timestep), int(case.model.opt.integrator)
    measure, first = servo_share(servo.element, servo.name), servo is every[0]
    if integrator == EULER and share_of(servo.spring, step, True, servo.helped) < COARSE and not is_hard(case.model):
        after = 0.0 if end is None else share_of(end.spring, step, True, end.helped)
        suits_all = first and all(share_of(other.spring, step, True, other.helped) < COARSE for other in every)
        prediction = stops_divergence(case, suits_all) or share_prediction(case, servo, end, measure, after)
        return to_implicit(case, f"its share is {share_of(servo.spring, step, True, servo.helped):.2g}", prediction)
    after = 0.0 if end is None else share_of(end.spring, float(f"{servo.longest:.2g}"), integrator in _IMPLICIT, end.helped)
    suits_all = first and all(damper.share * servo.longest < step for damper in dampers(case.model, case.start))
    prediction = stops_divergence(case, suits_all) or share_prediction(case, servo, end, measure, after)
    return shorter_step(case, servo.longest, prediction)


STIFF_CONTACT = DoctorRule("stiff-contact", "Constraints that are unstable at the time step", _ABOUT, _contacts)
STIFF_SERVO: DoctorRule = DoctorRule(
    "stiff-servo", "Servos that are stiff for the time step",
    f"{_ABOUT} The inertia that a servo moves is 1 / (J M^-1 J'), J its moment arms. The implicit integrators take its damping "
    "at the end of the step, so that it costs no stability.",
    lambda case: _springs(case, STIFF_SERVO.id, OBJ.mjOBJ_ACTUATOR),
)  # fmt: skip
STIFF_SPRING: DoctorRule = DoctorRule(
    "stiff-spring", "Springs of joints that are stiff for the time step", _ABOUT,
    lambda case: _springs(case, STIFF_SPRING.id, OBJ.mjOBJ_JOINT),
)  # fmt: skip
