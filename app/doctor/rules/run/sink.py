"""Rule sink: contacts that rest deeper than suits the size of what touches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.contact_change import contact_change
from tumble.app.doctor.finding import Finding, ModelChange, Prediction, Severity, listed
from tumble.app.doctor.measures import depth_at_rest
from tumble.app.doctor.proof import WITHIN, tried
from tumble.app.editing.sinking import SunkenContact
from tumble.app.editing.stiffness import ElementAt
from tumble.app.simulation.changes import Change

TRIED = 3  # findings whose change is tried in the run


class _Remedy(Struct, frozen=True):
    """The change of a number that takes most of the depth of a contact away: its path, the number before and after."""

    path: str
    before: str
    after: str
    change: Change

    @property
    def cause(self) -> tuple[str, str]:
        """Field and number that contacts of one cause share: those of one soft geom, or of geoms that are alike."""
        return self.change.field, self.before

    @property
    def element(self) -> ElementAt | None:
        """The geom or pair that is changed; None for the time step."""
        kind = {"geom": OBJ.mjOBJ_GEOM, "pair": OBJ.mjOBJ_PAIR}.get(self.change.field.partition("_")[0])
        return None if kind is None or self.change.index is None else (kind, self.change.index)


def _examine(case: Examination) -> Iterable[Finding]:
    """One finding for the contacts of each soft geom or of geoms as soft, for the time step, for parts kept in each other."""
    groups: dict[object, list[tuple[SunkenContact, _Remedy | None]]] = {}
    for one in case.watch.resting.sunken(case.model, case.data):
        remedy = _remedy(case, one)
        groups.setdefault(one.cause.field if remedy is None else remedy.cause, []).append((one, remedy))
    for k, group in enumerate(groups.values()):
        contacts = [one for one, _ in group]
        remedies = sorted((remedy for _, remedy in group if remedy is not None), key=lambda remedy: remedy.change.index or 0)
        worst, pairs = contacts[0], tuple((one.thinner, one.other) for one in contacts)
        sides = [(OBJ.mjOBJ_GEOM, g) for pair in pairs for g in pair]
        soft = [remedy.element for remedy in remedies if remedy.element is not None]
        names = listed([" in ".join(case.name(OBJ.mjOBJ_GEOM, g) for g in pair) for pair in pairs[1:]])
        yield Finding(
            RULE.id, Severity.WARNING, f"{worst.words(case.model)}{f'; for the same reason {names}' if names else ''}", "",
            tuple(dict.fromkeys((*soft, *sides))),
            {"depth": worst.depth, "thickness": worst.thickness, "contacts": len(pairs)},
            _change(case, worst, remedies, is_tried=k < TRIED) if remedies else None,
            pair=pairs[0], contacts=pairs, time=float(case.data.time),
        )  # fmt: skip


def _remedy(case: Examination, one: SunkenContact) -> _Remedy | None:
    """None where another reason than a number keeps the contact deep, or none can be changed."""
    cause, step = one.cause, float(case.model.opt.timestep)
    if cause.field == "timestep":
        change = Change("opt.timestep", None, cause.numbers)
        return _Remedy("option.timestep", f"{step:g}", f"{cause.numbers[0]:g}", change)
    found = contact_change(case, (one.thinner, one.other), cause.field, cause.numbers) if cause.field else None
    return None if found is None else _Remedy(found.path, found.before, found.after, found.change)


def _change(case: Examination, worst: SunkenContact, remedies: Sequence[_Remedy], *, is_tried: bool) -> ModelChange:
    """The change for all contacts of a cause, each geom once; without numbers where the same run does not show its effect."""
    first, cause = remedies[0], worst.cause
    changes = {one.change.index: one.change for one in remedies}
    prediction = Prediction(depth_at_rest((worst.thinner, worst.other)), worst.now, cause.depth)
    promised = prediction.before - prediction.after
    words = f"{'it rests' if len(remedies) == 1 else 'the deepest rests'} {1e3 * cause.depth:.3g} mm deep"
    plain = ModelChange(first.path, first.before, first.after, words)
    if not is_tried or promised <= 0:
        return plain
    measured = worst.now - tried(case, changes.values(), prediction.measure)
    if abs(measured - promised) > WITHIN * promised:
        return plain
    return ModelChange(first.path, first.before, first.after, words, tuple(changes.values()), prediction)


RULE = DoctorRule(
    "sink", "Contacts that rest too deep",
    "A contact at rest lies as deep as its softness and its load have it: F W = K d(r)^2 r / (1 - d(r)). Compared is that "
    "depth with the thickness of the thinner of the two geoms; a tenth is too much. The likely cause is the number whose "
    "default would take most of the depth away: the change gives it that, by the geom that has most weight in the contact. "
    "Contacts of one soft geom are one finding, so are those of geoms with the same softness, and parts that their joints keep "
    "in each other.",
    _examine,
    explains=frozenset({"overlap-start"}),
)  # fmt: skip
