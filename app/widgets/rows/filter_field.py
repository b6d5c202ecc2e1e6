"""A field that filters a list by words, and a button that says how many rows the filter hides and clears it."""

from __future__ import annotations

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtWidgets import QLineEdit, QPushButton


class FilterField(QLineEdit):
    """Words that the rows of a list must have. `hidden`: a button for the panel to place, seen while rows are hidden.

    cleared: that button was pressed; the field is empty by then, and other filters of the list are to end too.
    """

    cleared = pyqtSignal()

    def __init__(self, name: str, placeholder: str, tip: str) -> None:
        """name: for screen readers."""
        super().__init__()
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.setToolTip(tip)
        self.setClearButtonEnabled(True)
        self.setMinimumHeight(24)
        self.hidden = QPushButton()
        self.hidden.setAccessibleName("Clear the filter")
        self.hidden.setProperty("link", True)
        self.hidden.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.hidden.setCursor(Qt.CursorShape.PointingHandCursor)
        self.hidden.hide()
        self.hidden.clicked.connect(self._clear)

    @property
    def words(self) -> list[str]:
        """The words, in lower case."""
        return self.text().lower().split()

    def show_hidden(self, count: int) -> None:
        """Say how many rows the filter hides; 0: nothing is said."""
        text = f"The filter hides {count}: clear" if count else ""
        if text != self.hidden.text():
            self.hidden.setText(text)
            self.hidden.setAccessibleDescription(text)
            self.hidden.setVisible(bool(count))

    def _clear(self) -> None:
        self.clear()
        self.cleared.emit()


def has_words(text: str, words: list[str]) -> bool:
    """True if a text contains all words, ignoring case."""
    low = text.lower()
    return all(word in low for word in words)
