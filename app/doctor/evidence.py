"""The numbers of a finding and of its proof, for people: in units of the right size."""

from __future__ import annotations

from typing import Any

from tumble.app.describe.numbers import duration, length, metric, short

DIGITS = 3
_NAMES = {
    "s": ("timestep", "time_constant", "longest", "time"),
    "m": ("depth", "thickness", "distance", "size", "gap", "astray", "gyration", "reach"),
    "m/s": ("speed", "law", "approach"),
    "kg": ("mass", "carried"),
    "N": ("tangential",),
    "J": ("gained", "work", "kinetic", "energy"),
    "Hz": ("frequency",),
}
_UNITS = {name: unit for unit, names in _NAMES.items() for name in names}


def quantity(value: float, unit: str) -> str:
    """A number with its SI unit, "" for none: 26 mm, 4 ms, 31.2 N, 0.35."""
    rounded = float(f"{value:.{DIGITS}g}")
    if unit == "m":
        return length(rounded)
    if unit == "s":
        return duration(rounded)
    if unit == "kg":
        return f"{short(rounded, figures=DIGITS)} kg"
    return metric(rounded, unit) if unit else short(rounded, figures=DIGITS)


def evidence_words(evidence: dict[str, Any]) -> list[str]:
    """The numbers of a finding by name: "depth 26 mm", "time constant 2 ms"; other values as they are."""
    return [f"{name.replace('_', ' ')} {_value(name, value)}" for name, value in evidence.items()]


def _value(name: str, value: object) -> str:
    if isinstance(value, bool | int) or not isinstance(value, float):
        return str(value)
    return quantity(value, _UNITS.get(name, ""))
