"""The picture of contact lanes: names, a bar for each contact, time below. It paints what it is given and tells of gestures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import (
    QColor,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PyQt6.QtWidgets import QAbstractScrollArea, QApplication, QSizePolicy

from tumble.app.describe.contacts import MODE_INKS
from tumble.app.describe.numbers import moment
from tumble.app.look import theme
from tumble.app.panels.contact_events.groups import Pair
from tumble.app.panels.contact_events.lane_picture import cells, heights, marks, picture
from tumble.app.widgets.time_window import TimeWindow, ticks
from tumble.physics.observe.touch import BEGIN, END, PEAK_TIME, PIECE

Array = NDArray[Any]

TALL, GAP = 18, 4  # pixels of a lane, and between two
AXIS = 22  # pixels below the lanes
NAMES = 0.3  # share of the width that the names have ...
WIDEST = 220  # ... up to so many pixels
TICK_EVERY = 90  # pixels between two moments that are written
MOST_MARKS = 600  # make, break and peak each; more would cover the lanes
ZOOM = 1.25  # of a step of the wheel
KEY_MOVE = 0.1  # of the time shown, by an arrow key
_ARROWS = {Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0), Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1)}


@dataclass
class ShownLanes:
    """What is seen: names and pairs of the lanes in view, pieces (n, PIECE) in the lane slots (n,); chosen: a slot and the times
    of a contact in it, or none."""

    names: Sequence[str] = ()
    pairs: Sequence[Pair] = ()
    rows: Array = field(default_factory=lambda: np.zeros((0, PIECE)))
    slots: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    chosen: tuple[int, float, float] | None = None


class LaneView(QAbstractScrollArea):
    """Lanes of contacts. clicked: a pair and a time in its lane, or -inf: its name; pointed: row of the piece under the mouse,
    -1: none; changed: other lanes or times are wanted."""

    clicked = pyqtSignal(object, float)
    pointed = pyqtSignal(int)
    changed = pyqtSignal()

    def __init__(self, times: TimeWindow) -> None:
        super().__init__()
        canvas, bar = self.viewport(), self.verticalScrollBar()
        assert canvas is not None
        assert bar is not None
        self._canvas, self.bar = canvas, bar
        self.times = times
        self.shown = ShownLanes()
        self.cells: Array = np.zeros((0, 0), np.int64)
        self.empty = ""
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._dragged = False
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(AXIS + 2 * (TALL + GAP))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._canvas.setMouseTracking(True)
        self.bar.valueChanged.connect(lambda value: self.changed.emit())

    def sizeHint(self) -> QSize:
        """A few lanes."""
        return QSize(500, 200)

    # ---- places

    @property
    def left(self) -> int:
        """Pixels of the names."""
        return int(min(WIDEST, NAMES * self._canvas.width()))

    @property
    def wide(self) -> int:
        """Pixels of the bars."""
        return max(1, self._canvas.width() - self.left)

    @property
    def room(self) -> int:
        """Lanes that are seen at least in part."""
        return max(1, -(-(self._canvas.height() - AXIS) // (TALL + GAP)))

    @property
    def first(self) -> int:
        """The first lane that is seen."""
        return self.bar.value()

    def set_lanes(self, count: int) -> None:
        """How many lanes there are in all."""
        whole = max(1, (self._canvas.height() - AXIS) // (TALL + GAP))
        self.bar.setRange(0, max(0, count - whole))
        self.bar.setPageStep(whole)

    def x_of(self, time: float) -> float:
        """Where a moment is."""
        start, end = self.times.shown
        return self.left + (time - start) / (end - start) * self.wide

    def time_at(self, x: float) -> float:
        """The moment that is at a place."""
        start, end = self.times.shown
        return start + (x - self.left) / self.wide * (end - start)

    def slot_at(self, y: float) -> int:
        """The lane in view at a place; -1: none."""
        slot = int(y // (TALL + GAP))
        return slot if 0 <= slot < len(self.shown.pairs) and y < self._canvas.height() - AXIS else -1

    def middle(self, slot: int) -> float:
        """Where the middle of a lane in view is."""
        return slot * (TALL + GAP) + GAP / 2 + TALL / 2

    # ---- painting

    def show_lanes(self, shown: ShownLanes) -> None:
        """Show other lanes, or the same at another time."""
        self.shown = shown
        start, end = self.times.shown
        self.cells = cells(shown.rows, shown.slots, len(shown.pairs), start, end, self.wide)
        self._canvas.update()

    def paintEvent(self, event: QPaintEvent | None) -> None:
        """Bars as one image; names, marks and time over it."""
        painter = QPainter(self._canvas)
        painter.fillRect(self._canvas.rect(), theme.colour("field"))
        bottom = self._canvas.height() - AXIS
        painter.setFont(theme.sans(9))
        if not self.shown.pairs:
            painter.setPen(theme.colour("dim"))
            area = QRectF(12, 0, self._canvas.width() - 24, bottom)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), self.empty)
        else:
            painter.setClipRect(0, 0, self._canvas.width(), bottom)
            self._bars(painter)
            self._marks(painter)
            self._names(painter)
            painter.setClipping(False)
        self._axis(painter, bottom)
        painter.end()

    def _bars(self, painter: QPainter) -> None:
        inks = {int(mode): _ink(name) for mode, name in MODE_INKS.items()}
        pixels = picture(self.shown.rows, self.cells, TALL, GAP, inks, _ink("field"))
        tall, wide = pixels.shape
        image = QImage(pixels.tobytes(), wide, tall, 4 * wide, QImage.Format.Format_RGB32)
        painter.drawImage(QPointF(self.left, GAP / 2), image)

    def _marks(self, painter: QPainter) -> None:
        rows, slots = self.shown.rows, self.shown.slots
        start, end = self.times.shown
        made, broke, peaks = (kept[-MOST_MARKS:] for kept in marks(rows, slots, start, end, self.wide))
        painter.setClipRect(self.left, 0, self.wide, self._canvas.height() - AXIS)
        painter.setPen(QPen(theme.colour("bright"), 1))
        for k in made:
            self._tick(painter, float(rows[k, BEGIN]), int(slots[k]))
        painter.setPen(QPen(theme.colour("dim"), 1))
        for k in broke:
            self._tick(painter, float(rows[k, END]), int(slots[k]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(theme.colour("bright"))
        painter.setPen(QPen(theme.colour("back"), 0.8))
        tops = heights(rows, TALL)
        for k in peaks:
            x, foot = self.x_of(float(rows[k, PEAK_TIME])), slots[k] * (TALL + GAP) + GAP / 2 + TALL
            y = foot - tops[k]
            painter.drawPolygon(QPolygonF([QPointF(x - 3.5, y - 2.5), QPointF(x + 3.5, y - 2.5), QPointF(x, y + 3)]))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.shown.chosen is not None:
            slot, begin, until = self.shown.chosen
            x = self.x_of(begin)
            painter.setPen(QPen(theme.colour("accent"), 1.4))
            painter.drawRect(QRectF(x - 1.5, slot * (TALL + GAP) + 0.5, max(self.x_of(until) - x, 1) + 3, TALL + GAP - 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setClipRect(0, 0, self._canvas.width(), self._canvas.height() - AXIS)

    def _tick(self, painter: QPainter, time: float, slot: int) -> None:
        x, y = int(self.x_of(time)), slot * (TALL + GAP)
        painter.drawLine(x, y, x, y + TALL + GAP - 1)

    def _names(self, painter: QPainter) -> None:
        metrics = QFontMetricsF(painter.font())
        chosen = self.shown.chosen[0] if self.shown.chosen is not None else -1
        for slot, name in enumerate(self.shown.names):
            top = slot * (TALL + GAP)
            text = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, self.left - 14)
            painter.setPen(theme.colour("accent" if slot == chosen else "text"))
            area = QRectF(6, top, self.left - 12, TALL + GAP)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)
        painter.setPen(theme.colour("line"))
        painter.drawLine(self.left - 1, 0, self.left - 1, self._canvas.height())

    def _axis(self, painter: QPainter, bottom: int) -> None:
        painter.fillRect(0, bottom, self._canvas.width(), AXIS, theme.colour("field"))
        painter.setPen(theme.colour("line"))
        painter.drawLine(0, bottom, self._canvas.width(), bottom)
        painter.setFont(theme.sans(8))
        start, end = self.times.shown
        moments, digits = ticks(start, end, self.wide // TICK_EVERY)
        grid = QColor(theme.colour("line"))
        grid.setAlpha(110)
        for time in moments:
            x = self.x_of(time)
            if x < self.left:
                continue
            painter.setPen(grid)
            painter.drawLine(int(x), 0, int(x), bottom + 3)
            painter.setPen(theme.colour("dim"))
            area = QRectF(x - 45, bottom + 3, 90, AXIS - 4)
            if x <= self._canvas.width() - 22:  # else it would be cut off
                painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter), moment(time, digits))

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """More or fewer lanes fit."""
        super().resizeEvent(event)
        self.changed.emit()

    # ---- gestures

    def piece_at(self, where: QPointF) -> int:
        """Row of the piece at a place, or of one very near; -1: none."""
        slot, x = self.slot_at(where.y()), int(where.x()) - self.left
        if slot < 0 or not 0 <= x < self.cells.shape[1] or slot >= len(self.cells):
            return -1
        for off in (0, -1, 1, -2, 2):
            if 0 <= x + off < self.cells.shape[1] and self.cells[slot, x + off] >= 0:
                return int(self.cells[slot, x + off])
        return -1

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """A click or a drag begins."""
        if event is not None and event.button() == Qt.MouseButton.LeftButton:
            self._pressed = self._last = event.position()
            self._dragged = False

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Drag moves through time and lanes; without a button it points."""
        if event is None:
            return
        where = event.position()
        if self._pressed is None:
            self.pointed.emit(self.piece_at(where))
            return
        if (where - self._pressed).manhattanLength() >= QApplication.startDragDistance():
            self._dragged = True
        if self._dragged:
            moved = self.time_at(self._last.x()) - self.time_at(where.x())
            self._last = QPointF(where.x(), self._last.y())
            lanes = int((self._last.y() - where.y()) / (TALL + GAP))
            if lanes:
                self._last = QPointF(where.x(), where.y())
                self.bar.setValue(self.first + lanes)
            if moved:
                self.times.move(moved)
                self.changed.emit()

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:
        """A click chooses."""
        pressed, self._pressed = self._pressed, None
        if event is None or pressed is None or self._dragged:
            return
        slot = self.slot_at(pressed.y())
        if slot >= 0:
            x = pressed.x()
            self.clicked.emit(self.shown.pairs[slot], self.time_at(x) if x >= self.left else -np.inf)

    def wheelEvent(self, event: QWheelEvent | None) -> None:
        """Zooms time; over the names it goes through the lanes."""
        if event is None:
            return
        if event.position().x() < self.left:
            super().wheelEvent(event)
            return
        steps = event.angleDelta().y() / 120
        if steps:
            self.times.zoom(ZOOM**-steps, self.time_at(event.position().x()))
            self.changed.emit()
        event.accept()

    def event(self, event: QEvent | None) -> bool:
        """Arrows are its own, though the window has actions by them."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and Qt.Key(event.key()) in _ARROWS:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Up and down choose a lane, left and right move through time."""
        lanes, times = _ARROWS.get(Qt.Key(event.key()), (0, 0)) if event is not None else (0, 0)
        if times:
            start, end = self.times.shown
            self.times.move(times * KEY_MOVE * (end - start))
            self.changed.emit()
        elif lanes and self.shown.pairs:
            self._choose_next(lanes)
        else:
            super().keyPressEvent(event)

    def _choose_next(self, lanes: int) -> None:
        """Choose the lane after the one that is chosen, or before it; at the edge the lanes move."""
        now = self.shown.chosen[0] if self.shown.chosen is not None else -1 if lanes > 0 else len(self.shown.pairs)
        slot = now + lanes
        if not 0 <= slot < len(self.shown.pairs):
            self.bar.setValue(self.first + lanes)  # other lanes are shown now
            slot = now
        if 0 <= slot < len(self.shown.pairs):
            self.clicked.emit(self.shown.pairs[slot], -np.inf)

    def leaveEvent(self, event: QEvent | None) -> None:
        """The mouse points at nothing."""
        super().leaveEvent(event)
        self.pointed.emit(-1)


def _ink(name: str) -> tuple[int, int, int]:
    colour = theme.colour(name)
    return colour.red(), colour.green(), colour.blue()
