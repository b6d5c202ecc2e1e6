"""Layout of several views in the viewport, as rectangles."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct
from PyQt6.QtCore import QRect

GAP = 2  # between two views, at least; all that is left over goes there [px]
SMALL = 0.27  # of the width that three small views next to a large one take
INSET, TALLEST = 0.32, 0.45  # of the width that the view in the picture takes; of the height, at most
MARGIN, FOOT = 12, 50  # from the edges to the view in the picture; from the lower one, where time and legend are written
AXES = 116  # size of the axes in the upper right corner
EMPTY = QRect()


class Arrangement(Enum):
    """Arrangements of views."""

    ONE = "one"
    BESIDE = "beside"
    STACKED = "stacked"
    LARGE = "large"
    FOUR = "four"
    INSET = "inset"

    @property
    def count(self) -> int:
        """Number of views."""
        return {Arrangement.ONE: 1, Arrangement.LARGE: 4, Arrangement.FOUR: 4}.get(self, 2)


class Corner(Enum):
    """Corner of the inset view; right and lower: True at that side."""

    TOP_LEFT = "top left"
    TOP_RIGHT = "top right"
    BOTTOM_RIGHT = "bottom right"
    BOTTOM_LEFT = "bottom left"

    @property
    def right(self) -> bool:
        """True for corners at the right side."""
        return self in (Corner.TOP_RIGHT, Corner.BOTTOM_RIGHT)

    @property
    def lower(self) -> bool:
        """True for corners at the lower side."""
        return self in (Corner.BOTTOM_LEFT, Corner.BOTTOM_RIGHT)

    @property
    def next(self) -> Corner:
        """The next one, clockwise."""
        corners = list(Corner)
        return corners[(corners.index(self) + 1) % len(corners)]

    @staticmethod
    def at(*, right: bool, lower: bool) -> Corner:
        """The corner of two sides."""
        return next(corner for corner in Corner if (corner.right, corner.lower) == (right, lower))


class TileArea(Struct, frozen=True):
    """head: of the header, empty where missing; picture: below it [device-independent pixels]."""

    head: QRect
    picture: QRect


def areas(
    arrangement: Arrangement, width: int, height: int, head: int, corner: Corner = Corner.BOTTOM_RIGHT, aspect: float = 1.5
) -> list[TileArea]:
    """The views of an arrangement in a viewport of this size, in the order in which they are drawn.

    head: height of a header; corner, aspect: of the view in the picture, where it is and width over height. Views of one kind
    have the same size, so that the framebuffers of the graphics card can be used for all of them.
    """
    if arrangement is Arrangement.ONE:
        return [TileArea(EMPTY, QRect(0, 0, width, height))]
    if arrangement is Arrangement.INSET:
        window = QRect(0, 0, width, height)
        return [_headed(window, head), _headed(_inset(width, height, head, corner, aspect), head)]
    if arrangement is Arrangement.LARGE:
        cells = _large(width, height)
    else:
        columns, rows = {Arrangement.BESIDE: (2, 1), Arrangement.STACKED: (1, 2)}.get(arrangement, (2, 2))
        cells = [QRect(x, y, w, h) for y, h in _split(height, rows) for x, w in _split(width, columns)]
    return [_headed(cell, head) for cell in cells]


def _split(length: int, count: int) -> list[tuple[int, int]]:
    """Start and length of `count` equal parts, the first at one end and the last at the other; lengths are even."""
    if count == 1:
        return [(0, length)]
    part = max((length - GAP * (count - 1)) // count // 2 * 2, 1)
    return [((length - part) * k // (count - 1), part) for k in range(count)]


def _large(width: int, height: int) -> list[QRect]:
    """A large one, and three small ones next to it, or below it where the viewport is higher than wide."""
    across = width >= height
    long, short = (width, height) if across else (height, width)
    small = max(int(SMALL * long) // 2 * 2, 1)
    cells = [(0, 0, max(long - small - GAP, 1), short)]
    cells += [(long - small, begin, small, size) for begin, size in _split(short, 3)]
    return [QRect(x, y, w, h) if across else QRect(y, x, h, w) for x, y, w, h in cells]


def _inset(width: int, height: int, head: int, corner: Corner, aspect: float) -> QRect:
    """The small view with its header, clear of the texts in the corners."""
    wide = min(INSET * width, TALLEST * height * aspect)
    w, h = max(int(wide) // 2 * 2, 1), max(int(wide / aspect) // 2 * 2, 1) + head
    aside = MARGIN + (AXES if corner is Corner.TOP_RIGHT else 0)
    x = width - aside - w if corner.right else MARGIN
    y = height - FOOT - h if corner.lower else head + MARGIN
    return QRect(max(x, 0), max(y, 0), w, h)


def _headed(cell: QRect, head: int) -> TileArea:
    tall = min(head, max(cell.height() - 1, 0))
    return TileArea(
        QRect(cell.x(), cell.y(), cell.width(), tall), QRect(cell.x(), cell.y() + tall, cell.width(), cell.height() - tall)
    )
