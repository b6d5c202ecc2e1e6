"""The picture of contact lanes: names, a bar for each contact, time below. It paints its data and emits signals for gestures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray
from PyQt6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import (
    QFontMetricsF,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PyQt6.QtWidgets import QAbstractScrollArea, QApplication

from tumble.app.describe.contacts import MODE_INKS
from tumble.app.look import theme
from tumble.app.panels.contact_events.groups import ContactGroups, Pair
from tumble.app.widgets.layout import present
from tumble.app.widgets.live_field import OwnKeys
from tumble.app.widgets.time_view import TimeRange, TimeView
from tumble.physics.observe.touch import BEGIN, BROKE, END, ENDED, MADE, MODE, PEAK, PEAK_TIME, PIECE

Array = NDArray[Any]
Ink = tuple[int, int, int]

LEAST = 3  # pixels that the lowest bar is tall
GROUND = 0.22  # of a bar's colour in the lane behind it
ROUNDING = 1e-6  # of a pixel: a bar that ends where a pixel begins does not reach into it
TICK = 3  # pixels from which a bar shows where its contact was made and where it broke


def cells(rows: Array, slots: Array, lanes: int, start: float, end: float, width: int) -> Array:
    """The piece (lanes, width) that each cell shows, -1: none; of several the one with the largest force."""
    shown = np.full(lanes * width, -1, np.int64)
    if len(rows) == 0:
        return shown.reshape(lanes, width)
    scale = width / (end - start)
    first = np.clip(np.floor((rows[:, BEGIN] - start) * scale), 0, width).astype(np.int64)
    last = np.clip(np.ceil((rows[:, END] - start) * scale - ROUNDING), 0, width).astype(np.int64)
    outside = (rows[:, END] < start) | (first == width)
    count = np.where(outside, 0, np.maximum(last - first, 1))
    order = np.argsort(rows[:, PEAK], kind="stable")  # the strongest comes last, and stays
    count = count[order]
    piece = np.repeat(order, count)
    offset = np.arange(len(piece)) - np.repeat(np.cumsum(count) - count, count)
    shown[slots[piece] * width + first[piece] + offset] = piece
    return shown.reshape(lanes, width)


def heights(rows: Array, tall: int) -> Array:
    """Pixels (n,) of each piece's bar, by the square root of its force: small ones stay visible next to large ones."""
    most = rows[:, PEAK].max(initial=0.0)
    share = np.sqrt(np.maximum(rows[:, PEAK], 0.0) / most) if most > 0 else np.zeros(len(rows))
    return LEAST + np.round((tall - LEAST) * share).astype(np.int64)


def picture(rows: Array, shown: Array, tall: int, gap: int, inks: Mapping[int, Ink], ground: Ink) -> Array:
    """The picture (lanes * (tall + gap), width) of lanes, each pixel as 0xffrrggbb; inks: the colour of each mode."""
    lanes, width = shown.shape
    out = np.full((lanes, tall + gap, width), _word(ground), np.uint32)
    if len(rows) and shown.size:
        full, faint = (np.zeros(max(inks) + 1, np.uint32) for _ in range(2))
        for mode, ink in inks.items():
            full[mode] = _word(ink)
            faint[mode] = _word([round(GROUND * a + (1 - GROUND) * b) for a, b in zip(ink, ground, strict=True)])
        modes, piece = rows[:, MODE].astype(np.int64), np.maximum(shown, 0)
        solid = np.arange(tall, 0, -1)[:, None] <= heights(rows, tall)[piece][:, None, :]
        bars = np.where(solid, full[modes][piece][:, None, :], faint[modes][piece][:, None, :])
        out[:, :tall] = np.where((shown >= 0)[:, None, :], bars, out[:, :tall])
    return out.reshape(lanes * (tall + gap), width)


def _word(ink: Sequence[int]) -> int:
    red, green, blue = ink
    return 0xFF000000 | red << 16 | green << 8 | blue


def marks(rows: Array, slots: Array, start: float, end: float, width: int) -> tuple[Array, Array, Array]:
    """Pieces at which something is marked: those that begin with a make, those that end with a break, and those with the peak
    of their contact. Contacts narrower than TICK pixels are bare."""
    contacts = ContactGroups(rows, slots)
    piece, order = contacts.rows, contacts.order
    wide = (piece[contacts.last, END] - piece[contacts.first, BEGIN]) / (end - start) * width >= TICK
    first, last, top = contacts.first[wide], contacts.last[wide], contacts.top[wide]
    seen = (piece[top, PEAK_TIME] >= start) & (piece[top, PEAK_TIME] <= end) & (piece[top, PEAK] > 0)
    return order[first[piece[first, MADE] == 1]], order[last[piece[last, ENDED] == BROKE]], order[top[seen]]


TALL, GAP = 18, 4  # pixels of a lane, and between two
AXIS = 22  # pixels below the lanes
NAMES = 0.3  # share of the width that the names have ...
WIDEST = 220  # ... up to so many pixels
MOST_MARKS = 600  # make, break and peak each; more would cover the lanes
KEY_MOVE = 0.1  # of the time shown, by an arrow key


class ShownLanes(Struct):
    """In view: names and pairs of the lanes in view, pieces (n, PIECE) in the lane slots (n,); chosen: a slot and the times
    of a contact in it, or none."""

    names: Sequence[str] = ()
    pairs: Sequence[Pair] = ()
    rows: Array = field(default_factory=lambda: np.zeros((0, PIECE)))
    slots: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    chosen: tuple[int, float, float] | None = None


class LaneView(TimeView):
    """Lanes of contacts. clicked: a pair and a time in its lane, or -inf: its name; pointed: row of the piece under the mouse,
    -1: none; changed: other lanes or times are wanted."""

    clicked = pyqtSignal(object, float)
    pointed = pyqtSignal(int)

    def __init__(self, times: TimeRange) -> None:
        super().__init__(times, AXIS, 2 * (TALL + GAP))
        bar = present(self.verticalScrollBar())
        self.bar = bar
        self.shown = ShownLanes()
        self.cells: Array = np.zeros((0, 0), np.int64)
        self.empty = ""
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._dragged = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.bar.valueChanged.connect(lambda value: self.changed.emit())
        OwnKeys(self, {
            Qt.Key.Key_Up: lambda: self._choose_next(-1),
            Qt.Key.Key_Down: lambda: self._choose_next(1),
            Qt.Key.Key_Left: lambda: self.move_by(-KEY_MOVE),
            Qt.Key.Key_Right: lambda: self.move_by(KEY_MOVE),
        })  # fmt: skip

    def sizeHint(self) -> QSize:
        """A few lanes."""
        return QSize(500, 200)

    # ---- places

    @property
    def left(self) -> int:
        """Pixels of the names."""
        return int(min(WIDEST, NAMES * self.canvas.width()))

    @property
    def room(self) -> int:
        """Lanes that are seen at least in part."""
        return max(1, -(-self.bottom // (TALL + GAP)))

    @property
    def first(self) -> int:
        """The first lane that is seen."""
        return self.bar.value()

    def set_lanes(self, count: int) -> None:
        """Number of all lanes."""
        fitting = max(1, self.bottom // (TALL + GAP))
        self.bar.setRange(0, max(0, count - fitting))
        self.bar.setPageStep(fitting)

    def slot_at(self, y: float) -> int:
        """The lane in view at a place; -1: none."""
        slot = int(y // (TALL + GAP))
        return slot if 0 <= slot < len(self.shown.pairs) and y < self.bottom else -1

    def middle(self, slot: int) -> float:
        """Height of the middle of a lane in view [px]."""
        return slot * (TALL + GAP) + GAP / 2 + TALL / 2

    # ---- painting

    def show_lanes(self, shown: ShownLanes) -> None:
        """Show other lanes, or the same at another time."""
        self.shown = shown
        self.cells = cells(shown.rows, shown.slots, len(shown.pairs), self.times.start, self.times.stop, self.wide)
        self.canvas.update()

    def paintEvent(self, event: QPaintEvent | None) -> None:
        """Bars as one image; names, marks and time over it."""
        painter = QPainter(self.canvas)
        painter.fillRect(self.canvas.rect(), theme.colour("field"))
        painter.setFont(theme.sans(9))
        if not self.shown.pairs:
            painter.setPen(theme.colour("dim"))
            area = QRectF(12, 0, self.canvas.width() - 24, self.bottom)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), self.empty)
        else:
            painter.setClipRect(0, 0, self.canvas.width(), self.bottom)
            self._bars(painter)
            self._marks(painter)
            self._names(painter)
            painter.setClipping(False)
        self._axis(painter)
        painter.end()

    def _bars(self, painter: QPainter) -> None:
        inks = {int(mode): _ink(name) for mode, name in MODE_INKS.items()}
        pixels = picture(self.shown.rows, self.cells, TALL, GAP, inks, _ink("field"))
        tall, wide = pixels.shape
        image = QImage(pixels.tobytes(), wide, tall, 4 * wide, QImage.Format.Format_RGB32)
        painter.drawImage(QPointF(self.left, GAP / 2), image)

    def _marks(self, painter: QPainter) -> None:
        rows, slots = self.shown.rows, self.shown.slots
        columns = marks(rows, slots, self.times.start, self.times.stop, self.wide)
        begun, broke, peaks = (kept[-MOST_MARKS:] for kept in columns)
        painter.setClipRect(self.left, 0, self.wide, self.bottom)
        painter.setPen(QPen(theme.colour("bright"), 1))
        for k in begun:
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
        painter.setClipRect(0, 0, self.canvas.width(), self.bottom)

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
        painter.drawLine(self.left - 1, 0, self.left - 1, self.canvas.height())

    def _axis(self, painter: QPainter) -> None:
        painter.fillRect(0, self.bottom, self.canvas.width(), AXIS, theme.colour("field"))
        painter.setPen(theme.colour("line"))
        painter.drawLine(0, self.bottom, self.canvas.width(), self.bottom)
        self.paint_ticks(painter, 0)

    def _write_moment(self, painter: QPainter, x: float, text: str) -> None:
        """Write a tick's moment below it, unless it would be cut off."""
        if x <= self.canvas.width() - 22:
            painter.drawText(QRectF(x - 45, self.bottom + 3, 90, AXIS - 4), int(Qt.AlignmentFlag.AlignCenter), text)

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
            moved = self._last.x() - where.x()
            self._last = QPointF(where.x(), self._last.y())
            lanes = int((self._last.y() - where.y()) / (TALL + GAP))
            if lanes:
                self._last = QPointF(where.x(), where.y())
                self.bar.setValue(self.first + lanes)
            if moved:
                self.move_by(moved / self.wide)

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
        if event is not None and event.position().x() < self.left:
            QAbstractScrollArea.wheelEvent(self, event)
        else:
            super().wheelEvent(event)

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
        """Clear the hover."""
        super().leaveEvent(event)
        self.pointed.emit(-1)


def _ink(name: str) -> tuple[int, int, int]:
    colour = theme.colour(name)
    return colour.red(), colour.green(), colour.blue()
