"""Rule creep: loads at rest that creep, because friction is soft."""

from __future__ import annotations

from collections.abc import Iterable

from tumble.app.doctor.case import OBJ, DoctorRule
from tumble.app.doctor.creeping import CreepWatch, stiffer_friction
from tumble.app.doctor.finding import Finding, Severity

FAST = 0.1  # share of the thinner geom's thickness in a second from which results are doubtful
TRIED = 3  # loads whose change is tried in the run


class _Creep(CreepWatch):
    def findings(self) -> Iterable[Finding]:
        """The findings of the run."""
        case = self._case
        for one in self.fastest(held=False)[:TRIED]:
            change = stiffer_friction(case, one)
            if change is None:
                continue
            first, second = (case.name(OBJ.mjOBJ_GEOM, g) for g in one.sides(case.model))
            yield Finding(
                RULE.id, Severity.WARNING if one.speed > FAST * one.size else Severity.ADVICE,
                f"{first} creeps on {second} at {1e3 * one.speed:.3g} mm/s, though {one.tangential:.3g} N are within its "
                f"friction ({100 * one.used:.0f} % of the cone): soft friction gives way at {1e3 * one.law:.3g} mm/s",
                "What should stay where it is drifts.", tuple((OBJ.mjOBJ_GEOM, g) for g in one.sides(case.model)),
                {"speed": one.speed, "law": one.law, "tangential": one.tangential, "used": one.used, "size": one.size},
                change, pair=one.pair, time=float(case.data.time),
            )  # fmt: skip


RULE = DoctorRule(
    "creep", "Loads at rest that creep",
    "A friction row has no position to return to: at rest its reference is -B v, and a force F moves it at v = F R / B. A "
    "contact that sticks is therefore a damper. `impratio` divides R of the friction rows, with elliptic cones without any "
    "effect on the normal; the noslip solver takes R away. A finding needs a speed that is steady, that of the law, and over a "
    "hundredth of the geom's thickness in a second.",
    observe=_Creep,
)  # fmt: skip
