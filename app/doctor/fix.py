"""Changes of findings proven by runs, and the patch of the file that makes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tumble.app.doctor.case import Examination
from tumble.app.doctor.finding import Finding
from tumble.app.doctor.proof import Proof, changed, prove
from tumble.app.editing.attribute_text import PatchError
from tumble.app.editing.edits import EditPlace, Values
from tumble.app.editing.patch import Patch, make
from tumble.app.library import unpack
from tumble.app.library.examples import is_bundled
from tumble.app.session.loader import without_text

if TYPE_CHECKING:
    from tumble.physics import MjModel

Changes = dict[EditPlace, tuple[Values, Values]]


class ProvenFinding(Struct, frozen=True):
    """A finding and the proof of its change; proof: None where there is no prediction to measure."""

    finding: Finding
    proof: Proof | None = None

    @property
    def kept(self) -> Finding:
        """The finding without a change that does not hold."""
        return replace(self.finding, change=None) if self.proof is not None and not self.proof.holds else self.finding

    @property
    def fixes(self) -> bool:
        """True if the change holds and consists of numbers of the model."""
        change = self.finding.change
        return self.proof is not None and self.proof.holds and change is not None and bool(change.changes)


def proven(case: Examination, findings: Iterable[Finding], going: Callable[[int, int], None]) -> list[ProvenFinding]:
    """Findings of a case, the changes that have a prediction proven over runs of the same length.

    going: called before each step of a proof with the number done and of all; may raise to stop.
    """
    seconds = case.watch.length * float(case.model.opt.timestep)
    proofs: list[ProvenFinding] = []
    for finding in findings:
        change = finding.change
        provable = change is not None and change.prediction is not None
        proof = prove(case.model, case.start, change, seconds, going) if change is not None and provable else None
        proofs.append(ProvenFinding(finding, proof))
    return proofs


class Fix(Struct, frozen=True):
    """A patch with the changes of these findings, whose proofs hold; left: why others are not in it."""

    patch: Patch
    findings: tuple[Finding, ...]
    left: tuple[str, ...] = ()


def fix_of(case: Examination, path: Path, proofs: Sequence[ProvenFinding]) -> Fix | None:
    """The patch of a model's file for all findings whose proof holds; None where none does.

    Of several findings that change the same number the first counts. Raises PatchError where the file cannot be changed.
    """
    wanted = [(one.finding, _numbers(case, one.finding)) for one in proofs if one.fixes]
    if not wanted:
        return None
    _require_changeable(path)
    left: list[str] = []
    chosen: list[tuple[Finding, Changes]] = []
    for finding, numbers in wanted:
        ours = {place: values for _, changes in chosen for place, values in changes.items()}
        if any(ours.get(place, values) != values for place, values in numbers.items()):
            left.append(f"{finding.rule}: another change sets the same number")
        elif numbers:
            chosen.append((finding, numbers))
    while chosen:
        patch = make(path, case.model, {place: values for _, changes in chosen for place, values in changes.items()})
        whole = [(finding, changes) for finding, changes in chosen if changes.keys() <= set(patch.places)]
        if len(whole) == len(chosen):
            return Fix(patch, tuple(finding for finding, _ in chosen), tuple(left))
        left += patch.left
        chosen = whole
    return Fix(Patch([], [], []), (), tuple(left))


def _numbers(case: Examination, finding: Finding) -> Changes:
    """Numbers that a finding's change sets, before and after it."""
    assert finding.change is not None
    other, _ = changed(case.model, case.start, finding.change)
    places = dict.fromkeys(EditPlace(each.field, each.index) for each in finding.change.changes)
    numbers = {place: (_values(case.model, place), _values(other, place)) for place in places}
    return {place: (before, after) for place, (before, after) in numbers.items() if before != after}


def _values(model: MjModel, place: EditPlace) -> Values:
    values = attrgetter(place.field)(model)
    return tuple(float(x) for x in np.ravel(values if place.index is None else values[place.index]))


def _require_changeable(path: Path) -> None:
    """Raise PatchError for a file that must not or cannot be changed."""
    reason = without_text(path)
    if not reason and unpack.folder_of(path) is not None:
        reason = f"{unpack.as_named(path)} is in an archive, which is not changed: unpack it"
    if not reason and is_bundled(path):
        reason = f"{path.name} is an example of the program, which is not changed: copy it"
    if reason:
        raise PatchError(reason)
