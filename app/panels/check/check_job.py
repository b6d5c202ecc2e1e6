"""A check of the running model, in the background on a copy, and its last findings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.base.background import Background
from tumble.app.doctor.case import Examination
from tumble.app.doctor.examine import examine
from tumble.app.doctor.finding import Finding
from tumble.app.session.loader import without_text
from tumble.app.session.session import Session
from tumble.app.simulation.commands import copy_state
from tumble.physics.errors import PhysicsError

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

CLOSING = 5.0  # time for a check that is at work when the window closes [s]
REPORT = 50  # steps between two words about how far it is


class Stopped(Exception):
    """The check is no longer wanted."""


class Checker(QObject):
    """Of one session. findings: of the last check of this model, None before the first; share: how much of a check is done,
    None while none is at work. changed: one of these is new."""

    changed = pyqtSignal()
    _copied = pyqtSignal(object, int)  # from the simulation thread: the model and data, or why not; which check
    _went = pyqtSignal(float, int)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.findings: list[Finding] | None = None
        self.share: float | None = None
        self.problem = ""  # why there is no result
        self._session = session
        self._background = Background("check", self)
        self._run = 0  # which check is wanted: those before come to nothing
        self._copied.connect(self._begin)
        self._went.connect(self._on_progress)
        session.model_loaded.connect(self._forget)

    def start(self) -> None:
        """Check the model as it is now, with the edits that are not in the file."""
        if self._session.model is None:
            return
        self._run += 1
        self.share, self.problem = 0.0, ""
        self.changed.emit()
        run = self._run
        self._session.send(copy_state(lambda copy: self._copied.emit(copy, run)))

    def stop(self) -> None:
        """Check no longer."""
        self._run += 1
        self.share = None
        self.changed.emit()

    def close(self) -> bool:
        """The session ends; returns True if the thread has ended."""
        self._run += 1
        return self._background.close(CLOSING)

    def _forget(self) -> None:
        self.findings, self.problem = None, ""
        self.stop()

    def _begin(self, copy: tuple[MjModel, MjData] | str, run: int) -> None:
        if run != self._run or self._session.model is None:
            return
        if isinstance(copy, str):
            self._fail(copy, run)
            return
        model, path = copy[0], self._session.path
        model.notes = self._session.model.notes
        model.tumble.threads = 1  # the simulation's own threads continue
        self._background.run(
            lambda: self._work(model, path, run), lambda found: self._end(found, run), lambda why: self._fail(why, run),
            (PhysicsError, Stopped),
        )  # fmt: skip

    def _work(self, model: MjModel, path: Path | None, run: int) -> list[Finding]:
        def going(done: int, steps: int) -> None:
            if run != self._run:
                raise Stopped
            if done % REPORT == 0:
                self._background.check()
                self._went.emit(done / max(steps, 1), run)

        return examine(Examination(model, None if path is None or without_text(path) else path), going)

    def _on_progress(self, share: float, run: int) -> None:
        if run == self._run and self.share is not None:
            self.share = share
            self.changed.emit()

    def _end(self, found: list[Finding], run: int) -> None:
        if run == self._run:
            self.findings, self.share = found, None
            self.changed.emit()

    def _fail(self, why: str, run: int) -> None:
        if run == self._run:
            self.problem, self.share = why, None
            self.changed.emit()
