"""Numbers for reading: with limited digits, a true minus sign, seconds and rates."""

from __future__ import annotations

import numpy as np

MINUS = "\N{MINUS SIGN}"
TIMES = "\N{MULTIPLICATION SIGN}"


def short(value: float) -> str:
    """A number of four digits; a dash for none."""
    return "\N{EN DASH}" if np.isnan(value) else f"{value + 0.0:.4g}".replace("-", MINUS)


def fixed(value: float, digits: int) -> str:
    """A number with a fixed number of decimals if it is small enough to be readable; else its first four digits."""
    return f"{value:.{digits}f}".replace("-", MINUS) if abs(value) < 1e5 else short(value)


def rate_text(rate: float) -> str:
    """A speed for reading: simulated seconds a second."""
    return f"{rate:g}{TIMES}"


def seconds(time: float) -> str:
    """A simulated time for reading: seconds, with minutes where there are many."""
    if time < 100:
        return f"{time:.2f} s"
    minutes, rest = divmod(time, 60)
    return f"{int(minutes)} min {rest:04.1f} s"
