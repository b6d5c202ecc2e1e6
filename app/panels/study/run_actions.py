"""The chosen run, and what can be done with it: a fork, the model itself, the file."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from tumble.app.base.background import Background
from tumble.app.base.files import FileError
from tumble.app.editing.edits import EditPlace, Edits
from tumble.app.editing.patch import Patch
from tumble.app.panels.study.studies import Studies, results_file
from tumble.app.replay.bundle import LoadError
from tumble.app.replay.replay_file import SUFFIX
from tumble.app.replay.state import ReplayError
from tumble.app.session.loader import CompiledModel
from tumble.app.session.requests import Show, TryFork
from tumble.app.session.session import Session
from tumble.app.simulation.controller_file import ControllerError
from tumble.app.study.study_file import Study, StudyError
from tumble.app.widgets.patch_writing import PatchSubject, PatchWriting
from tumble.app.widgets.slider_row import ElidedLabel
from tumble.physics.errors import PhysicsError
from tumble.physics.mjcf.document import digest

if TYPE_CHECKING:
    from tumble.app.panels.study.variant_changes import Variant
    from tumble.app.study.trial import RunRow

log = logging.getLogger(__name__)

REPLAY_ERRORS = StudyError, LoadError, PhysicsError, ReplayError, ControllerError, FileError
NO_RUN = "Click a point or a row to choose a run"


class RunActions(QWidget):
    """A line of text and four buttons. refused: why something was not done, "" once it is; forked: a fork was asked for."""

    refused = pyqtSignal(str)
    forked = pyqtSignal()

    def __init__(self, session: Session, studies: Studies) -> None:
        super().__init__()
        self._session, self._studies, self._edits = session, studies, session.part(Edits)
        self._background = Background("variant", self)
        self.writing = PatchWriting(session, self, "study patch")
        self.writing.told.connect(self.refused)
        self.words = ElidedLabel(NO_RUN)
        self.words.setProperty("dim", True)
        self.fork = self._button("Fork", "Run this variant as a fork beside the present simulation, from its present state")
        self.replay = self._button("Replay", "Open this run as the study ran it, with its controls and noise, on the time line")
        self.apply = self._button("Apply", "Give the model that runs the numbers of this run; can be undone")
        self.write = self._button("Write to file…", "Show what the numbers of this run change in the model's file, and save it")
        self.fork.clicked.connect(lambda: self._build(self._fork))
        self.replay.clicked.connect(self._record)
        self.apply.clicked.connect(lambda: self._build(self._apply))
        self.write.clicked.connect(self._write)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 2, 0, 0)
        line.addWidget(self.words, 1)
        for button in (self.fork, self.replay, self.apply, self.write):
            line.addWidget(button)
        for signal in (studies.marks.chosen_changed, studies.changed, studies.rows_changed, session.model_loaded):
            signal.connect(self.show_state)
        self.show_state()

    @staticmethod
    def _button(text: str, tip: str) -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(tip)
        button.setStyleSheet("padding: 3px 7px")
        return button

    @property
    def row(self) -> RunRow | None:
        """The chosen run."""
        chosen = self._studies.marks.chosen
        return None if chosen is None else self._studies.rows.get(chosen)

    def show_state(self) -> None:
        """Show the chosen run, and whether its model is open."""
        row, study, model = self.row, self._studies.swept, self._studies.model_path
        usable = row is not None and study is not None and not self._background.busy
        own = usable and self._session.model is not None and _same_file(self._session.path, model)
        self.words.set_text(NO_RUN if row is None or study is None else f"Run {row.run}: {values_text(study, row)}")
        self.apply.setEnabled(usable)
        self.replay.setEnabled(usable)
        for button in (self.fork, self.write):
            button.setEnabled(own)

    def _build(self, then: Callable[[Variant, Study, RunRow], None]) -> None:
        """Build the variant in the background."""
        row, study, path = self.row, self._studies.swept, self._studies.path
        if row is None or study is None or path is None:
            return

        def build() -> Variant:
            from tumble.app.panels.study.variant_changes import variant  # brings the compiler

            return variant(study, path, row.values)

        def ended(result: Variant) -> None:
            then(result, study, row)
            self.show_state()

        self.refused.emit("")
        self._background.run(build, ended, self._refuse, (StudyError, LoadError))
        self.show_state()

    def _refuse(self, why: str) -> None:
        self.refused.emit(why)
        self.show_state()

    def _fork(self, chosen: Variant, study: Study, row: RunRow) -> None:
        if not chosen.changes:
            self.refused.emit("No fork: these numbers need a model that is compiled again. Apply opens it")
            return
        path = self._studies.path
        self._session.ask(TryFork(f"{'' if path is None else path.stem} run {row.run}", chosen.changes))
        self.forked.emit()
        self._session.status.emit(f"Forked with {values_text(study, row, measures=False)}: see Forks, and the ghost in the view")

    def _apply(self, chosen: Variant, study: Study, row: RunRow) -> None:
        """Change the running model, or open the variant where it has to be compiled, or another model is open."""
        if chosen.changes and _same_file(self._session.path, chosen.path):
            values = {EditPlace(change.field, change.index): change.value for change in chosen.changes}
            self._edits.set_all(values, f"Numbers of run {row.run}")
            self._session.status.emit(f"The model has the numbers of run {row.run}; Undo takes them back")
        elif self._edits.unsaved:
            self.refused.emit("Write your changes of the model to its file first, or revert them: the run opens another model")
        else:
            chosen.model.files = {str(chosen.path): digest(chosen.bundle.text)}  # a later save of the file is noticed
            self._session.open(chosen.path, CompiledModel(chosen.model, chosen.changed_bundle))
            self._session.status.emit(f"Opened run {row.run}; the file is as it was, and Reload brings it back")

    def _record(self) -> None:
        """Repeat the run in the background, and open its replay."""
        row, study, path = self.row, self._studies.swept, self._studies.path
        if row is None or study is None or path is None:
            return
        if self._edits.unsaved:
            self._refuse("Write your changes of the model to its file first, or revert them: the replay opens another model")
            return
        folder = self._session.store.folder
        results, target = results_file(path, folder), folder / "studies" / "replays" / f"{path.stem}-run-{row.run}{SUFFIX}"

        def stopped() -> bool:
            self._background.check()
            return False

        def begin(agreed: str) -> None:
            def make() -> Path:
                from tumble.app.panels.study.study_run import recorded  # brings the compiler

                recorded(study, path, results, row, target, stopped, agreed)
                return target

            self.refused.emit("")
            self._background.run(make, self._show_replay, self._refuse, REPLAY_ERRORS)
            self.show_state()

        self._studies.when_trusted(study, path, begin)

    def _show_replay(self, path: Path) -> None:
        self._session.open(path)
        self._session.ask(Show("timeline"))
        self._session.status.emit(f"{path.stem}: Space plays it, and the time line goes to each of its moments")
        self.show_state()

    def _write(self) -> None:
        row, study, path = self.row, self._studies.swept, self._studies.path
        if row is None or study is None or path is None:
            return

        def make(model: Path) -> Patch:
            from tumble.app.panels.study.variant_changes import patch

            return patch(model, study, path, row.values)

        saved = lambda: self._session.read_again({str(self._session.path): ""})  # noqa: E731
        self.writing.propose(make, PatchSubject(f"numbers of run {row.run}", saved, lambda: None))


def _same_file(one: Path | None, other: Path | None) -> bool:
    return one is not None and other is not None and one.resolve() == other.resolve()


def values_text(study: Study, row: RunRow, *, measures: bool = True) -> str:
    """A run in words: friction 0.31, slid 1.2."""
    pairs = [*zip(study.parameters, row.values, strict=True)]
    shown = ", ".join(f"{name} {value if isinstance(value, str) else f'{value:.4g}'}" for name, value in pairs)
    if not measures:
        return shown
    results = ", ".join(f"{name} {value:.4g}" for name, value in zip(study.measures, row.measures, strict=True))
    return f"{shown} → {results}" if results else shown
