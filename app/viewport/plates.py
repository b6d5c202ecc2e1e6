"""Dark plates and text painted over the view."""

from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from tumble.app.look import theme

RADIUS = 6.0  # of a plate's corners [px]
OPACITY = 205  # of plates that are not beside the mouse, 0..255


def paint_plate(painter: QPainter, rect: QRectF, fill: QColor | None = None) -> None:
    """A plate for text; fill: None: dark."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(fill or theme.colour("back", OPACITY))
    painter.drawRoundedRect(rect, RADIUS, RADIUS)


def paint_text(painter: QPainter, x: float, y: float, text: str, font: QFont, ink: QColor) -> float:
    """Text with its left end and the middle of its line at (x, y); returns its width."""
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    painter.setPen(ink)
    painter.drawText(QPointF(x, y + (metrics.ascent() - metrics.descent()) / 2), text)
    return metrics.horizontalAdvance(text)


def paint_lines(
    painter: QPainter, at: QPointF, lines: Sequence[str], size: tuple[int, int], *, above: bool = False
) -> QRectF:
    """Lines of text on a dark plate to the lower right of a point, or the upper right, inside a view of that size; the plate."""
    font = theme.mono(9.5)
    metrics = QFontMetricsF(font)
    wide = max(metrics.horizontalAdvance(line) for line in lines) + 16
    rect = QRectF(at.x() + 16, at.y() + 12, wide, len(lines) * metrics.height() + 8)
    if above:
        rect.moveBottom(at.y() - 12)
    rect.moveLeft(max(4.0, min(rect.left(), size[0] - wide - 4)))
    rect.moveTop(max(4.0, min(rect.top(), size[1] - rect.height() - 4)))
    paint_plate(painter, rect, theme.colour("back", 215))
    painter.setFont(font)
    painter.setPen(theme.colour("bright"))
    for i, line in enumerate(lines):
        painter.drawText(QPointF(rect.left() + 8, rect.top() + 4 + i * metrics.height() + metrics.ascent()), line)
    return rect
