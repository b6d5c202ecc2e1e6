"""A simulation that tests pump by hand instead of waiting for the clock."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from weakref import WeakKeyDictionary

from PyQt6.QtCore import QCoreApplication, QTimer
from pytestqt.qtbot import QtBot

from tumble.app.session.session import Session
from tumble.app.simulation.clock import Clock
from tumble.app.simulation.commands import Command
from tumble.app.simulation.simulation import Simulation
from tumble.app.simulation.thread import Worker

# Time between two looks of the window while time is pumped [s]: as `FRAME_INTERVAL` of a session.
LOOK_INTERVAL = 0.016
_workers: WeakKeyDictionary[Session, Worker] = WeakKeyDictionary()


def remember(session: Session, worker: Worker) -> None:
    """Which worker a fixture has given to a session."""
    _workers[session] = worker


def simulation_of(session: Session) -> Simulation:
    """The running simulation, with its live data."""
    return _workers[session].simulation


def let_pass(session: Session, qtbot: QtBot, seconds: float) -> None:
    """Let so much simulated time pass [s]: by hand where the test pumps, else by waiting."""
    worker = _workers[session]
    if isinstance(worker, HandPumped):
        worker.run(seconds)
        return
    assert session.snapshot is not None
    until = session.snapshot.time + seconds - 1e-9
    qtbot.waitUntil(lambda: session.snapshot.time >= until)


class HandPumped(Worker):
    """Runs a simulation in the window's own thread. Commands are carried out when the event loop turns, as by the thread a
    moment later; time passes only in `run`, by the real clock's arithmetic on a wall time that is counted, not measured. By
    the same time panels take their turns to draw."""

    def __init__(self) -> None:
        self._wall = 0.0
        super().__init__(Simulation(Clock(), lambda: self._wall))
        self._queue: deque[Command] = deque()
        self._closed = False

    def start(self) -> None:
        """Nothing: the event loop carries out commands."""

    def send(self, command: Command) -> None:
        """Have a command carried out at the next turn of the event loop, or before more time passes."""
        self._queue.append(command)
        QTimer.singleShot(0, self.obey)

    def close(self, timeout: float = 10.0) -> bool:
        """Carry out nothing any more."""
        self._closed = True
        self._queue.clear()
        return True

    def obey(self) -> None:
        """Carry out every command sent so far, go to the moment that one of them has asked for, and have the window look."""
        if self._closed or not self._queue:
            return
        while self._queue:
            self._obey(self._queue.popleft())
        self._tell()
        while self.simulation.target is not None:
            self._wall += LOOK_INTERVAL
            self._advance()

    def run(self, seconds: float) -> None:
        """Let so much simulated time [s] pass at the rate that is set, and have the window look once a frame; less where time
        comes to stand."""
        self.obey()
        until, look = self.simulation.data.time + seconds - 1e-9, self._wall + LOOK_INTERVAL
        while not self.simulation.paused and self.simulation.data.time < until:
            wait = self._advance()
            self._wall += wait or 0.0
            if self._wall >= look:
                look = self._wall + LOOK_INTERVAL
                self._on_change()
                self.obey()
        self._tell()

    def run_until(self, met: Callable[[], bool], most: float = 30.0) -> None:
        """Let simulated time pass, at most so much [s], until something is so; the window lives meanwhile."""
        until = self.simulation.data.time + most
        while not met():
            assert self.simulation.data.time < until
            self.run(LOOK_INTERVAL)
            QCoreApplication.processEvents()

    def step(self, count: int) -> None:
        """Take so many steps of a simulation whose time stands, as the window's command does, and have the window look."""
        self.obey()
        self.simulation.step(count)
        self._tell()
