"""Rule mass-sum: the model's mass against what its user states, and stated masses that settotalmass scales."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tumble import physics
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, ModelChange, Severity, listed

STATED = "doctor_mass"  # name of a <numeric> in <custom> that states the mass of all that moves [kg]
OFF = 0.01  # share by which a mass may differ from what is stated
HEAVIEST = 3  # bodies that are named


def _examine(case: Examination) -> Iterable[Finding]:
    yield from _against_stated(case)
    yield from _scaled(case)


def _against_stated(case: Examination) -> Iterable[Finding]:
    """Nothing where either all bodies or those that move have the mass."""
    model = case.model
    number = physics.mj_name2id(model, OBJ.mjOBJ_NUMERIC, STATED)
    if number < 0:
        return
    stated = float(model.numeric_data[model.numeric_adr[number]])
    mass = np.asarray(model.body_mass)
    moving = np.where(np.asarray(model.body_weldid) != 0, mass, 0.0)
    totals = float(moving.sum()), float(mass.sum())
    if min(abs(total - stated) for total in totals) <= OFF * abs(stated):
        return
    heaviest = np.argsort(-moving)[:HEAVIEST].tolist()
    names = ", ".join(f"{case.name(OBJ.mjOBJ_BODY, b)} {float(mass[b]):.4g} kg" for b in heaviest if moving[b] > 0)
    yield Finding(
        RULE.id, Severity.WARNING,
        f"what moves weighs {totals[0]:.4g} kg, where {STATED} states {stated:.4g} kg: the heaviest are {names}",
        f"Forces at rest and accelerations are off by {100 * abs(totals[0] / stated - 1):.3g} %." if stated else
        "Forces at rest and accelerations are not those of what it stands for.",
        tuple((OBJ.mjOBJ_BODY, b) for b in heaviest if moving[b] > 0),
        {"mass": totals[0], "stated": stated, "all_bodies": totals[1]},
        ModelChange(
            "compiler.settotalmass", f"{totals[0]:.4g}", f"{stated:.4g}", "all masses scaled alike, where none is known better"
        ),
    )  # fmt: skip


def _scaled(case: Examination) -> Iterable[Finding]:
    """Bodies whose stated <inertial> has another mass in the model, because settotalmass scales all."""
    if case.draft is None:
        return
    total = float(case.draft.root.settings.settotalmass)
    stated = [(b, float(body.inertial.get("mass"))) for b, body in enumerate(case.draft.bodies)
              if body.inertial is not None and body.inertial.get("mass") and b < case.model.nbody]  # fmt: skip
    scaled = [(b, mass) for b, mass in stated if abs(float(case.model.body_mass[b]) - mass) > OFF * mass]
    if total <= 0 or not scaled:
        return
    names = [f"{case.name(OBJ.mjOBJ_BODY, b)} ({mass:.4g} kg in the file, {float(case.model.body_mass[b]):.4g} kg here)"
             for b, mass in scaled]  # fmt: skip
    yield Finding(
        RULE.id, Severity.WARNING, f"settotalmass {total:g} kg scales masses that the file states: {listed(names)}",
        "They do not weigh what their <inertial> says.", tuple((OBJ.mjOBJ_BODY, b) for b, _ in scaled),
        {"settotalmass": total, "scale": float(case.model.body_mass[scaled[0][0]]) / scaled[0][1], "number": len(scaled)},
    )  # fmt: skip


RULE = DoctorRule(
    "mass-sum", "A mass that is not what the file states",
    f"A scale tells the mass of a machine. State it by `<custom><numeric name=\"{STATED}\" data=\"12.5\"/></custom>` [kg]: it is "
    "compared with the mass of all bodies that can move, and with that of all bodies. Without it nothing is compared. Masses of "
    "an <inertial> that `settotalmass` scales are found too.",
    _examine,
)  # fmt: skip
