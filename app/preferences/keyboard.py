"""Keyboard handling in the window: focus from part to part, and ownership of keys.

A key is the program's, wherever no text is being typed, unless the widget that has the focus needs it itself.

- Where text is typed, text keys are the field's: letters, digits, Space, Backspace, arrows, Enter, Escape, and the usual
  Ctrl+C, X, V, A and word moves. Every other key with Ctrl or Alt, and the function keys, are the program's. Escape leaves it.
- Undo and redo are a field's while something is typed in it; else they undo changes of the model.
- Lists, tables, sliders, tabs and choices keep arrows, Home, End, Page Up and Down; lists Enter as well.
- Space is a button's, a check box's, a choice's or a list's that the keyboard has reached. A click with the mouse on a button
  or a choice leaves the keyboard to the view, and after one on a list Space still pauses.
- Tab moves on from every widget but the view.
- All other keys trigger their actions, wherever the focus is.

No key is known here by its use in the program, so that keys can be remapped.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from PyQt6 import sip
from PyQt6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PyQt6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PyQt6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDockWidget,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QToolBar,
    QWidget,
)

# With Ctrl, where text is typed. Not Qt's whole list: on X11 that has Ctrl+E, Ctrl+K and Ctrl+U, as Emacs does.
_TEXT_KEYS = (
    QKeySequence.StandardKey.Copy,
    QKeySequence.StandardKey.Cut,
    QKeySequence.StandardKey.Paste,
    QKeySequence.StandardKey.SelectAll,
    QKeySequence.StandardKey.MoveToNextWord,
    QKeySequence.StandardKey.MoveToPreviousWord,
    QKeySequence.StandardKey.SelectNextWord,
    QKeySequence.StandardKey.SelectPreviousWord,
    QKeySequence.StandardKey.DeleteStartOfWord,
    QKeySequence.StandardKey.DeleteEndOfWord,
)
_UNDO_KEYS = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)
_TABS = {Qt.Key.Key_Tab, Qt.Key.Key_Backtab}
_MOVES = {
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down,
    Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown,
}  # fmt: skip
_ENTER = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_EDITS = _MOVES | _ENTER | {Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_Insert, Qt.Key.Key_Escape}
_COMMANDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
_ALT_GR = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier  # types letters on some keyboards
_KEPT: tuple[tuple[type | tuple[type, ...], set[Qt.Key]], ...] = (
    (QAbstractButton, {Qt.Key.Key_Space, Qt.Key.Key_Select}),
    (QComboBox, _MOVES | {Qt.Key.Key_Space}),
    (QAbstractItemView, _MOVES | _ENTER | {Qt.Key.Key_Space}),
    ((QAbstractSlider, QTabBar), _MOVES),
)


class KeyOwner(Enum):
    """Owner of a key; OPEN: the program, unless the widget itself accepts it."""

    PROGRAM = auto()
    FOCUS = auto()
    OPEN = auto()


def owner(widget: QWidget, event: QKeyEvent, *, clicked: bool = False) -> KeyOwner:
    """Owner of a key while a widget has the focus; clicked: the focus came by mouse."""
    if event.key() in _TABS:
        return KeyOwner.FOCUS
    if is_typed_in(widget):
        return KeyOwner.FOCUS if _types(widget, event) else KeyOwner.PROGRAM
    if isinstance(widget, QLineEdit | QPlainTextEdit | QTextEdit):
        return KeyOwner.FOCUS if _reads(widget, event) else KeyOwner.PROGRAM
    kept = next((keys for kinds, keys in _KEPT if isinstance(widget, kinds)), set())
    if event.key() == Qt.Key.Key_Space and clicked:
        return KeyOwner.PROGRAM
    return KeyOwner.FOCUS if event.key() in kept else KeyOwner.OPEN


def is_typed_in(widget: QWidget) -> bool:
    """True if text is typed there."""
    if isinstance(widget, QLineEdit | QPlainTextEdit | QTextEdit | QAbstractSpinBox):
        return not widget.isReadOnly()
    return isinstance(widget, QComboBox) and widget.isEditable()


def _types(widget: QWidget, event: QKeyEvent) -> bool:
    """True if a key is needed for typing."""
    if any(event.matches(key) for key in _UNDO_KEYS):
        return _can_undo(widget)
    if any(event.matches(key) for key in _TEXT_KEYS):
        return True
    if event.modifiers() & _COMMANDS not in (Qt.KeyboardModifier.NoModifier, _ALT_GR):
        return False
    return event.key() in _EDITS or (event.text() != "" and event.text().isprintable())


def _reads(widget: QWidget, event: QKeyEvent) -> bool:
    """Text that is only shown is copied where some of it is selected, and moved through."""
    if event.matches(QKeySequence.StandardKey.Copy):
        shown = widget.textCursor() if isinstance(widget, QPlainTextEdit | QTextEdit) else None
        return shown.hasSelection() if shown is not None else isinstance(widget, QLineEdit) and widget.hasSelectedText()
    return not isinstance(widget, QLineEdit) and event.key() in _MOVES


def _can_undo(widget: QWidget) -> bool:
    if isinstance(widget, QPlainTextEdit | QTextEdit):
        document = widget.document()
        return document is not None and (document.isUndoAvailable() or document.isRedoAvailable())
    line = widget if isinstance(widget, QLineEdit) else widget.findChild(QLineEdit)
    return line is not None and line.isModified()


class KeyGuard(QObject):
    """Applies the rule in one window, floating docks included."""

    def __init__(self, window: QMainWindow, view: QWidget) -> None:
        """view: has the focus by default."""
        super().__init__(window)
        self._window, self._view = window, view
        self._watched: QWidget | None = None
        self._rows: QWidget | None = None  # where a list that is watched is clicked
        self._clicked = False
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._follow)

    def _follow(self, old: QWidget | None, now: QWidget | None) -> None:
        if sip.isdeleted(self._window):
            return  # it is being taken down, and its widgets lose the focus one by one
        for widget in (self._watched, self._rows):
            if widget is not None and not sip.isdeleted(widget):
                widget.removeEventFilter(self)
        self._watched = self._rows = None
        if now is None:
            if self._window.isActiveWindow() and old is not None and old is not self._view:
                self._view.setFocus()  # the field that had it wants it no more
            return
        if now is self._view or not self._is_inside(now):
            return
        self._clicked = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton
        if self._clicked and not is_typed_in(now) and isinstance(now, QAbstractButton | QComboBox):
            self._view.setFocus()
            return
        self._watched = now
        now.installEventFilter(self)
        if isinstance(now, QAbstractItemView):
            self._rows = now.viewport()
        if self._rows is not None:
            self._rows.installEventFilter(self)

    def _is_inside(self, widget: QWidget) -> bool:
        top = widget.window()
        return top is self._window or (isinstance(top, QDockWidget) and top.parentWidget() is self._window)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Pass a key to its owner before Qt looks for a shortcut."""
        if watched is self._rows and event is not None and event.type() == QEvent.Type.MouseButtonPress:
            self._clicked = True  # in a list that had the focus before
        if not isinstance(event, QKeyEvent) or not isinstance(watched, QWidget):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            whose = owner(watched, event, clicked=self._clicked)
            event.setAccepted(whose is KeyOwner.FOCUS)
            return whose is not KeyOwner.OPEN
        if event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape and is_typed_in(watched):
            QTimer.singleShot(0, lambda: self._give_back(watched))
        return False

    def _give_back(self, field: QWidget) -> None:
        """Escape ends typing, also in a field without changes to revert."""
        if field is self._watched and not sip.isdeleted(field) and field.hasFocus() and is_typed_in(field):
            self._view.setFocus()


# ---- from part to part


def parts(window: QMainWindow, view: QWidget, docks: Sequence[QDockWidget]) -> list[QWidget]:
    """The view, then what can be seen around it, from left to right and from top to bottom."""
    bars = [bar for bar in window.findChildren(QToolBar) if bar.isVisible()]
    seen = [dock for dock in docks if dock.isVisible() and not dock.visibleRegion().isEmpty()]

    def place(part: QWidget) -> tuple[int, int]:
        corner = part.mapToGlobal(QPoint(0, 0))
        return corner.x(), corner.y()

    return [view, *sorted([*bars, *seen], key=place)]


def go(window: QMainWindow, view: QWidget, docks: Sequence[QDockWidget], step: int) -> None:
    """Give the focus to the next part (step 1) or the previous one (-1)."""
    known, now = parts(window, view, docks), QApplication.focusWidget()
    at = next((k for k, part in enumerate(known) if now is not None and (part is now or part.isAncestorOf(now))), 0)
    for k in range(1, len(known) + 1):
        target = entrance(known[(at + step * k) % len(known)])
        if target is not None:
            target.activateWindow()
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return


def leave(window: QMainWindow, view: QWidget) -> None:
    """Give the focus back to the view."""
    window.activateWindow()
    view.setFocus(Qt.FocusReason.ShortcutFocusReason)


def entrance(part: QWidget) -> QWidget | None:
    """The control of a part that takes the focus: the one that had it last, else the first that Tab reaches."""
    last = part.focusWidget()
    if last is not None and takes_focus(last):
        return last
    return next((widget for widget in (part, *part.findChildren(QWidget)) if takes_focus(widget)), None)


def takes_focus(widget: QWidget) -> bool:
    """True if Tab reaches it."""
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.isVisible() and widget.isEnabled()
