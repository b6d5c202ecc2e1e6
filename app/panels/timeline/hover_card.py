"""A card beside the mouse: a picture and lines of text, above what it belongs to, so that it covers nothing of that."""

from __future__ import annotations

from html import escape

from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QImage, QPixmap
from PyQt6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

WIDEST = 300  # pixels of text
LIFT = 8  # pixels between it and what it belongs to


class HoverCard(QFrame):
    """Takes neither focus nor mouse."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.ToolTip | Qt.WindowType.WindowTransparentForInput)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setObjectName("card")
        self.picture, self.text = QLabel(), QLabel()
        self.text.setTextFormat(Qt.TextFormat.RichText)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 6)
        column.setSpacing(5)
        column.addWidget(self.picture, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self.text)

    def show_at(self, where: QPoint, image: QImage | None, lines: list[str]) -> None:
        """Show it above a place on the screen, in its middle as far as the screen reaches; the first line stands out."""
        self.picture.setVisible(image is not None)
        if image is not None:
            self.picture.setPixmap(QPixmap.fromImage(image))
        self.text.setWordWrap(False)
        self.text.setText("<br>".join([f"<b>{escape(line)}</b>" for line in lines[:1]] + [escape(line) for line in lines[1:]]))
        wide = self.text.sizeHint().width() > WIDEST
        self.text.setWordWrap(wide)
        self.text.setFixedWidth(WIDEST if wide else self.text.sizeHint().width())
        self.adjustSize()
        screen = self.screen()
        left, top = where.x() - self.width() // 2, where.y() - self.height() - LIFT
        if screen is not None:
            area = screen.availableGeometry()
            left = min(max(left, area.left()), area.right() - self.width())
            top = max(top, area.top())
        self.move(left, top)
        self.show()
