"""Valid values of options: kernels trust them, so they are checked when set."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Valid:
    """holds: whether a number is one that the option takes; told: what a message says behind `NAME=NUMBER`."""

    holds: Callable[[float], bool]
    told: str


FINITE = Valid(math.isfinite, " is no number to go on with: it should be finite")
NOT_NEGATIVE = Valid(lambda value: value >= 0.0, ": it is 0 or more")


def one_of(kinds: Iterable[int], words: str) -> Valid:
    """The numbers of an enumeration; words: these numbers, each with what it means."""
    known = frozenset(int(kind) for kind in kinds)
    return Valid(lambda value: value in known, f" is unknown; valid are {words}")


def between(low: float, high: float, told: str, *, inside: bool = False) -> Valid:
    """The numbers from low to high; inside: without these two."""
    holds = (lambda value: low < value < high) if inside else (lambda value: low <= value <= high)
    return Valid(holds, f": {told}")
