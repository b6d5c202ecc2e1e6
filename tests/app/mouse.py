"""Mouse events as a hand makes them: moves with buttons held, turns of the wheel, files that are dropped."""

from __future__ import annotations

from pathlib import Path

from PyQt6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PyQt6.QtGui import QDragEnterEvent, QDropEvent, QMouseEvent, QWheelEvent
from PyQt6.QtWidgets import QApplication

from tumble.app.shell.main_window import MainWindow


def move(widget, at, buttons=Qt.MouseButton.NoButton):
    where = QPointF(at)
    event = QMouseEvent(
        QMouseEvent.Type.MouseMove, where, widget.mapToGlobal(where), Qt.MouseButton.NoButton, buttons,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def wheel(widget, at, steps, modifiers=Qt.KeyboardModifier.NoModifier):
    event = QWheelEvent(
        QPointF(at), QPointF(widget.mapToGlobal(at)), QPoint(), QPoint(0, 120 * steps), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def drop(window: MainWindow, *paths: Path) -> None:
    """Drag files over the middle of the window and let go."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    centre = window.rect().center()
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(centre), copy, mime, left, none)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    assert window.viewport.dropping
    QApplication.sendEvent(window, QDropEvent(QPointF(centre), copy, mime, left, none))
    assert not window.viewport.dropping
