"""The library in the window: its dialog, created on first use, and the question which model of a folder or an archive to open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtWidgets import QWidget

from tumble.app.gallery.member_choice import MemberChoice
from tumble.app.session.session import Session

if TYPE_CHECKING:
    from tumble.app.gallery.dialog import LibraryDialog


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
            from tumble.app.gallery.dialog import LibraryDialog

            self.dialog = LibraryDialog(self._store, self._window)
            self.dialog.wanted.connect(self.wanted)
        self.dialog.appear()

    def close(self) -> bool:
        """The window closes. Whether all threads have ended."""
        return self.dialog is None or self.dialog.end()

    def _ask_member(self) -> None:
        """If a folder or an archive holds several models, ask which to open."""
        path, error = self._session.asked, self._session.load_error
        if path is not None and error is not None and error.choices:
            self.choice = MemberChoice(path, error.choices, self.wanted.emit, self._window)
            self.choice.show()
