"""The number of pictures drawn a second."""

from __future__ import annotations

from collections import deque
from time import perf_counter

WINDOW = 1.0  # over which they are counted [s]


class PictureRate:
    """Counts pictures."""

    def __init__(self) -> None:
        self._painted: deque[float] = deque()

    def count(self) -> None:
        """A picture was drawn now."""
        now = perf_counter()
        self._painted.append(now)
        while now - self._painted[0] > WINDOW:
            self._painted.popleft()

    @property
    def fps(self) -> float:
        """Pictures drawn in the last second."""
        if len(self._painted) < 2:
            return 0.0
        return (len(self._painted) - 1) / max(self._painted[-1] - self._painted[0], 1e-6)
