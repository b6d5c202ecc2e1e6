"""The stretch of time in view: how views read and change it, a window that follows the newest moment, and round moments in it."""

from __future__ import annotations

from typing import Protocol

SHORTEST, LONGEST = 1e-4, 1e5  # seconds that can be shown


class TimeRange(Protocol):
    """The stretch of time in view, start to stop [s]."""

    @property
    def start(self) -> float: ...

    @property
    def stop(self) -> float: ...

    def move(self, seconds: float) -> None:
        """Show later times, or earlier ones."""

    def zoom(self, factor: float, at: float) -> None:
        """Show `factor` as much; the moment `at` [s] stays where it is."""


class TimeWindow:
    """A stretch of `span` seconds up to `stop` [s]; while `follow` is on it ends at the newest moment."""

    def __init__(self, span: float) -> None:
        self.span = span
        self.follow = True
        self.stop = span
        self._newest = 0.0

    def advance(self, newest: float) -> None:
        """Advance the newest time to `newest` [s]."""
        self._newest = newest
        if self.follow:
            self.stop = max(newest, self.span)  # at the beginning it begins at zero

    @property
    def start(self) -> float:
        """The first moment in view [s]."""
        return self.stop - self.span

    def set_follow(self, follow: bool) -> None:
        """Follow the newest moment, or stop."""
        self.follow = follow
        self.advance(self._newest)

    def set_span(self, span: float) -> None:
        """Show a number of seconds, up to the same end."""
        self.span = min(max(span, SHORTEST), LONGEST)
        self.advance(self._newest)

    def move(self, seconds: float) -> None:
        """Move to earlier or later times; it then stops following."""
        self.follow = False
        self.stop += seconds

    def zoom(self, factor: float, at: float) -> None:
        """Show `factor` as much; the moment `at` stays where it is, or while following the newest one does."""
        span = min(max(self.span * factor, SHORTEST), LONGEST)
        if not self.follow:
            self.stop = at + (self.stop - at) * span / self.span
        self.set_span(span)


def ticks(start: float, end: float, most: int) -> tuple[list[float], int]:
    """Round moments [s] between two others, limited in number and at least 1 apart; and the digits that distinguish them."""
    step, digits = 1.0, 0
    wanted = (end - start) / max(most, 1)
    while step > wanted:
        step, digits = step / 10, digits + 1
    for factor in (1, 2, 5, 10):
        if step * factor >= wanted:
            step, digits = step * factor, max(0, digits - (factor == 10))
            break
    else:
        while step < wanted:
            step *= 10
    first = -(-start // step)
    return [(first + k) * step for k in range(int((end - first * step) / step) + 1)], digits
