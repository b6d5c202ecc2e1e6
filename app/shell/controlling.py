"""Controllers in the window: choosing or writing a file, and asking whether it may run."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtWidgets import QWidget

from tumble.app.base import editor, settings
from tumble.app.library.examples import is_bundled
from tumble.app.panels.control.controllers import Controllers
from tumble.app.session.session import Session
from tumble.app.shell import file_choice

if TYPE_CHECKING:
    from tumble.app.widgets.trust_dialog import TrustDialog


class ControllerDesk(QObject):
    """The menu's entries for controllers, and the question whether one may run. failed: a title, and what went wrong."""

    failed = pyqtSignal(str, str)

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

    def create(self) -> None:
        """Write a new controller for the open model where the user wants it, run it, and open it in the user's editor."""
        from tumble.app.panels.control.script import new_controller

        session = self._session
        model, snapshot, path = session.model, session.snapshot, session.path
        if model is None or snapshot is None or path is None:
            session.status.emit("Open a model first: a new controller is written for it")
            return
        text = new_controller(model, snapshot.ctrl, path.name)
        chosen = file_choice.controller_to_create(self._window, self._folder(path), path)
        if chosen is None:
            return
        try:
            self._controllers.create(chosen, text)
        except OSError as error:
            self.failed.emit("The controller was not written", f"{chosen}: {error.strerror or error}")
            return
        line = text[: text.index("def control")].count("\n") + 1
        session.status.emit(editor.open_at(session.store, chosen, line))

    def _folder(self, model: Path) -> str:
        """The model's folder; "" if it cannot be written to, is in an archive or belongs to the program."""
        beside = model.parent
        return str(beside) if beside.is_dir() and os.access(beside, os.W_OK) and not is_bundled(model) else ""

    @property
    def goes_on(self) -> bool:
        """True if a model that did not load may load once a file next to it is trusted, and has run."""
        return self._controllers.goes_on

    def open(self, path: Path) -> None:
        """Run a controller file once it is trusted."""
        self._controllers.open(path)

    @cached_property
    def trust(self) -> TrustDialog:
        """Permission to run controllers; created on first use: few sessions run one."""
        from tumble.app.widgets.trust_dialog import TrustDialog

        return TrustDialog(self._controllers, self._window)

    def _show_trust(self) -> None:
        if self._controllers.asked is not None or "trust" in self.__dict__:
            self.trust.follow()
