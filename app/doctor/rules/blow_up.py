"""Rule blow-up: warnings of the engine over the run."""

from __future__ import annotations

from collections.abc import Iterable

from tumble import physics
from tumble.app.describe.warnings import bad_joint, counted
from tumble.app.doctor.case import ENERGY_GROWS, OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Severity


def _examine(case: Examination) -> Iterable[Finding]:
    model = case.model
    for kind, info, text in counted(model, case.data, float(case.data.time)):
        joint = bad_joint(model, kind, info)
        elements = ((OBJ.mjOBJ_JOINT, joint),) if joint >= 0 else ()
        evidence = {"warning": physics.mjtWarning(kind).name, "number": int(case.data.warning.number[kind])}
        yield Finding(RULE.id, Severity.ERROR, text, "", elements, evidence, time=float(case.data.time))


RULE = DoctorRule(
    "blow-up", "States that diverge, and other warnings of the engine",
    "Where a position, velocity or acceleration is not a number or beyond 1e10 the engine resets the state; where contacts or "
    "rows do not fit its memory it leaves the rest out.",
    _examine,
    explains=ENERGY_GROWS, counts=True,
)  # fmt: skip
