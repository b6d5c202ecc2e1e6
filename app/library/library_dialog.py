"""File, Open model library: all models that are known by name, with pictures; a double click opens one."""

from __future__ import annotations

from pathlib import Path

from PyQt6.QtCore import QModelIndex, QTimer, pyqtSignal
from PyQt6.QtGui import QHideEvent
from PyQt6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from tumble.app.base import settings
from tumble.app.base.background import Background
from tumble.app.base.settings import Settings
from tumble.app.library.folders import BUNDLED, VARIABLE
from tumble.app.library.lookup import Shelf, rows, shelves
from tumble.app.library.pictures import Pictures
from tumble.app.library.shelf import ShelfModel, ShelfView
from tumble.physics.base.files import home

SOON = 120  # after the last key or turn of the wheel, until pictures are requested for the visible rows [ms]
PATIENCE = 10.0  # for a look through the folders when the window closes [s]
HINT = (
    "Only the examples are known so far. Add a folder with MJCF models or archives of them, "
    f"install a package that brings some, such as gymnasium, or name folders in {VARIABLE}."
)


class LibraryDialog(QDialog):
    """The library, non-modal: the simulation continues. wanted: open this model."""

    wanted = pyqtSignal(object)  # Path

    def __init__(self, store: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Model library")
        self._store = store
        self._shelves: list[Shelf] = []
        self._count = 0  # models that are shown
        self._looking = False
        self._background = Background("library", self)
        self.pictures = Pictures(self)
        self.shelf = ShelfModel(self.pictures, self)
        self.view = ShelfView(self.shelf, self.pictures)
        self.view.setAccessibleName("Models")
        self.search = QLineEdit()
        self.search.setAccessibleName("Search models")
        self.search.setPlaceholderText("Search by name, folder or package")
        self.search.setClearButtonEnabled(True)
        self.search.setMinimumHeight(28)
        self.remark = QLabel()
        self.remark.setWordWrap(True)
        self.remark.setProperty("dim", True)
        self.add = QPushButton("Add folder…")
        self.add.setToolTip("Also list the models of a folder, from now on")
        self.forget = QPushButton("Forget folder")
        self.forget.setToolTip("Remove the folder of the chosen model from the library; its files stay")
        self.go = QPushButton("Open")
        self.away = QPushButton("Close")
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON)
        self._lay_out()
        self._connect()
        self._show_choice()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        for button in (self.add, self.forget, self.go, self.away):
            button.setAutoDefault(button is self.go)
        self.go.setDefault(True)
        buttons.addWidget(self.add)
        buttons.addWidget(self.forget)
        buttons.addStretch(1)
        buttons.addWidget(self.go)
        buttons.addWidget(self.away)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 14, 14, 12)
        column.setSpacing(10)
        for widget in (self.search, self.view, self.remark):
            column.addWidget(widget, 1 if widget is self.view else 0)
        column.addLayout(buttons)
        self.resize(1090, 720)  # five pictures in a row

    def _connect(self) -> None:
        self.search.textChanged.connect(self._show_rows)
        self.pictures.changed.connect(self._show_remark)
        self.view.doubleClicked.connect(self._open)
        self.go.clicked.connect(lambda: self._open(self.view.currentIndex()))
        self.away.clicked.connect(self.close)
        self.add.clicked.connect(self._ask_folder)
        self.forget.clicked.connect(self._forget_folder)
        selection = self.view.selectionModel()
        assert selection is not None
        selection.currentChanged.connect(self._show_choice)
        self.shelf.modelReset.connect(self._show_choice)
        bar = self.view.verticalScrollBar()
        assert bar is not None
        bar.valueChanged.connect(self._soon.start)
        bar.rangeChanged.connect(self._soon.start)
        self._soon.timeout.connect(self._want_pictures)

    def appear(self) -> None:
        """Show it, in front, with the present files."""
        self.show()
        self.raise_()
        self.activateWindow()
        self.search.setFocus()
        self.search.selectAll()
        self.look()

    def look(self) -> None:
        """Search the folders again, in the background."""
        if self._looking:
            return
        self._looking = True
        stored = self._store.get(settings.MODELS)
        if not self._shelves:
            self.remark.setText("Looking for models…")
        self._background.run(lambda: shelves(stored), self._on_found, self._on_failed)

    def end(self) -> bool:
        """The window closes: drawing of pictures stops. Returns True if all threads have ended."""
        self.close()
        self.pictures.stop()
        return self._background.close(PATIENCE)

    def hideEvent(self, event: QHideEvent | None) -> None:
        """Hidden: no pictures are made."""
        super().hideEvent(event)
        self._soon.stop()
        self.pictures.stop()

    def _on_found(self, found: list[Shelf]) -> None:
        self._looking = False
        self._shelves = found
        self.pictures.forget()
        self._show_rows()

    def _on_failed(self, message: str) -> None:
        self._looking = False
        self.remark.setText(f"The folders cannot be searched: {message}")

    def _show_rows(self) -> None:
        typed = self.search.text()
        matches = rows(self._shelves, typed)
        self.shelf.show_rows(matches)
        self._count = sum(row.count for row in matches)
        self._show_remark()
        first = next((k for k, row in enumerate(matches) if row.model is not None), None)
        if first is not None and typed.strip():
            self.view.setCurrentIndex(self.shelf.index(first))  # Return opens it
        self._soon.start()

    def _show_remark(self) -> None:
        typed, waiting = self.search.text().strip(), self.pictures.waiting
        if not self._count and typed:
            self.remark.setText(f"No model has “{typed}” in its name, its folder or its package.")
        elif all(shelf.source.key == BUNDLED for shelf in self._shelves):
            self.remark.setText(HINT)
        else:
            to_come = f"; {waiting} picture{'' if waiting == 1 else 's'} to come" if waiting else ""
            self.remark.setText(f"{self._count} models; on the command line, tumble NAME opens one{to_come}")

    def _want_pictures(self) -> None:
        if self.isVisible():
            self.pictures.want(self.view.in_sight())
            self._show_remark()

    def _show_choice(self) -> None:
        row = self.view.chosen()
        self.go.setEnabled(row is not None)
        self.forget.setEnabled(row is not None and row.source.own)

    def _open(self, index: QModelIndex) -> None:
        row = self.shelf.row(index.row()) if index.isValid() else None
        if row is not None and row.model is not None:
            self.close()
            self.wanted.emit(row.model.path)

    def _ask_folder(self) -> None:
        start = self._store.get(settings.FOLDER) or str(home())
        name = QFileDialog.getExistingDirectory(self, "Add a folder with models", start)
        if name:
            self.add_folder(Path(name))

    def add_folder(self, folder: Path) -> None:
        """Add a folder to the library."""
        stored = self._store.get(settings.MODELS)
        if str(folder) not in stored:
            self._store.put(settings.MODELS, [*stored, str(folder)])
        self.look()

    def _forget_folder(self) -> None:
        row = self.view.chosen()
        if row is not None:
            gone = {str(folder) for folder in row.source.folders}
            self._store.put(settings.MODELS, [name for name in self._store.get(settings.MODELS) if name not in gone])
            self.look()
