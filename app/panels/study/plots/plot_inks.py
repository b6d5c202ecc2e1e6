"""Colours for numbers: from one ink of the theme to another, which colour-blind people tell apart."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtGui import QColor

from tumble.app.look import theme

LEVELS = 24  # shades of a scale: more are not told apart, and each is drawn by itself
LEAST, MOST = "ink0", "ink1"
FAINT = 70  # opacity of runs that are not marked
SOLID = 210


def level_of(values: NDArray[np.float64], low: float, high: float) -> NDArray[np.int64]:
    """The shade of each number in a range, 0..LEVELS-1; -1 for not-a-number."""
    span = high - low
    share = np.clip((values - low) / span, 0.0, 1.0) if span > 0 else np.where(np.isnan(values), np.nan, 0.5)
    return np.where(np.isnan(share), -1, np.nan_to_num(share) * (LEVELS - 1)).round().astype(np.int64)


def shade(level: int, alpha: int = SOLID) -> QColor:
    """The colour of a shade; of -1 that of what has no number. alpha 0..255."""
    if level < 0:
        return theme.colour("disabled", alpha)
    share = level / (LEVELS - 1)
    first, last = theme.colour(LEAST), theme.colour(MOST)
    ends = zip(first.getRgb()[:3], last.getRgb()[:3], strict=True)
    red, green, blue = (round(float(a or 0) + (float(b or 0) - float(a or 0)) * share) for a, b in ends)
    return QColor(red, green, blue, alpha)


def limits(values: NDArray[np.float64]) -> tuple[float, float]:
    """The least and the greatest finite number; not-a-number for none."""
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if finite.size else (math.nan, math.nan)
