"""From part to part of the window by keyboard: the view, the toolbar, and the docks that are in front."""

from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtWidgets import QApplication, QDockWidget, QMainWindow, QToolBar, QWidget


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
