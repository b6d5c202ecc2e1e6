"""Numbers for reading: with significant digits only, a true minus sign, units of the right size, and times in one form.

All texts of the window and the command line get their numbers here, so that one value reads the same wherever it stands.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    pass

MINUS = "\N{MINUS SIGN}"
TIMES = "\N{MULTIPLICATION SIGN}"
DASH = "\N{EN DASH}"
NOTHING = 1e-12  # of lengths, speeds, forces in SI units: less than this is rounding, and reads 0
MINUTE, HOUR = 60.0, 3600.0
_PREFIXES = ("n", "µ", "m", "", "k", "M", "G")  # from 1e-9 on, by thousands
_WITHOUT = 3  # the place in it of no prefix


def short(value: float, least: float = NOTHING, figures: int = 4) -> str:
    """A number with so many significant digits; a dash for nan; 0 for less than `least`."""
    if np.isnan(value):
        return DASH
    return f"{0.0 if abs(value) < least else value:.{figures}g}".replace("-", MINUS)


def row_text(values: Sequence[float], figures: int, *, result: bool) -> str:
    """Numbers of one field, as they could be typed; 0 for rounding: of a result, and next to numbers that are much larger."""
    largest = max((abs(v) for v in values), default=0.0)
    least = NOTHING if result else min(NOTHING, 1e-9 * largest)
    return " ".join(f"{0.0 if abs(v) < least else v:.{figures}g}" for v in values)


def fixed(value: float, digits: int) -> str:
    """A number with a fixed number of decimals if it is small enough to be readable; else its first four digits."""
    if not abs(value) < 1e5:
        return short(value)
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", MINUS)


def plain(value: float, least: int = 1, most: int = 4) -> str:
    """A number that is typed: between `least` and `most` decimals, those that it needs."""
    units, _, decimals = f"{value:.{most}f}".partition(".")
    kept = decimals.rstrip("0").ljust(least, "0")
    return f"{units}.{kept}" if kept else units


def metric(value: float, unit: str, least: float = NOTHING) -> str:
    """A number with the SI prefix that brings it between 1 and 1000: 1.24 mm, 3.1 kN/m; 0 for less than `least` of the unit."""
    if not math.isfinite(value):
        return "∞ " + unit
    if abs(value) < least:
        return f"0 {unit}".strip()
    if unit == "":
        return short(value)
    rounded = float(f"{value:.4g}")  # first: 999.96 m are 1 km
    power = min(len(_PREFIXES) - 1, max(0, math.floor(math.log10(abs(rounded)) / 3 + 1e-12) + _WITHOUT))
    return f"{rounded / 1000.0 ** (power - _WITHOUT):.4g} {_PREFIXES[power]}{unit}".replace("-", MINUS)


def length(value: float, least: float = NOTHING) -> str:
    """A length [m] in the unit that suits it: 0.25 m, 12.3 mm, 2 µm; 0 for less than `least`."""
    if math.isnan(value):
        return "not known"
    if abs(value) < least:
        return "0"
    units = (("m", 1.0, 0.1), ("mm", 1e3, 1e-4), ("µm", 1e6, 1e-7), ("nm", 1e9, 0.0))
    unit, scale = next((unit, scale) for unit, scale, from_here in units if abs(value) >= from_here)
    return f"{value * scale:.4g} {unit}".replace("-", MINUS)


def rate_text(rate: float) -> str:
    """A speed for reading: simulated seconds per second."""
    return f"{rate:g}{TIMES}"


# ---- time


def moment(time: float, digits: int = 3) -> str:
    """A moment [s], a point of the simulated time: 12.345 s, and from a minute on 1 min 02.345 s."""
    time = round(time, digits) + 0.0
    if not MINUTE <= abs(time) < math.inf:
        return f"{time:.{digits}f} s".replace("-", MINUS)
    minutes, rest = divmod(abs(time), MINUTE)
    width = digits + 3 if digits else 2
    return f"{MINUS if time < 0 else ''}{minutes:.0f} min {rest:0{width}.{digits}f} s"


def step_moment(time: float, timestep: float) -> str:
    """A moment [s] with enough digits to distinguish two steps of a length [s]."""
    return moment(time, max(3, digits_of(timestep)))


def duration(seconds: float) -> str:
    """A length of time [s], with three significant digits: 85 µs, 1.23 ms, 0.85 s, 12.3 s, 1 min 02 s, 2 h 05 min."""
    if not math.isfinite(seconds):
        return DASH
    if abs(seconds) < 1e-9:
        return "0 s"
    if abs(seconds) < 0.0995:
        unit, scale = ("µs", 1e6) if abs(seconds) < 0.9995e-3 else ("ms", 1e3)
        return f"{scale * seconds:.3g} {unit}".replace("-", MINUS)
    if abs(seconds) < MINUTE - 0.05:
        return f"{seconds:.{2 if abs(seconds) < 9.995 else 1}f} s".replace("-", MINUS)
    if abs(seconds) < HOUR - 0.5:
        return moment(seconds, 0)
    hours, minutes = divmod(round(abs(seconds) / MINUTE), 60)
    return f"{MINUS if seconds < 0 else ''}{hours} h {minutes:02} min"


def span_text(span: float) -> str:
    """A round length of time to choose [s]: 10 s, 5 min."""
    return f"{span:g} s" if span < 2 * MINUTE else f"{span / MINUTE:g} min" if span < HOUR else f"{span / HOUR:g} h"


def digits_of(timestep: float) -> int:
    """Digits after the point that distinguish two steps of a length [s]; at least two."""
    count = 0
    while count < 6 and round(timestep, count) < 0.999 * timestep:
        count += 1
    return max(count, 2)


def none_yet(what: str, paused: bool) -> str:
    """Message that there is no data yet; while paused, also how to start the simulation."""
    return f"No {what} yet: press Space to play, or Right for a step" if paused else f"No {what} yet"


MICRO = "\N{MICRO SIGN}s"



def microseconds(seconds: float) -> str:
    """A time in microseconds, to three digits."""
    return f"{1e6 * seconds:#.3g}".rstrip(".") if seconds < 1e-3 else f"{1e6 * seconds:.0f}"

