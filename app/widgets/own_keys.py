"""Keys that a widget handles itself, though actions of the window have the same shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PyQt6.QtCore import QEvent, QObject, Qt
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import QWidget


class OwnKeys(QObject):
    """The keys of a widget, and what each of them does while the widget has the focus."""

    def __init__(self, widget: QWidget, acts: Mapping[Qt.Key, Callable[[], object]], *, plain: bool = False) -> None:
        """plain: with Ctrl, Shift or Alt they are not the widget's."""
        super().__init__(widget)
        self._acts = acts
        self._plain = plain
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Claim the keys before shortcuts are looked for, then act on them."""
        if not isinstance(event, QKeyEvent) or event.type() == QEvent.Type.KeyRelease:
            return False
        act = self._acts.get(Qt.Key(event.key()))
        if act is None or (self._plain and event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier):
            return False
        event.accept()
        if event.type() == QEvent.Type.KeyPress:
            act()
        return True
