"""Mouse events as a hand makes them: moves with buttons held, turns of the wheel."""

from __future__ import annotations

from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QMouseEvent, QWheelEvent
from PyQt6.QtWidgets import QApplication


def move(dock, at, buttons=Qt.MouseButton.NoButton):
    where = QPointF(at)
    event = QMouseEvent(
        QMouseEvent.Type.MouseMove, where, dock.view.mapToGlobal(where), Qt.MouseButton.NoButton, buttons,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(dock.view, event)


def wheel(dock, at, steps, modifiers=Qt.KeyboardModifier.NoModifier):
    event = QWheelEvent(
        QPointF(at), QPointF(dock.view.mapToGlobal(at)), QPoint(), QPoint(0, 120 * steps), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(dock.view, event)
