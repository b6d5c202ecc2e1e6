"""The simulation thread: steps in real time, executes queued commands, and costs nothing while paused."""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from tumble.app.simulation.commands import Command
from tumble.app.simulation.simulation import Simulation

if TYPE_CHECKING:
    from tumble.physics.kernel.prepare import Told

log = logging.getLogger(__name__)


class Worker(ABC):
    """Owns a simulation, executes its commands and advances it; a subclass decides when, and in which thread."""

    def __init__(self, simulation: Simulation | None = None) -> None:
        self.simulation = simulation or Simulation()
        self._on_change: Callable[[], None] = lambda: None
        self._on_failure: Callable[[str], None] = lambda message: None

    def listen(self, on_change: Callable[[], None], on_failure: Callable[[str], None], on_kernels: Told) -> None:
        """Set the receivers of its events; called once, before `start`.

        on_change: called where the simulation runs when a command was carried out, so that a window that sleeps while time
        stands can look; on_failure: called with a message when stepping failed and time was stopped; on_kernels: how far
        compiling is, while kernels are compiled that an option needs.
        """
        self._on_change, self._on_failure, self.simulation.tell_kernels = on_change, on_failure, on_kernels

    @property
    def now(self) -> Callable[[], float]:
        """The wall clock by which the simulation's time passes [s]."""
        return self.simulation.now

    @abstractmethod
    def start(self) -> None:
        """Begin to carry out commands."""

    @abstractmethod
    def send(self, command: Command) -> None:
        """Queue a command, to be carried out in order between two batches of steps; returns immediately."""

    @abstractmethod
    def close(self, timeout: float = 10.0) -> bool:
        """End after the batch at work; returns True if it has ended within the timeout [s]."""

    def _advance(self) -> float | None:
        """Take the due steps; returns the wall time until the next ones [s], None: wait for a command."""
        under_way = self.simulation.target is not None
        try:
            wait = self.simulation.advance()
            if under_way and self.simulation.target is None:
                self._on_change()
            return wait
        except BaseException as error:  # for any error, SystemExit of a callback too, the window must live on and report it
            log.exception("the simulation was stopped")
            self.simulation.set_paused(True)
            self.simulation.target = None
            self._on_failure(f"{type(error).__name__}: {error}")
            self._on_change()
            return None

    def _obey(self, command: Command) -> None:
        self.simulation.obeyed += 1
        self.simulation.touch()
        try:
            command.apply(self.simulation)
        except Exception as error:  # one bad command must not end the thread
            log.exception("%s failed", command)
            self._on_failure(f"{type(command).__name__} failed: {error}")

    def _tell(self) -> None:
        """Commands were executed: publish their effect."""
        self.simulation.publish()
        self._on_change()


class ThreadWorker(Worker):
    """A thread in which a simulation runs in real time."""

    def __init__(self, simulation: Simulation | None = None) -> None:
        super().__init__(simulation)
        self._queue: SimpleQueue[Command | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="simulation", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def send(self, command: Command) -> None:
        """Queue a command, to be carried out in order between two batches of steps; returns immediately."""
        self._queue.put(command)

    def close(self, timeout: float = 10.0) -> bool:
        """End the thread after the running batch; returns whether it has ended within the timeout [s]."""
        self._queue.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def _tell(self) -> None:
        try:
            super()._tell()
        except Exception as error:  # of a panel's probe: the thread must live on
            log.exception("a probe failed")
            self._on_failure(f"{type(error).__name__}: {error}")
            self._on_change()

    def _run(self) -> None:
        while self._obey_all(self._advance()):
            pass

    def _obey_all(self, wait: float | None) -> bool:
        """Execute queued commands, waiting for the first [s, None: forever]; False: the thread shall end."""
        obeyed = False
        try:
            command = self._queue.get(timeout=wait)
            while command is not None:
                self._obey(command)
                obeyed = True
                command = self._queue.get_nowait()
            return False
        except Empty:
            if obeyed:
                self._tell()
            return True
