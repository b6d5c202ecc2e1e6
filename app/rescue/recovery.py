"""The last state, stored on disk in case the process dies: a replay of the last seconds, rewritten regularly.

A recovery file is `MODEL.TOKEN.tumble`; next to it lies `TOKEN.lock`, which its process holds while it runs. Who can
take the lock knows that the process is gone, even if its number is in use again, and that no other process offers the file.
`TOKEN.crash` has the stacks of a process that died of a fault below Python. See docs/decisions/recovery.md.
"""

from __future__ import annotations

import faulthandler
import logging
import math
import os
import re
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO

from msgspec import Struct
from PyQt6.QtCore import QLockFile, QObject, QTimer

from tumble.app.base import files
from tumble.app.base.background import Background
from tumble.app.replay.replay_file import SUFFIX, Replay, load, save, shelf
from tumble.app.replay.replay_view import Bookmark
from tumble.app.replay.state import ReplayError
from tumble.app.session.history import Cut
from tumble.app.session.session import Session
from tumble.physics.base.files import file_stem

log = logging.getLogger(__name__)

SECONDS = 10.0  # simulated time that is stored
INTERVAL = 4.0  # wall time between two writes [s]
SHARE = 0.05  # largest share of time for writing: slow writes are less frequent
CLOSING = 10.0  # time for a file that is being written when the window closes [s]
ASIDE = "damaged"  # the folder in that of recovery files for those that cannot be read
CRASH = ".crash"
MOST_TRACE = 200_000  # letters of the stacks of a process that died
MOST_ASIDE = 3  # damaged files that are kept
_TOKEN = re.compile(r"\d+-[0-9a-f]{8}")


class Left(Struct, frozen=True):
    """A recovery file of an ended process. model: the name of its file; saved: when [s since the epoch]; lock: held by us.
    seconds: simulated time in it [s]; nan if the file lacks it.

    trace: the stacks of a process that crashed; "" if it was killed.
    """

    path: Path
    model: str
    saved: float
    lock: QLockFile
    trace: str = ""
    seconds: float = math.nan

    def discard(self) -> None:
        """Delete it."""
        _delete(self.path)
        _crash(self.path).unlink(missing_ok=True)
        self.lock.unlock()

    def release(self) -> None:
        """Release the lock, so that the next start offers it again."""
        self.lock.unlock()


def take_over(folder: Path) -> tuple[list[Left], list[str]]:
    """The recovery files without a living owner, the newest first, and a line for each that is damaged and was moved aside."""
    result, damaged = [], []
    for path in _by_age(folder, SUFFIX):
        lock = _lock(folder, path)
        if lock is None or not lock.tryLock(0):
            continue
        try:
            replay = load(path)
            result.append(Left(path, replay.bundle.main, path.stat().st_mtime, lock, _trace(path), _seconds(replay)))
        except (ReplayError, OSError) as error:
            lock.unlock()
            damaged.append(_set_aside(path, str(error)))
    _forget_locks(folder)
    for old in _by_age(folder / ASIDE, SUFFIX)[MOST_ASIDE:]:
        _delete(old)
    return result, damaged


def _by_age(folder: Path, suffix: str) -> list[Path]:
    """The newest first."""
    try:
        aged = [(path.stat().st_mtime, path) for path in folder.iterdir() if path.suffix == suffix and path.is_file()]
    except OSError:
        return []  # there is no such folder, or another instance has just deleted a file: the next start looks again
    return [path for _, path in sorted(aged, reverse=True)]


def _delete(path: Path) -> None:
    """Delete a recovery file with its shelf of large files."""
    path.unlink(missing_ok=True)
    shutil.rmtree(shelf(path), ignore_errors=True)


def _lock(folder: Path, path: Path) -> QLockFile | None:
    token = path.stem.rpartition(".")[2]
    if not _TOKEN.fullmatch(token):
        return None  # another process's
    lock = QLockFile(str(folder / f"{token}.lock"))
    lock.setStaleLockTime(0)  # age means nothing: a window may be open for weeks
    return lock


def _crash(path: Path) -> Path:
    """Path of the stacks of the process that wrote a recovery file."""
    return path.with_name(path.stem.rpartition(".")[2] + CRASH)


def _trace(path: Path) -> str:
    try:
        return _crash(path).read_text(errors="replace")[:MOST_TRACE]
    except OSError:
        return ""  # it did not look for faults


def _seconds(replay: Replay) -> float:
    length = replay.view.get("seconds")
    return float(length) if isinstance(length, int | float) and math.isfinite(length) else math.nan


def _set_aside(path: Path, why: str) -> str:
    aside = path.parent / ASIDE / path.name
    try:
        aside.parent.mkdir(exist_ok=True)
        path.replace(aside)
        if shelf(path).is_dir():
            shelf(path).replace(shelf(aside))
    except OSError as error:
        return f"a recovery file is damaged, and cannot be moved aside ({files.reason(error)}): {why}"
    return f"a recovery file is damaged, and was moved aside as {aside}: {why}"


def _forget_locks(folder: Path) -> None:
    """Delete the locks of processes that died before their first write."""
    tokens = {path.stem.rpartition(".")[2] for path in _by_age(folder, SUFFIX)}
    for path in _by_age(folder, ".lock"):
        lock = QLockFile(str(path))
        lock.setStaleLockTime(0)
        if path.stem not in tokens and lock.tryLock(0):
            path.with_suffix(CRASH).unlink(missing_ok=True)
            lock.unlock()  # which deletes it


class Recovery(QObject):
    """Writes the last seconds of a session repeatedly, in the background, as long as it changes."""

    def __init__(self, session: Session, view: Callable[[], dict[str, Any]], folder: Path, parent: QObject) -> None:
        """view: view settings for the replay."""
        super().__init__(parent)
        self._session, self._view, self.folder = session, view, folder
        self._token = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._lock: QLockFile | None = None
        self._seen: tuple[Any, ...] = ()
        self._background = Background("recovery", self)
        self._busy = self._closed = False
        self._next = 0.0
        self._last_error = ""
        self._crash: BinaryIO | None = None
        self.stays = False  # whether the state is left for the next start when the window closes
        self.path: Path | None = None  # the state being written
        self.written = 0  # times so far
        self._timer = QTimer(self)
        self._timer.setInterval(int(1000 * INTERVAL / 4))
        self._timer.timeout.connect(self.look)
        session.model_loaded.connect(self._start)

    def _start(self) -> None:
        self._next = monotonic() + INTERVAL
        self._timer.start()

    def look(self) -> None:
        """Write the last seconds, if the state has changed since and the interval has passed."""
        session = self._session
        snapshot = session.snapshot
        if snapshot is None or self._closed or self._busy or monotonic() < self._next:
            return
        now = (id(session.model), snapshot.time, snapshot.position.now, snapshot.position.end)
        if now == self._seen or not self._take_lock():
            return
        self._seen, self._busy = now, True
        view, marks = self._view(), list(session.history.bookmarks)
        stem = file_stem(session.path.stem if session.path else "model")
        path = self.folder / f"{stem}.{self._token}{SUFFIX}"
        session.history.cut(lambda cut: self._hand_over(cut, path, view, marks), SECONDS)

    def catch_faults(self) -> None:
        """Write the stacks of all threads if the process crashes, unless a fault handler is active already."""
        if faulthandler.is_enabled() or not self._take_lock():
            return
        try:
            self._crash = (self.folder / f"{self._token}{CRASH}").open("wb")
        except OSError as error:
            self._give_up(files.reason(error))
            return
        faulthandler.enable(self._crash)

    def _take_lock(self) -> bool:
        """The folder, and in it the lock."""
        if self._lock is None:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                return self._give_up(files.reason(error))
            lock = QLockFile(str(self.folder / f"{self._token}.lock"))
            lock.setStaleLockTime(0)
            if not lock.tryLock(0):
                return self._give_up("it cannot be written")
            self._lock = lock
        return True

    def _give_up(self, why: str) -> bool:
        self._timer.stop()
        log.warning("no state is saved for recovery after a crash: %s: %s", self.folder, why)
        return False

    def _hand_over(self, cut: Cut | str, path: Path, view: dict[str, Any], marks: list[Bookmark]) -> None:
        """Called in the simulation thread."""
        if isinstance(cut, str):
            self._busy = False  # no step was taken yet
        else:
            replay = cut.replay(view, marks)
            self._background.run(lambda: self._write(path, replay))

    def _write(self, path: Path, replay: Replay) -> None:
        began = monotonic()
        try:
            save(replay, path, shelved=True)
            before, self.path = self.path, path
            if before is not None and before != path:
                _delete(before)  # of the model before
            self.written += 1
            self._last_error = ""
        except (files.FileError, ReplayError, OSError, MemoryError) as error:
            if str(error) != self._last_error:  # once, not every few seconds
                log.warning("the state could not be saved for recovery after a crash: %s", error)
            self._last_error = str(error)
        finally:
            ended = monotonic()
            self._next = ended + max(INTERVAL, (ended - began) / SHARE)
            self._busy = False

    def close(self) -> bool:
        """Regular close of the window: delete the file, unless it stays. Returns True if the thread has ended."""
        self._closed = True
        self._timer.stop()
        if not self._background.close(CLOSING):
            return False
        if self.path is not None and not self.stays:
            _delete(self.path)
        if self._crash is not None:
            faulthandler.disable()
            self._crash.close()
            Path(self._crash.name).unlink(missing_ok=True)
            self._crash = None
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None
        return True
