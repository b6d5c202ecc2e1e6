"""The picture of the timeline: pictures of moments, bookmarks, events, the track with the playhead, time below.

It paints its data and emits signals for gestures.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray
from PyQt6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import (
    QBrush,
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QIcon,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QWheelEvent,
)

from tumble.app.look import theme
from tumble.app.panels.timeline.strip import BOOKMARK, CAMERA, LOOKS, SHAPES, Axis, Look, Move, Spot, Spots, near, place_pictures
from tumble.app.widgets.live_field import OwnKeys
from tumble.app.widgets.time_view import TimeView
from tumble.render.frame import Frame

Array = NDArray[Any]

PAD = 10  # pixels next to the axis, for the playhead at its ends
AXIS, TRACK, MARKS, FLAGS = 20, 10, 18, 16  # heights of the layers, from below
LEAST_TALL, MOST_TALL, BREADTH = 40, 128, 1.5  # of a picture: height, width a height
GAP = 6  # pixels between pictures
HALF = 5.0  # pixels of half a mark
CROWD = 3.0  # pixels in which marks of a kind are merged
REACH = 5.0  # the mouse picks spots within this distance [px]
PANNED = 0.1  # share of the view that a step of a sideways wheel moves
DRAWN = 0.3  # share of the way that the mouse is next to the axis, by which scrubbing moves it
MOST_NAME = 150  # pixels of a bookmark's name
MOST_PIXMAPS = 64  # pictures that are kept at the size of the strip
KEYS = {
    Qt.Key.Key_Left: Move.BACK,
    Qt.Key.Key_Right: Move.FORWARD,
    Qt.Key.Key_PageUp: Move.SPOT_BEFORE,
    Qt.Key.Key_PageDown: Move.SPOT_AFTER,
    Qt.Key.Key_Home: Move.FIRST,
    Qt.Key.Key_End: Move.LAST,
}
EMPTY = "The simulation is recorded here, and you can go back to any moment"


class ShownTimes(Struct):
    """In view: first, now and end of the history [s]; aim: target [s], and share of the way done."""

    spots: Spots = field(default_factory=Spots)
    first: float = 0.0
    now: float = 0.0
    end: float = 0.0
    aim: tuple[float, float] | None = None
    ink: str = theme.colours()["good"]


class TimeStripView(TimeView):
    """The strip. scrubbed: a moment is wanted [s]; picked: a spot; moved: a Move; pointed: spots at the mouse, and the moment [s]
    (not a number: the mouse is not there); changed: another stretch of time is seen."""

    scrubbed = pyqtSignal(float)
    picked = pyqtSignal(object)
    moved = pyqtSignal(object)
    pointed = pyqtSignal(object, float)

    def __init__(self, axis: Axis, picture: Callable[[Frame], QImage | None]) -> None:
        """picture: of a frame, None until drawn."""
        super().__init__(axis, AXIS, TRACK + MARKS + FLAGS, PAD)
        self.shown = ShownTimes()
        self.placed: list[tuple[Spot, QRectF]] = []  # spots with pictures
        self._picture = picture
        self._flags: list[tuple[Spot, QRectF]] = []
        self._kept: dict[int, float] = {}  # where pictures were, from their spots [picture widths], by identity of the frame
        self._marks: dict[tuple[Look, float, str], QPixmap] = {}
        self._pixmaps: dict[tuple[int, int, int, float], QPixmap] = {}
        self._xs: Array = np.zeros(0)
        self._scrubbing = False
        self._panned: float | None = None  # where the middle button was last
        self._mouse: float | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Timeline")
        OwnKeys(self, {key: partial(self.moved.emit, move) for key, move in KEYS.items()}, plain=True)

    def sizeHint(self) -> QSize:
        """A row of pictures."""
        return QSize(600, AXIS + TRACK + MARKS + FLAGS + 90)

    # ---- places

    @property
    def track(self) -> QRectF:
        """Height of the track [px]."""
        return QRectF(PAD, self.bottom - TRACK, self.wide, TRACK)

    @property
    def tall(self) -> int:
        """Pixels of a picture's height; 0: there is no room."""
        room = self.bottom - TRACK - MARKS - FLAGS - 8
        return min(room, MOST_TALL) if room >= LEAST_TALL else 0

    def spots_at(self, where: QPointF) -> list[Spot]:
        """Spots at a place: a picture, a bookmark's flag, else all nearby ones, the most important first."""
        for spot, area in (*self.placed, *self._flags):
            if area.contains(where):
                return [spot]
        indices = near(self._xs, where.x(), REACH)
        nearest = sorted(indices, key=lambda k: (round(abs(float(self._xs[k]) - where.x())), -self.shown.spots.ranks[k]))
        return [self.shown.spots.all[k] for k in nearest]

    def show_line(self, shown: ShownTimes) -> None:
        """Update contents and time."""
        self.shown = shown
        self._xs = self.x_of(shown.spots.times)
        self._place_pictures()
        self.canvas.update()

    def _place_pictures(self) -> None:
        spots, tall = self.shown.spots, self.tall
        self.placed = []
        if not tall or not spots.pictured.any():
            return
        which = np.flatnonzero(spots.pictured)
        wide = round(BREADTH * tall)
        kept = wide * np.array([self._kept.get(id(spots.all[k].frame), math.nan) for k in which])
        xs = self._xs[which] - PAD
        placed = place_pictures(xs, spots.ranks[which], kept, self.wide, wide, GAP)
        self.placed = [(spots.all[which[k]], QRectF(round(PAD + left), 4, wide, tall)) for k, left in placed]
        self._kept = {id(spots.all[which[k]].frame): (left - float(xs[k])) / wide for k, left in placed}

    # ---- painting

    def paintEvent(self, event: QPaintEvent | None) -> None:
        """Paint from the back to the front."""
        painter = QPainter(self.canvas)
        painter.fillRect(self.canvas.rect(), theme.colour("field"))
        self.paint_ticks(painter, self.bottom - TRACK - MARKS - FLAGS)
        self._paint_track(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_marks(painter)
        self._paint_flags(painter)
        self._paint_pictures(painter)
        if self.shown.end <= self.shown.first and not len(self.shown.spots):
            painter.setPen(theme.colour("dim"))
            painter.setFont(theme.sans(9))
            painter.drawText(
                QRectF(PAD, 0, self.wide, self.track.top()), int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), EMPTY
            )
        self._paint_playhead(painter)
        if self.hasFocus():
            painter.setPen(QPen(theme.colour("accentdim"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.canvas.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.end()

    def _paint_track(self, painter: QPainter) -> None:
        """Dark: no history; hatched: after the playhead; bright: before it."""
        track, shown = self.track, self.shown
        painter.fillRect(track, theme.colour("back"))

        def stretch(start: float, stop: float) -> QRectF:
            left, right = (min(max(self.x_of(t), track.left()), track.right()) for t in (start, stop))
            return QRectF(left, track.top(), right - left, TRACK)

        known = stretch(shown.first, shown.end)
        painter.fillRect(known, theme.colour("raised"))
        after = stretch(shown.now, shown.end)
        painter.fillRect(after, QBrush(theme.colour("disabled"), Qt.BrushStyle.BDiagPattern))
        before = theme.ink(shown.ink)
        before.setAlpha(130)
        painter.fillRect(stretch(shown.first, shown.now), before)
        painter.setPen(theme.colour("line"))
        painter.drawRect(track.adjusted(0, 0, -1, -1))

    def _paint_marks(self, painter: QPainter) -> None:
        spots, middle = self.shown.spots, self.track.top() - 0.5 * MARKS
        seen = (self._xs >= -HALF) & (self._xs <= self.canvas.width() + HALF)
        for look in sorted(LOOKS.values(), key=lambda look: look.rank):
            xs = self._xs[seen & (spots.ranks == look.rank)]
            if look.shape == "tick":
                for x in np.unique(np.round(xs)).tolist():  # a pixel has one, however many there are
                    painter.fillRect(QRectF(x, middle - 1.0, 2.0, 2.0 * HALF), theme.ink(look.ink))
                continue
            _, some = np.unique(np.round(xs / CROWD), return_index=True)
            for x in np.round(xs[some]).tolist():
                painter.drawPixmap(QPointF(x - 7.5, middle - 8.0), self._mark(look))
        for x in np.unique(np.round(self._xs[seen & (spots.ranks == CAMERA.rank)])):
            paint_mark(painter, CAMERA, float(x) + 0.5, self.track.center().y(), 0.8 * HALF)

    def _mark(self, look: Look) -> QPixmap:
        """The mark of a kind, drawn once: there may be hundreds."""
        ratio = self.devicePixelRatioF()
        key = look, ratio, theme.name()
        if key not in self._marks:
            self._marks[key] = mark_pixmap(look, ratio)
        return self._marks[key]

    def _paint_flags(self, painter: QPainter) -> None:
        """Bookmarks; a name ends where the next flag is."""
        self._flags = []
        painter.setFont(theme.sans(8))
        metrics = QFontMetricsF(painter.font())
        foot = self.track.top()
        top = foot - MARKS - FLAGS
        width = self.canvas.width()
        flags = [int(k) for k in np.flatnonzero(self.shown.spots.ranks == BOOKMARK.rank) if 0 <= self._xs[k] <= width]
        ends = [*(float(self._xs[k]) for k in flags[1:]), float(width)]
        for k, end in zip(flags, ends, strict=False):  # without flags there is an end too many
            x, spot = float(self._xs[k]), self.shown.spots.all[k]
            room = min(MOST_NAME, end - x - 12)
            painter.setPen(QPen(theme.colour("accent"), 1))
            painter.drawLine(QPointF(x, top + 2), QPointF(x, foot))
            paint_mark(painter, BOOKMARK, x + 4, top + 0.5 * FLAGS, HALF)
            text = metrics.elidedText(spot.text, Qt.TextElideMode.ElideRight, room - 4) if room > 20 else ""
            painter.setPen(theme.colour("text"))
            painter.drawText(QRectF(x + 12, top, max(room, 0.0), FLAGS), int(Qt.AlignmentFlag.AlignVCenter), text)
            self._flags.append((spot, QRectF(x - 1, top, 12 + metrics.horizontalAdvance(text), FLAGS)))

    def _paint_pictures(self, painter: QPainter) -> None:
        foot = self.track.top()
        for spot, area in self.placed:
            x = self.x_of(spot.time)
            ink = theme.ink(spot.look.ink)
            stem = QColor(ink)
            stem.setAlpha(110)
            painter.setPen(QPen(stem, 1))
            painter.drawLine(QPointF(x, area.bottom()), QPointF(x, foot - 0.5 * MARKS - HALF))
            image = self._picture(spot.frame) if spot.frame is not None else None
            if image is None:
                painter.fillRect(area, theme.colour("panel"))
            else:
                painter.drawPixmap(area.topLeft(), self._scaled(image, area.size().toSize()))
            painter.setPen(QPen(ink, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))
            paint_mark(painter, spot.look, area.left() + 10, area.top() + 10, HALF)

    def _scaled(self, image: QImage, size: QSize) -> QPixmap:
        """A picture at the size at which it is shown; kept, for smooth scaling takes time."""
        ratio = self.devicePixelRatioF()
        key = image.cacheKey(), size.width(), size.height(), ratio
        if key not in self._pixmaps:
            while len(self._pixmaps) >= MOST_PIXMAPS:
                del self._pixmaps[next(iter(self._pixmaps))]
            pixmap = QPixmap.fromImage(image.scaled(size * ratio, transformMode=Qt.TransformationMode.SmoothTransformation))
            pixmap.setDevicePixelRatio(ratio)
            self._pixmaps[key] = pixmap
        return self._pixmaps[key]

    def _paint_playhead(self, painter: QPainter) -> None:
        """Lines at the mouse, at the aim and at the present."""
        top, bottom = self.track.top() - MARKS - FLAGS, self.bottom
        if self._mouse is not None:
            painter.setPen(QPen(theme.colour("dim"), 1))
            painter.drawLine(QPointF(self._mouse, top), QPointF(self._mouse, bottom))
        if self.shown.aim is not None:
            aim, share = self.shown.aim
            x, here = self.x_of(aim), self.x_of(self.shown.now)
            painter.setPen(QPen(theme.ink(self.shown.ink), 1.5, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(x, top), QPointF(x, bottom))
            bar = QRectF(min(x, here), bottom + 1, abs(x - here), 3)
            painter.fillRect(bar, theme.colour("raised"))
            done = share * bar.width()
            left = bar.left() if x >= here else bar.right() - done
            painter.fillRect(QRectF(left, bar.top(), done, 3), theme.ink(self.shown.ink))
        x = self.x_of(self.shown.now)
        if -HALF <= x <= self.canvas.width() + HALF:
            painter.setPen(QPen(theme.colour("bright"), 1.6))
            painter.drawLine(QPointF(x, top), QPointF(x, bottom))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("bright"))
            painter.drawPolygon(QPolygonF([QPointF(x - 6, bottom + 7), QPointF(x + 6, bottom + 7), QPointF(x, bottom - 1)]))

    # ---- gestures

    def _point(self, where: QPointF | None) -> None:
        self._mouse = None if where is None else where.x()
        self.pointed.emit([] if where is None else self.spots_at(where), math.nan if where is None else self.time_at(where.x()))
        self.canvas.update()

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Left: go there; middle: begin to move the axis."""
        if event is None:
            return
        where = event.position()
        if event.button() == Qt.MouseButton.MiddleButton:
            self._panned = where.x()
        elif event.button() == Qt.MouseButton.LeftButton:
            picture = next((spot for spot, area in (*self.placed, *self._flags) if area.contains(where)), None)
            if picture is not None:
                self.picked.emit(picture)
                return
            self._scrubbing = True
            self.scrubbed.emit(self.time_at(where.x()))

    def mouseDoubleClickEvent(self, event: QMouseEvent | None) -> None:
        """Go to the exact moment of the nearest spot."""
        if event is not None and event.button() == Qt.MouseButton.LeftButton and (spots := self.spots_at(event.position())):
            self.picked.emit(spots[0])

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Scrub, move the axis, or point."""
        if event is None:
            return
        x = event.position().x()
        if self._panned is not None:
            self.move_by((self._panned - x) / self.wide)
            self._panned = x
        elif self._scrubbing:
            over = min(x - PAD, 0.0) + max(x - PAD - self.wide, 0.0)
            if over:  # the further out, the faster
                self.move_by(DRAWN * over / self.wide)
            self.scrubbed.emit(self.time_at(min(max(x, PAD), PAD + self.wide)))
        self._point(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:
        """End a drag."""
        self._scrubbing, self._panned = False, None

    def wheelEvent(self, event: QWheelEvent | None) -> None:
        """Zoom around the mouse; sideways, or with Shift: move."""
        if event is None:
            return
        turned, shift = event.angleDelta(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        sideways = turned.x() if turned.x() else turned.y() if shift else 0
        if sideways:
            self.move_by(-sideways / 120 * PANNED)
            event.accept()
        else:
            super().wheelEvent(event)

    def leaveEvent(self, event: QEvent | None) -> None:
        """Clear the hover."""
        super().leaveEvent(event)
        self._point(None)

    def focusInEvent(self, event: QFocusEvent | None) -> None:
        """Show that keys are heard."""
        super().focusInEvent(event)
        self.canvas.update()

    def focusOutEvent(self, event: QFocusEvent | None) -> None:
        """Show that they are no longer."""
        super().focusOutEvent(event)
        self.canvas.update()


def paint_mark(painter: QPainter, look: Look, x: float, y: float, half: float) -> None:
    """The mark of a kind, its middle at a place."""
    painter.setPen(QPen(theme.colour("back"), 0.8))
    painter.setBrush(theme.ink(look.ink))
    if look.shape == "ring":
        painter.setPen(QPen(theme.ink(look.ink), 2))
        painter.setBrush(theme.colour("back"))
    if look.shape == "tick":
        painter.setPen(Qt.PenStyle.NoPen)
    painter.drawPolygon(QPolygonF([QPointF(x + half * dx, y + half * dy) for dx, dy in SHAPES[look.shape]]))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def mark_pixmap(look: Look, ratio: float) -> QPixmap:
    """The mark of a kind in the middle of 16 x 16 pixels; ratio: of the screen's pixels to them."""
    pixmap = QPixmap(QSize(16, 16) * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_mark(painter, look, 8, 8, HALF)
    painter.end()
    return pixmap


def mark_icon(look: Look) -> QIcon:
    """The mark of a kind, for a button."""
    return theme.made_by(QIcon(mark_pixmap(look, 2.0)), lambda: mark_icon(look))
