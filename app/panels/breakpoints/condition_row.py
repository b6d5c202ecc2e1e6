"""A typed breakpoint: a switch, its condition, which a double click or Enter opens for typing, and why it does not act here."""

from __future__ import annotations

from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QMouseEvent
from PyQt6.QtWidgets import QCheckBox, QLabel, QLineEdit, QToolButton, QWidget

from tumble.app.look import theme
from tumble.app.widgets.layout import hbox, vbox

_OPENS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class _Line(QLineEdit):
    """A text, editable after a double click or Enter. Enter commits, Escape reverts."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._text = text
        self.setFont(theme.mono(9))
        self.close_line()

    def open_line(self) -> None:
        """Make it editable."""
        self.setReadOnly(False)
        self.setFrame(True)
        self.setStyleSheet("")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFocus()

    def close_line(self) -> None:
        """Make it read-only."""
        self.setReadOnly(True)
        self.setFrame(False)
        self.setStyleSheet("background: transparent; border-color: transparent;")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clearFocus()
        self.deselect()
        self.setCursorPosition(0)

    def show_text(self, text: str) -> None:
        """Show a condition, unless one is being typed."""
        self._text = text
        if self.isReadOnly():
            self.setText(text)
            self.setCursorPosition(0)

    def mouseDoubleClickEvent(self, event: QMouseEvent | None) -> None:
        if self.isReadOnly():
            self.open_line()
            self.selectAll()
        else:
            super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        if event is not None and self.isReadOnly() and event.key() in _OPENS:
            self.open_line()
            self.selectAll()
        elif event is not None and event.key() == Qt.Key.Key_Escape and not self.isReadOnly():
            self.setText(self._text)
            self.close_line()
        else:
            super().keyPressEvent(event)


class ConditionRow(QWidget):
    """switched: on or off; typed: another condition; removed: it is wanted no more."""

    switched = pyqtSignal(bool)
    typed = pyqtSignal(str)
    removed = pyqtSignal()

    def __init__(self, text: str) -> None:
        super().__init__()
        self.switch, self.line, self.reason = QCheckBox(), _Line(text), QLabel()
        self.switch.setAccessibleName(text)
        self.line.setAccessibleName("Condition")
        self.remove = QToolButton()
        self.remove.setAccessibleName("Remove this condition")
        self.remove.setIcon(theme.icon("close", "dim"))
        self.reason.setProperty("dim", True)
        self.reason.setWordWrap(True)
        self.reason.setContentsMargins(24, 0, 0, 2)
        row = hbox(self.switch, (self.line, 1), self.remove, margins=(0, 0, 0, 0))
        vbox(row, self.reason, margins=(0, 0, 0, 0), spacing=0, inside=self)
        self.switch.toggled.connect(self.switched)
        self.line.returnPressed.connect(lambda: self.typed.emit(self.line.text()) if not self.line.isReadOnly() else None)
        self.remove.clicked.connect(self.removed)

    def show_condition(self, text: str, on: bool, why: str) -> None:
        """Show a condition; why: it does not act in this model, "" if it does or would."""
        with QSignalBlocker(self.switch):
            self.switch.setChecked(on and not why)
        self.line.show_text(text)
        ink = theme.colours()["disabled" if why else "text"]
        if self.line.isReadOnly():
            self.line.setStyleSheet(f"background: transparent; border-color: transparent; color: {ink};")
        self.line.setToolTip(f"{text}: {why}" if why else f"Stop when {text} becomes true; double click or Enter to change it")
        self.remove.setToolTip(f"Remove {text}")
        self.reason.setText(why)
        self.reason.setVisible(bool(why))

    def accept(self) -> None:
        """Show that the typed condition is valid."""
        self.line.close_line()

    def refuse(self, at: int) -> None:
        """Mark an error in the typed condition, at a character."""
        self.line.setFocus()
        self.line.setCursorPosition(at)
