"""The library in the window: its dialog, created on first use, and the question which model of an archive to open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtWidgets import QWidget

from app.gallery.member_choice import MemberChoice, undecided
from app.session.session import Session

if TYPE_CHECKING:
    from app.gallery.dialog import LibraryDialog


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
            from app.gallery.dialog import LibraryDialog

            self.dialog = LibraryDialog(self._store, self._window)
            self.dialog.wanted.connect(self.wanted)
        self.dialog.appear()

    def close(self) -> bool:
        """The window closes. Whether all threads have ended."""
        return self.dialog is None or self.dialog.end()

    def _ask_member(self) -> None:
        """If an archive holds several models, ask which to open. Without a window there is only the message."""
        path = self._session.asked
        names = [] if path is None or self._session.model is None else undecided(path)
        if path is not None and names:
            self.choice = MemberChoice(path, names, self.wanted.emit, self._window)
            self.choice.show()
