"""Replay files from the window: the past is saved to one, and one that is opened brings camera, docks and bookmarks."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PyQt6.QtCore import QObject, pyqtSignal

from app.files import FileError
from app.past import Cut, Past
from app.replay.archive import SUFFIX, Replay, save
from app.replay.state import ReplayError
from app.replay.view import marks_to

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Asked:
    path: Path
    view: dict[str, Any]


class Replays(QObject):
    """Writes replay files, in a thread of its own.

    saved: (the path, simulated time in it [s]); failed: why there is no file.
    """

    saved = pyqtSignal(str, float)
    failed = pyqtSignal(str)
    _cut = pyqtSignal(object, object)  # from the simulation thread

    def __init__(self, past: Past, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._past = past
        self._threads: list[threading.Thread] = []
        self._cut.connect(self._write)

    def save(self, path: Path, view: dict[str, Any], seconds: float | None = None) -> None:
        """Write what happened in the last seconds [s], None: in all that is kept; view: camera and docks, as JSON."""
        asked = _Asked(path if path.suffix.lower() == SUFFIX else path.with_name(path.name + SUFFIX), view)
        self._past.cut(lambda cut: self._cut.emit(asked, cut), seconds)

    def close(self) -> None:
        """Wait until what is being written is written."""
        for thread in self._threads:
            thread.join()
        self._threads = []

    def _write(self, asked: _Asked, cut: Cut | str) -> None:
        if isinstance(cut, str):
            self.failed.emit(f"{asked.path}: {cut}")
            return
        view = asked.view | {"bookmarks": marks_to(self._past.bookmarks, cut.begin)}
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(target=_save, args=(cut, view, asked.path, self._tell), name="replay")
        self._threads.append(thread)
        thread.start()

    def _tell(self, path: Path, seconds: float, problem: str) -> None:
        if problem:
            self.failed.emit(problem)
        else:
            self.saved.emit(str(path), seconds)


def _save(cut: Cut, view: dict[str, Any], path: Path, tell: Callable[[Path, float, str], None]) -> None:
    problem = ""
    try:
        save(Replay(cut.bundle, cut.timeline, view), path)
    except (FileError, ReplayError) as error:
        problem = str(error)
    except Exception as error:  # a fault of ours; the window must hear of it all the same
        log.exception("writing %s failed", path)
        problem = f"{path}: internal error: {type(error).__name__}: {error}"
    tell(path, cut.seconds, problem)
