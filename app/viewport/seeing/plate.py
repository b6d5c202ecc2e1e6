"""Lines of text on a dark plate beside a point of the view."""

from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QFontMetricsF, QPainter

from tumble.app.look import theme


def paint_plate(
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
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("back", 215))
    painter.drawRoundedRect(rect, 6, 6)
    painter.setFont(font)
    painter.setPen(theme.colour("bright"))
    for i, line in enumerate(lines):
        painter.drawText(QPointF(rect.left() + 8, rect.top() + 4 + i * metrics.height() + metrics.ascent()), line)
    return rect
