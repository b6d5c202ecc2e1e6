"""Lengths and angles in words, with as many digits as a hand can set."""

from __future__ import annotations

import math

from tumble.app.describe.numbers import MINUS


def length_text(value: float, *, signed: bool = False, like: float | None = None) -> str:
    """A length [m]: in millimetres below a metre; like: in the unit that this length has."""
    sign = "+" if signed else ""
    size = abs(value if like is None else like)
    text = f"{value:{sign}.4f} m" if size >= 1.0 else f"{1e3 * value:{sign}.{2 if size < 0.1 else 1}f} mm"
    return text.replace("-", MINUS)


def angle_text(value: float) -> str:
    """An angle [rad] in degrees."""
    return f"{math.degrees(value):+.1f}\N{DEGREE SIGN}".replace("-", MINUS)
