"""A view along time: places of moments, ticks below, the wheel that zooms. Subclasses draw above the axis."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from numpy.typing import NDArray
from PyQt6.QtCore import QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QPainter, QResizeEvent, QWheelEvent
from PyQt6.QtWidgets import QAbstractScrollArea, QSizePolicy

from tumble.app.describe.numbers import moment
from tumble.app.look import theme
from tumble.app.widgets.layout import present

TICK_EVERY = 90  # pixels between two moments that are written, and of their texts
ZOOM = 1.25  # of a step of the wheel
Moments = TypeVar("Moments", float, NDArray[Any])
SHORTEST, LONGEST = 1e-4, 1e5  # seconds that can be shown


class TimeRange(Protocol):
    """The stretch of time in view, start to stop [s]."""

    @property
    def start(self) -> float: ...

    @property
    def stop(self) -> float: ...

    def move(self, seconds: float) -> None:
        """Show later times, or earlier ones."""

    def zoom(self, factor: float, at: float) -> None:
        """Show `factor` as much; the moment `at` [s] stays where it is."""


class TimeWindow:
    """A stretch of `span` seconds up to `stop` [s]; while `follow` is on it ends at the newest moment."""

    def __init__(self, span: float) -> None:
        self.span = span
        self.follow = True
        self.stop = span
        self._newest = 0.0

    def advance(self, newest: float) -> None:
        """Advance the newest time to `newest` [s]."""
        self._newest = newest
        if self.follow:
            self.stop = max(newest, self.span)  # at the beginning it begins at zero

    @property
    def start(self) -> float:
        """The first moment in view [s]."""
        return self.stop - self.span

    def set_follow(self, follow: bool) -> None:
        """Follow the newest moment, or stop."""
        self.follow = follow
        self.advance(self._newest)

    def set_span(self, span: float) -> None:
        """Show a number of seconds, up to the same end."""
        self.span = min(max(span, SHORTEST), LONGEST)
        self.advance(self._newest)

    def move(self, seconds: float) -> None:
        """Move to earlier or later times; it then stops following."""
        self.follow = False
        self.stop += seconds

    def zoom(self, factor: float, at: float) -> None:
        """Show `factor` as much; the moment `at` stays where it is, or while following the newest one does."""
        span = min(max(self.span * factor, SHORTEST), LONGEST)
        if not self.follow:
            self.stop = at + (self.stop - at) * span / self.span
        self.set_span(span)


def ticks(start: float, end: float, most: int) -> tuple[list[float], int]:
    """Round moments [s] between two others, limited in number and at least 1 apart; and the digits that distinguish them."""
    step, digits = 1.0, 0
    wanted = (end - start) / max(most, 1)
    while step > wanted:
        step, digits = step / 10, digits + 1
    for factor in (1, 2, 5, 10):
        if step * factor >= wanted:
            step, digits = step * factor, max(0, digits - (factor == 10))
            break
    else:
        while step < wanted:
            step *= 10
    first = -(-start // step)
    return [(first + k) * step for k in range(int((end - first * step) / step) + 1)], digits


class TimeView(QAbstractScrollArea):
    """A canvas with an axis of time. changed: the visible range or the size changed."""

    changed = pyqtSignal()

    def __init__(self, times: TimeRange, axis_height: int, least_above: int, margin: int = 0) -> None:
        """times: visible range; in pixels: height of the axis, least height above it, margin next to it."""
        super().__init__()
        canvas = present(self.viewport())
        self.canvas = canvas
        self.times = times
        self._axis_height = axis_height
        self._margin = margin
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(axis_height + least_above)
        canvas.setMouseTracking(True)

    # ---- places

    @property
    def left(self) -> int:
        """Left end of the axis [px]."""
        return self._margin

    @property
    def wide(self) -> int:
        """Width of the axis [pixels]."""
        return max(1, self.canvas.width() - self.left - self._margin)

    @property
    def bottom(self) -> int:
        """The upper edge of the axis [pixels]."""
        return self.canvas.height() - self._axis_height

    @property
    def span(self) -> float:
        """Seconds in view."""
        return self.times.stop - self.times.start

    def x_of(self, time: Moments) -> Moments:
        """Places of moments [pixels]; time [s]."""
        return self.left + (time - self.times.start) / self.span * self.wide

    def time_at(self, x: float) -> float:
        """The moment at a place [s]; x [pixels]."""
        return self.times.start + (x - self.left) / self.wide * self.span

    # ---- painting

    def paint_ticks(self, painter: QPainter, top: int) -> None:
        """Lines at round moments from `top` [pixels] down to the axis, and their texts below."""
        painter.setFont(theme.sans(8))
        moments, digits = ticks(self.times.start, self.times.stop, self.wide // TICK_EVERY)
        for time in moments:
            x = self.x_of(time)
            painter.setPen(theme.colour("line", 110))
            painter.drawLine(int(x), top, int(x), self.bottom + 3)
            painter.setPen(theme.colour("dim"))
            self._write_moment(painter, x, moment(time, digits))

    def _write_moment(self, painter: QPainter, x: float, text: str) -> None:
        """Write a tick's moment below it, as far from the edges as it fits."""
        half = TICK_EVERY / 2
        side = (
            Qt.AlignmentFlag.AlignLeft
            if x < half
            else Qt.AlignmentFlag.AlignRight
            if x > self.canvas.width() - half
            else Qt.AlignmentFlag.AlignHCenter
        )
        place = min(max(x - half, 2.0), self.canvas.width() - TICK_EVERY - 2.0)
        area = QRectF(place, self.bottom + 3, TICK_EVERY, self._axis_height - 4)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | side), text)

    # ---- gestures

    def move_by(self, share: float) -> None:
        """See later times, or earlier ones; share: of those in view."""
        self.times.move(share * self.span)
        self.changed.emit()

    def wheelEvent(self, event: QWheelEvent | None) -> None:
        """Zoom around the mouse."""
        if event is None:
            return
        if turned := event.angleDelta().y():
            self.times.zoom(ZOOM ** (-turned / 120), self.time_at(event.position().x()))
            self.changed.emit()
        event.accept()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Other places."""
        super().resizeEvent(event)
        self.changed.emit()
