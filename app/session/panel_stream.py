"""Samples of every step for a panel, while it wants them; the kernels for that are compiled in the background."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Generic, TypeVar

from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.base.background import Background
from tumble.app.simulation.commands import StreamSteps
from tumble.app.simulation.hooks import StepStream, Watcher
from tumble.physics.kernel.prepare import ready
from tumble.physics.kernel.processes import compile_beside

if TYPE_CHECKING:
    from tumble.app.session.session import Session
    from tumble.physics import MjData
    from tumble.physics.kernel import Compiled

log = logging.getLogger(__name__)

Seen = TypeVar("Seen")
PREPARING = "Preparing this panel: a few seconds, only once"


class Preparation(QObject):
    """Compiles kernels on demand, where the cache lacks them, and reports when they are ready.

    A model pays only for what it uses, so a load does not prepare them. Compiled on first use, they would
    stop the simulation thread for as long as that takes: ten seconds and more on a slow machine.
    """

    ended = pyqtSignal()  # they are there; if they cannot be compiled in the background, first use compiles them

    def __init__(self, parts: Sequence[Compiled], say: Callable[[str], None], parent: QObject) -> None:
        """parts: kernels that are needed together; say: shows the user what takes so long."""
        super().__init__(parent)
        self._parts, self._say = parts, say
        self._ready = False
        self.running = False  # the kernels are being compiled
        self._background = Background("kernels", self)

    def ready(self) -> bool:
        """True if the kernels are ready; else their compilation begins, and `ended` follows."""
        if self._ready or self.running:
            return self._ready
        self._ready = ready(self._parts)
        if not self._ready:
            self.running = True
            self._say(PREPARING)
            self._background.run(self._build, self._on_built, self._on_failed)
        return self._ready

    def _build(self) -> float:
        """Compile the missing kernels; returns the time that it took [s]."""
        began = perf_counter()
        missing = [part for part in self._parts if not ready([part])]
        compile_beside(missing, lambda part: None, waiting=self._background.check)
        return perf_counter() - began

    def _on_built(self, seconds: float) -> None:
        log.info("prepared %s in %.1f s", ", ".join(part.name for part in self._parts), seconds)
        self._end("The panel is ready")

    def _on_failed(self, why: str) -> None:
        self._end(f"The panel could not be prepared: {why}")

    def _end(self, said: str) -> None:
        self.running, self._ready = False, True  # remaining kernels are compiled on first use
        self._say(said)
        self.ended.emit()


class PanelStream(Generic[Seen]):
    """A watcher's samples of every step of the present model, while they are wanted."""

    def __init__(self, session: Session, make: Callable[[MjData], Watcher[Seen]], kernels: Preparation) -> None:
        """make: creates the watcher of given data; kernels: those that it runs."""
        self._session, self._make, self._kernels = session, make, kernels
        self._wanted = False
        self._stream: StepStream[Seen] | None = None
        kernels.ended.connect(self.renew)

    def want(self, wanted: bool) -> None:
        """Turn watching of steps on or off."""
        if wanted == self._wanted:
            return
        self._wanted = wanted
        if self._stream is not None:
            self._session.send(StreamSteps(self._stream, False))
        self.renew()

    def renew(self) -> None:
        """Another model runs, and the previous stream has ended; or the kernels are ready."""
        self._stream = None
        if self._wanted and self._session.model is not None and self._kernels.ready():
            self._stream = StepStream(self._make)
            self._session.send(StreamSteps(self._stream, True))

    def take(self) -> list[Seen]:
        """The samples since the last call."""
        return [] if self._stream is None else self._stream.take()
