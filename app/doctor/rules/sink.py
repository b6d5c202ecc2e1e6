"""Rule sink: contacts that rest deeper than suits the size of what touches."""

from __future__ import annotations

from collections.abc import Iterable

from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Severity


def _examine(case: Examination) -> Iterable[Finding]:
    for one in case.watch.resting.sunken(case.model, case.data):
        yield Finding(
            RULE.id, Severity.WARNING, one.words(case.model), "",
            ((OBJ.mjOBJ_GEOM, one.thinner), (OBJ.mjOBJ_GEOM, one.other)),
            {"depth": one.depth, "thickness": one.thickness}, pair=(one.thinner, one.other), time=float(case.data.time),
        )  # fmt: skip


RULE = DoctorRule(
    "sink", "Contacts that rest too deep",
    "A contact at rest lies as deep as its softness and its load have it: F W = K d(r)^2 r / (1 - d(r)). Compared is that "
    "depth with the thickness of the thinner of the two geoms; a tenth is too much. The likely cause is the number whose "
    "default would take most of the depth away.",
    _examine,
)  # fmt: skip
