"""Painting of handles: far halves of rings faint, the hovered handle bright, the drag's amount in numbers."""

from __future__ import annotations

import numpy as np
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from tumble.app.handles.gizmo import Handle, HandleKind, Handles, Vector
from tumble.app.look import theme
from tumble.app.viewport.axes import AXIS_INKS

TIP = 13.0, 5.0  # length and half the width of an arrow's tip [px]
HELD = "held"  # of the handle under the mouse


def paint_handles(painter: QPainter, handles: Handles, lit: Handle | None, *, held: bool) -> None:
    """Rings, squares, arrows; while one is held, it alone."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for kind in (HandleKind.TURN, HandleKind.SLIDE, HandleKind.MOVE):
        for axis in range(3):
            handle = Handle(kind, axis)
            if not held or handle == lit:
                _paint(painter, handles, handle, lit=handle == lit)
    painter.setPen(QPen(theme.colour("back", 200), 1.2))
    painter.setBrush(theme.colour("bright"))
    at = handles.seen(handles.origin[None])[0]
    painter.drawEllipse(QPointF(*at), 3.6, 3.6)


def _paint(painter: QPainter, handles: Handles, handle: Handle, *, lit: bool) -> None:
    ink = theme.colour(HELD if lit else AXIS_INKS[handle.axis])
    if handle.kind is HandleKind.TURN:
        _ring(painter, *handles.ring(handle.axis), ink, lit)
    elif handle.kind is HandleKind.SLIDE:
        _square(painter, handles.square(handle.axis), ink, lit)
    else:
        _arrow(painter, handles.arrow(handle.axis), ink, lit)


def _ring(painter: QPainter, points: Vector, near: np.ndarray, ink: QColor, lit: bool) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    faint = QColor(ink)
    faint.setAlpha(70)
    for wanted, colour, width in ((False, faint, 1.2), (True, theme.colour("back", 120), 4.6), (True, ink, 3.2 if lit else 2.2)):
        painter.setPen(QPen(colour, width, cap=Qt.PenCapStyle.FlatCap))
        painter.drawPath(_path(points, near == wanted))


def _path(points: Vector, shown: np.ndarray) -> QPainterPath:
    """The pieces of a line with both ends visible."""
    path = QPainterPath()
    for i in range(len(points) - 1):
        if shown[i] and shown[i + 1]:
            if i == 0 or not shown[i - 1]:
                path.moveTo(*points[i])
            path.lineTo(*points[i + 1])
    return path


def _square(painter: QPainter, corners: Vector | None, ink: QColor, lit: bool) -> None:
    if corners is None:
        return
    fill = QColor(ink)
    fill.setAlpha(190 if lit else 90)
    painter.setPen(QPen(ink, 1.4))
    painter.setBrush(fill)
    painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))


def _arrow(painter: QPainter, ends: Vector | None, ink: QColor, lit: bool) -> None:
    if ends is None:
        return
    way = ends[1] - ends[0]
    length = float(np.linalg.norm(way))
    if length < 1.0:
        return
    way = way / length
    across = np.array([-way[1], way[0]])
    long, wide = (1.2 * v for v in TIP) if lit else TIP
    neck = ends[1] - min(long, length) * way
    for colour, width in ((theme.colour("back", 120), 5.4), (ink, 3.6 if lit else 2.8)):
        painter.setPen(QPen(colour, width, cap=Qt.PenCapStyle.RoundCap))
        painter.drawLine(QPointF(*ends[0]), QPointF(*neck))
    painter.setPen(QPen(theme.colour("back", 120), 1.0))
    painter.setBrush(ink)
    painter.drawPolygon(QPolygonF([QPointF(*p) for p in (ends[1], neck + wide * across, neck - wide * across)]))


def paint_track(painter: QPainter, handles: Handles, track: Vector) -> None:
    """Mark the start of a drag: a sector for a turn, else a dashed line to the handles; track: (n, 3) [m]."""
    if len(track) > 1:
        fill = theme.colour(HELD)
        fill.setAlpha(60)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawPolygon(QPolygonF([QPointF(*p) for p in handles.seen(track)]))
        return
    ends = handles.seen(np.vstack([track, handles.origin[None]]))
    painter.setPen(QPen(theme.colour(HELD), 1.4, Qt.PenStyle.DashLine))
    painter.drawLine(QPointF(*ends[0]), QPointF(*ends[1]))
