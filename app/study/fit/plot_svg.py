"""Plots of measured and simulated signals as SVG, for reports without external resources."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Array = NDArray[np.float64]

WIDTH, HEIGHT = 640, 150
_LEFT, _BOTTOM, _EDGE = 58, 18, 6
_MOST_POINTS = 1500  # of a line


class PlotLine(Struct, frozen=True):
    """A line of a plot: times and values (n,), nan where it is broken; style: its class in the page's style."""

    time: Array
    value: Array
    style: str


def plot(title: str, lines: Sequence[PlotLine]) -> str:
    """An SVG element with axes that hold all lines."""
    time = np.concatenate([line.time for line in lines])
    value = np.concatenate([line.value for line in lines])
    if not np.isfinite(value).any():
        return f"<p>{escape(title)}: nothing was measured.</p>"
    left, right = _range(time)
    low, high = _limits([line.value for line in lines])
    paths = "".join(f'<path class="{escape(line.style)}" d="{_path(line, left, right, low, high)}"/>' for line in lines)
    ticks = "".join(
        f'<text x="{_LEFT - 5}" y="{_y(at, low, high) + 4:.0f}" text-anchor="end">{at:.3g}</text>' for at in (low, high)
    ) + "".join(
        f'<text x="{_x(at, left, right):.0f}" y="{HEIGHT - 3}" text-anchor="{anchor}">{at:.3g} s</text>'
        for at, anchor in ((left, "start"), (right, "end"))
    )  # fmt: skip
    frame = f'<rect class="frame" x="{_LEFT}" y="{_EDGE}" width="{WIDTH - _LEFT - _EDGE}" height="{HEIGHT - _BOTTOM - _EDGE}"/>'
    label = f'<text class="title" x="{_LEFT + 6}" y="{_EDGE + 14}">{escape(title)}</text>'
    head = f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
    return f"{head}{frame}{paths}{ticks}{label}</svg>"


def _range(values: Array) -> tuple[float, float]:
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _limits(values: Sequence[Array]) -> tuple[float, float]:
    """Limits of the axis: the first line's, with some room; others may leave the plot."""
    low, high = _range(values[0]) if np.isfinite(values[0]).any() else _range(np.concatenate(values))
    room = 0.15 * (high - low)
    return low - room, high + room


def _x(time: float, left: float, right: float) -> float:
    return _LEFT + (WIDTH - _LEFT - _EDGE) * (time - left) / (right - left)


def _y(value: float, low: float, high: float) -> float:
    share = min(max((value - low) / (high - low), 0.0), 1.0)
    return HEIGHT - _BOTTOM - (HEIGHT - _BOTTOM - _EDGE) * share


def _path(line: PlotLine, left: float, right: float, low: float, high: float) -> str:
    skip = max(1, len(line.time) // _MOST_POINTS)
    words, down = [], False
    for time, value in zip(line.time[::skip].tolist(), line.value[::skip].tolist(), strict=True):
        if np.isfinite(value) and np.isfinite(time):
            words.append(f"{'L' if down else 'M'}{_x(time, left, right):.1f} {_y(value, low, high):.1f}")
            down = True
        else:
            down = False
    return "".join(words)
