"""Watching files for saves, however an editor saves: in place, by renaming another over it, or by deleting it first."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from time import monotonic

from PyQt6.QtCore import QFileSystemWatcher, QObject, QTimer, pyqtSignal

log = logging.getLogger(__name__)

QUIET = 0.15  # time without a further change after which a save counts as complete [s]
LONGEST = 1.0  # time after which it reports even if changes continue [s]
POLL_INTERVAL = 1000  # polling interval where the system reports no changes [ms]

_Mark = tuple[int, int, int] | None


class FileWatch(QObject):
    """changed: some of the files were written, replaced, deleted or created; emitted once they have been quiet.

    A change of the contents is not proven: the receiver compares digests.
    """

    changed = pyqtSignal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._paths: list[str] = []
        self._marks: dict[str, _Mark] = {}
        self._since = 0.0  # when the first change came that is not reported yet [s]
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(lambda path: self._note(True))
        self._watcher.directoryChanged.connect(lambda path: self._note(False))
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.timeout.connect(self.changed)
        self._poll = QTimer(self)
        self._poll.setInterval(POLL_INTERVAL)
        self._poll.timeout.connect(lambda: self._note(False))

    @property
    def paths(self) -> list[str]:
        """The watched paths, existing or not."""
        return list(self._paths)

    def watch(self, paths: Iterable[str]) -> None:
        """Watch these files from now on, in place of those before; they need not exist.

        A pending change is still reported, and one more if the paths differ from before.
        """
        known = set(self._paths)
        self._paths = [os.path.abspath(path) for path in paths]
        self._marks = {path: _mark(path) for path in self._paths}
        self._poll.stop()
        self._attend()
        if not known.issuperset(self._paths):
            self._start()  # they may have changed after they were read and before they were watched

    def _attend(self) -> None:
        """Watch the existing files and their folders: after a file is replaced, it must be watched again."""
        wanted = {path for path in self._paths if os.path.exists(path)} | {_folder(path) for path in self._paths}
        now = {*self._watcher.files(), *self._watcher.directories()}
        if now - wanted:
            self._watcher.removePaths(sorted(now - wanted))
        if wanted - now:
            refused = self._watcher.addPaths(sorted(wanted - now))
            if any(os.path.exists(path) for path in refused) and not self._poll.isActive():
                log.info("the system does not report changes to %s: checking every second", ", ".join(refused[:3]))
                self._poll.start()

    def _note(self, reported: bool) -> None:
        """A file may have changed; reported: the system reported it."""
        marks = {path: _mark(path) for path in self._paths}
        if not reported and marks == self._marks:
            return  # others in the folder
        self._marks = marks
        self._attend()
        self._start()

    def _start(self) -> None:
        now = monotonic()
        if not self._quiet.isActive():
            self._since = now
        left = min(QUIET, max(0.0, self._since + LONGEST - now))
        self._quiet.start(round(1000 * left))


def _mark(path: str) -> _Mark:
    """A stamp that changes whenever a file is written or replaced; None if there is no file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def _folder(path: str) -> str:
    """The nearest folder above a path that exists."""
    folder = os.path.dirname(path)
    while not os.path.isdir(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    return folder
