"""The runs of a study in arrays: what its table and plots show."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from tumble.app.study.study_file import Study

if TYPE_CHECKING:
    from tumble.app.study.trial import RunRow

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

RUN, REPETITION, STATUS, WALL = "run", "repetition", "status", "wall"
DONE = "done"
WHOLE = 1e6  # numbers below it are shown with all digits before the point


def _nothing() -> NDArray[np.int64]:
    return np.zeros(0, np.int64)


class RunTable(Struct, frozen=True):
    """Runs in the order in which they ended.

    values: of each parameter and measure (n,), not-a-number where there is none; a word by its place among `words`.
    words: the values of parameters that are words. logarithmic: parameters that are drawn so. status: "done", or the reason of
    a failure. wall [s].
    """

    parameters: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    logarithmic: frozenset[str] = frozenset()
    run: NDArray[np.int64] = field(default_factory=_nothing)
    repetition: NDArray[np.int64] = field(default_factory=_nothing)
    values: Mapping[str, Array] = field(default_factory=dict)
    status: tuple[str, ...] = ()
    wall: Array = field(default_factory=lambda: np.zeros(0))

    @classmethod
    def empty(cls, study: Study) -> RunTable:
        """A table without runs."""
        worded = [name for name, one in study.parameters.items() if any(isinstance(value, str) for value in one.values)]
        words = {name: tuple(map(str, study.parameters[name].values)) for name in worded}
        logarithmic = frozenset(name for name, one in study.parameters.items() if one.log)
        names = (*study.parameters, *study.measures)
        return cls(
            tuple(study.parameters), tuple(study.measures), words, logarithmic, values={name: np.zeros(0) for name in names}
        )

    def with_rows(self, rows: Sequence[RunRow]) -> RunTable:
        """A table with more runs; one whose number is in the table takes the place of that."""
        latest = {row.run: row for row in rows}
        rows = list(latest.values())
        kept = ~np.isin(self.run, list(latest))
        values = {name: np.append(self.values[name][kept], self._column(rows, name, k)) for k, name in enumerate(self.names)}
        return RunTable(
            self.parameters,
            self.measures,
            self.words,
            self.logarithmic,
            np.append(self.run[kept], [row.run for row in rows]).astype(np.int64),
            np.append(self.repetition[kept], [row.repetition for row in rows]).astype(np.int64),
            values,
            (*(self.status if kept.all() else (self.status[k] for k in np.flatnonzero(kept))), *(row.status for row in rows)),
            np.append(self.wall[kept], [row.wall for row in rows]),
        )

    def _column(self, rows: Sequence[RunRow], name: str, k: int) -> list[float]:
        split = len(self.parameters)
        if k >= split:
            return [row.measures[k - split] for row in rows]
        places = {word: float(at) for at, word in enumerate(self.words.get(name, ()))}
        return [places.get(str(value), math.nan) if places else float(value) for value in (row.values[k] for row in rows)]

    @property
    def names(self) -> tuple[str, ...]:
        """Parameters, then measures."""
        return (*self.parameters, *self.measures)

    @property
    def count(self) -> int:
        """Number of runs."""
        return len(self.run)

    @property
    def failed(self) -> int:
        """Number of runs that were not done."""
        return sum(status != DONE for status in self.status)

    def column(self, name: str) -> Array:
        """The numbers of a column (n,): a parameter's, a measure's, `run` or `wall`."""
        if name == RUN:
            return self.run.astype(float)
        return self.wall if name == WALL else self.values[name]

    def on_axis(self, name: str) -> Array:
        """A column as it is drawn: the logarithm of base 10 of one that is logarithmic."""
        return np.log10(self.column(name)) if name in self.logarithmic else self.column(name)

    def from_axis(self, name: str, place: float) -> float:
        """The number at a place on the column's axis."""
        return 10.0**place if name in self.logarithmic else place

    def text(self, name: str, value: float, digits: int = 5) -> str:
        """A number of a column in words; "" for none."""
        words = self.words.get(name, ())
        if math.isnan(value):
            return ""
        if words and 0 <= round(value) < len(words):
            return words[round(value)]
        return f"{value:.0f}" if 10.0**digits <= abs(value) < WHOLE else f"{value:.{digits}g}"

    def row_of(self, run: int) -> int:
        """The row of a run; -1 if missing."""
        found = np.flatnonzero(self.run == run)
        return int(found[0]) if len(found) else -1

    def within(self, ranges: Mapping[str, tuple[float, float]]) -> Mask:
        """True for the rows whose numbers lie in all of some ranges (n,)."""
        mask = np.ones(self.count, bool)
        for name, (low, high) in ranges.items():
            if name in self.values:
                mask &= (self.values[name] >= low) & (self.values[name] <= high)
        return mask
