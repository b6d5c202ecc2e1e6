"""A frame around the part of the window that a step of the tour is about."""

from __future__ import annotations

from PyQt6.QtCore import QPoint, QRect, QRectF, Qt
from PyQt6.QtGui import QPainter, QPaintEvent, QPen, QRegion
from PyQt6.QtWidgets import QWidget

from tumble.app.look import theme

AIR = 3  # pixels between the frame and what it is around
INK = 2  # ... of its line
HALO = 3  # ... and of the dimmer line around that
RADIUS = 6.0


class Pointer(QWidget):
    """Takes neither focus nor mouse, and covers nothing: only its rim is part of it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("pointer")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def point_at(self, widget: QWidget, area: QRect) -> None:
        """Surround a part of a widget, in whichever window that is, as far as the window reaches."""
        holder = widget.window()
        if holder is None:
            return
        if self.parentWidget() is not holder:
            self.setParent(holder)  # a dock floats, or no longer
        rim = AIR + INK + HALO
        corner = widget.mapTo(holder, QPoint(0, 0)) if widget is not holder else QPoint(0, 0)
        around = area.translated(corner).adjusted(-rim, -rim, rim, rim).intersected(holder.rect())
        if around != self.geometry() or self.isHidden():
            self.setGeometry(around)
            whole = QRegion(self.rect())
            self.setMask(whole.subtracted(QRegion(self.rect().adjusted(rim, rim, -rim, -rim))))
            self.show()
            self.raise_()

    def paintEvent(self, event: QPaintEvent | None) -> None:
        """A line in the accent's colour with a halo."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for alpha, width, inset in ((90, INK + 2 * HALO, HALO + INK / 2), (255, INK, HALO + INK / 2)):
            painter.setPen(QPen(theme.colour("accent", alpha), width))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), RADIUS, RADIUS)
        painter.end()
