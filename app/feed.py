"""Samples on their way from the simulation thread to the window: a stream, so none may be lost with a snapshot."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from app.signals import Signal
from physics.step.tap import Samples, Tap

# Deliveries that wait for a window that does not look, 125 a second; older ones are dropped.
WAITING = 1024


class Feed:
    """Signals that are sampled at every step; the window takes what has come since it last looked."""

    def __init__(self, signals: Sequence[Signal]) -> None:
        """Only single numbers can be sampled."""
        self.signals = tuple(signals)
        self._tap: Tap | None = None
        self._count = 0
        self._chunks: deque[Samples] = deque(maxlen=WAITING)

    def begin(self, model: Any, data: Any) -> None:
        """Sample from the next step on; in the simulation thread, as are `collect` and `end`."""
        self._tap = Tap(data, [(s.field, s.start) for s in self.signals])
        self._tap.attach()

    def collect(self) -> None:
        """Hand over what has come."""
        if self._tap is None or self._tap.count == self._count:
            return
        samples = self._tap.since(self._count)
        self._count = samples.count
        self._chunks.append(samples)

    def end(self) -> None:
        """Sample no more."""
        if self._tap is not None:
            self.collect()
            self._tap.detach()

    def take(self) -> list[Samples]:
        """What has come since the last call, oldest first; in the window's thread."""
        taken = []
        while self._chunks:
            taken.append(self._chunks.popleft())
        return taken
