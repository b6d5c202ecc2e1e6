"""Numbers with as few digits as keep what they do: a solref that was solved for is written as -123500, not -123456.78901."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

ENOUGH = 1e-3  # relative change of an effect that does not matter
MOST_DIGITS = 17  # as many as any number needs


def with_digits(value: float, digits: int) -> float:
    """A number rounded to so many significant digits."""
    return float(f"{value:.{digits - 1}e}")


def rounded(
    values: Sequence[float], effect: Callable[[tuple[float, ...]], Sequence[float]], enough: float = ENOUGH
) -> tuple[float, ...]:
    """Values with the fewest significant digits that change no number of their effect by more than a share `enough`.

    effect: what the values do, such as the depth at rest [m] and the damping [1/s]; infinities must stay what they are.
    """
    wanted = effect(tuple(values))
    for digits in range(1, MOST_DIGITS):
        tried = tuple(with_digits(v, digits) for v in values)
        if all(_close(a, b, enough) for a, b in zip(effect(tried), wanted, strict=True)):
            return tried
    return tuple(values)


def _close(value: float, wanted: float, enough: float) -> bool:
    if not math.isfinite(wanted) or not math.isfinite(value):
        return value == wanted
    return abs(value - wanted) <= enough * abs(wanted)
