"""Controllers, as the window handles them: choosing a file, and asking whether it may run."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject
from PyQt6.QtWidgets import QWidget

from app.base import settings
from app.panels.control.controllers import Controllers
from app.session.session import Session
from app.shell import file_choice

if TYPE_CHECKING:
    from app.panels.control.trust_dialog import TrustDialog


class ControllerDesk(QObject):
    """The menu's entries for controllers, and the question whether one may run."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._controllers = session.part(Controllers)
        self._controllers.changed.connect(self._show_trust)

    def ask(self) -> None:
        """Let the user choose a controller file; it runs once it is trusted."""
        chosen = file_choice.controller_to_run(self._window, self._session.store.get(settings.FOLDER))
        if chosen is not None:
            self.open(chosen)

    def open(self, path: Path) -> None:
        """Run a controller file once it is trusted."""
        self._controllers.open(path)

    @cached_property
    def trust(self) -> TrustDialog:
        """Whether a controller may run; made when that is first asked: few sessions run one."""
        from app.panels.control.trust_dialog import TrustDialog

        return TrustDialog(self._controllers, self._window)

    def _show_trust(self) -> None:
        if self._controllers.asked is not None or "trust" in self.__dict__:
            self.trust.follow()
