"""Placement of labels without overlap: the nearest come first, and they keep their places during slow motion.

Each label has places to be: around its point, and farther out in the same directions, with a line to the point. The picture is
divided into cells; a row of cells is one integer, whose bits are those taken. A label takes the first of its places whose cells
are free. Shown labels keep their places while these are free; new ones need some room around them to appear, and a
label that could come nearer to its point does so only after a while: so nothing flickers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from tumble.render.scene.labels import Label

CELL = 4.0  # side of a cell [px]
_DIRECTIONS = ((1, -1), (1, 1), (-1, -1), (-1, 1), (0, -1), (0, 1), (1, 0), (-1, 0))  # right and above is best
_GAPS = (5.0, 20.0, 42.0)  # from the point to the text [px], in fonts of size 1
_AROUND = len(_DIRECTIONS)  # so many places are at the point itself
# Across, along and how far, of each place. At its corners a text may begin nearer to the point than at its sides.
_PLACES = tuple((x, y, gap * (0.7 if x and y else 1.0)) for gap in _GAPS for x, y in _DIRECTIONS)
_MARGIN = 1  # cells that must be free around one that appears
_PATIENCE = 20  # pictures in which a better place has been free
_STAYS = 0.85  # of its distance: shown labels count as nearer
_TRIES = 8  # labels without room that are tried again in one picture
_SMALLEST, _STEP = 0.7, 0.1  # size of the farthest, and steps of sizes: text must not shimmer
MOST = 300  # labels in a picture

Measure = Callable[[str, float], tuple[float, float]]  # width and height of a text in a size [px]


class PlacedLabel(NamedTuple):
    """A text in the box with its upper left corner at (left, top), width x height; size: of its font, 1 for the nearest.

    (x, y): the point that it is of; away: the text is so far from it that a line joins them.
    """

    text: str
    left: float
    top: float
    width: float
    height: float
    size: float
    x: float
    y: float
    away: bool

    @property
    def end(self) -> tuple[float, float]:
        """Point where the line from the point meets the box."""
        return min(max(self.x, self.left), self.left + self.width), min(max(self.y, self.top), self.top + self.height)


class KeptPlace(Struct):
    """A label shown before: its place, and the number of pictures for which a better one has been free."""

    place: int
    waiting: int = 0


class LabelLayout:
    """Places labels picture after picture of one view."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, KeptPlace] = {}
        self._left_out: list[Hashable] = []  # those tried longest ago first
        self._about: object = None

    def branch(self) -> LabelLayout:
        """A copy for an additional picture, with labels in their present places."""
        layout = LabelLayout()
        layout._kept = {key: KeptPlace(kept.place, kept.waiting) for key, kept in self._kept.items()}
        layout._about = self._about
        return layout

    def place(
        self, found: Sequence[Label], measure: Measure, width: float, height: float, *, scale: float = 1.0, about: object = None
    ) -> list[PlacedLabel]:
        """Places for labels, nearest first, in a picture of this size [px].

        scale: of the fonts, and so of the gaps. about: subject of the labels; where it changes, nothing is kept.
        """
        if about != self._about:
            self._kept, self._left_out, self._about = {}, [], about
        if not found:
            self._kept, self._left_out = {}, []
            return []
        found = found[:MOST]
        sizes = _sizes(np.array([label.depth for label in found]))
        boxes = _Boxes(found, measure, sizes, scale, (width, height))
        order = sorted(range(len(found)), key=lambda k: found[k].depth * (_STAYS if found[k].key in self._kept else 1.0))
        waiting = set(self._left_out[_TRIES:])
        kept: dict[Hashable, KeptPlace] = {}
        tried: list[Hashable] = []
        result: list[PlacedLabel] = []
        for k in order:
            key = found[k].key
            at = None if key in waiting else self._choose(boxes, k, self._kept.get(key))
            if at is None:
                tried.append(key)
                continue
            kept[key] = at
            result.append(boxes.placed(k, at.place))
        still = waiting & set(tried)
        self._left_out = [key for key in self._left_out if key in still] + [key for key in tried if key not in still]
        self._kept = kept
        return result

    def _choose(self, boxes: _Boxes, k: int, before: KeptPlace | None) -> KeptPlace | None:
        """A free place for a label, which is then taken; None if missing."""
        if before is not None and before.place >= _AROUND:
            better = next((place for place in range(before.place) if boxes.is_free(k, place, _MARGIN)), None)
            if better is not None and before.waiting >= _PATIENCE and boxes.is_free(k, better, take=True):
                return KeptPlace(better)
            before = KeptPlace(before.place, before.waiting + 1 if better is not None else 0)
        if before is not None and boxes.is_free(k, before.place, take=True):
            return before
        margin = _MARGIN if before is None and self._kept else 0
        for place in range(len(_PLACES)):
            if boxes.is_free(k, place, margin) and boxes.is_free(k, place, take=True):
                return KeptPlace(place)
        return None


def _sizes(depth: np.ndarray) -> list[float]:
    """Font scales: the nearest has 1, others shrink with the square root of their distance."""
    shrunk = np.clip(np.sqrt(depth.min() / np.maximum(depth, 1e-9)), _SMALLEST, 1.0)
    return [float(size) for size in np.round(np.round(shrunk / _STEP) * _STEP, 6)]


class _Boxes:
    """Places of a picture's labels, computed lazily, and the occupied cells."""

    def __init__(self, found: Sequence[Label], measure: Measure, sizes: list[float], scale: float, extent: tuple[float, float]):
        self._found, self._sizes, self._scale = found, sizes, scale
        self._extents = [measure(label.text, size) for label, size in zip(found, sizes, strict=True)]
        self._width, self._height = extent
        self._rows = [0] * (int(extent[1] / CELL) + 3)

    def _corner(self, k: int, place: int) -> tuple[float, float]:
        across, along, gap = _PLACES[place]
        label, (width, height), gap = self._found[k], self._extents[k], gap * self._scale
        return label.x + across * gap + 0.5 * (across - 1) * width, label.y + along * gap + 0.5 * (along - 1) * height

    def is_free(self, k: int, place: int, margin: int = 0, *, take: bool = False) -> bool:
        """True if a place of a label is within the picture, and free, with a margin in cells; take: occupy it if so."""
        left, top = self._corner(k, place)
        width, height = self._extents[k]
        if left < 0 or top < 0 or left + width > self._width or top + height > self._height:
            return False
        first, row = int(left / CELL) - margin, int(top / CELL) - margin
        last, rows = int((left + width) / CELL) + 1 + margin, self._rows
        first, row, end = max(first, 0), max(row, 0), int((top + height) / CELL) + 1 + margin
        bits = (1 << (last - first)) - 1 << first
        for taken in rows[row:end]:
            if taken & bits:
                return False
        if take:
            for at in range(row, min(end, len(rows))):
                rows[at] |= bits
        return True

    def placed(self, k: int, place: int) -> PlacedLabel:
        """The label there."""
        label, size = self._found[k], self._sizes[k]
        return PlacedLabel(label.text, *self._corner(k, place), *self._extents[k], size, label.x, label.y, place >= _AROUND)
