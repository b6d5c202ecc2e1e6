"""Replay files from the window: the history is saved to one, without waiting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.base.background import Background
from tumble.app.base.files import FileError
from tumble.app.replay.replay_file import SUFFIX, save
from tumble.app.replay.state import ReplayError
from tumble.app.session.history import Cut
from tumble.app.session.session import Session

PATIENCE = 60.0  # for a file that is being written when the window closes [s]


class Replays(QObject):
    """saved: (the path, simulated time in it [s]); failed: why there is no file."""

    saved = pyqtSignal(str, float)
    failed = pyqtSignal(str)
    _cut = pyqtSignal(object, object, object)  # from the simulation thread: path, view, cut

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._history = session.history
        self._background = Background("replay", self)
        self._cut.connect(self._write)

    def save(self, path: Path, view: dict[str, Any], seconds: float | None = None) -> None:
        """Write what happened in the last seconds [s], None: the whole history; view: from `view_flags.describe`."""
        target = path if path.suffix.lower() == SUFFIX else path.with_name(path.name + SUFFIX)
        self._history.cut(lambda cut: self._cut.emit(target, view, cut), seconds)

    def close(self) -> bool:
        """Wait until the running save has ended; returns its success."""
        return self._background.close(PATIENCE)

    def _write(self, path: Path, view: dict[str, Any], cut: Cut | str) -> None:
        if isinstance(cut, str):
            self.failed.emit(f"{path}: {cut}")
            return
        replay = cut.replay(view, self._history.bookmarks)
        self._background.run(
            lambda: save(replay, path),
            lambda _: self.saved.emit(str(path), cut.seconds),
            self.failed.emit,
            (FileError, ReplayError),
        )
