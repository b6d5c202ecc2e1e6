"""Kernels for single panels: compiled in the background, so that opening the panel does not block."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.base.background import Background
from tumble.physics.compiler.progress import AssetProgress
from tumble.physics.kernel.prepare import ready
from tumble.physics.kernel.processes import compile_beside

if TYPE_CHECKING:
    from tumble.physics import KernelProgress
    from tumble.physics.kernel import Compiled

log = logging.getLogger(__name__)

PREPARING = "Preparing this panel: a few seconds, only once"


def preparing(progress: KernelProgress | AssetProgress) -> str:
    """Progress of a load in words, while files are read or kernels compiled."""
    if isinstance(progress, AssetProgress):
        return f"{progress} (Esc: cancel)"
    left = round(progress.left)
    wait = f"about {left} s left" if left > 1 else "a moment"
    return f"Preparing the simulation, once on this computer: {wait}"


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
        self._running = False
        self._background = Background("kernels", self)

    @property
    def running(self) -> bool:
        """True while kernels are compiled."""
        return self._running

    def ready(self) -> bool:
        """True if the kernels are ready; else their compilation begins, and `ended` follows."""
        if self._ready or self._running:
            return self._ready
        self._ready = ready(self._parts)
        if not self._ready:
            self._running = True
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
        self._running, self._ready = False, True  # remaining kernels are compiled on first use
        self._say(said)
        self.ended.emit()
