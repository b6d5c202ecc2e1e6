"""The library in the window: its dialog, created on first use, and the question which model of a folder or an archive to open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, Qt, pyqtSignal
from PyQt6.QtGui import QIcon
from PyQt6.QtWidgets import QInputDialog, QListView, QPushButton, QWidget

from tumble.app.session.session import Session

if TYPE_CHECKING:
    from tumble.app.library.library_dialog import LibraryDialog


class MemberChoice(QInputDialog):
    """A non-modal dialog that opens the chosen model."""

    def __init__(self, path: Path, choices: Mapping[str, Path], open_path: Callable[[Path], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Open one of several models")
        self.setLabelText(f"{path.name} holds {len(choices)} models. Which one?")
        self.setOption(QInputDialog.InputDialogOption.UseListViewForComboBoxItems)
        self.setComboBoxItems(list(choices))
        self.setTextValue(next(iter(choices)))
        self.setOkButtonText("Open")
        for button in self.findChildren(QPushButton):
            button.setIcon(QIcon())  # as elsewhere in the window
        self.resize(420, 380)
        for names in self.findChildren(QListView):
            names.doubleClicked.connect(self.accept)
        self.textValueSelected.connect(lambda name: open_path(choices[name]))


class LibraryDesk(QObject):
    """wanted: open this model."""

    wanted = pyqtSignal(object)  # Path

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._store, self._window = session, session.store, window
        self.dialog: LibraryDialog | None = None
        self.choice: MemberChoice | None = None
        session.load_failed.connect(self._ask_member)

    def show(self) -> None:
        """Show all models that are known by name."""
        if self.dialog is None:
            from tumble.app.library.library_dialog import LibraryDialog

            self.dialog = LibraryDialog(self._store, self._window)
            self.dialog.wanted.connect(self.wanted)
        self.dialog.appear()

    def close(self) -> bool:
        """The window closes. Returns True if all threads have ended."""
        return self.dialog is None or self.dialog.end()

    def _ask_member(self) -> None:
        """If a folder or an archive contains several models, ask which to open."""
        path, error = self._session.asked, self._session.loads.failure
        if path is not None and error is not None and error.choices:
            self.choice = MemberChoice(path, error.choices, self.wanted.emit, self._window)
            self.choice.show()
