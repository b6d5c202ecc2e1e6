"""A button that waits for a key: pressed once, it takes the next key, whatever that is, and then lets the focus go."""

from __future__ import annotations

from PyQt6.QtCore import QEvent, QKeyCombination, Qt, pyqtSignal
from PyQt6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PyQt6.QtWidgets import QPushButton

_MODIFIERS = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr, Qt.Key.Key_unknown)
_KEYPAD = Qt.KeyboardModifier.KeypadModifier


class KeyCapture(QPushButton):
    """taken: the key that was pressed while it waited, in Qt's portable form."""

    taken = pyqtSignal(str)

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._text = text
        self.waits = False
        self.setAutoDefault(False)
        self.clicked.connect(self.wait)

    def wait(self) -> None:
        """Take the next key."""
        self.waits = True
        self.setText("Press a key…")
        self.setFocus()

    def event(self, event: QEvent | None) -> bool:
        """Take a key before shortcuts, Tab and buttons see it."""
        if self.waits and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress and Qt.Key(event.key()) not in _MODIFIERS:
                self._take(event)
            return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent | None) -> None:
        """It waits no longer."""
        self._stop()
        super().focusOutEvent(event)

    def _take(self, event: QKeyEvent) -> None:
        self._stop()
        self.taken.emit(portable(event))

    def _stop(self) -> None:
        self.waits = False
        self.setText(self._text)


def portable(event: QKeyEvent) -> str:
    """The key of an event as actions name it: without Shift where the sign already says so, `+` and not `Shift+=`."""
    modifiers = event.modifiers() & ~_KEYPAD
    key = event.key()
    text = event.text()
    sign = len(text) == 1 and text.isprintable() and not text.isalnum() and text != " "
    if sign and modifiers == Qt.KeyboardModifier.ShiftModifier:
        return QKeySequence(text).toString(QKeySequence.SequenceFormat.PortableText)
    if key == Qt.Key.Key_Backtab:
        key = Qt.Key.Key_Tab
    return QKeySequence(QKeyCombination(modifiers, Qt.Key(key))).toString(QKeySequence.SequenceFormat.PortableText)
