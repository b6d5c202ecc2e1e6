"""Rule defaults-advised: defaults for which MuJoCo's guide has better numbers, where a run shows the difference."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from tumble import physics
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, ModelChange, Prediction, Severity, listed
from tumble.app.doctor.measures import depth_at_rest
from tumble.app.doctor.swings import Swings
from tumble.app.editing.stiffness import ElementAt
from tumble.app.simulation.changes import Change
from tumble.physics import MjData, MjModel
from tumble.physics.constraint.impedance import DEFAULT_REF
from tumble.physics.observe.thickness import DEEP, thickness_of
from tumble.physics.run.program import is_hard

TIME_CONSTANT = 0.01  # of the guide, for contacts [s]
SHOWS = 0.02  # share of a geom's thickness to which it has to sink for the default to matter
_OVERRIDE = int(physics.mjtEnableBit.mjENBL_OVERRIDE)


class _Advice(Struct, frozen=True):
    """A default, the guide's number, and what that changes."""

    text: str
    elements: tuple[ElementAt, ...]
    evidence: dict[str, float]
    change: ModelChange


class _Defaults:
    """The examination: swings are observed, contacts at rest are looked at after the run."""

    def __init__(self, case: Examination) -> None:
        self._case, self._swings = case, Swings(case)

    def look(self, model: MjModel, data: MjData) -> None:
        """Take in the step that was just taken."""
        self._swings.look(model, data)

    def findings(self) -> Iterable[Finding]:
        """The findings of the run: one for the model."""
        found = [*_contacts(self._case), *self._servos()]
        if found:
            yield Finding(
                RULE.id, Severity.ADVICE, f"defaults that the guide advises against: {'; '.join(one.text for one in found)}", "",
                tuple(element for one in found for element in one.elements),
                {name: number for one in found for name, number in one.evidence.items()}, found[0].change,
            )  # fmt: skip

    def _servos(self) -> Iterable[_Advice]:
        """Servos that have some damping: without any, damping-zero finds them."""
        swinging = [one for one in self._swings.swinging() if one.ratio > 0]
        if swinging:
            names = listed([self._case.name(OBJ.mjOBJ_ACTUATOR, one.actuator) for one in swinging])
            yield _Advice(
                f"servos swing at a damping ratio of {swinging[0].ratio:.2g} ({names}), and come to rest at dampratio 1",
                tuple((OBJ.mjOBJ_ACTUATOR, one.actuator) for one in swinging),
                {"swing": swinging[0].swing, "damping_ratio": swinging[0].ratio}, self._swings.damped(swinging),
            )  # fmt: skip


def _contacts(case: Examination) -> Iterable[_Advice]:
    """Contacts that rest at a fiftieth of a geom's thickness or more by the default of solref.

    From a tenth on `sink` finds them.
    """
    model, data = case.model, case.data
    if is_hard(model) or int(model.opt.enableflags) & _OVERRIDE or 2 * float(model.opt.timestep) > TIME_CONSTANT:
        return
    thickness, better = thickness_of(model), (TIME_CONSTANT, 1.0)
    found = []
    for pair, (depth, after) in case.watch.resting.with_solref(model, data, better).items():
        thick = float(min(thickness[g] for g in pair))
        by_default = all(tuple(model.geom_solref[g].tolist()) == DEFAULT_REF for g in pair)
        if by_default and SHOWS * thick <= depth < DEEP * thick and after < depth / 2:
            found.append((depth / thick, depth, after, pair))
    if not found:
        return
    found.sort(reverse=True)
    _, depth, after, pair = found[0]
    geoms = list(dict.fromkeys(g for *_, touching in found for g in sorted(touching, key=lambda g: float(thickness[g]))))
    names = " on ".join(case.name(OBJ.mjOBJ_GEOM, g) for g in geoms[:2])
    yield _Advice(
        f"{names} rests {1e3 * depth:.3g} mm deep by the default solref, {1e3 * after:.3g} mm with {TIME_CONSTANT:g} 1",
        tuple((OBJ.mjOBJ_GEOM, g) for g in geoms), {"depth": depth, "depth_advised": after, "contacts": len(found)},
        ModelChange(
            "default.geom.solref", f"{DEFAULT_REF[0]:g} 1", f"{TIME_CONSTANT:g} 1", "loads sink a quarter as deep",
            tuple(Change("geom_solref", g, better) for g in geoms), Prediction(depth_at_rest(pair), depth, after),
        ),
    )  # fmt: skip


RULE = DoctorRule(
    "defaults-advised", "Defaults that MuJoCo's guide advises against",
    "Some defaults stay as they are so that old models do not change. The guide to model tuning of MuJoCo 4.0 "
    "advises time constants of contacts of 4 to 10 ms instead of 20, and servos with a damping ratio of 1. They are "
    "advised here only where a run shows what they change: the depth of a contact at rest goes with the square of its "
    "time constant, and a servo of ratio 1 does not swing.",
    observe=_Defaults,
)  # fmt: skip
