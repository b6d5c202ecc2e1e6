"""Measured records: CSV files with a column of times and columns of signals.

Treatment: an empty cell or a not-a-number of a compared signal is a value that was not measured; a hole in the times is one that
no window spans. Times that do not rise, texts, missing columns and inputs with holes are errors that name file and line.
"""

from __future__ import annotations

import glob
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.study.fit.fit_section import FitSection
from tumble.app.study.measured_csv import check_times, read_columns
from tumble.app.study.study_file import StudyError

Array = NDArray[np.float64]

GAP = 5.0  # times the median step is a hole in the record
_LONG_STEP = 0.5  # [s], above which times are hardly in seconds


class MeasuredRecord(Struct, frozen=True):
    """A measured run: its name, times (n,) [s], and each signal's values (n,), nan where it was not measured."""

    name: str
    time: Array
    signals: dict[str, Array]

    @property
    def step(self) -> float:
        """Median step of the clock [s]."""
        return float(np.median(np.diff(self.time)))

    def gaps(self) -> NDArray[np.int64]:
        """Rows after which there is a hole in the times."""
        return np.flatnonzero(np.diff(self.time) > GAP * self.step)


def files_of(patterns: Sequence[str], folder: Path) -> list[Path]:
    """The files that names and patterns mean, in order, each once. Raises StudyError for one that means none."""
    found: dict[Path, None] = {}
    for pattern in patterns:
        matches = sorted(glob.glob(str(folder / pattern)))
        if not matches:
            raise StudyError(f"{folder / pattern}: there is no such file of measured data")
        found.update(dict.fromkeys(map(Path, matches)))
    return list(found)


def read(path: Path, fit: FitSection) -> MeasuredRecord:
    """A record of the columns that a fit names. Raises StudyError."""
    columns = fit.columns()
    wanted = list(dict.fromkeys([fit.time, *(column.column for column in columns.values())]))
    _, numbers = read_columns(path, lambda head: wanted)
    if len(numbers) < 2:
        raise StudyError(f"{path}: {len(numbers)} rows of numbers: a record has 2 or more")
    values = {name: column.scale * numbers[:, wanted.index(column.column)] + column.offset for name, column in columns.items()}
    record = MeasuredRecord(path.stem, numbers[:, 0] * fit.time_scale, values)
    _check_clock(record, path)
    for name in fit.inputs:
        holes = np.flatnonzero(~np.isfinite(record.signals[name]))
        if holes.size:
            raise StudyError(f"{path}:{holes[0] + 2}: {name} is not a number: an input has to be known at all times")
    return record


def _check_clock(record: MeasuredRecord, path: Path) -> None:
    """Raise StudyError for times that do not rise, or are hardly seconds."""
    check_times(record.time, path)
    if record.step > _LONG_STEP:
        raise StudyError(f"{path}: rows are {record.step:g} s apart: of times in other units, give fit.time_scale (0.001 of ms)")


def shifted(record: MeasuredRecord, name: str, shift: float) -> Array:
    """A signal (n,) at the record's times plus a shift [s], between rows in proportion."""
    if shift == 0:
        return record.signals[name]
    return np.interp(record.time + shift, record.time, record.signals[name])


def corrected(record: MeasuredRecord, name: str, changes: Mapping[tuple[str, str], float]) -> Array:
    """A signal (n,) with its unknowns: changes, values by (kind, signal)."""
    values = shifted(record, name, changes.get(("shift", name), 0.0))
    return values * changes.get(("scale", name), 1.0) + changes.get(("offset", name), 0.0)
