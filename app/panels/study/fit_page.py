"""The tab of a fit: its values with intervals, what the data do not tell, the report, the patch, and the measured records."""

from __future__ import annotations

from pathlib import Path

from PyQt6.QtCore import QUrl, pyqtSignal
from PyQt6.QtGui import QDesktopServices, QResizeEvent
from PyQt6.QtWidgets import QBoxLayout, QComboBox, QProgressBar, QTableWidget, QTableWidgetItem, QWidget

from tumble.app.editing.attribute_text import PatchError
from tumble.app.editing.patch import Patch
from tumble.app.look import theme
from tumble.app.panels.study.fits import FitOutcome, Fits
from tumble.app.panels.study.studies import Studies
from tumble.app.session.requests import LayOver
from tumble.app.session.session import Session
from tumble.app.widgets.layout import hbox, make_button, make_label, vbox
from tumble.app.widgets.patch_writing import PatchSubject, PatchWriting
from tumble.app.widgets.slider_row import ElidedLabel
from tumble.app.widgets.tables import NUMBER, quiet_rows

COLUMNS = "unknown", "value", "95 % interval"
WIDTHS = 130, 90, 190  # [px]
ROW_HEIGHT = 21
WIDE = 560  # pixels from which the records are next to the values
READY = "Fit looks for the values with which the model moves as was measured; they come into a report"


class FitPage(QWidget):
    """refused: why something was not done, "" once it is."""

    refused = pyqtSignal(str)

    def __init__(self, session: Session, fits: Fits) -> None:
        super().__init__()
        self._session, self.fits, self._studies = session, fits, session.part(Studies)
        self.writing = PatchWriting(session, self, "fit patch")
        self.writing.told.connect(self.refused)
        self.state = ElidedLabel("")
        self.go = make_button("Fit", act=self._toggle)
        self.report = make_button("Report", "Open the report: measured and simulated over each other", self._open_report)
        self.write = make_button("Write to file…", "Show what the values change in the model's file, and save it", self._write)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Progress of the fit")
        self.table = QTableWidget(0, len(COLUMNS))
        self.table.setAccessibleName("Values of the fit")
        self.table.setHorizontalHeaderLabels(COLUMNS)
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setShowGrid(False)
        quiet_rows(self.table, ROW_HEIGHT)
        for k, width in enumerate(WIDTHS):
            self.table.setColumnWidth(k, width)
        self.words = make_label(wrap=True)
        self.record = QComboBox()
        self.record.setAccessibleName("Measured record")
        tip = "Draw this record over the plots in Signals, and its pose into the view"
        self.lay_over = make_button("Lay over", tip, self._lay_over)
        head = hbox((self.state, 1), self.go, self.report, self.write, spacing=5)
        foot = hbox((self.record, 1), self.lay_over, spacing=5)
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.setSpacing(8)
        self._body.addWidget(self.table, 3)
        self._body.addLayout(vbox(make_label("Measured records", ink="dim"), foot, self.words, None, spacing=4), 2)
        vbox(head, self.bar, (self._body, 1), margins=(0, 2, 0, 0), spacing=4, inside=self)
        for button in (self.go, self.report, self.write, self.lay_over):
            button.setStyleSheet("padding: 3px 7px")
        fits.changed.connect(self.show_state)
        self._studies.changed.connect(self.show_state)
        session.model_loaded.connect(self.show_state)
        self._shown: FitOutcome | None = None
        self.show_state()

    def show_state(self) -> None:
        """Show how far the fit is, or its values."""
        fits, progress = self.fits, self.fits.progress
        self.go.setText("Stop" if fits.running else "Fit")
        self.go.setEnabled(fits.running or self._studies.study is not None)
        self.bar.setVisible(progress is not None)
        if progress is not None:
            self.bar.setRange(0, progress.total)
            self.bar.setValue(progress.done)
        self.state.set_text(self._text())
        outcome, path = fits.outcome, self._session.path
        own = outcome is not None and path is not None and path.resolve() == outcome.model.resolve()
        self.report.setEnabled(outcome is not None)
        self.write.setEnabled(own)
        names = [record.name for record in fits.records]
        if names != [self.record.itemText(k) for k in range(self.record.count())]:
            self.record.clear()
            self.record.addItems(names)
        self.lay_over.setEnabled(bool(names))
        if outcome is not self._shown:
            self._shown = outcome
            self._show_values()

    def _text(self) -> str:
        fits, progress = self.fits, self.fits.progress
        if progress is not None:
            return f"Searching, {progress.done} of {progress.total} simulations" if progress.total else "Working"
        if fits.remark:
            return fits.remark
        if fits.outcome is None:
            return READY
        scores = fits.outcome.result.scores
        score = scores.get("held out", scores["fitted"])
        parts = [f"{name} {before:.3g} → {score.after[name]:.3g}" for name, before in score.before.items()]
        return f"{'Held out' if 'held out' in scores else 'Fitted'}, root mean square: {', '.join(parts)}"

    def _show_values(self) -> None:
        from tumble.app.study.fit.fit_report import interval

        outcome = self.fits.outcome
        rows = [] if outcome is None else outcome.result.estimates
        self.table.setRowCount(len(rows))
        for k, one in enumerate(rows):
            limit = f" (its {one.limit} limit)" if one.limit else ""
            for column, text in enumerate((one.name, f"{one.value:.5g}{limit}", interval(one))):
                item = QTableWidgetItem(text)
                item.setFont(theme.mono(8.5) if column else theme.sans(9))
                if column:
                    item.setTextAlignment(NUMBER)
                if not one.determined:
                    item.setForeground(theme.colour("warn"))
                self.table.setItem(k, column, item)
        sentences = [] if outcome is None else outcome.result.undetermined
        self.words.setText("\n".join(sentences))
        self.words.setVisible(bool(sentences))

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """The records next to the values where there is room."""
        super().resizeEvent(event)
        wide = self.width() >= WIDE
        self._body.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)

    # ---- the user's input

    def _toggle(self) -> None:
        if self.fits.running:
            self.fits.stop()
        else:
            self.fits.start()

    def _open_report(self) -> None:
        outcome = self.fits.outcome
        if outcome is not None and not QDesktopServices.openUrl(QUrl.fromLocalFile(str(outcome.report))):
            self.refused.emit(f"No program opens {outcome.report}")
        elif outcome is not None:
            self._session.status.emit(f"Opened {outcome.report}")

    def _lay_over(self) -> None:
        k = self.record.currentIndex()
        if 0 <= k < len(self.fits.records):
            self._session.ask(LayOver(self.fits.records[k]))

    def _write(self) -> None:
        outcome = self.fits.outcome
        if outcome is None:
            return

        def make(model: Path) -> Patch:
            from tumble.app.panels.study.variant_changes import patch_of_texts

            if outcome.model.resolve() != model.resolve():
                raise PatchError(f"the model that is open is {model.name}, the study's is {outcome.model.name}")
            return patch_of_texts(model, outcome.bundle, outcome.result.texts)

        saved = lambda: self._session.read_again({str(self._session.path): ""})  # noqa: E731
        self.writing.propose(make, PatchSubject("values of the fit", saved, lambda: None))
