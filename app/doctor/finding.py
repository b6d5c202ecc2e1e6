"""A finding of the doctor: which rule, how severe, about which elements, with what evidence, and what would change it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from tumble.app.editing.stiffness import ElementAt
from tumble.app.simulation.changes import Change

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

LISTED = 4  # names in a sentence
Pair = tuple[int, int]
FindingKey = tuple[str, ElementAt | None, frozenset[int] | None]


class Severity(Enum):
    """Severity of a finding, the worst first: results are wrong or the run fails; results are doubtful; a better way is known."""

    ERROR = "error"
    WARNING = "warning"
    ADVICE = "advice"


class FilePlace(Struct, frozen=True):
    """A line and column of a file."""

    path: Path
    line: int
    column: int = 1


class Measure(Struct, frozen=True):
    """A number of a run by which a change is judged.

    name: "depth at rest"; unit: of SI, "" for a count or share; of: the number, from the model and its data after each step.
    """

    name: str
    unit: str
    of: Callable[[MjModel, Iterator[MjData]], float]


class Prediction(Struct, frozen=True):
    """The number of a measure over the run of the examination, before and after a change."""

    measure: Measure
    before: float
    after: float


class ModelChange(Struct, frozen=True):
    """A change of the model that removes the cause.

    path: as in `geom[foot].solref`; before, after: its numbers in words; predicted: its effect in words; changes: the numbers of
    the model, () where only the file can be changed; prediction: for `prove`, None where no number of a run shows it.
    """

    path: str
    before: str
    after: str
    predicted: str = ""
    changes: tuple[Change, ...] = ()
    prediction: Prediction | None = None


def listed(names: Sequence[str], most: int = LISTED) -> str:
    """Names in a line, the first few of many."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


class Finding(Struct, frozen=True):
    """A finding of a rule.

    cause: one sentence; effect: on the result, one sentence, "" where the cause says it; elements: concerned, the first the one
    to look at; evidence: numbers by name, in SI units; pair: the two sides of a contact, geoms or -1 - flex, of several the
    worst; contacts: all of one cause, () for `pair` alone; place: in the file, None where it is not known; time: of the run [s].
    """

    rule: str
    severity: Severity
    cause: str
    effect: str = ""
    elements: tuple[ElementAt, ...] = ()
    evidence: dict[str, Any] = field(default_factory=dict)
    change: ModelChange | None = None
    pair: Pair | None = None
    contacts: tuple[Pair, ...] = ()
    place: FilePlace | None = None
    time: float | None = None

    @property
    def text(self) -> str:
        """Cause and effect in one line."""
        cause = self.cause if self.cause[-1:] in ".:" else f"{self.cause}." if self.effect else self.cause
        return f"{cause} {self.effect}".strip()

    @property
    def key(self) -> FindingKey:
        """Identity between two examinations, in which numbers may differ: rule, first element, contact if it is the only one."""
        return self.rule, self.element, None if self.pair is None or self.contacts else frozenset(self.pair)

    @property
    def pairs(self) -> frozenset[frozenset[int]]:
        """The contacts that it is about."""
        return frozenset(map(frozenset, self.contacts or (() if self.pair is None else (self.pair,))))

    @property
    def element(self) -> ElementAt | None:
        """The element to look at; None for the whole model."""
        return self.elements[0] if self.elements else None
