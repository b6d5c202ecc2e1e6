"""The simulation thread: steps in real time, obeys a queue of commands, and costs nothing while paused."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue

from app.simulation.commands import Command
from app.simulation.simulation import Simulation
from physics.kernel.prepare import Told

log = logging.getLogger(__name__)


class Worker:
    """A thread that owns a simulation.

    on_change: called in the simulation thread when a command was carried out, so that a window that sleeps
    while time stands can look; on_failure: called with a message when stepping failed and time was stopped;
    on_kernels: how far compiling is, while kernels are compiled that an option asks for.
    """

    def __init__(
        self,
        on_change: Callable[[], None] = lambda: None,
        on_failure: Callable[[str], None] = lambda message: None,
        on_kernels: Told = lambda progress: None,
        simulation: Simulation | None = None,
    ) -> None:
        self._simulation = simulation or Simulation()
        self._simulation.tell_kernels = on_kernels
        self._queue: SimpleQueue[Command | None] = SimpleQueue()
        self._on_change = on_change
        self._on_failure = on_failure
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

    def _run(self) -> None:
        while self._obey_all(self._advance()):
            pass

    def _advance(self) -> float | None:
        under_way = self._simulation.target is not None
        try:
            wait = self._simulation.advance()
            if under_way and self._simulation.target is None:
                self._on_change()
            return wait
        except Exception as error:  # for any error the window must live on and report it
            log.exception("the simulation was stopped")
            self._simulation.set_paused(True)
            self._simulation.target = None
            self._on_failure(f"{type(error).__name__}: {error}")
            self._on_change()
            return None

    def _obey_all(self, wait: float | None) -> bool:
        """Carry out what is queued, waiting for the first [s, None: however long]; False: the thread shall end."""
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
                self._simulation.publish()
                self._on_change()
            return True

    def _obey(self, command: Command) -> None:
        self._simulation.obeyed += 1
        self._simulation.touch()
        try:
            command.apply(self._simulation)
        except Exception as error:  # one bad command must not end the thread
            log.exception("%s failed", command)
            self._on_failure(f"{type(command).__name__} failed: {error}")
