"""Pictures of models: made one at a time by a process of low priority, and kept on disk by what the model's files hold."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import time

from PyQt6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, pyqtSignal
from PyQt6.QtGui import QImage

from app import __version__, program
from app.files import FileError, write_whole
from app.library import archive as archives
from app.library import places, text, unpack
from app.record.priority import give_way

log = logging.getLogger(__name__)

WIDTH, HEIGHT = 384, 240  # pixels; they are shown at half that size
MOST_INCLUDED = 200  # files that a picture's key takes in
PATIENCE = 300_000  # for one picture [ms]: the first may have kernels to compile
FAULT_LASTS = 86_400.0  # a model that did not load is tried again after so long [s]
ENVIRONMENT = 3  # the exit code where the computer is at fault, not the model


@dataclass(frozen=True, slots=True)
class ModelPicture:
    """Of a model; image: None where there is none, for the reason given."""

    image: QImage | None
    reason: str = ""


class Pictures(QObject):
    """changed: the path of a model whose picture, or the reason why it has none, is known now."""

    changed = pyqtSignal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: dict[Path, ModelPicture] = {}
        self._wanted: list[Path] = []
        self._process: QProcess | None = None
        self._turn = QTimer(self)  # one picture a turn of the event loop: those on disk are many and quick
        self._turn.setSingleShot(True)
        self._turn.timeout.connect(self._next)
        self._limit = QTimer(self)
        self._limit.setSingleShot(True)
        self._limit.setInterval(PATIENCE)
        self._limit.timeout.connect(self._give_up)
        self._path, self._key, self._late = Path(), "", False

    def known(self, path: Path) -> ModelPicture | None:
        """The picture of a model; None: it is not known yet."""
        return self._known.get(path)

    @property
    def busy(self) -> bool:
        """Whether there is something to do."""
        return self._process is not None or bool(self._wanted)

    def want(self, paths: Sequence[Path]) -> None:
        """These are to be had, the first ones first; what was wanted before and is not among them no longer is."""
        self._wanted = [path for path in paths if path not in self._known and not (self._process and path == self._path)]
        if self._process is None and self._wanted:
            self._turn.start(0)

    def forget(self) -> None:
        """Look at the files again: they may have changed. What is on disk is found there."""
        self._known.clear()

    def stop(self) -> None:
        """Make none any more, and end the process at once."""
        self._wanted = []
        self._turn.stop()
        self._limit.stop()
        process, self._process = self._process, None
        if process is not None:
            process.finished.disconnect()
            process.errorOccurred.disconnect()
            process.kill()
            process.waitForFinished(3000)
            process.deleteLater()

    def _next(self) -> None:
        if self._process is not None or not self._wanted:
            return
        self._path = self._wanted.pop(0)
        try:
            self._key = key(self._path)
            made = _kept(self._key)
        except OSError as error:
            made = ModelPicture(None, f"{self._path}: {error.strerror or error}")
        if made is None:
            self._launch()
        else:
            self._tell(made)

    def _tell(self, picture: ModelPicture) -> None:
        self._known[self._path] = picture
        self.changed.emit(self._path)
        if self._wanted:
            self._turn.start(0)

    def _launch(self) -> None:
        target = _file(self._key)
        process = self._process = QProcess(self)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            log.debug("pictures are not kept in %s: %s", target.parent, error)  # which the process then says
        surroundings = QProcessEnvironment.systemEnvironment()
        surroundings.insert("LP_NUM_THREADS", "1")  # where the processor draws, it draws with one thread
        process.setProcessEnvironment(surroundings)
        process.setWorkingDirectory(str(program.ROOT))
        process.setStandardInputFile(QProcess.nullDevice())
        process.setStandardOutputFile(QProcess.nullDevice())
        process.started.connect(lambda: give_way(process.processId()))
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_error)
        line = program.command("render", str(self._path), "-o", str(target), "--size", f"{WIDTH}x{HEIGHT}", "--quiet")
        self._late = False
        self._limit.start()
        process.start(line[0], line[1:])

    def _give_up(self) -> None:
        if self._process is not None:
            self._late = True
            self._process.kill()

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart and self._process is not None:
            self._end(ModelPicture(None, f"no picture: {self._process.errorString()}"))

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        if self._process is None:
            return
        said = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace").strip().splitlines()
        image = QImage(str(_file(self._key)))
        if code == 0 and status == QProcess.ExitStatus.NormalExit and not image.isNull():
            self._end(ModelPicture(image))
            return
        if self._late:
            reason = f"no picture: it took more than {PATIENCE / 1000:g} s"
        elif status == QProcess.ExitStatus.CrashExit:
            reason = "no picture: drawing it ended the process that does it"
        else:
            reason = said[-1] if said else f"no picture: drawing it ended with code {code}"
        if code != ENVIRONMENT and not self._late:
            _keep_reason(self._key, reason)
        self._end(ModelPicture(None, reason))

    def _end(self, picture: ModelPicture) -> None:
        self._limit.stop()
        if self._process is not None:
            self._process.deleteLater()
            self._process = None
        self._tell(picture)


def key(path: Path) -> str:
    """What tells the picture of a model from others: the version that draws it, its folder, its text and all that it includes.

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
    return places.cache("pictures") / f"{key}.png"


def _kept(key: str) -> ModelPicture | None:
    """What is on disk: a picture, or why there is none; None: nothing."""
    image = QImage(str(_file(key)))
    if not image.isNull():
        return ModelPicture(image)
    reason = _file(key).with_suffix(".txt")
    try:
        if time() - reason.stat().st_mtime < FAULT_LASTS:
            return ModelPicture(None, reason.read_text("utf-8", "replace"))
    except FileNotFoundError:
        return None
    return None


def _keep_reason(key: str, reason: str) -> None:
    try:
        write_whole(_file(key).with_suffix(".txt"), unpack.in_words(reason).encode())
    except FileError as error:
        log.debug("%s", error)  # it is found out again the next time
