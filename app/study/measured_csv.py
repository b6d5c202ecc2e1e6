"""Columns of numbers from CSV files of any size, in pieces: only the columns that are named are kept.

A piece of plain numbers is read by numpy. One with empty cells, quotation marks or mistakes is read cell by cell, so that an
empty cell is not-a-number and an error names its line.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from tumble.app.base.files import reason
from tumble.app.study.study_file import StudyError

Array = NDArray[np.float64]

MOST_ROWS = 2_000_000  # that are kept: 16 MB a column
MOST_LINE = 2**20  # characters of a line: beyond, it is no table
PIECE = 2**23  # characters read at once, of whole lines
_NAMED = 20  # columns that a message lists


def read_columns(
    path: Path,
    choose: Callable[[Sequence[str]], Sequence[str]],
    on_progress: Callable[[float], None] = lambda share: None,
) -> tuple[list[str], Array]:
    """The names and numbers (rows, columns) of the columns that `choose` picks from the names in the first line.

    on_progress: called with the share of the file that is read, 0 to 1. Raises StudyError with file and line.
    """
    try:
        size = max(1, path.stat().st_size)
        with path.open(encoding="utf-8-sig", newline="") as file:
            head = [cell.strip() for cell in next(csv.reader([_line(file, path)]), [])]
            names = list(choose(head))
            places = [column_place(head, name, path) for name in names]
            pieces, line, done = [np.zeros((0, len(places)))], 2, 0
            for text in iter(lambda: _piece(file, path), []):
                pieces.append(_numbers(text, line, places, head, path))
                line += len(text)
                if sum(map(len, pieces)) > MOST_ROWS:
                    raise StudyError(f"{path}: more than {MOST_ROWS} rows: keep every second one, or fewer, or cut it into files")
                done += sum(map(len, text))
                on_progress(min(1.0, done / size))
    except OSError as error:
        raise StudyError(f"{path}: cannot be read: {reason(error)}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise StudyError(f"{path}: is not a table of text: {error}") from error
    return names, np.concatenate(pieces)


def column_place(head: Sequence[str], column: str, path: Path) -> int:
    """The place of a column. Raises StudyError if it is missing."""
    if column not in head:
        raise StudyError(f"{path}: there is no column {column!r}; there are {', '.join(head[:_NAMED]) or 'none'}")
    return head.index(column)


def check_times(time: Array, path: Path) -> None:
    """Raise StudyError where times (n,) do not rise."""
    wrong = np.flatnonzero(~(np.diff(time) > 0))
    if wrong.size:
        k = int(wrong[0])
        many = f", and {wrong.size - 1} more" if wrong.size > 1 else ""
        raise StudyError(f"{path}:{k + 3}: the time {time[k + 1]:g} does not come after {time[k]:g} of the row before{many}")


def _line(file: TextIO, path: Path) -> str:
    line = file.readline(MOST_LINE)
    if len(line) == MOST_LINE:
        raise StudyError(f"{path}: is not a table of text: a line has more than {MOST_LINE} characters")
    return line


def _piece(file: TextIO, path: Path) -> list[str]:
    """The next lines; none at the end."""
    lines: list[str] = []
    size = 0
    while size < PIECE and (line := _line(file, path)):
        lines.append(line)
        size += len(line)
    return lines


def _numbers(lines: list[str], first: int, places: Sequence[int], head: Sequence[str], path: Path) -> Array:
    """The numbers (rows, columns) of lines; first: the number of the first one. Blank lines are omitted."""
    commas = len(head) - 1
    if all(line.count(",") == commas and '"' not in line and line.strip() for line in lines):
        try:
            return np.loadtxt(lines, delimiter=",", usecols=places, ndmin=2, comments=None)
        except ValueError:
            pass  # an empty cell, or a mistake: which one, is found out below
    rows = []
    for line, row in enumerate(csv.reader(lines), first):
        if not row:
            continue
        if len(row) != len(head):
            raise StudyError(f"{path}:{line}: {len(row)} columns, the first line names {len(head)}")
        rows.append([_number(row[place], f"{path}:{line}", head[place]) for place in places])
    return np.array(rows, float).reshape(-1, len(places))


def _number(text: str, where: str, column: str) -> float:
    try:
        return float(text) if text.strip() else math.nan
    except ValueError:
        raise StudyError(f"{where}: column {column}: {text!r} is not a number") from None
