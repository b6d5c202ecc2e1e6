"""Measured records: CSV files with a column of times and columns of signals.

Treatment: an empty cell or a not-a-number of a compared signal is a value that was not measured; a hole in the times is one that
no window spans. Times that do not rise, texts, missing columns and inputs with holes are errors that name file and line.
"""

from __future__ import annotations

import csv
import glob
import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.base.files import reason
from tumble.app.study.fit.fit_section import FitColumn, FitSection
from tumble.app.study.study_file import StudyError

Array = NDArray[np.float64]

MOST_BYTES = 2**28  # of a file: more is refused, not read for minutes
MOST_ROWS = 2_000_000
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
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            large = f"{size / 2**20:.0f} MB of data, at most {MOST_BYTES >> 20} are read"
            raise StudyError(f"{path}: {large}: keep fewer rows or columns")
        with path.open(encoding="utf-8-sig", newline="") as file:
            time, values = _columns(csv.reader(file), fit, str(path))
    except OSError as error:
        raise StudyError(f"{path}: cannot be read: {reason(error)}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise StudyError(f"{path}: is not a table of text: {error}") from error
    record = MeasuredRecord(path.stem, time, {name: values[name] for name in values})
    _check_clock(record, str(path))
    for name in fit.inputs:
        holes = np.flatnonzero(~np.isfinite(record.signals[name]))
        if holes.size:
            raise StudyError(f"{path}:{holes[0] + 2}: {name} is not a number: an input has to be known at all times")
    return record


def _columns(rows: Iterable[list[str]], fit: FitSection, path: str) -> tuple[Array, dict[str, Array]]:
    rows = iter(rows)
    head = [cell.strip() for cell in next(rows, [])]
    columns = fit.columns()
    places = {name: _place(head, column.column, path) for name, column in columns.items()}
    clock = _place(head, fit.time, path)
    time = array("d")
    cells: dict[int, array[float]] = {place: array("d") for place in places.values()}
    for row in rows:
        if not row:
            continue
        line = len(time) + 2
        if len(row) != len(head):
            raise StudyError(f"{path}:{line}: {len(row)} columns, the first line names {len(head)}")
        if len(time) >= MOST_ROWS:
            raise StudyError(f"{path}: more than {MOST_ROWS} rows: keep fewer of them")
        time.append(_number(row[clock], f"{path}:{line}", fit.time))
        for place, numbers in cells.items():
            numbers.append(_number(row[place], f"{path}:{line}", head[place]))
    if len(time) < 2:
        raise StudyError(f"{path}: {len(time)} rows of numbers: a record has 2 or more")
    arrays = {name: _scaled(cells[place], columns[name]) for name, place in places.items()}
    return np.array(time) * fit.time_scale, arrays


def _scaled(cells: array[float], column: FitColumn) -> Array:
    return np.asarray(np.array(cells) * column.scale + column.offset, np.float64)


def _place(head: Sequence[str], column: str, path: str) -> int:
    if column not in head:
        raise StudyError(f"{path}: there is no column {column!r}; there are {', '.join(head[:20]) or 'none'}")
    return head.index(column)


def _number(text: str, where: str, column: str) -> float:
    try:
        return float(text) if text.strip() else math.nan
    except ValueError:
        raise StudyError(f"{where}: column {column}: {text!r} is not a number") from None


def _check_clock(record: MeasuredRecord, path: str) -> None:
    """Raise StudyError for times that do not rise, or are hardly seconds."""
    steps = np.diff(record.time)
    wrong = np.flatnonzero(~(steps > 0))
    if wrong.size:
        k = int(wrong[0])
        before, after = record.time[k], record.time[k + 1]
        many = f", and {wrong.size - 1} more" if wrong.size > 1 else ""
        raise StudyError(f"{path}:{k + 3}: the time {after:g} does not come after {before:g} of the row before{many}")
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
