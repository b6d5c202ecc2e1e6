"""Rule slip-load: bodies held by friction that slip within the friction cone, or turn on pads without torsional friction."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.creeping import CreepWatch, stiffer_friction
from tumble.app.doctor.finding import Finding, Severity
from tumble.app.doctor.turning import TurnWatch, torsional_friction
from tumble.physics import MjData, MjModel

TRIED = 3  # bodies whose change is tried in the run


class _Slip(CreepWatch):
    def __init__(self, case: Examination) -> None:
        super().__init__(case)
        self._turns = TurnWatch()

    def look(self, model: MjModel, data: MjData) -> None:
        """Take in the step that was just taken."""
        super().look(model, data)
        watch = self._case.watch
        if self._is_due(watch.length - watch.steps):
            self._turns.take(model, data, self.held_pairs(data))

    def findings(self) -> Iterable[Finding]:
        """The findings of the run."""
        yield from self._slips()
        yield from self._turning()

    def _slips(self) -> Iterable[Finding]:
        case = self._case
        for one in self.fastest(held=True)[:TRIED]:
            change = stiffer_friction(case, one)
            if change is None:
                continue
            body, (own, holder) = int(case.model.tree_bodyadr[one.load]), one.sides(case.model)
            yield Finding(
                RULE.id, Severity.WARNING,
                f"{case.name(OBJ.mjOBJ_BODY, body)} slips on {case.name(OBJ.mjOBJ_GEOM, holder)} at {1e3 * one.speed:.3g} mm/s, "
                f"though only {100 * one.used:.0f} % of the friction cone are in use: soft friction gives way at "
                f"{1e3 * one.law:.3g} mm/s",
                "It is lost after a while, whatever the coefficient of friction.",
                ((OBJ.mjOBJ_BODY, body), (OBJ.mjOBJ_GEOM, own), (OBJ.mjOBJ_GEOM, holder)),
                {"speed": one.speed, "law": one.law, "tangential": one.tangential, "used": one.used, "size": one.size},
                change, pair=one.pair, time=float(case.data.time),
            )  # fmt: skip

    def _turning(self) -> Iterable[Finding]:
        case = self._case
        for one in self._turns.fastest(case)[:TRIED]:
            change = torsional_friction(case, one)
            if change is None:
                continue
            body, pad = int(case.model.tree_bodyadr[one.load]), case.name(OBJ.mjOBJ_GEOM, one.pad)
            yield Finding(
                RULE.id, Severity.WARNING,
                f"{case.name(OBJ.mjOBJ_BODY, body)} turns in the grasp of {pad} by {np.rad2deg(one.angle):.0f} degrees in the "
                "last half of the run: their contact, of condim 3, has no torsional friction",
                "A pad that is wide in reality holds it; its contact is a point.",
                ((OBJ.mjOBJ_BODY, body), (OBJ.mjOBJ_GEOM, one.pad)), {"angle": one.angle}, change, pair=one.pair,
                time=float(case.data.time),
            )  # fmt: skip


RULE = DoctorRule(
    "slip-load", "Bodies held by friction that slip within their cone",
    "A body that friction holds against gravity, as in a grasp, slips at F R / B, the speed of soft friction under the load F "
    "(see creep): more friction does not help, a firmer grip helps little, a larger `impratio` does. On contacts of condim 3 it "
    "also turns freely about their normals; condim 4 adds torsional friction.",
    observe=_Slip,
)  # fmt: skip
