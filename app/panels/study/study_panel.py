"""The study panel: a study's file, its runs, and their plots."""

from __future__ import annotations

import math
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from tumble.app.base import settings
from tumble.app.base.background import Background
from tumble.app.base.editor import open_at
from tumble.app.base.files import FileError, write_whole
from tumble.app.describe.numbers import duration
from tumble.app.editing.edits import Edits
from tumble.app.library.examples import is_bundled
from tumble.app.panels.study.fit_page import FitPage
from tumble.app.panels.study.fits import Fits
from tumble.app.panels.study.plots.plot_area import PlotArea
from tumble.app.panels.study.run_actions import RunActions
from tumble.app.panels.study.run_list import RunList
from tumble.app.panels.study.studies import Studies
from tumble.app.panels.study.study_editor import StudyEditor
from tumble.app.session.loader import without_text
from tumble.app.session.requests import OpenStudy, Request
from tumble.app.study.study_file import SUFFIX
from tumble.app.widgets.dock import Dock, Panel, Workbench
from tumble.app.widgets.slider_row import ElidedLabel
from tumble.app.widgets.tables import CsvButton
from tumble.physics.base.files import home
from tumble.physics.errors import PhysicsError

if TYPE_CHECKING:
    from tumble.app.widgets.trust_dialog import TrustDialog

NARROW = 640  # pixels below which the plots lie under the table rather than next to it
EMPTY = (
    "A study runs the model many times with other numbers, in the background, and shows what depends on what. Open… a study "
    "file, or New from this model: it varies the numbers that you have changed, or those of the selected body."
)
NO_RUNS = "No runs yet: Start does them."
FILE, RUNS, FIT = range(3)  # tabs
PATTERN = f"Studies (*{SUFFIX})"


class StudyPanel(Panel):
    """The study itself is a part of the session: it runs on while the panel is closed."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        super().__init__(dock)
        self._session = session = bench.session
        self.studies = session.part(Studies)
        self._background = Background("new study", self)
        self._edits = session.part(Edits)
        self._model_due = False  # open the study's model once it is known
        self.editor = StudyEditor()
        self.list = RunList(self.studies.marks)
        self.actions_bar = RunActions(session, self.studies)
        self.actions_bar.refused.connect(self._say)
        self.actions_bar.forked.connect(dock.bring)  # the table stays in sight; the ghost is in the view
        self.plots = PlotArea(self.studies.marks)
        self.fits = session.part(Fits)
        self.fit_page = FitPage(session, self.fits)
        self.fit_page.refused.connect(self._say)
        self._lay_out()
        studies = self.studies
        studies.opened.connect(self._show_study)
        studies.changed.connect(self._show)
        studies.rows_changed.connect(self._show_runs)
        studies.asked_changed.connect(lambda: self.trust.follow())
        studies.marks.changed.connect(self._show_marks)
        self.fits.changed.connect(self._show)
        session.model_loaded.connect(self._show)
        session.absence_changed.connect(lambda why: self._show())
        self.editor.edited.connect(studies.edit)
        self.editor.save.clicked.connect(self._save)
        self.editor.external.clicked.connect(self._edit_outside)

    @cached_property
    def trust(self) -> TrustDialog:
        """The question whether a study's controller may run; created on first use."""
        from tumble.app.widgets.trust_dialog import TrustDialog

        return TrustDialog(self.studies, self)

    # ---- layout

    def _lay_out(self) -> None:
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("File and runs of the study")
        self.tabs.addTab(self.editor, "File")
        self.tabs.addTab(self._runs_page(), "Runs")
        self.tabs.addTab(self.fit_page, "Fit")
        self.tabs.setCornerWidget(self.csv)
        self.splitter.addWidget(self.tabs)
        self.splitter.addWidget(self.plots)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([420, 500])
        self.empty = QLabel(EMPTY)
        self.empty.setObjectName("empty")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(8, 6, 8, 6)
        column.setSpacing(4)
        column.addLayout(self._head())
        column.addWidget(self.bar)
        column.addWidget(self.message)
        column.addWidget(self.empty, 1)
        column.addWidget(self.splitter, 1)
        self.set_content(body, low=True)

    def _head(self) -> QHBoxLayout:
        self.state = ElidedLabel("")
        self.message = QLabel()
        self.message.setWordWrap(True)
        self.message.setProperty("warn", True)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Progress of the study")
        self.model_button, self.go, self.again = QPushButton("Open the model"), QPushButton("Start"), QPushButton("Start again")
        self.open_button, self.new = QPushButton("Open…"), QPushButton("New from this model")
        tips = {
            self.open_button: "Open a study file (*.toml); dropping one on the window does, too",
            self.new: "Write a study file next to the model: the numbers that you have changed, or those of the selected body",
            self.model_button: "Open the model of this study",
            self.again: "Forget the results of the other version, and do all runs",
        }
        for button, tip in tips.items():
            button.setToolTip(tip)
        self.open_button.clicked.connect(self._ask_open)
        self.new.clicked.connect(self._make_new)
        self.model_button.clicked.connect(self._open_model)
        self.go.clicked.connect(self._toggle)
        self.again.clicked.connect(lambda: self.studies.start(restart=True))
        line = QHBoxLayout()
        line.setSpacing(5)
        line.addWidget(self.state, 1)
        for button in (self.go, self.again, self.model_button, self.open_button, self.new):
            button.setStyleSheet("padding: 3px 9px")
            line.addWidget(button)
        return line

    def _runs_page(self) -> QWidget:
        self.marked = ElidedLabel("")
        self.marked.setProperty("dim", True)
        self.unmark = QPushButton("Clear")
        self.unmark.setProperty("link", True)
        self.unmark.setToolTip("Show all runs again")
        self.unmark.clicked.connect(self.studies.marks.clear)
        self.csv = CsvButton(self._session, "runs", self._csv_rows, counted="runs")
        self.csv.setStyleSheet("padding: 1px 9px")
        line = QHBoxLayout()
        line.addWidget(self.marked, 1)
        line.addWidget(self.unmark)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 2, 0, 0)
        column.setSpacing(3)
        column.addWidget(self.actions_bar)  # above the list: in a low panel, what is below it is out of sight
        column.addLayout(line)
        column.addWidget(self.list, 1)
        return page

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """The plots next to the table where there is room."""
        super().resizeEvent(event)
        orientation = Qt.Orientation.Vertical if self.width() < NARROW else Qt.Orientation.Horizontal
        if self.splitter.orientation() != orientation:
            self.splitter.setOrientation(orientation)
        self.new.setVisible(self.width() >= NARROW or self.studies.path is None)

    def catch_up(self) -> None:
        """Show the study that is open."""
        if self.studies.path is not None:
            self._show_study()
        self._show_runs()
        self._show()

    def answer(self, request: Request) -> None:
        """Open a study."""
        super().answer(request)
        if isinstance(request, OpenStudy):
            self._open(request.path)

    # ---- display

    def _show_study(self) -> None:
        """Another study, or other text."""
        self.editor.show_text(self.studies.text)
        self.tabs.setTabVisible(FIT, self.fits.offered)
        self.tabs.setCurrentIndex(FIT if self.fits.offered else RUNS if self.studies.table.count else FILE)
        if self._model_due:
            self._model_due = False
            if not self._own_model and self.studies.model_path is not None and not self._edits.unsaved:
                self._session.open(self.studies.model_path)

    def _show(self) -> None:
        studies = self.studies
        there = studies.path is not None
        self.empty.setVisible(not there)
        self.splitter.setVisible(there)
        self.editor.show_problem(studies.problem)
        self.editor.save.setText("Save as…" if studies.protected else "Save")
        self.editor.save.setEnabled(studies.unsaved or studies.protected)
        self.state.set_text(self._words())
        self.message.setText(studies.remark)
        self.message.setVisible(bool(studies.remark))
        self.tabs.setTabVisible(FIT, self.fits.offered)
        self.plots.setVisible(self._sweeps or studies.table.count > 0)
        self.go.setVisible(there and (studies.running or (self._sweeps and not studies.finished)))
        self.go.setText("Stop" if studies.running else "Go on" if studies.table.count else "Start")
        self.go.setEnabled(studies.running or studies.study is not None)
        self.go.setToolTip(studies.problem or "Do the runs that are not done yet, in the background")
        self.again.setVisible(studies.other_results and not studies.running)
        self.new.setEnabled(self._session.model is not None and self._session.path is not None)
        model = studies.model_path
        self.model_button.setVisible(there and not self._own_model and model is not None)
        self.model_button.setText(f"Open {'' if model is None else model.name}")
        progress = studies.progress
        self.bar.setVisible(progress is not None)
        if progress is not None:
            self.bar.setRange(0, max(0, progress.total) if progress.done >= 0 else 0)  # 0 to 0: it moves by itself
            self.bar.setValue(max(0, progress.done))

    @property
    def _own_model(self) -> bool:
        """True if the study's model is the one that is open."""
        own, model = self._session.path, self.studies.model_path
        return own is not None and model is not None and self._session.model is not None and own.resolve() == model.resolve()

    @property
    def _sweeps(self) -> bool:
        """True if the study has runs to do: one that only fits measures nothing."""
        return bool(self.studies.study is None or self.studies.study.measures or not self.fits.offered)

    def _words(self) -> str:
        studies = self.studies
        if studies.path is None:
            return ""
        name = f"{studies.name}{' (not saved)' if studies.unsaved else ''}"
        progress, table = studies.progress, studies.table
        if progress is not None and progress.done < 0:
            of = f", variant {progress.prepared} of {progress.variants}" if progress.variants else ""
            return f"{name}: preparing{of}"
        failed = f", {table.failed} failed" if table.failed else ""
        if progress is not None:
            left = f", {duration(progress.left)} left" if math.isfinite(progress.left) else ""
            return f"{name}: {progress.done} of {progress.total} runs{failed}{left}"
        done = ", all done" if studies.finished else ""
        return f"{name}: {table.count} runs{failed}{done}" if table.count else name

    def _show_runs(self) -> None:
        studies = self.studies
        self.list.show_table(studies.table)
        self.plots.show_runs(studies.swept, list(studies.rows.values()), studies.table, NO_RUNS)
        self.csv.allow(studies.table.count > 0)
        self._show_marks()
        if studies.table.count and studies.running and self.tabs.currentIndex() == FILE and not self.editor.text.hasFocus():
            self.tabs.setCurrentIndex(RUNS)

    def _show_marks(self) -> None:
        marks, table = self.studies.marks, self.studies.table
        count = int(marks.mask(table).sum())
        self.marked.set_text(f"{count} of {table.count} runs are marked: {marks.words(table)}" if marks.any else "")
        for widget in (self.marked, self.unmark):
            widget.setVisible(marks.any)

    def _say(self, text: str) -> None:
        self.studies.remark = text
        self._show()

    # ---- the user's input

    def _toggle(self) -> None:
        if self.studies.running:
            self.studies.stop()
        else:
            self.studies.start()

    def _open(self, path: Path) -> None:
        """Open a study, and its model where no changes would be lost."""
        self._model_due = True
        self.studies.open(path)

    def _folder(self) -> str:
        return self._session.store.get(settings.FOLDER) or str(home())

    def _ask_open(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, "Open a study", self._folder(), f"{PATTERN};;All files (*)")
        if name:
            self._open(Path(name))

    def _open_model(self) -> None:
        model = self.studies.model_path
        if self._edits.unsaved:
            self._say("Write your changes of the model to its file first, or revert them")
        elif model is not None:
            self._session.open(model)

    def _save(self) -> None:
        studies = self.studies
        if not studies.protected:
            studies.save()
            return
        path = self._ask_target(home() / studies.name)
        if path is not None and studies.model_path is not None:
            from tumble.app.panels.study.new_study import moved

            studies.edit(moved(studies.text, studies.model_path))
            studies.save(path)

    def _ask_target(self, offered: Path) -> Path | None:
        name, _ = QFileDialog.getSaveFileName(self, "Save the study", str(offered), PATTERN)
        path = Path(name)
        return None if not name else path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)

    def _edit_outside(self) -> None:
        if self.studies.path is not None:
            self._session.status.emit(open_at(self._session.store, self.studies.path, 1))

    def _make_new(self) -> None:
        """Write a study of the model that is open, and open it."""
        model, path = self._session.model, self._session.path
        if model is None or path is None:
            return
        if why := without_text(path):
            self._say(why)
            return
        edits, body = self._edits.changes(), self._session.selection

        def compose() -> str:
            from tumble.app.panels.study.new_study import compose  # brings the grammar of MJCF

            return compose(path, model, edits, body)

        self._background.run(compose, partial(self._write_new, path), self._say, (PhysicsError,))

    def _write_new(self, model: Path, text: str) -> None:
        from tumble.app.panels.study.new_study import free_path, moved

        target: Path | None = free_path(model)
        if is_bundled(model):
            target = self._ask_target(home() / f"{model.stem}-study{SUFFIX}")
            text = moved(text, model)
        if target is None:
            return
        try:
            write_whole(target, text.encode())
        except FileError as error:
            self._say(f"No new study: {error}")
            return
        self._session.status.emit(f"Wrote {target}")
        self._open(target)

    def _csv_rows(self) -> list[list[str]]:
        """The runs of the list, as they are sorted and filtered."""
        runs = self.list.runs
        return [list(runs.columns), *([runs.cell(int(row), name) for name in runs.columns] for row in runs.order)]
