"""The one executor for work that would block the window: it runs in another thread, its result is delivered in the window's.

Each owner (loading, the library, a panel, ...) has its own `Background`, so that it can wait for its own work when the window
closes. Each task has its own thread and starts at once: saving a file must not wait until a compiler has ended. Threads that live
as long as their owner, such as the simulation's or an encoder's, are made where they are needed. See docs/decisions/threads.md.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar
from weakref import WeakSet

from PyQt6.QtCore import QObject, QProcess, pyqtSignal, pyqtSlot

from tumble import ROOT, command_line

log = logging.getLogger(__name__)
T = TypeVar("T")


KILLED_IN = 3000  # time in which a process must have ended [ms]


def program_process(parent: QObject, *arguments: str, failed: Callable[[str], None]) -> QProcess:
    """The program itself with arguments, in another process that is still to be started.

    failed: called with the reason if it does not start.
    """
    process = QProcess(parent)
    line = command_line(*arguments)
    process.setProgram(line[0])
    process.setArguments(line[1:])
    process.setWorkingDirectory(str(ROOT))
    process.errorOccurred.connect(
        lambda error: failed(process.errorString()) if error == QProcess.ProcessError.FailedToStart else None
    )
    return process


def end_process(process: QProcess) -> None:
    """End a process immediately, without a signal."""
    process.blockSignals(True)
    process.kill()
    process.waitForFinished(KILLED_IN)
    process.deleteLater()


class Closed(Exception):
    """Raised in a long task when the window closes: it stops, and delivers no result."""


class Background(QObject):
    """The tasks of one owner. name: of their threads, and in the log if one does not end."""

    _ended = pyqtSignal(object)  # Callable[[], None], to be called in the thread of this object: the window's

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self._work: dict[Future[None], ThreadPoolExecutor] = {}
        self._lock = threading.Lock()  # the simulation thread calls `run` too
        self._closed = threading.Event()
        self._ended.connect(self._hand_over)
        _ALL.add(self)

    @pyqtSlot(object)  # a Qt slot: queued results are dropped with this object, unlike those of a lambda
    def _hand_over(self, deliver: Callable[[], None]) -> None:
        deliver()

    @property
    def busy(self) -> bool:
        """True if a task is running."""
        return any(not future.done() for future in tuple(self._work))

    def run(
        self,
        work: Callable[[], T],
        then: Callable[[T], None] = lambda result: None,
        failed: Callable[[str], None] = lambda why: None,
        known: tuple[type[Exception], ...] = (),
    ) -> None:
        """Run work in another thread; then or failed is called with the outcome in this object's thread.

        known: exceptions whose message is for the user; others are bugs and go to the log with their traceback.
        May be called from any thread. After `close` nothing is started.
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
            except MemoryError as error:
                tell, outcome = failed, f"there is not enough memory{f': {error}' if str(error) else ''}"
            except Exception as error:  # a bug must not leave the caller waiting
                log.exception("work in the background failed: %s", self.name)
                tell, outcome = failed, f"{type(error).__name__}: {error}"
            self._deliver(lambda: tell(outcome))

        executor = ThreadPoolExecutor(1, thread_name_prefix=self.name)
        with self._lock:
            if self._closed.is_set():
                return
            self._work = {future: its for future, its in self._work.items() if not future.done()}
            self._work[executor.submit(go)] = executor
        executor.shutdown(wait=False)  # its thread ends with this task: none stays idle

    def _deliver(self, outcome: Callable[[], None]) -> None:
        try:
            self._ended.emit(outcome)
        except RuntimeError:  # Qt has deleted this object, and with it the receiver
            log.debug("%s: there is no receiver for the result any more", self.name)

    def check(self) -> None:
        """Long tasks call this regularly: raises Closed once the window closes."""
        if self._closed.is_set():
            raise Closed

    def wait(self, timeout: float) -> bool:
        """Wait up to timeout [s] for all running tasks; returns True if they have ended. If not, the log names them."""
        with self._lock:
            work = dict(self._work)
        ended, left = wait(work, timeout)
        for future in ended:
            work[future].shutdown()  # joins its thread, which has nothing left to do
        if left:
            log.warning("%s did not end within %g s", self.name, timeout)
        return not left

    def close(self, timeout: float) -> bool:
        """The window closes: stop tasks that call `check`, and wait for the others [s]; returns True if all have ended."""
        with self._lock:
            self._closed.set()
        return self.wait(timeout)


_ALL: WeakSet[Background] = WeakSet()


def close_all(timeout: float) -> bool:
    """Close all open ones, waiting at most timeout [s] for each; returns True if all tasks have ended."""
    ended = [background.close(timeout) for background in _ALL]  # each of them, even if one before did not end
    return all(ended)
