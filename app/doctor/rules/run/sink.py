"""Rule sink: contacts that rest deeper than suits the size of what touches."""

from __future__ import annotations

from collections.abc import Iterable

from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.contact_change import contact_change
from tumble.app.doctor.finding import Finding, ModelChange, Prediction, Severity
from tumble.app.doctor.measures import depth_at_rest
from tumble.app.doctor.proof import WITHIN, tried
from tumble.app.editing.sinking import SunkenContact
from tumble.app.simulation.changes import Change

TRIED = 3  # findings whose change is tried in the run


def _examine(case: Examination) -> Iterable[Finding]:
    for k, one in enumerate(case.watch.resting.sunken(case.model, case.data)):
        yield Finding(
            RULE.id, Severity.WARNING, one.words(case.model), "",
            ((OBJ.mjOBJ_GEOM, one.thinner), (OBJ.mjOBJ_GEOM, one.other)),
            {"depth": one.depth, "thickness": one.thickness}, _change(case, one) if k < TRIED else None,
            pair=(one.thinner, one.other), time=float(case.data.time),
        )  # fmt: skip


def _change(case: Examination, one: SunkenContact) -> ModelChange | None:
    """The number that takes most of the depth away; without a prediction where the same run does not show it."""
    cause, step = one.cause, float(case.model.opt.timestep)
    if cause.field == "timestep":
        path, before, after = "option.timestep", f"{step:g}", f"{cause.numbers[0]:g}"
        change = Change("opt.timestep", None, cause.numbers)
    elif cause.field:
        found = contact_change(case, (one.thinner, one.other), cause.field, cause.numbers)
        if found is None:
            return None
        path, before, after, change = found.path, found.before, found.after, found.change
    else:
        return None
    prediction = Prediction(depth_at_rest((one.thinner, one.other)), one.now, cause.depth)
    promised = prediction.before - prediction.after
    words = f"it rests {1e3 * cause.depth:.3g} mm deep"
    if promised <= 0 or abs(one.now - tried(case, (change,), prediction.measure) - promised) > WITHIN * promised:
        return ModelChange(path, before, after, words)
    return ModelChange(path, before, after, words, (change,), prediction)


RULE = DoctorRule(
    "sink", "Contacts that rest too deep",
    "A contact at rest lies as deep as its softness and its load have it: F W = K d(r)^2 r / (1 - d(r)). Compared is that "
    "depth with the thickness of the thinner of the two geoms; a tenth is too much. The likely cause is the number whose "
    "default would take most of the depth away: the change gives it that, by the geom that has most weight in the contact.",
    _examine,
)  # fmt: skip
