"""Drawing budget of docks: they share part of a frame's time, so that the view never waits for all at once."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

SHARE = 0.08  # of the time between two frames that docks may take; one of them may draw in any case
SMOOTHING = 0.25  # how fast measured times follow
LONGEST = 1.0  # a longer frame is ignored as an outlier [s]
PAINTING = 2.0  # cost of a dock relative to its update: painting comes later


class FrameBudget:
    """Grants turns at the start of each frame: first to the docks that have waited longest, as far as the time suffices."""

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self.clock = clock
        self.free = True  # every dock may draw: the simulation is paused
        self._turns: list[DrawingTurn] = []
        self._began = clock()
        self._frame = 0.0

    def new_turn(self, interval: float) -> DrawingTurn:
        """Register a drawing; interval: least wall time between two [s]."""
        turn = DrawingTurn(self, interval)
        self._turns.append(turn)
        return turn

    def begin(self, *, free: bool) -> None:
        """A frame begins; its duration sets the next one's budget. free: every dock may draw."""
        now = self.clock()
        took, self._began = now - self._began, now
        self.free = free
        if took < LONGEST:
            self._frame += SMOOTHING * (took - self._frame)
        left = SHARE * self._frame
        waiting = [turn for turn in self._turns if turn.asked and now - turn.shown >= turn.interval]
        for k, turn in enumerate(sorted(waiting, key=lambda turn: (turn.shown - now) / turn.interval)):
            left -= turn.cost
            turn.granted = k == 0 or left >= 0
        for turn in self._turns:
            turn.asked = False  # a dock that does not ask again is hidden


class DrawingTurn:
    """A dock's turn to draw."""

    def __init__(self, budget: FrameBudget, interval: float) -> None:
        self._budget = budget
        self.interval = interval
        self.asked = self.granted = False
        self.shown = -interval  # when it was drawn last [s]
        self.cost = 0.0  # of drawing it [s]

    def take(self, draw: Callable[[], None]) -> None:
        """Draw if this dock has the turn; call it in every frame while the dock is visible."""
        self.asked = True
        if self.granted or self._budget.free:
            self.granted = False
            start = self._budget.clock()
            draw()
            self.shown = start
            self.cost += SMOOTHING * (PAINTING * (self._budget.clock() - start) - self.cost)
