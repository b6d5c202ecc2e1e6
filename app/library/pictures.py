"""Pictures of models: made one at a time by a process of low priority, and stored on disk by a digest of the model's files."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Sequence
from pathlib import Path
from time import time

from msgspec import Struct
from PyQt6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, pyqtSignal
from PyQt6.QtGui import QImage

from tumble import __version__
from tumble.app.base.background import Background, end_process, program_process
from tumble.app.base.files import FileError, write_whole
from tumble.app.library import archive as archives
from tumble.app.library import text
from tumble.physics.base.system import cache_folder, give_way

log = logging.getLogger(__name__)

WIDTH, HEIGHT = 384, 240  # pixels; they are shown at half that size
MOST_INCLUDED = 200  # files that a picture's key takes in
MOST_BY_ONE = 60  # pictures per process: resources that a driver or a library leaks go with it
PATIENCE = 120_000  # for one picture [ms]
FAULT_LASTS = 86_400.0  # a model that did not load is tried again after so long [s]


class ModelPicture(Struct, frozen=True):
    """Picture of a model; image: None with a reason if it could not be drawn."""

    image: QImage | None
    reason: str = ""


class Pictures(QObject):
    """changed: path of a model whose picture, or the reason for its absence, is known now."""

    changed = pyqtSignal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: dict[Path, ModelPicture] = {}
        self._wanted: list[Path] = []
        self._looked_at: Path | None = None  # whose picture is being looked for on disk
        self._background = Background("pictures", self)
        self._asked: tuple[Path, str] | None = None  # task of the process: a model, and the key of its picture
        self._process: QProcess | None = None
        self._number = 0  # of the pictures requested from the process
        self._turn = QTimer(self)  # one picture a turn of the event loop
        self._turn.setSingleShot(True)
        self._turn.timeout.connect(self._next)
        self._limit = QTimer(self)
        self._limit.setSingleShot(True)
        self._limit.setInterval(PATIENCE)
        self._limit.timeout.connect(lambda: self._fail(f"no picture: it took more than {PATIENCE / 1000:g} s"))

    def known(self, path: Path) -> ModelPicture | None:
        """The picture of a model; None: it is not known yet."""
        return self._known.get(path)

    @property
    def waiting(self) -> int:
        """The number of pictures still wanted."""
        return len(self._wanted) + (self._asked is not None) + (self._looked_at is not None)

    def want(self, paths: Sequence[Path]) -> None:
        """Request these pictures, in this order, instead of those requested before."""
        asked = None if self._asked is None else self._asked[0]
        self._wanted = [path for path in paths if path not in self._known and path not in (asked, self._looked_at)]
        self._turn.start(0)

    def forget(self) -> None:
        """Check the files again for changes; stored pictures are found on disk."""
        self._known.clear()

    def stop(self) -> None:
        """Stop drawing, and end the process immediately."""
        self._wanted, self._looked_at = [], None
        self._turn.stop()
        self._end_process()

    def _next(self) -> None:
        if self._asked is not None or self._looked_at is not None:
            return
        if not self._wanted:
            self._end_process()
            return
        path = self._looked_at = self._wanted.pop(0)
        self._background.run(
            lambda: _on_disk(path),
            lambda found: self._on_looked(path, *found),
            lambda why: self._on_looked(path, "", ModelPicture(None, why)),
        )

    def _on_looked(self, path: Path, key: str, found: ModelPicture | None) -> None:
        if path != self._looked_at:
            return  # the library is closed
        self._looked_at = None
        if found is None:
            self._ask(path, key)
        else:
            self._tell(path, found)

    def _tell(self, path: Path, picture: ModelPicture) -> None:
        self._known[path] = picture
        self.changed.emit(path)
        self._turn.start(0)

    # ---- the process

    def _ask(self, path: Path, key: str) -> None:
        if self._number >= MOST_BY_ONE:
            self._end_process()
        self._asked = path, key
        process = self._process or self._start()
        self._number += 1
        self._limit.start()
        process.write(json.dumps({"model": str(path), "picture": str(_file(key))}).encode() + b"\n")

    def _start(self) -> QProcess:
        process = self._process = program_process(self, "models", "--draw", failed=lambda why: self._fail(f"no picture: {why}"))
        self._number = 0
        surroundings = QProcessEnvironment.systemEnvironment()
        surroundings.insert("LP_NUM_THREADS", "1")  # where the processor draws, it draws with one thread
        process.setProcessEnvironment(surroundings)
        process.setStandardErrorFile(QProcess.nullDevice())
        process.started.connect(lambda: give_way(process.processId()))
        process.readyReadStandardOutput.connect(self._read)
        process.finished.connect(lambda: self._fail("no picture: the process that draws it crashed"))
        process.start()
        return process

    def _end_process(self) -> None:
        self._limit.stop()
        self._asked = None
        process, self._process = self._process, None
        if process is not None:
            end_process(process)

    def _read(self) -> None:
        while self._process is not None and self._process.canReadLine():
            try:
                answer = json.loads(bytes(self._process.readLine().data()))
                self._on_answer(str(answer["reason"]), bool(answer["lasting"]))
            except (ValueError, TypeError, KeyError):
                continue  # a line printed by other code

    def _on_answer(self, reason: str, lasting: bool) -> None:
        if self._asked is None:
            return
        (path, key), self._asked = self._asked, None
        self._limit.stop()
        image = QImage() if reason else QImage(str(_file(key)))
        if not image.isNull():
            self._tell(path, ModelPicture(image))
            return
        if lasting:
            _keep_reason(key, reason)
        self._tell(path, ModelPicture(None, reason or "no picture: it cannot be read"))

    def _fail(self, reason: str) -> None:
        """The process has ended, or will be ended; the next picture starts another."""
        asked = self._asked
        self._end_process()
        if asked is not None:
            self._tell(asked[0], ModelPicture(None, reason))


def _on_disk(path: Path) -> tuple[str, ModelPicture | None]:
    """The key of a model's picture, and its result; None if unknown."""
    try:
        digest = key(path)
        return digest, _kept(digest)
    except OSError as error:
        return "", ModelPicture(None, f"{path}: {error.strerror or error}")


def key(path: Path) -> str:
    """The key of a model's picture: the version that draws it, the model's folder, its text and all that it includes.

    Of an archive its place, size and time stand for its contents. Raises OSError.
    """
    digest = hashlib.sha256(f"{__version__} {path.parent}".encode())
    archive = archives.on_disk(path)
    if archive.suffix.lower() in archives.SUFFIXES:
        status = archive.stat()
        digest.update(f"{path} {status.st_size} {status.st_mtime_ns}".encode())
        return digest.hexdigest()
    pending, seen = [path], {path}
    while pending:
        file = pending.pop()
        data = file.read_bytes() if file == path or file.is_file() else b""
        digest.update(len(data).to_bytes(8, "little") + data)
        for name in text.includes(data):
            included = Path(os.path.normpath(file.parent / name))
            if included not in seen and len(seen) < MOST_INCLUDED:
                seen.add(included)
                pending.append(included)
    return digest.hexdigest()


def _file(key: str) -> Path:
    return cache_folder() / "pictures" / f"{key}.png"


def _kept(key: str) -> ModelPicture | None:
    """The result on disk: a picture or an error; None if unknown."""
    image = QImage(str(_file(key)))
    if not image.isNull():
        return ModelPicture(image)
    _file(key).parent.mkdir(parents=True, exist_ok=True)
    reason = _file(key).with_suffix(".txt")
    try:
        if 0 <= time() - reason.stat().st_mtime < FAULT_LASTS:  # of the future, where the clock was set back: looked at again
            return ModelPicture(None, reason.read_text("utf-8", "replace"))
    except FileNotFoundError:
        return None
    return None


def _keep_reason(key: str, reason: str) -> None:
    try:
        write_whole(_file(key).with_suffix(".txt"), reason.encode())
    except FileError as error:
        log.debug("%s", error)  # it is found out again the next time
