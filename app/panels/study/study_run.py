"""The runs of a study on threads of this process, a core left to the window, and those that its results have."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from tumble.app.base.files import FileError, reason
from tumble.app.session.loader import read_compiled
from tumble.app.study.model_file import model_file
from tumble.app.study.results import Results, study_of
from tumble.app.study.study_file import Study
from tumble.app.study.trial import Plan, RunRow

MOST_REPLAYS = 20  # replays of runs that are kept


class ReportingResults(Results):
    """Results that report the rows that were written."""

    def __init__(self, path: Path, study: Study, report: Callable[[list[RunRow]], None]) -> None:
        super().__init__(path, study)
        self._report = report

    def add(self, rows: Iterable[RunRow]) -> None:
        """As Results.add."""
        held = list(rows)
        super().add(held)
        self._report(held)


def run_study(
    study: Study,
    path: Path,
    results: Path,
    report: Callable[[list[RunRow]], None],
    prepared: Callable[[int, int], None],
    progress: Callable[[int, int], None],
    stopped: Callable[[], bool],
    *,
    restart: bool,
    agreed: str = "",
) -> bool:
    """Do the runs that the results do not have; False where `stopped` came before the end.

    path: of the study. report: called with new rows; prepared: with the variants compiled beforehand, and all; progress: with the
    runs done, and all. agreed: digest of the controller that the user has agreed to. Raises StudyError, LoadError, FileError.
    """
    from tumble.app.study.crews import Threads, carry_out  # scipy.stats, a second: only a start waits for it

    plan = _plan(study, path, agreed)
    try:
        results.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{results.parent}: cannot be written: {reason(error)}") from error
    crew = Threads(plan, max(1, (os.cpu_count() or 2) - 1), prepared)
    return carry_out(plan, crew, ReportingResults(results, study, report), stopped, progress, restart=restart)


def _plan(study: Study, path: Path, agreed: str) -> Plan:
    bundle = read_compiled(model_file(study, path)).bundle
    return Plan.of(study, bundle, path.parent, lambda source: source.digest == agreed)


def recorded(
    study: Study, path: Path, results: Path, row: RunRow, target: Path, stopped: Callable[[], bool], agreed: str = ""
) -> None:
    """Write a run as the study ran it to a replay file; agreed: as for run_study.

    Raises StudyError, LoadError, PhysicsError, ReplayError, ControllerError, FileError.
    """
    from tumble.app.replay.replay_file import SUFFIX, save
    from tumble.app.study.run_replay import replay_of

    plan = _plan(study, path, agreed)
    Results(results, study).check(plan)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{target.parent}: cannot be written: {reason(error)}") from error
    save(replay_of(plan, row.run, row.values, stopped), target)
    for old in sorted(target.parent.glob(f"*{SUFFIX}"), key=lambda file: file.stat().st_mtime)[:-MOST_REPLAYS]:
        old.unlink(missing_ok=True)


def stored_rows(results: Path, study: Study) -> tuple[list[RunRow], bool]:
    """The rows of a study's results, and whether the results are of another study. Raises StudyError, FileError."""
    if not results.exists():
        return [], False
    if study_of(results) != study:
        return [], True
    return Results(results, study).rows(), False
