"""Rule slip-load: bodies held by friction that slip, although their weight is within the friction cone."""

from __future__ import annotations

from collections.abc import Iterable

from tumble.app.doctor.case import OBJ, DoctorRule
from tumble.app.doctor.creeping import CreepWatch, stiffer_friction
from tumble.app.doctor.finding import Finding, Severity

TRIED = 3  # bodies whose change is tried in the run


class _Slip(CreepWatch):
    def findings(self) -> Iterable[Finding]:
        """The findings of the run."""
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


RULE = DoctorRule(
    "slip-load", "Bodies held by friction that slip within their cone",
    "What friction holds against gravity, as a grasp does, slips at F R / B, the speed of soft friction under the load F (see "
    "creep): more friction or a firmer grip changes next to nothing, a larger `impratio` does.",
    observe=_Slip,
)  # fmt: skip
