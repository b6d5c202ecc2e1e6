"""Kernels that only a panel needs: compiled beside the simulation, so that opening the panel stops nothing."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from time import perf_counter

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from physics import KernelProgress
from physics.compiler.progress import AssetProgress
from physics.kernel import Compiled
from physics.kernel.prepare import ready
from physics.kernel.processes import compile_beside

log = logging.getLogger(__name__)

POLL = 50  # time between two looks whether they are there [ms]
PREPARING = "Preparing this panel: once, for some seconds"


def preparing(progress: KernelProgress | AssetProgress) -> str:
    """How far it is until a model moves that has to wait for its files or its kernels, in words."""
    if isinstance(progress, AssetProgress):
        return f"{progress} (Esc: cancel)"
    left = round(progress.left)
    wait = f"about {left} s left" if left > 1 else "a moment more"
    return f"Preparing the simulation, once on this computer: {wait}"


class Preparation(QObject):
    """Has some kernels compiled once they are wanted, where the cache does not hold them, and tells when they are there.

    A model pays only for what it uses, so a load does not prepare them. Compiled by whoever needs them first, they would
    stop the simulation thread for as long as that takes: ten seconds and more on a slow machine.
    """

    ended = pyqtSignal()  # they are there; where they cannot be compiled beside, first use compiles them

    def __init__(self, parts: Sequence[Compiled], say: Callable[[str], None], parent: QObject) -> None:
        """parts: the kernels that are needed together; say: tells the user what takes so long."""
        super().__init__(parent)
        self._parts, self._say = parts, say
        self._ready = False
        self._began = 0.0
        self._thread: threading.Thread | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(POLL)
        self._timer.timeout.connect(self._look)

    @property
    def running(self) -> bool:
        """Whether they are being compiled."""
        return self._thread is not None

    def ready(self) -> bool:
        """Whether they can be used now. Where not, they are compiled from now on, and `ended` follows."""
        if self._ready or self._thread is not None:
            return self._ready
        self._ready = ready(self._parts)
        if not self._ready:
            self._say(PREPARING)
            self._began = perf_counter()
            self._thread = threading.Thread(target=self._build, name="kernels", daemon=True)
            self._thread.start()
            self._timer.start()
        return self._ready

    def _build(self) -> None:
        compile_beside([part for part in self._parts if not ready([part])], lambda part: None)

    def _look(self) -> None:
        if self._thread is None or self._thread.is_alive():
            return
        self._thread, self._ready = None, True
        self._timer.stop()
        log.info("prepared %s in %.1f s", ", ".join(part.name for part in self._parts), perf_counter() - self._began)
        self._say("The panel is ready")
        self.ended.emit()
