"""The ground of a section: contour lines, zones, what is allowed, and the words on it, pixel by pixel. No Qt here."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.describe.numbers import short

Array = NDArray[np.float64]
Bytes = NDArray[np.uint8]
Box = tuple[float, float, float, float]  # x, y, width, height
Values = Callable[[Array, Array], Array]
Codes = Callable[[Array, Array], Bytes]

GRID = 49  # points along a side at which costs are computed
LEVELS = 10
LABELLED = (0, 2, 4, 6, 8)  # of the levels
LINE, RIM = 1.1, 1.9  # widths of contours and of the rim of what is allowed [px]


class SectionGround(Struct, frozen=True, eq=False):
    """The ground of a section (height, width), its first row at the bottom.

    codes: Zone, or of the dual 0 allowed, 1 not. lines, twin, rim: cover of a pixel, 0 to 255, by contours, by those
    of the other cone, and by the rim of what is allowed. labels: costs of contours, words: of zones (text, x, y).
    """

    codes: Bytes
    lines: Bytes
    twin: Bytes
    rim: Bytes
    labels: tuple[tuple[str, float, float], ...] = ()
    words: tuple[tuple[str, float, float], ...] = ()


def make_canvas(
    box: Box, size: tuple[int, int], values: Values, zones: Codes, best: float, here: Array, words: dict[int, str],
    *, exact: bool = False, twin: Values | None = None, room: Values | None = None,
) -> SectionGround:  # fmt: skip
    """The ground of a section with two axes; exact: values are computed for every pixel; with room, zones are 1 outside."""
    fine = sides_of(box, size)
    value = values(*fine) if exact else _refined(values(*sides_of(box, (GRID, GRID))), size)
    inside = None if room is None else room(*fine)
    codes = (inside < 0).astype(np.uint8) if inside is not None else zones(*fine)
    allowed = value[codes == 0] if inside is not None and (codes == 0).any() else value
    height = max(float(np.percentile(allowed, 92)) - best, 1e-300)
    levels = best + height * ((1 + np.arange(LEVELS)) / LEVELS) ** 2
    blank = np.zeros_like(codes)
    others = blank if twin is None else coverage(twin(*fine), levels, LINE)
    rim = blank if inside is None else coverage(inside, np.zeros(1), RIM)
    labels = _labels(value, levels, best, box, here)
    return SectionGround(codes, coverage(value, levels, LINE), others, rim, labels, words_of(codes, box, words))


def sides_of(box: Box, size: tuple[int, int]) -> tuple[Array, Array]:
    return np.linspace(box[0], box[0] + box[2], size[0]), np.linspace(box[1], box[1] + box[3], size[1])


def _refined(value: Array, size: tuple[int, int]) -> Array:
    """Values of a coarse grid at every pixel, linear between its points: (height, width)."""
    width, height = size
    return _between(_between(value, height).T, width).T


def _between(value: Array, count: int) -> Array:
    at = np.linspace(0.0, len(value) - 1.0, count)
    low = np.minimum(at.astype(int), len(value) - 2)
    share = (at - low)[:, None]
    return np.asarray((1.0 - share) * value[low] + share * value[low + 1])


def coverage(value: Array, levels: Array, width: float) -> Bytes:
    """Share of each pixel that lines of these levels cover, 0 to 255; width: of the lines [px].

    The distance of a pixel to a line is the difference of its value to the level over the slope.
    """
    across, along = np.gradient(value)
    slope = np.maximum(np.hypot(across, along), 1e-300)
    after = np.searchsorted(levels, value)
    apart = np.minimum(
        np.abs(value - levels[np.minimum(after, len(levels) - 1)]), np.abs(value - levels[np.maximum(after - 1, 0)])
    )
    return np.asarray(255 * np.clip(0.5 * width + 0.5 - apart / slope, 0.0, 1.0), np.uint8)


def _labels(value: Array, levels: Array, best: float, box: Box, here: Array) -> tuple[tuple[str, float, float], ...]:
    """The costs of some contours above the best, each at a place of its line, to the lower right of the solution if it can be."""
    height, width = value.shape
    base = (here - [box[0], box[1]]) / [box[2], box[3]]
    taken: list[Array] = []
    labels = []
    for level in levels[list(LABELLED)]:
        over = value > level
        rows, columns = np.nonzero((over[1:, 1:] != over[:-1, 1:]) | (over[1:, 1:] != over[1:, :-1]))
        if len(rows) == 0:
            continue
        points = np.stack([columns / width, rows / height], axis=1)
        away = points - base
        score = np.abs(np.angle(np.exp(1j * (np.arctan2(away[:, 1], away[:, 0]) + 0.5))))
        score += 10.0 * ((points < (0.08, 0.08)) | (points > (0.92, 0.92))).any(axis=1)
        for other in taken:
            near = np.abs(points - other) < (48 / width, 16 / height)
            score += 20.0 * near.all(axis=1)
        place = int(np.argmin(score))
        if score[place] < 10.0:
            taken.append(points[place])
            x, y = box[:2] + points[place] * box[2:]
            labels.append((_cost_text(float(level - best)), float(x), float(y)))
    return tuple(labels)


def _cost_text(cost: float) -> str:
    return f"{cost:.0f}" if 10 <= cost < 1e5 else short(cost, least=0.0, figures=2)


def words_of(codes: Bytes, box: Box, words: dict[int, str]) -> tuple[tuple[str, float, float], ...]:
    """A word for each zone, at the place in it that is furthest from the others and the rim."""
    height, width = codes.shape
    rough = codes[np.linspace(0, height - 1, 16).astype(int)][:, np.linspace(0, width - 1, 24).astype(int)]
    rows, columns = np.indices(rough.shape)
    rim = np.minimum.reduce([rows, columns, 15 - rows, 23 - columns]) + 0.5
    places = []
    for code, word in words.items():
        inside, outside = np.argwhere(rough == code), np.argwhere(rough != code)
        room = rim[rough == code]
        if len(inside) and len(outside):
            apart = np.sqrt(((inside[:, None] - outside[None]) ** 2).sum(axis=2)).min(axis=1)
            room = np.minimum(room, apart)
        if len(inside) and room.max() >= 1.5:
            row, column = inside[int(np.argmax(room))]
            places.append((word, box[0] + box[2] * column / 23, box[1] + box[3] * row / 15))
    return tuple(places)
