"""Work that takes long and is not the simulation's: in a thread beside the window, its outcome told in the window's."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from PyQt6.QtCore import QObject, pyqtSignal

log = logging.getLogger(__name__)
T = TypeVar("T")


class Aside(QObject):
    """Runs pieces of work, each in a thread of its own."""

    _told = pyqtSignal(object)  # Callable[[], None], to be called in the window's thread

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._threads: list[threading.Thread] = []
        self._told.connect(lambda tell: tell())

    def run(
        self,
        work: Callable[[], T],
        then: Callable[[T], None],
        failed: Callable[[str], None],
        known: tuple[type[Exception], ...] = (),
    ) -> None:
        """Have work done; one of the two others is called with its outcome.

        known: exceptions whose message says it all; others are mistakes of the program and go to the log with their traceback.
        """

        def go() -> None:
            tell: Callable[[Any], None] = then
            outcome: Any
            try:
                outcome = work()
            except known as error:
                tell, outcome = failed, str(error)
            except Exception as error:  # a fault of ours must not leave whoever waits waiting
                log.exception("work aside failed")
                tell, outcome = failed, f"{type(error).__name__}: {error}"
            self._told.emit(lambda: tell(outcome))

        thread = threading.Thread(target=go, name="aside", daemon=True)
        self._threads = [*(t for t in self._threads if t.is_alive()), thread]
        thread.start()

    def close(self, timeout: float) -> bool:
        """Wait for what is at work, so long at most each [s]; whether all has ended."""
        for thread in self._threads:
            thread.join(timeout)
        return not any(thread.is_alive() for thread in self._threads)
