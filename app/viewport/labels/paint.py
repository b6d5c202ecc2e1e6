"""Labels painted over a picture: small text on a dark ground, readable over anything, and a thin line to what is farther away.

All grounds are one call and texts are laid out once: painting a hundred labels takes less time than placing them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PyQt6.QtCore import QLineF, QPointF, QRectF, Qt
from PyQt6.QtGui import QFont, QFontMetricsF, QPainter, QPen, QStaticText

from tumble.app.look import theme
from tumble.render.scene.label_layout import PlacedLabel

POINTS, MARGIN = 8.5, 2.5  # size of the nearest labels' font [pt], ground beside the text [px]


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
    made = QStaticText(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.prepare(font=_font(size, scale))
    return made


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
