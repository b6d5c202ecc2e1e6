"""`tumble --smoke-test FOLDER`: tests this installation in the real window, and writes its results to a folder.

A scene is opened, time runs, a step is taken, a picture is grabbed, a second of the view is recorded, and what has been is
exported by a separate process. Each part ends when its condition holds; one that never does ends the test, and the
report says which it was.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

import numpy as np
from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from tumble import __version__
from tumble.app.base import files
from tumble.app.film.export import Order
from tumble.app.film.offline import save_png
from tumble.app.film.recording import RecordingPhase
from tumble.app.film.video import VideoError
from tumble.app.shell.main_window import MainWindow
from tumble.app.viewport.photo import array_of

REPORT, PICTURE, VIDEO, EXPORT = "report.json", "picture.png", "recording.mp4", "export.mp4"
POLL = 10  # polling interval [ms]
PATIENCE = 300.0  # for each part [s]
RUNS = 0.2  # simulated time that must pass [s]
LENGTH = 1.0  # of the recording [s]
EXPORTED = 0.5  # of the simulation [s]
FPS = 30.0
SIZE = (640, 480)  # of the videos [pixels]
LEAST_COLOURS = 16  # in a picture that shows something: a black view, or an empty one, has fewer

Part = tuple[str, Callable[[], bool]]


class ErrorList(logging.Handler):
    """Collects logged errors of all threads: the window would show them, and run on."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Store a message."""
        self.messages.append(record.getMessage())


class SmokeTest(QObject):
    """Drives a window that is about to open a scene. ended: with the exit code, 0 if all went well."""

    ended = pyqtSignal(int)

    def __init__(self, window: MainWindow, folder: Path) -> None:
        super().__init__(window)
        self._window, self._folder = window, folder
        self._done: dict[str, float] = {}  # checks passed, with seconds since the start
        self._saved = self._exported = self._over = False
        self._began = self._since = perf_counter()
        self._errors = ErrorList()
        self._parts = self._script()
        self._part: Part | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(POLL)
        self._timer.timeout.connect(self._look)
        recording = window.filming.recording
        recording.saved.connect(self._note_saved)
        window.filming.export.ended.connect(self._note_exported)
        for failed in (window.session.load_failed, window.session.failed, recording.failed):
            failed.connect(self._fail)

    def start(self) -> None:
        """Begin; call it once the window is opening its file."""
        logging.getLogger().addHandler(self._errors)
        self._began = self._since = perf_counter()
        self._timer.start()
        self._advance()

    def _script(self) -> Iterator[Part]:
        """The parts in their order; code between two runs when the first is done."""
        session, recording = self._window.session, self._window.filming.recording
        yield "scene open", lambda: session.model is not None and session.snapshot is not None
        yield "time runs", lambda: self._time() >= RUNS
        self._grab()
        recording.start(self._folder / VIDEO, *SIZE, FPS, panels=True)
        yield "recording", lambda: recording.seconds >= LENGTH
        recording.stop()
        yield "recording saved", lambda: self._saved and recording.phase is RecordingPhase.IDLE
        session.set_paused(True)
        yield "paused", lambda: session.is_obeyed
        before = self._time()
        session.step()
        most = before + 1.5 * session.loaded_model.opt.timestep
        yield "one step taken", lambda: session.is_obeyed and before < self._time() <= most
        order = Order(self._folder / EXPORT, *SIZE, f"{FPS:g}")
        self._window.filming.export.start(order, self._window.filming.cut(EXPORTED))
        yield "exported", lambda: self._exported

    def _look(self) -> None:
        if self._part is None:
            return
        what, holds = self._part
        if self._errors.messages:
            self._fail(self._errors.messages[0])
        elif holds():
            self._done[what] = round(perf_counter() - self._began, 3)
            self._since = perf_counter()
            self._advance()
        elif perf_counter() - self._since > PATIENCE:
            self._fail(f"waited {PATIENCE:g} s without success for: {what}")

    def _advance(self) -> None:
        try:
            self._part = next(self._parts, None)
        except (VideoError, files.FileError, ValueError) as error:
            self._fail(str(error))
            return
        if self._part is None:
            self._end("")

    def _time(self) -> float:
        snapshot = self._window.session.snapshot
        return 0.0 if snapshot is None else snapshot.time

    def _grab(self) -> None:
        """Store a picture of the view. Raises ValueError if it is blank."""
        pixels = array_of(self._window.viewport.grabFramebuffer())
        save_png(pixels, self._folder / PICTURE)
        colours = len(np.unique(pixels[::4, ::4, :3].reshape(-1, 3), axis=0))
        if colours < LEAST_COLOURS:
            raise ValueError(f"the view shows nothing: {colours} colours in {PICTURE}")

    def _note_saved(self, remark: str) -> None:
        self._saved = True

    def _note_exported(self, well: bool, message: str) -> None:
        self._exported = True
        if not well:
            self._fail(message)

    def _fail(self, message: str) -> None:
        self._end(message or "it failed, and nothing was said")

    def _end(self, failure: str) -> None:
        if self._over:
            return
        self._over, self._part = True, None
        self._timer.stop()
        logging.getLogger().removeHandler(self._errors)
        try:
            self._write(failure)
        except files.FileError as error:
            failure = failure or str(error)
        if failure:
            sys.stderr.write(f"the smoke test failed: {failure}\n")
        self.ended.emit(1 if failure else 0)

    def _write(self, failure: str) -> None:
        report = {
            "version": __version__,
            "passed": not failure,
            "failure": failure,
            "seconds": self._done,
            "frozen": bool(getattr(sys, "frozen", False)),
            "compiler_loaded": "numba" in sys.modules,
        }
        files.write_whole(self._folder / REPORT, (json.dumps(report, indent=2) + "\n").encode())
