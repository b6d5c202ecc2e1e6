"""The chain of an actuator as boxes with arrows between them; a clamp that acts is lit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from PyQt6.QtCore import QEvent, QPointF, QRectF, Qt
from PyQt6.QtGui import QHelpEvent, QPainter, QPaintEvent, QPolygonF
from PyQt6.QtWidgets import QSizePolicy, QToolTip, QWidget

from tumble.app.look import theme
from tumble.app.panels.actuators.chain_boxes import Box
from tumble.app.widgets.dock import level

GAP, PAD, LINE = 18, 6, 16  # between boxes, within one, height of a line of text [px]
MOST_LINES = 6
WIDEST = 1.3  # of what its texts need: width of a box
HEAD = 4.0  # half the height of an arrow's head [px]


class ChainView(QWidget):
    """Paints the boxes side by side, as wide as their texts where there is room."""

    def __init__(self) -> None:
        super().__init__()
        self.boxes: list[Box] = []
        self.setAccessibleName("From control to joint forces")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_boxes(self, boxes: list[Box]) -> None:
        """Show other numbers."""
        self.boxes = boxes
        texts = (f"{box.title}: {', '.join(box.lines)}{' (acts)' if box.lit else ''}" for box in boxes)
        self.setAccessibleDescription("; ".join(texts))
        lines = min(max((len(box.lines) for box in boxes), default=0), MOST_LINES)
        self.setFixedHeight(round(((lines + 1) * LINE + 2 * PAD) * theme.scale()))
        self.update()

    def places(self) -> list[QRectF]:
        """Places of the boxes."""
        scale, gap, count = theme.scale(), GAP * theme.scale(), len(self.boxes)
        if not count:
            return []
        measure = self.fontMetrics().horizontalAdvance
        needs = [max(map(measure, (box.title, *box.lines))) + 2 * PAD * scale for box in self.boxes]
        room = self.width() - gap * (count - 1)
        grown = min(max(room / sum(needs), 1.0), WIDEST)
        most = max(1.0, level([math.ceil(need) for need in needs], round(room))) if grown == 1.0 else math.inf
        found, left = [], 0.0
        for need in needs:
            width = min(need * grown, most)
            found.append(QRectF(left, 1.0, width, self.height() - 2.0))
            left += width + gap
        return found

    def paintEvent(self, event: QPaintEvent | None) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        places = self.places()
        for place, box in zip(places, self.boxes, strict=True):
            self._paint_box(painter, place, box)
        for before, after in pairwise(places):
            self._paint_arrow(painter, before.right() + 2, after.left() - 2, before.center().y())
        painter.end()

    def _paint_box(self, painter: QPainter, place: QRectF, box: Box) -> None:
        scale = theme.scale()
        painter.setPen(theme.colour("warn" if box.lit else "edge"))
        painter.setBrush(theme.colour("warn", 40) if box.lit else theme.colour("raised"))
        painter.drawRoundedRect(place, 4, 4)
        line = QRectF(place.left() + PAD * scale, place.top() + PAD * scale, place.width() - 2 * PAD * scale, LINE * scale)
        texts: Sequence[tuple[str, str]] = (
            (box.title, "warn" if box.lit else "bright"), *((text, "text") for text in box.lines[:MOST_LINES])
        )  # fmt: skip
        for text, ink in texts:
            painter.setPen(theme.colour(ink))
            elided = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, round(line.width()))
            painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, elided)
            line.translate(0, LINE * scale)

    def _paint_arrow(self, painter: QPainter, left: float, right: float, height: float) -> None:
        painter.setPen(theme.colour("dim"))
        painter.setBrush(theme.colour("dim"))
        painter.drawLine(QPointF(left, height), QPointF(right, height))
        back = right - 1.5 * HEAD
        painter.drawPolygon(QPolygonF([QPointF(right, height), QPointF(back, height - HEAD), QPointF(back, height + HEAD)]))

    def event(self, event: QEvent | None) -> bool:
        """Show the whole text of the box under the mouse as a tip."""
        if isinstance(event, QHelpEvent):
            for place, box in zip(self.places(), self.boxes, strict=True):
                if place.contains(QPointF(event.pos())):
                    QToolTip.showText(event.globalPos(), "\n".join((box.title, *box.lines, box.tip)).strip(), self)
                    return True
            QToolTip.hideText()
            return True
        return super().event(event)
