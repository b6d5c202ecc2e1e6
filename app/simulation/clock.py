"""The clock that ties simulated time to real time: how many steps are due, and how fast it really went."""

from __future__ import annotations

import math
from collections import deque

# Wall time the simulation may be behind before the loss is discarded [s]. Larger catches up after longer
# hiccups, but a model that is too slow then races when it becomes fast again.
MAX_LAG = 0.1
# Wall time one batch of steps may take [s]: a command waits at most this long.
MAX_BATCH = 0.008
# Wall time between batches when nothing is late [s]: fewer wake-ups than one a step, still twice a frame.
TICK = 0.004
# Wall time over which the measured rate is averaged [s].
RATE_WINDOW = 0.5


class Clock:
    """Real-time pacing with bounded drift.

    Times passed in are monotonic wall times [s]; `rate` is simulated seconds wanted a wall second [1].
    No method sleeps or reads a clock, so the same inputs give the same answers.
    """

    def __init__(self, rate: float = 1.0) -> None:
        self._rate = rate
        self._last: float | None = None
        self._lag = 0.0  # simulated time that is owed [s]
        self._cost = 0.0  # wall time a step takes, smoothed [s]; 0: not known
        self._simulated = 0.0
        self._samples: deque[tuple[float, float]] = deque()

    @property
    def rate(self) -> float:
        """The rate wanted [simulated s / wall s]."""
        return self._rate

    @rate.setter
    def rate(self, value: float) -> None:
        if not (math.isfinite(value) and value > 0):
            raise ValueError(f"the rate must be positive and finite, not {value}")
        self._rate = value
        self._lag = 0.0
        self._samples.clear()

    def stop(self) -> None:
        """Discard the debt and the measurement: time does not run while paused or while a model is exchanged."""
        self._last = None
        self._lag = 0.0
        self._samples.clear()

    def forget_cost(self) -> None:
        """Another model: discard the measured cost of a step."""
        self._cost = 0.0

    def due(self, now: float, timestep: float) -> int:
        """The number of steps of `timestep` [s] to take now; 0: none is due yet."""
        if self._last is None:
            self._last = now
            self._samples.append((now, self._simulated))
        self._lag += (now - self._last) * self._rate
        self._last = now
        # Time lost beyond the bound stays lost, else a slow model would lag ever more and never respond.
        self._lag = min(self._lag, max(MAX_LAG * self._rate, timestep))
        due = math.floor(self._lag / timestep + 1e-9)
        limit = max(1, int(MAX_BATCH / self._cost)) if self._cost > 0 else 1
        return max(0, min(due, limit))

    def done(self, now: float, steps: int, timestep: float, seconds: float) -> None:
        """Account for `steps` taken in `seconds` of wall time, ending at `now`."""
        self._lag -= steps * timestep
        self._simulated += steps * timestep
        cost = seconds / steps
        self._cost = cost if self._cost == 0 else 0.8 * self._cost + 0.2 * cost
        self._samples.append((now, self._simulated))
        while len(self._samples) > 2 and now - self._samples[1][0] > RATE_WINDOW:
            self._samples.popleft()

    def wait(self, timestep: float) -> float:
        """Wall time [s] until the next batch is worth waking up for; 0: steps are already due."""
        missing = (timestep - self._lag) / self._rate
        return 0.0 if missing <= 0 else max(missing, TICK)

    @property
    def measured(self) -> float:
        """The rate of the last half second [simulated s / wall s]; 0 without a measurement."""
        if len(self._samples) < 2:
            return 0.0
        (wall0, simulated0), (wall1, simulated1) = self._samples[0], self._samples[-1]
        return (simulated1 - simulated0) / (wall1 - wall0) if wall1 > wall0 else 0.0
