"""Robust losses: what a difference costs, in deviations, so that a few wild values do not decide."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_EDGE = 2.0  # deviations up to which a loss is nearly square


def cost(kind: str, r: Array) -> Array:
    """Half the square of small residuals r, less of large ones."""
    s = (r / _EDGE) ** 2
    if kind == "soft-l1":
        return np.asarray(_EDGE**2 * (np.sqrt(1 + s) - 1))
    if kind == "cauchy":
        return np.asarray(0.5 * _EDGE**2 * np.log1p(s))
    return 0.5 * r**2


def weight(kind: str, r: Array) -> Array:
    """Derivative of the cost by r, divided by r."""
    s = (r / _EDGE) ** 2
    if kind == "soft-l1":
        return np.asarray(1 / np.sqrt(1 + s))
    if kind == "cauchy":
        return np.asarray(1 / (1 + s))
    return np.ones_like(r)


def curvature(kind: str, r: Array) -> Array:
    """Second derivative of the cost by r: less than the weight where the loss bends away from the square."""
    s = (r / _EDGE) ** 2
    if kind == "soft-l1":
        return np.asarray((1 + s) ** -1.5)
    if kind == "cauchy":
        return np.asarray((1 - s) / (1 + s) ** 2)
    return np.ones_like(r)


def by_window(r: Array) -> float:
    """Cost of windows (w, ...): the logarithms of their mean squares, so that one that went elsewhere costs little more."""
    square = np.nanmean(r.reshape(len(r), -1) ** 2, axis=1)
    return float(np.mean(np.log1p(square / _EDGE**2)))


def spread(difference: Array) -> Array:
    """Robust deviation of each output from differences (w, r, o), nan left out: 1.48 times the median of what is not zero."""
    flat = np.abs(difference.reshape(-1, difference.shape[-1]))
    return np.asarray(1.4826 * np.nanmedian(np.where(flat > 0, flat, np.nan), axis=0))
