"""Measures of a run: expressions over signals, at all of its steps, made one number each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.describe.expression import Expression, ExpressionError, Value, parse
from tumble.app.describe.signals import Catalogue, Signal
from tumble.app.study.study_file import StudyError, StudyMeasure
from tumble.physics.state.fields import DATA

if TYPE_CHECKING:
    from tumble.physics import MjModel

Array = NDArray[np.float64]

GROWN = 64  # rows of a field that grows, at first
_USED = {f.name: f.used for f in DATA if f.used}


class MeasuredQuantity(Struct, frozen=True):
    """A measure that was read: what is taken of which expression."""

    name: str
    taken: str
    of: Expression
    after: float


class Columns(Struct, frozen=True):
    """Columns of samples in which the signals of measures are; numbers: what is sampled, (field, number in it).

    spans: by the signal's name its columns, and the column with the number of rows in use, -1 for a signal that does not grow.
    widths: of a row of those that grow.
    """

    numbers: list[tuple[str, int]]
    spans: dict[str, tuple[slice, int]]
    widths: dict[str, int]


class Sampled(Struct, frozen=True):
    """The values of signals at all steps: samples (n, columns)."""

    samples: Array
    columns: Columns

    def __call__(self, signal: Signal) -> Value:
        """Values (n,) of a signal of one number, else (n, count), masked where a step had no such row."""
        span, used = self.columns.spans[signal.name]
        values = self.samples[:, span]
        if signal.scalar:
            return values[:, 0]
        if used < 0:
            return values
        row = np.arange(values.shape[1]) // self.columns.widths[signal.name]
        return np.ma.MaskedArray(values, row >= self.samples[:, used, None])

    @property
    def most_rows(self) -> int:
        """The largest number of rows that a field that grows had in use."""
        used = [column for _, column in self.columns.spans.values() if column >= 0]
        return int(self.samples[:, used].max(initial=0))


def read(measures: Mapping[str, StudyMeasure], model: MjModel) -> list[MeasuredQuantity]:
    """The measures of a study, by their names. Raises StudyError with the place in the expression."""
    catalogue = Catalogue(model)
    result = []
    for name, measure in measures.items():
        ((taken, text),) = measure.taken
        try:
            result.append(MeasuredQuantity(name, taken, parse(text, catalogue), measure.after))
        except ExpressionError as error:
            raise StudyError(f"measure {name}: {text}: at character {error.at + 1}: {error}") from error
    return result


def columns(quantities: list[MeasuredQuantity], model: MjModel, grown: int) -> Columns:
    """The columns that measures need; of fields that grow the first `grown` rows."""
    catalogue = Catalogue(model)
    numbers: list[tuple[str, int]] = []
    spans: dict[str, tuple[slice, int]] = {}
    widths: dict[str, int] = {}
    for signal in {s.name: s for quantity in quantities for s in quantity.of.signals}.values():
        info = catalogue.field_of(signal)
        used, count = -1, signal.count
        if signal.count < 0:
            used, count = len(numbers), grown * info.width
            numbers.append((_USED[signal.field], 0))
            widths[signal.name] = info.width
        spans[signal.name] = slice(len(numbers), len(numbers) + count), used
        numbers += [(signal.field, signal.start + k) for k in range(count)]
    return Columns(numbers, spans, widths)


def measured(quantity: MeasuredQuantity, time: Array, source: Sampled) -> float:
    """The number of a measure over a run; time (n,) [s] of its samples. Not-a-number where there is none."""
    values = np.broadcast_to(np.asarray(quantity.of.over(source), float), time.shape)
    begun = int(np.searchsorted(time, time[0] + quantity.after - 1e-12))
    time, values = time[begun:], values[begun:]
    if not len(values):
        return math.nan
    if quantity.taken in ("until", "share"):
        holds = (values != 0) & ~np.isnan(values)
        if quantity.taken == "share":
            return float(holds.mean())
        return float(time[np.argmax(holds)] - time[0] + quantity.after) if holds.any() else math.nan
    return float(_TAKEN[quantity.taken](time, values))


_TAKEN = {
    "final": lambda time, v: v[-1],
    "first": lambda time, v: v[0],
    "change": lambda time, v: v[-1] - v[0],
    "min": lambda time, v: np.fmin.reduce(v),  # a step without contact has no number
    "max": lambda time, v: np.fmax.reduce(v),
    "mean": lambda time, v: np.nanmean(v) if not np.isnan(v).all() else math.nan,
    "rms": lambda time, v: math.sqrt(np.nanmean(v * v)) if not np.isnan(v).all() else math.nan,
    "integral": lambda time, v: np.trapezoid(v, time),
}

