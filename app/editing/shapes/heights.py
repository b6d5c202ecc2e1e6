"""Brushes on height fields, and the form in which a model holds the result. No Qt here."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Grid = NDArray[np.float64]
Size = tuple[float, float, float, float]  # half width, half depth, height of a sample of 1, thickness of the base [m]

DEEPEST = 0.9  # of the base may be dug away
ROOM = 1.25  # heights that a rising field has room for, over its highest: it is scaled again but now and then
MOST = 2**20  # samples of all fields that are still edited while the model runs: each dab copies them


class BrushMode(Enum):
    """The effect of a brush. value: text for the user."""

    RAISE = "Raise"
    LOWER = "Lower"
    SMOOTH = "Smooth"


class Brush(NamedTuple):
    """A round brush. radius [m]; strength: speed at its centre [m/s], in `SMOOTH` the share of unevenness that goes in 0.1 s."""

    mode: BrushMode
    radius: float
    strength: float


class Scaled(NamedTuple):
    """A field as models hold it. samples (nrow, ncol): 0..1, 0 the lowest; size; lift: of its geoms along their z axes [m]."""

    samples: NDArray[np.float32]
    size: Size
    lift: float


def dab(heights: Grid, size: Size, at: tuple[float, float], brush: Brush, seconds: float) -> Grid:
    """Heights (nrow, ncol) [m] after a brush was held at a place (x, y) [m] of the field's frame for a time.

    The brush falls off as a cosine, from 1 at its centre to 0 at its rim.
    """
    rows, columns = heights.shape
    x, y = np.linspace(-size[0], size[0], columns), np.linspace(-size[1], size[1], rows)
    near_x, near_y = np.abs(x - at[0]) <= brush.radius, np.abs(y - at[1]) <= brush.radius
    if not (near_x.any() and near_y.any()):
        return heights
    part = np.ix_(near_y, near_x)
    away = np.hypot(x[near_x][None, :] - at[0], y[near_y][:, None] - at[1]) / brush.radius
    weight = np.where(away < 1.0, 0.5 + 0.5 * np.cos(np.pi * np.minimum(away, 1.0)), 0.0)
    result = heights.copy()
    if brush.mode is BrushMode.SMOOTH:
        share = 1.0 - (1.0 - min(max(brush.strength, 0.0), 1.0)) ** (seconds / 0.1)
        result[part] += share * weight * (_means(heights)[part] - heights[part])
    else:
        result[part] += (1.0 if brush.mode is BrushMode.RAISE else -1.0) * brush.strength * seconds * weight
    return np.maximum(result, -DEEPEST * size[3])


def _means(heights: Grid) -> Grid:
    """Means of each sample and its eight neighbours, of those that there are."""
    padded = np.pad(heights, 1, mode="edge")
    rows, columns = heights.shape
    around = [padded[i : i + rows, j : j + columns] for i in range(3) for j in range(3)]
    return np.asarray(sum(around) / 9.0)


def held(heights: Grid, size: Size) -> tuple[NDArray[np.float32], Size]:
    """Samples and size while a brush is at work: below 0 where it digs; the height has room to rise."""
    top = float(heights.max())
    if top > size[2]:
        size = (size[0], size[1], float(f"{ROOM * top:.4g}"), size[3])
    return (heights / size[2]).astype(np.float32), size


def scaled(heights: Grid, size: Size) -> Scaled:
    """Heights as a compiler gives them: the lowest sample is 0, the highest 1; the base takes up what the lowest leaves."""
    low, high = float(heights.min()), float(heights.max())
    if high - low <= 1e-9 * max(1.0, abs(high)):
        return Scaled(np.zeros(heights.shape, np.float32), (size[0], size[1], size[2], size[3] + low), low)
    samples = ((heights - low) / (high - low)).astype(np.float32)
    samples -= samples.min()
    samples /= samples.max()
    return Scaled(samples, (size[0], size[1], high - low, size[3] + low), low)


def height_at(heights: Grid, size: Size, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Heights [m] at places (n,) of the field's frame, between its samples; of those beyond its rim that of the rim."""
    rows, columns = heights.shape
    u = np.clip((x / size[0] + 1.0) * 0.5 * (columns - 1), 0.0, columns - 1.0)
    v = np.clip((y / size[1] + 1.0) * 0.5 * (rows - 1), 0.0, rows - 1.0)
    j, i = np.minimum(u.astype(int), max(columns - 2, 0)), np.minimum(v.astype(int), max(rows - 2, 0))
    j1, i1 = np.minimum(j + 1, columns - 1), np.minimum(i + 1, rows - 1)
    s, t = u - j, v - i
    low, high = heights[i, j] * (1 - s) + heights[i, j1] * s, heights[i1, j] * (1 - s) + heights[i1, j1] * s
    return np.asarray(low * (1 - t) + high * t)


_SAMPLES = 600  # of a ray over a field


def meeting(heights: Grid, size: Size, origin: NDArray[np.float64], way: NDArray[np.float64]) -> tuple[float, float] | None:
    """The place (x, y) [m] at which a ray from above first meets a field, in its frame; None where it passes by."""
    low = np.array([-size[0], -size[1], float(heights.min())])
    high = np.array([size[0], size[1], float(heights.max())])
    with np.errstate(divide="ignore", invalid="ignore"):
        first, second = (low - origin) / way, (high - origin) / way
    begin = max(0.0, float(np.nanmax(np.minimum(first, second))))
    end = float(np.nanmin(np.maximum(first, second)))
    if not begin <= end < np.inf:
        return None
    points = origin + np.linspace(begin, end, _SAMPLES)[:, None] * way
    below = points[:, 2] <= height_at(heights, size, points[:, 0], points[:, 1]) + 1e-9
    if not below.any():
        return None
    x, y, _ = points[int(np.argmax(below))]
    return float(x), float(y)
