"""The fit of the study that is open: the search in the background, its values, its report, and the measured records."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.base.background import Background
from tumble.app.base.files import FileError, reason, write_whole
from tumble.app.library.examples import is_bundled
from tumble.app.panels.study.studies import Studies
from tumble.app.replay.bundle import Bundle, LoadError
from tumble.app.session.session import Session
from tumble.app.study.fit.fit_section import section
from tumble.app.study.fit.records import files_of
from tumble.app.study.measured_data import MeasuredData
from tumble.app.study.study_file import Study, StudyError, place_of
from tumble.physics.errors import PhysicsError

if TYPE_CHECKING:
    from tumble.app.study.fit.fit import FitResult

log = logging.getLogger(__name__)

SUFFIX = ".html"
_NAMED = re.compile(r"[^:]*: fit\.([\w.\[\], ]+): ")


class FitProgress(Struct, frozen=True):
    """Simulations of the global search that are done, of all; total 0: the data are read, or the local search refines."""

    done: int = 0
    total: int = 0


class FitOutcome(Struct, frozen=True):
    """Result of a fit: values and texts of the model's files; bundle: these as they were; model: its path; report: a file."""

    result: FitResult
    bundle: Bundle
    model: Path
    report: Path


class Fits(QObject):
    """At most one at a time. changed: progress, outcome, records or remark."""

    changed = pyqtSignal()
    _went_on = pyqtSignal(int, int, int)  # from the thread that searches: which start, done, all

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._studies = session, session.part(Studies)
        self._measured = session.part(MeasuredData)
        self.progress: FitProgress | None = None  # while it runs
        self.outcome: FitOutcome | None = None
        self.remark = ""
        self.records: list[Path] = []  # measured files of the study
        self._stop = threading.Event()
        self._starts = 0
        self._shown: tuple[Path | None, Mapping[str, object]] = (None, {})
        self._background = Background("fit", self)
        self._went_on.connect(self._take_progress)
        self._studies.changed.connect(self._follow)
        self._follow()

    @property
    def offered(self) -> bool:
        """True if the study has a section [fit]."""
        return self._studies.study is not None and bool(self._studies.study.fit)

    @property
    def running(self) -> bool:
        """True from a start to its end."""
        return self.progress is not None

    def start(self) -> None:
        """Search for the values with which the model moves as was measured."""
        studies = self._studies
        study, path = studies.study, studies.path
        if self.running or study is None or path is None or (studies.unsaved and not studies.save()):
            return
        self._stop = stop = threading.Event()
        self._starts += 1
        number, report = self._starts, report_file(path, self._session.store.folder)
        self.progress, self.outcome, self.remark = FitProgress(), None, ""
        self._background.run(
            lambda: self._search(study, path, report, number, stop),
            lambda outcome: self._end(number, outcome),
            lambda why: self._fail(number, why),
            (StudyError, LoadError, PhysicsError, FileError),
        )
        self.changed.emit()

    def stop(self) -> None:
        """End the search; the best values so far are its result."""
        self._stop.set()

    def close(self, timeout: float = 10.0) -> bool:
        """End the threads; returns True if they have ended."""
        self.stop()
        return self._background.close(timeout)

    def _search(self, study: Study, path: Path, report: Path, number: int, stop: threading.Event) -> FitOutcome:
        """Fit in the background. Raises StudyError, LoadError, PhysicsError, FileError."""
        from tumble.app.session.loader import read_compiled
        from tumble.app.study.fit.fit import FitJob, ModelFit  # scipy: a second
        from tumble.app.study.fit.fit_report import fit_report
        from tumble.app.study.model_file import model_file

        model = model_file(study, path)
        bundle = read_compiled(model).bundle
        job = FitJob.of(study, bundle, path.parent, path.name)
        result = ModelFit(job).run(lambda done, total: self._went_on.emit(number, done, total), stop.is_set)
        try:
            report.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(f"{report.parent}: cannot be written: {reason(error)}") from error
        write_whole(report, fit_report(path.name, job, result).encode())
        return FitOutcome(result, bundle, model, report)

    def _take_progress(self, number: int, done: int, total: int) -> None:
        if number == self._starts and self.progress is not None:
            self.progress = FitProgress() if done >= total else FitProgress(done, total)
            self.changed.emit()

    def _end(self, number: int, outcome: FitOutcome) -> None:
        if number == self._starts:
            self.progress, self.outcome = None, outcome
            self.remark = "" if outcome.result.whole else "Stopped: these are the best values so far"
            self.changed.emit()

    def _fail(self, number: int, why: str) -> None:
        if number == self._starts:
            log.warning("%s", why)
            self.progress, self.remark = None, self._with_place(why)
            self.changed.emit()

    def _with_place(self, why: str) -> str:
        """A message about a key of [fit], behind its place in the text."""
        named, path = _NAMED.match(why), self._studies.path
        if named is None or path is None:
            return why
        line, column = place_of(self._studies.text, ("fit", *named[1].split(".")))
        return f"{path}:{line}:{column}: {why}"

    def _follow(self) -> None:
        """Another study, or another section: its records, and what their columns are."""
        studies = self._studies
        fit = {} if studies.study is None else studies.study.fit
        shown = (studies.path, fit)
        if shown == self._shown:
            return
        if studies.path != self._shown[0]:
            self.stop()
            self._starts += 1
            self.progress, self.outcome, self.remark = None, None, ""
        self._shown = shown
        self.records, self._measured.section = [], None
        if studies.study is not None and studies.path is not None and fit:
            try:
                self._measured.section = known = section(fit, studies.study.parameters, studies.name)
                self.records = files_of([*known.data, *known.hold_out], studies.path.parent)
            except StudyError as error:
                self.remark = str(error)
        self.changed.emit()


def report_file(path: Path, folder: Path) -> Path:
    """The report of a study's fit: next to it; of the program's own studies in the folder of the user's settings."""
    return (folder / "studies" if is_bundled(path) else path.parent) / f"{path.stem}{SUFFIX}"
