"""The banner with the first sentence, over the lower edge of the view. It is a widget of its own: no recording or picture has it."""

from __future__ import annotations

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from app import theme

FIRST = "<b>Double-click</b> a body, then hold <b>Ctrl</b> and drag it with the <b>right button</b>: it follows your hand."
PRAISE = "Well pulled. There is more to do here:"
MARGIN = 12
CLEAR = 50  # pixels over the view's lower edge, where time and rate are
NARROWEST = 320  # pixels of the view in which it is shown
SHARE = 0.25  # ... and of its height it takes at most


class Banner(QFrame):
    """closed: the user does not want to see it again; tour: the user wants the tour. It takes no focus; what is dragged or
    turned over it goes to the view."""

    closed = pyqtSignal()
    tour = pyqtSignal()

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self.setObjectName("welcome")
        self.text = QLabel()
        self.text.setTextFormat(Qt.TextFormat.RichText)
        self.link = QPushButton("Take the tour")
        self.link.setToolTip("Two minutes, step by step, on this window; also under Help")
        self.link.setCursor(Qt.CursorShape.PointingHandCursor)
        self.link.clicked.connect(self.tour)
        self.cross = QToolButton()
        self.cross.setIcon(theme.icon("close"))
        self.cross.setIconSize(QSize(14, 14))
        self.cross.setToolTip("Do not show this again")
        self.cross.clicked.connect(self.closed)
        line = QHBoxLayout(self)
        line.setContentsMargins(14, 5, 6, 5)
        line.setSpacing(8)
        line.addWidget(self.text)
        for button in (self.link, self.cross):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            line.addWidget(button)
        self.hide()

    def show_in(self, width: int, height: int, text: str) -> None:
        """Show it in a view of this size, on as many lines as that asks for; hidden where there is no room for it."""
        room = width - 2 * MARGIN
        self.text.setText(text)
        self.text.setWordWrap(False)
        self.text.setMinimumWidth(0)
        self.text.setMaximumWidth(room)
        wanted = self.sizeHint().width()
        if wanted > room:
            inner = self.text.sizeHint().width() - (wanted - room)
            self.text.setWordWrap(True)
            self.text.setFixedWidth(max(1, inner))
            self.text.setMinimumHeight(self.text.heightForWidth(max(1, inner)))
        else:
            self.text.setMinimumHeight(0)
        self.adjustSize()
        self.move((width - self.width()) // 2, height - CLEAR - self.height())
        self.setVisible(width >= NARROWEST and self.height() <= SHARE * height)
        self.raise_()
