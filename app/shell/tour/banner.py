"""The banner with the first sentence, over the lower edge of the view; being its own widget, it is in no recording."""

from __future__ import annotations

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from tumble.app.base.keys_in_text import with_keys
from tumble.app.look import theme

FIRST = with_keys("<b>Double-click</b> a body, then hold <b>Ctrl</b> and drag it ") + (
    "with the <b>right button</b>: it follows the mouse."
)
PRAISE = "Well pulled. There is more to do here:"
MARGIN = 12
CLEAR = 50  # pixels over the view's lower edge, where time and rate are
LEAST = 150  # pixels of width that the words need
SHARE = 0.25  # of the view's height that it takes at most


class Banner(QFrame):
    """closed: the user does not want to see it again; tour: the user wants the tour.

    It takes no focus, and the mouse only on its buttons: drags and wheel events over its text go to the view.
    """

    closed = pyqtSignal()
    tour = pyqtSignal()

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self.setObjectName("welcome")
        self.text = QLabel()
        self.text.setTextFormat(Qt.TextFormat.RichText)
        self.text.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.link = QPushButton("Take the tour")
        self.link.setToolTip("Two minutes, step by step, on this window; also under Help")
        self.link.setCursor(Qt.CursorShape.PointingHandCursor)
        self.link.clicked.connect(self.tour)
        self.cross = QToolButton()
        self.cross.setAccessibleName("Close")
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
        """Show it in a view of this size, wrapped as needed; hidden without room."""
        self.text.setText(text)
        self.text.setWordWrap(False)
        self.text.setMinimumSize(0, 0)  # else Qt requests the height of unwrapped text
        words = self.text.sizeHint()
        rest = self._fit(words)
        room = width - 2 * MARGIN - rest
        if room < LEAST:
            self.hide()
            return
        if words.width() > room:
            self.text.setWordWrap(True)
            self.text.setMinimumSize(0, 0)
            self._fit(QSize(room, self.text.heightForWidth(room)))
        self.move((width - self.width()) // 2, height - CLEAR - self.height())
        self.setVisible(self.height() <= SHARE * height)
        self.raise_()

    def _fit(self, words: QSize) -> int:
        """Adapt the size to that of the text; returns the width of everything else."""
        layout = self.layout()
        assert layout is not None
        self.text.setFixedSize(words)
        layout.invalidate()
        self.resize(layout.totalSizeHint())
        return self.width() - words.width()
