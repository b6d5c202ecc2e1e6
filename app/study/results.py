"""Results of a study as a table in a SQLite file: a row a run, written as runs end, so that a run that was killed goes on.

SQLite is part of Python, keeps what was committed whatever happens to the process, lets others read while it is written, and is
read by pandas, DuckDB and the command `sqlite3`. Parquet cannot be appended to, and DuckDB's files admit one process at a time.
"""

from __future__ import annotations

import csv
import math
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from tumble.app.base import files, plain_json
from tumble.app.study.study_file import Study, StudyError
from tumble.app.study.trial import DONE, Plan, RunRow

SUFFIX = ".sqlite"
_HEAD = "study"  # the table that says what the results are of
OTHER = "holds results of another study: the model, the study or a file of controls has changed since"
_BUSY = 10.0  # s to wait for another process that writes


class Results:
    """The results in a file, which comes to be where it is not there yet."""

    def __init__(self, path: Path, study: Study) -> None:
        """Open a file of results of this study, for reading; `begin` starts writing."""
        self.path, self.study = path, study
        self._columns = [*study.parameters, *study.measures]

    @property
    def names(self) -> list[str]:
        """The columns: run, repetition, parameters, measures, status, wall."""
        return ["run", "repetition", *self._columns, "status", "wall"]

    def begin(self, plan: Plan, *, restart: bool = False) -> set[int]:
        """Make the file ready for rows of a plan; the numbers of the runs that it has.

        restart: without those of before. Raises StudyError for a file of other results, FileError where nothing can be written.
        """
        with self._open() as table:
            if restart:
                table.execute("DROP TABLE IF EXISTS runs")
                table.execute(f"DROP TABLE IF EXISTS {_HEAD}")
            table.execute(f"CREATE TABLE IF NOT EXISTS {_HEAD} (digest TEXT, text TEXT)")
            known = table.execute(f"SELECT digest FROM {_HEAD}").fetchone()
            if known is None:
                text = msgspec.json.encode(self.study).decode()
                table.execute(f"INSERT INTO {_HEAD} VALUES (?, ?)", (plan.digest, text))
            elif known[0] != plan.digest:
                raise StudyError(f"{self.path}: {OTHER}; choose another file, or start over with --restart")
            listed = ", ".join(f'"{name}"' for name in self._columns)
            table.execute(
                f"CREATE TABLE IF NOT EXISTS runs (run INTEGER PRIMARY KEY, repetition INTEGER, {listed}, status TEXT, wall REAL)"
            )
            return {run for (run,) in table.execute("SELECT run FROM runs")}

    def check(self, plan: Plan) -> None:
        """Raise StudyError if the results are not those of a plan, FileError if they cannot be read."""
        with self._open() as table:
            known = table.execute(f"SELECT digest FROM {_HEAD}").fetchone()
        if known is None or known[0] != plan.digest:
            raise StudyError(f"{self.path}: {OTHER}")

    def add(self, rows: Iterable[RunRow]) -> None:
        """Append runs; after it they are on the disk. Raises FileError; then none of them is."""
        marks = ", ".join("?" * len(self.names))
        with self._open() as table:
            table.executemany(
                f"INSERT OR REPLACE INTO runs VALUES ({marks})",
                ([row.run, row.repetition, *row.values, *map(_stored, row.measures), row.status, row.wall] for row in rows),
            )

    def rows(self) -> list[RunRow]:
        """All runs, by their numbers. Raises FileError."""
        split = 2 + len(self.study.parameters)
        end = 2 + len(self._columns)
        with self._open() as table:
            listed = table.execute("SELECT * FROM runs ORDER BY run").fetchall()
        return [
            RunRow(one[0], one[1], tuple(one[2:split]), tuple(map(_number, one[split:end])), one[end], one[end + 1])
            for one in listed
        ]

    def write_csv(self, path: Path) -> None:
        """All runs as CSV. Raises FileError."""
        with files.text_file(path) as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self.names)
            writer.writerows([row.run, row.repetition, *row.values, *row.measures, row.status, row.wall] for row in self.rows())

    def _open(self) -> _Transaction:
        return _Transaction(self.path)


class _Transaction:
    """A connection whose changes are kept if the block ends well."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> sqlite3.Connection:
        try:
            self._table = sqlite3.connect(self._path, timeout=_BUSY)
            self._table.execute("PRAGMA synchronous=NORMAL")
            self._table.execute("PRAGMA journal_mode=WAL")
        except sqlite3.Error as error:
            raise files.FileError(f"{self._path}: {_words(error)}") from error
        return self._table

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        try:
            if kind is None:
                self._table.commit()
            self._table.close()
        except sqlite3.Error as failed:
            raise files.FileError(f"{self._path}: {_words(failed)}") from failed
        if isinstance(error, sqlite3.Error):
            raise files.FileError(f"{self._path}: {_words(error)}") from error


def _words(error: sqlite3.Error) -> str:
    return {"SQLITE_NOTADB": "is no file of results", "SQLITE_FULL": "the disk is full"}.get(
        getattr(error, "sqlite_errorname", ""), str(error)
    )


def _stored(value: float) -> float | str | None:
    """Not-a-number as NULL, infinities as text: SQLite has neither."""
    return None if math.isnan(value) else value if math.isfinite(value) else str(value)


def _number(value: float | str | None) -> float:
    return math.nan if value is None else float(value)


def study_of(path: Path) -> Study:
    """The study that a file holds results of. Raises StudyError, FileError."""
    with _Transaction(path) as table:
        found = table.execute(f"SELECT text FROM {_HEAD}").fetchone()
    if found is None:
        raise StudyError(f"{path}: holds no results yet")
    try:
        return msgspec.convert(plain_json.read(found[0]), Study)
    except (msgspec.ValidationError, ValueError) as error:
        raise StudyError(f"{path}: was written by another version: {error}") from error


def columns(rows: Sequence[RunRow], study: Study) -> dict[str, NDArray[np.float64]]:
    """Parameters with numbers and measures of the runs that were done, as arrays by name."""
    done = [row for row in rows if row.status == DONE]
    names = [name for name, one in study.parameters.items() if not any(isinstance(v, str) for v in one.values)]
    places = {name: k for k, name in enumerate(study.parameters)}
    result = {name: np.array([float(row.values[places[name]]) for row in done]) for name in names}
    return result | {name: np.array([row.measures[k] for row in done]) for k, name in enumerate(study.measures)}
