"""A button that saves a table as a CSV file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from PyQt6.QtCore import QStandardPaths
from PyQt6.QtWidgets import QFileDialog, QPushButton

from tumble.app.base import files
from tumble.app.base.background import Background
from tumble.app.session.session import Session


class CsvButton(QPushButton):
    """Asks for a file and writes rows to it in another thread; the status bar says how that ended."""

    def __init__(
        self, session: Session, what: str, rows: Callable[[], Iterable[Sequence[str]]], *, counted: str, ending: str = ""
    ) -> None:
        """rows: the headings, then the rows; in plural: what they are, and what is counted; ending: of the file's name."""
        super().__init__("Save CSV…")
        self._session, self._what, self._rows = session, what, rows
        self._counted, self._ending = counted, ending
        self._background = Background("table", self)
        self.clicked.connect(self._ask)

    def allow(self, filled: bool) -> None:
        """Enable it where there are rows, and none are being written."""
        self.setEnabled(filled and not self._background.busy)

    def _ask(self) -> None:
        folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
        model = self._session.path
        offered = folder / f"{self._what if model is None else model.stem}{self._ending}.csv"
        name, _ = QFileDialog.getSaveFileName(self.parentWidget(), f"Save the {self._what}", str(offered), "CSV (*.csv)")
        if not name:
            return
        rows = self._rows()
        self.setEnabled(False)
        self._background.run(
            lambda: files.write_rows(Path(name), rows),
            lambda count: self._end(f"Saved {count} {self._counted} to {name}"),
            lambda why: self._end(f"The {self._what} were not saved: {why}"),
            (files.FileError,),
        )

    def _end(self, message: str) -> None:
        self.setEnabled(True)
        self._session.status.emit(message)
