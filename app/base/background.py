"""The one executor for work that would stop the window: it runs in another thread, its outcome comes back to the window's.

Each owner (loading, the library, a panel, ...) has a `Background` of its own, so that it can wait for what is its own when the
window closes. Every piece of work has a thread to itself and starts at once: a file must not wait until a compiler has ended.
A thread that lives as long as its owner, such as the simulation's or an encoder's, is not work but a place: it is none of this.
See docs/decisions/threads.md.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar
from weakref import WeakSet

from PyQt6.QtCore import QObject, pyqtSignal

log = logging.getLogger(__name__)
T = TypeVar("T")


class Closed(Exception):
    """The window closes: work that takes long gives up, and tells nobody."""


class Background(QObject):
    """Pieces of work of one owner. name: of their threads, and of what did not end, in the log."""

    _ended = pyqtSignal(object)  # Callable[[], None], to be called in the thread of this object: the window's

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self._work: dict[Future[None], ThreadPoolExecutor] = {}
        self._lock = threading.Lock()  # the simulation thread may ask for work too
        self._closed = threading.Event()
        self._ended.connect(lambda deliver: deliver())
        _ALL.add(self)

    @property
    def busy(self) -> bool:
        """Whether there is work that has not ended."""
        return any(not future.done() for future in tuple(self._work))

    def run(
        self,
        work: Callable[[], T],
        then: Callable[[T], None] = lambda result: None,
        failed: Callable[[str], None] = lambda why: None,
        known: tuple[type[Exception], ...] = (),
    ) -> None:
        """Have work done in another thread; in this object's, one of the two others is called with its outcome.

        known: exceptions whose message says it all; others are mistakes of the program and go to the log with their traceback.
        May be called from any thread. Once it is closed nothing begins.
        """

        def go() -> None:
            tell: Callable[[Any], None] = then
            outcome: Any
            try:
                outcome = work()
            except Closed:
                return
            except known as error:
                tell, outcome = failed, str(error)
            except Exception as error:  # a fault of ours must not leave whoever waits waiting
                log.exception("work in the background failed: %s", self.name)
                tell, outcome = failed, f"{type(error).__name__}: {error}"
            self._deliver(lambda: tell(outcome))

        executor = ThreadPoolExecutor(1, thread_name_prefix=self.name)
        with self._lock:
            if self._closed.is_set():
                return
            self._work = {future: its for future, its in self._work.items() if not future.done()}
            self._work[executor.submit(go)] = executor
        executor.shutdown(wait=False)  # its thread ends with this work: none stays idle

    def _deliver(self, outcome: Callable[[], None]) -> None:
        try:
            self._ended.emit(outcome)
        except RuntimeError:  # Qt has deleted this object, and with it whoever waited
            log.debug("the outcome of %s finds nobody any more", self.name)

    def check(self) -> None:
        """For work that takes long, to be called now and then: raises Closed once the window closes."""
        if self._closed.is_set():
            raise Closed

    def wait(self, timeout: float) -> bool:
        """Wait for all that has begun [s]; whether it has ended. What has not is named in the log."""
        with self._lock:
            work = dict(self._work)
        ended, left = wait(work, timeout)
        for future in ended:
            work[future].shutdown()  # its thread has nothing left to do: it is gone, too
        if left:
            log.warning("%s did not end within %g s", self.name, timeout)
        return not left

    def close(self, timeout: float) -> bool:
        """The window closes: have work give up where it can, and wait for the rest [s]; whether all has ended."""
        with self._lock:
            self._closed.set()
        return self.wait(timeout)


_ALL: WeakSet[Background] = WeakSet()


def close_all(timeout: float) -> bool:
    """Close what nobody has closed, each for so long at most [s]; whether all has ended."""
    ended = [background.close(timeout) for background in _ALL]  # each of them, whatever became of those before
    return all(ended)
