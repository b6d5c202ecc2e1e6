"""Dark plates and text painted over the view."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PyQt6.QtCore import QLineF, QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QStaticText

from tumble.app.look import theme
from tumble.render.scene.label_layout import PlacedLabel

RADIUS = 6.0  # of a plate's corners [px]
OPACITY = 205  # of plates that do not follow the mouse, 0..255


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


POINTS, MARGIN = 8.5, 2.5  # size of the nearest labels' font [pt], ground next to the text [px]


@lru_cache(maxsize=32)
def _font(size: float, scale: float) -> QFont:
    """scale: that of all fonts, which theme.sans has in it."""
    return theme.sans(POINTS * size)


@lru_cache(maxsize=2048)
def _extent(text: str, size: float, scale: float) -> tuple[float, float]:
    metrics = QFontMetricsF(_font(size, scale))
    return metrics.horizontalAdvance(text) + 2 * MARGIN, metrics.height()


def extent(text: str, size: float) -> tuple[float, float]:
    """Width and height of a label in a size [px]."""
    return _extent(text, size, theme.scale())


@lru_cache(maxsize=1024)
def _laid_out(text: str, size: float, scale: float) -> QStaticText:
    static = QStaticText(text)
    static.setTextFormat(Qt.TextFormat.PlainText)
    static.prepare(font=_font(size, scale))
    return static


def forget_texts() -> None:
    """Keep no text of labels: another model has others, and a text that is laid out takes some kilobytes."""
    _laid_out.cache_clear()
    _extent.cache_clear()


def paint_labels(painter: QPainter, labels: Sequence[PlacedLabel]) -> None:
    """Paint labels where they have been placed."""
    away = [label for label in labels if label.away]
    if away:
        lines = [QLineF(label.x, label.y, *label.end) for label in away]
        for ink, width in ((theme.colour("back", 150), 2.4), (theme.colour("bright", 190), 0.9)):
            painter.setPen(QPen(ink, width, cap=Qt.PenCapStyle.RoundCap))
            painter.drawLines(*lines)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("back", 175))
    corners = [(round(label.left), round(label.top)) for label in labels]  # on whole pixels, so that letters stay sharp
    grounds = [QRectF(*at, label.width, label.height) for at, label in zip(corners, labels, strict=True)]
    if grounds:
        painter.drawRects(*grounds)
    painter.setPen(theme.colour("bright"))
    scale, last = theme.scale(), 0.0
    for (left, top), label in zip(corners, labels, strict=True):
        if label.size != last:
            painter.setFont(_font(label.size, scale))
            last = label.size
        painter.drawStaticText(QPointF(left + MARGIN, top), _laid_out(label.text, label.size, scale))
