"""Mouse events as a hand makes them: moves with buttons held, turns of the wheel, files that are dropped."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PyQt6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PyQt6.QtGui import QDragEnterEvent, QDropEvent, QMouseEvent, QWheelEvent
from PyQt6.QtWidgets import QApplication, QWidget

from tumble.app.shell.main_window import MainWindow
from tumble.app.viewport.widget import Viewport

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def send(widget: QWidget, kind: QEvent.Type, at: Any, button: Qt.MouseButton, keys: Qt.KeyboardModifier = NO_KEY) -> None:
    """Send an event of the mouse with a button held or let go, at a QPoint, a QPointF or two numbers [pixels]."""
    where = QPointF(at) if isinstance(at, QPoint | QPointF) else QPointF(float(at[0]), float(at[1]))
    held = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseButtonRelease else button
    own = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseMove else button
    QApplication.sendEvent(widget, QMouseEvent(kind, where, widget.mapToGlobal(where), own, held, keys))


def move(widget: QWidget, at: Any, buttons: Qt.MouseButton = Qt.MouseButton.NoButton) -> None:
    """Move the mouse over a widget, with buttons held."""
    send(widget, QEvent.Type.MouseMove, at, buttons)


class Mouse:
    """A hand on a view: presses, moves and lets go, with keys held; the window answers each."""

    def __init__(self, view: QWidget) -> None:
        self._view = view

    def send(self, kind: QEvent.Type, at: Any, button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        """As the function."""
        send(self._view, kind, at, button, keys)
        QApplication.processEvents()

    def press(self, at: Any, button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        """Press a button."""
        self.send(QEvent.Type.MouseButtonPress, at, button, keys)

    def move(self, at: Any, button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        """Move with the button held."""
        self.send(QEvent.Type.MouseMove, at, button, keys)

    def release(self, at: Any, button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        """Let the button go."""
        self.send(QEvent.Type.MouseButtonRelease, at, button, keys)

    def drag(self, path: Sequence[Any], button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        """Press at the first place of a path, and let go at the last."""
        self.press(path[0], button, keys)
        for at in path[1:]:
            self.move(at, button, keys)
        self.release(path[-1], button, keys)

    def click(self, at: Any) -> None:
        """Press and let go."""
        self.press(at)
        self.release(at)

    def double_click(self, at: Any, button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        """The second press of a double click."""
        self.send(QEvent.Type.MouseButtonDblClick, at, button, keys)


def on_screen(view: Viewport, point: Any) -> QPointF:
    """Where in the active view a point (3,) of the world is seen [pixels]."""
    seen = view.view()
    assert seen is not None
    x, y, _ = seen.project(np.asarray(point), *view.picture_size)[0]
    return QPointF(x, y)


def spot_of(view: Viewport, **what: int) -> QPoint:
    """A point of the view [pixels], the lowest at the left, at which `pick` finds what is asked for, as body=1."""
    for x in range(10, view.width(), 8):
        for y in range(view.height() - 10, 0, -8):
            hit = view.looking.pick(QPointF(x, y))
            if hit is not None and all(getattr(hit, name) == value for name, value in what.items()):
                return QPoint(x, y)
    raise AssertionError(f"{what} is not in view")


def wheel(widget: QWidget, at: QPoint, steps: int, modifiers: Qt.KeyboardModifier = NO_KEY) -> None:
    """Turn the wheel."""
    event = QWheelEvent(
        QPointF(at), QPointF(widget.mapToGlobal(at)), QPoint(), QPoint(0, 120 * steps), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def drop(window: MainWindow, *paths: Path) -> None:
    """Drag files over the middle of the window, from a program that proposes to move them, and let go: they are copied."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    centre = window.rect().center()
    copy, move = Qt.DropAction.CopyAction, Qt.DropAction.MoveAction
    left, shift = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier  # with which a move is proposed
    enter = QDragEnterEvent(QPoint(centre), copy | move, mime, left, shift)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    assert enter.dropAction() == copy
    assert window.viewport.dropping
    let_go = QDropEvent(QPointF(centre), copy | move, mime, left, shift)
    QApplication.sendEvent(window, let_go)
    assert let_go.dropAction() == copy
    assert not window.viewport.dropping
