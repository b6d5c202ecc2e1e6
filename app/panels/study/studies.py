"""The study that is open: its text, its runs, and the work in the background; it goes on while the panel is closed."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from msgspec import Struct, field
from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.base import files
from tumble.app.base.background import Background
from tumble.app.base.file_watch import FileWatch
from tumble.app.base.files import FileError
from tumble.app.library.examples import is_bundled
from tumble.app.panels.study.run_marks import RunMarks
from tumble.app.panels.study.run_table import RunTable
from tumble.app.replay.bundle import LoadError
from tumble.app.session.session import Session
from tumble.app.simulation.controller_file import ControllerSource, Trust
from tumble.app.study.study_file import Study, StudyError, parse, place_of, read_text

if TYPE_CHECKING:
    from tumble.app.study.trial import RunRow

log = logging.getLogger(__name__)

OTHER_RESULTS = "The results are of another version of this study."
_NAMED = re.compile(r"(parameter|measure) (\w+): ")


class ReadStudy(Struct, frozen=True):
    """A study as it was read: its text, its model's file, the runs that its results have, and a remark on these."""

    text: str
    model: Path | None = None
    rows: list[RunRow] = field(default_factory=list)
    remark: str = ""


class SweepProgress(Struct, frozen=True):
    """Runs that are done, of all, and the time left [s], not-a-number while that is unknown.

    done is -1 in preparation: then `prepared` of `variants` are compiled.
    """

    done: int = -1
    total: int = 0
    left: float = float("nan")
    prepared: int = 0
    variants: int = 0


class Studies(QObject):
    """One study at a time.

    opened: another study, or its file was read again: text; changed: the study, its problem or its progress; rows_changed: runs;
    asked_changed: whether the study's controller waits for the user's approval.
    """

    opened = pyqtSignal()
    changed = pyqtSignal()
    rows_changed = pyqtSignal()
    asked_changed = pyqtSignal()
    _rows_came = pyqtSignal(int, object)  # from the thread that runs the study: which start, rows
    _prepared = pyqtSignal(int, int, int)  # likewise: which start, variants compiled, all
    _went_on = pyqtSignal(int, int, int)  # likewise: which start, runs done, all

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.marks = RunMarks(self)
        self.path: Path | None = None
        self.model_path: Path | None = None  # where the study's model is
        self.text = self.saved_text = ""
        self.study: Study | None = None  # of the text; None where it is wrong
        self.swept: Study | None = None  # that the rows are of: the text may have changed since
        self.problem = ""  # in the text, with file:line:column
        self.remark = ""  # on the results, or how the last start ended
        self.progress: SweepProgress | None = None  # while it runs
        self.other_results = False  # a start must begin anew: the results are of another version
        self.table = RunTable()
        self.rows: dict[int, RunRow] = {}
        self._whole = False  # the last start has done all runs: a search may end before its limit
        self.asked: ControllerSource | None = None  # the controller that waits for the user's approval
        self.asked_for: Path | None = None
        self._trust = Trust(session.store)
        self._after: Callable[[str], None] = lambda digest: None  # once it is given
        self._stop = threading.Event()
        self._fresh = 0  # runs that the present start has done
        self._begun, self._starts = (0.0, 0), 0  # when the first progress came, and how far it was then
        self._background = Background("study", self)
        self._watch = FileWatch(self)
        self._watch.changed.connect(self._read_again)
        self._rows_came.connect(self._take_rows)
        self._prepared.connect(self._take_prepared)
        self._went_on.connect(self._take_progress)

    # ---- the file

    @property
    def name(self) -> str:
        """The name of the file; "" for none."""
        return "" if self.path is None else self.path.name

    @property
    def unsaved(self) -> bool:
        """True if the text differs from the file."""
        return self.text != self.saved_text

    @property
    def protected(self) -> bool:
        """True for a study of the program itself, which is not overwritten."""
        return self.path is not None and is_bundled(self.path)

    @property
    def running(self) -> bool:
        """True from a start to its end."""
        return self.progress is not None

    @property
    def finished(self) -> bool:
        """True if all runs of the study are done."""
        return self.study is not None and self.study == self.swept and (self._whole or self.table.count >= self.study.total)

    def open(self, path: Path) -> None:
        """Open a study file; a running one is stopped."""
        self.stop()
        self.refuse()
        path = path.absolute()
        self._background.run(lambda: self._read(path), lambda read: self._show(path, read), self._refuse, (StudyError, FileError))

    def _read(self, path: Path) -> ReadStudy:
        from tumble.app.panels.study.study_run import stored_rows
        from tumble.app.study.model_file import model_file

        text = read_text(path)
        try:
            study = parse(text, str(path))
        except StudyError:
            return ReadStudy(text)
        model = None
        try:
            model = model_file(study, path)
            rows, other = stored_rows(results_file(path, self._session.store.folder), study)
        except (StudyError, LoadError, FileError) as error:
            return ReadStudy(text, model, remark=str(error))
        return ReadStudy(text, model, rows, OTHER_RESULTS if other else "")

    def _show(self, path: Path, read: ReadStudy) -> None:
        if path != self.path:
            self.marks.choose(None)
            self.marks.clear()
        self.path, self.text, self.saved_text, self.model_path = path, read.text, read.text, read.model
        self._watch.watch([str(path)])
        self._understand()
        self.remark, self.other_results = read.remark, read.remark == OTHER_RESULTS
        self._begin_table(read.rows)
        self.opened.emit()
        self.changed.emit()

    def _refuse(self, why: str) -> None:
        self.remark = why
        self._session.status.emit(why)
        self.changed.emit()

    def edit(self, text: str) -> None:
        """The user has changed the text."""
        if text != self.text:
            self.text = text
            before = self.study
            self._understand()
            if self.study is not None and (before is None or before.model != self.study.model):
                self._find_model(self.study)
            if self.study is not None and self.swept is not None and _columns(self.study) != _columns(self.swept):
                self._begin_table([])
            self.changed.emit()

    def _find_model(self, study: Study) -> None:
        """Look for the model in the background."""
        path = self.path
        assert path is not None

        def look() -> Path:
            from tumble.app.study.model_file import model_file

            return model_file(study, path)

        self._background.run(look, self._show_model, lambda why: self._show_model(None), (LoadError,))

    def _show_model(self, path: Path | None) -> None:
        self.model_path = path
        self.changed.emit()

    def save(self, path: Path | None = None) -> bool:
        """Write the text to the file, or to another one, which is the study from then on; True if it is written."""
        target = path or self.path
        if target is None:
            return False
        try:
            files.write_whole(target, self.text.encode())
        except FileError as error:
            self._refuse(f"Not saved: {error}")
            return False
        self.saved_text = self.text
        if target != self.path:
            self.open(target)
        self.changed.emit()
        return True

    def _read_again(self) -> None:
        """The file was changed: show it as it is now, unless the user is changing it here."""
        path = self.path
        if path is None:
            return
        try:
            text = read_text(path)
        except StudyError as error:
            self._refuse(str(error))
            return
        if text == self.saved_text:
            return
        if self.unsaved or self.running:
            self.remark = f"{path.name} was changed by another program{': saving overwrites that' if self.unsaved else ''}"
            self.changed.emit()
        else:
            self.open(path)

    def _understand(self) -> None:
        """The study in the text."""
        assert self.path is not None
        try:
            self.study, self.problem = parse(self.text, str(self.path)), ""
        except StudyError as error:
            self.study, self.problem = None, str(error)

    def _begin_table(self, rows: Iterable[RunRow]) -> None:
        self._whole = False
        self.rows, self.swept = {row.run: row for row in rows}, self.study
        self.table = RunTable() if self.study is None else RunTable.empty(self.study).with_rows(list(self.rows.values()))
        self.rows_changed.emit()

    # ---- running

    def when_trusted(self, study: Study, path: Path, then: Callable[[str], None]) -> None:
        """Call `then` with the digest of a study's controller, "" without one, once the user trusts it."""
        from tumble.app.study.trial import controller_of  # brings the engine's rollouts

        try:
            source = controller_of(study, path.parent)
        except StudyError as error:
            self._refuse(str(error))
            return
        if source is None or source in self._trust:
            then("" if source is None else source.digest)
            return
        self.asked, self.asked_for, self._after = source, self.model_path, then
        self.asked_changed.emit()

    def agree(self, *, whole_path: bool = False) -> None:
        """The user trusts the controller in question; whole_path: and later versions of the file while the window is open."""
        source, self.asked = self.asked, None
        if source is not None:
            self._trust.add(source, whole_path=whole_path)
            self.asked_changed.emit()
            self._after(source.digest)

    def refuse(self) -> None:
        """The user declines: nothing is run."""
        if self.asked is not None:
            self.remark = f"{self.asked.path.name} was not run"
            self.asked = None
            self.asked_changed.emit()
            self.changed.emit()

    def start(self, *, restart: bool = False) -> None:
        """Do the runs that the results do not have, once a controller is trusted; restart: forget those that they have."""
        if self.running or self.study is None or self.path is None or (self.unsaved and not self.save()):
            return
        self.when_trusted(self.study, self.path, lambda digest: self._begin(digest, restart))

    def _begin(self, agreed: str, restart: bool) -> None:
        """Start the runs, with the controller that the user has agreed to."""
        if self.running or self.study is None or self.path is None:
            return
        self._stop = stop = threading.Event()
        self._starts += 1
        self.progress, self.remark, self._begun = SweepProgress(), "", (0.0, 0)
        self.other_results, self._fresh, self._whole = False, 0, False
        if restart:
            self.marks.choose(None)
        if restart or not self.rows:
            self._begin_table([])
        study, path, number = self.study, self.path, self._starts
        self._background.run(
            lambda: self._carry_out(study, path, number, stop, restart, agreed),
            lambda whole: self._end(number, whole),
            lambda why: self._fail(number, why),
            (StudyError, LoadError, FileError),
        )
        self.changed.emit()

    def stop(self) -> None:
        """End the runs; those that are done stay."""
        self._stop.set()

    def _carry_out(
        self, study: Study, path: Path, number: int, stop: threading.Event, restart: bool, agreed: str
    ) -> bool:
        """Run in the background. Raises StudyError, LoadError, FileError."""
        from tumble.app.panels.study.study_run import run_study  # scipy.stats, a second: the window does not wait for it

        return run_study(
            study,
            path,
            results_file(path, self._session.store.folder),
            lambda rows: self._rows_came.emit(number, rows),
            lambda done, total: self._prepared.emit(number, done, total),
            lambda done, total: self._went_on.emit(number, done, total),
            stop.is_set,
            restart=restart,
            agreed=agreed,
        )

    def _take_rows(self, number: int, rows: list[RunRow]) -> None:
        if number == self._starts:
            self._fresh += len(rows)
            self.rows.update((row.run, row) for row in rows)
            self.table = self.table.with_rows(rows)
            self.rows_changed.emit()

    def _take_prepared(self, number: int, done: int, total: int) -> None:
        if number == self._starts and self.progress is not None and self.progress.done < 0:
            self.progress = SweepProgress(prepared=done, variants=total)
            self.changed.emit()

    def _take_progress(self, number: int, done: int, total: int) -> None:
        if number != self._starts or self.progress is None:
            return
        now = monotonic()
        if self.progress.done < 0:
            self._begun = now, done
        since, first = self._begun
        left = (now - since) / (done - first) * (total - done) if done > first else float("nan")
        self.progress = SweepProgress(done, total, left)
        self.changed.emit()

    def _end(self, number: int, whole: bool) -> None:
        if number == self._starts:
            self.progress, self._whole = None, whole
            self.remark = (
                ("" if self._fresh else "All runs are done already") if whole else "Stopped: Go on does the runs that are left"
            )
            self.changed.emit()

    def _fail(self, number: int, why: str) -> None:
        if number != self._starts:
            return
        self.progress = None
        self.other_results = "results of another study" in why
        self.remark = OTHER_RESULTS if self.other_results else self._with_place(why)
        log.warning("%s", why)
        self.changed.emit()

    def _with_place(self, why: str) -> str:
        """A message about a parameter or a measure, behind its place in the text."""
        named = _NAMED.match(why)
        if named is None or self.path is None:
            return why
        line, column = place_of(self.text, (f"{named[1]}s", named[2]))
        return f"{self.path}:{line}:{column}: {why}"

    def close(self, timeout: float = 10.0) -> bool:
        """End the threads; returns True if they have ended."""
        self.stop()
        return self._background.close(timeout)


def results_file(path: Path, folder: Path) -> Path:
    """The file of a study's results: next to it; of the program's own studies in the folder of the user's settings."""
    return (folder / "studies" if is_bundled(path) else path.parent) / f"{path.stem}.sqlite"


def _columns(study: Study) -> tuple[str, ...]:
    return (*study.parameters, *study.measures)
