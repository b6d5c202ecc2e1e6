"""The rates of time that the keys and the speed menu offer."""

from __future__ import annotations

# Simulated seconds a wall second.
RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
_SAME = 1e-4  # relative, by which rates that are the same may differ


def faster(rate: float) -> float:
    """The next higher of the rates; the rate itself if it is the highest."""
    return min((r for r in RATES if r > rate * (1 + _SAME)), default=rate)


def slower(rate: float) -> float:
    """The next lower of the rates; the rate itself if it is the lowest."""
    return max((r for r in RATES if r < rate * (1 - _SAME)), default=rate)
