"""The legend of the colours of soft bodies: a bar from the least value to the largest, with numbers and their unit."""

from __future__ import annotations

from PyQt6.QtCore import QRectF, QSize, Qt
from PyQt6.QtGui import QColor, QFontMetrics, QLinearGradient, QPainter, QPaintEvent
from PyQt6.QtWidgets import QSizePolicy, QWidget

from tumble.app.describe.numbers import short
from tumble.app.look import theme
from tumble.app.panels.soft.values import UNITS, SoftQuantity, stops

BAR = 12  # pixels
MARKS = 5
GAP = 6  # between two numbers, at least [px]


class Legend(QWidget):
    """quantity, reach: what it shows; `read` gives its numbers as text."""

    def __init__(self) -> None:
        super().__init__()
        self.quantity, self.reach = SoftQuantity.NONE, 1.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Legend of the colours")
        self.hide()

    def show_scale(self, quantity: SoftQuantity, reach: float) -> None:
        """Show another scale; nothing without a quantity."""
        self.quantity, self.reach = quantity, reach
        self.setVisible(quantity is not SoftQuantity.NONE)
        self.setAccessibleDescription(" ".join(self.read()))
        self.update()

    def read(self) -> list[str]:
        """The numbers along the bar, with the unit at the last."""
        low = -self.reach if self.quantity is SoftQuantity.STRAIN else 0.0
        values = [low + (self.reach - low) * k / (MARKS - 1) for k in range(MARKS)]
        texts = [short(value, least=1e-9 * self.reach, figures=3) for value in values]
        return [*texts[:-1], f"{texts[-1]} {UNITS.get(self.quantity, '')}"]

    def places(self) -> list[tuple[QRectF, str]]:
        """Positions of numbers: always the ends, then the middle and others that overlap none [px]."""
        metrics, texts = QFontMetrics(theme.mono(8)), self.read()
        found: dict[int, QRectF] = {}
        for k in (MARKS - 1, 0, MARKS // 2, *range(1, MARKS - 1)):
            wide = metrics.horizontalAdvance(texts[k]) + 2.0
            x = min(max(2.0 + (self.width() - 4) * k / (MARKS - 1) - wide / 2, 0.0), self.width() - wide)
            place = QRectF(x, BAR + 4, wide, metrics.height())
            if not any(place.adjusted(-GAP, 0, GAP, 0).intersects(other) for other in found.values()):
                found.setdefault(k, place)
        return [(found[k], texts[k]) for k in sorted(found)]

    def sizeHint(self) -> QSize:
        """As high as the bar and its numbers."""
        return QSize(120, BAR + 6 + self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent | None) -> None:
        """The bar, and its numbers below."""
        painter = QPainter(self)
        bar = QRectF(2, 2, self.width() - 4, BAR)
        gradient = QLinearGradient(bar.topLeft(), bar.topRight())
        colours = stops(self.quantity)
        for k, rgb in enumerate(colours):
            gradient.setColorAt(k / (len(colours) - 1), QColor(*rgb))
        painter.fillRect(bar, gradient)
        painter.setPen(theme.colour("dim"))
        painter.setFont(theme.mono(8))
        for place, text in self.places():
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft, text)
        painter.end()
