"""What a user's hands do to a window: mouse, keys, answers to questions."""

from pathlib import Path
from random import Random

from PyQt6 import sip
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QMouseEvent, QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMessageBox,
    QTabBar,
    QWidget,
)

LEFT, RIGHT, NO = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.NoButton
PLAIN = Qt.KeyboardModifier.NoModifier
_Kind = QMouseEvent.Type
LIVE = (QAbstractButton, QComboBox, QAbstractSpinBox, QAbstractSlider, QAbstractItemView, QTabBar, QLineEdit)


def mouse(
    widget: QWidget,
    kind: QMouseEvent.Type,
    at: QPoint,
    button: Qt.MouseButton = NO,
    held: Qt.MouseButton = NO,
    modifiers: Qt.KeyboardModifier = PLAIN,
) -> None:
    where = QPointF(at)
    QApplication.sendEvent(widget, QMouseEvent(kind, where, widget.mapToGlobal(where), button, held, modifiers))


def press(widget: QWidget, at: QPoint, button: Qt.MouseButton = LEFT, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
    mouse(widget, _Kind.MouseButtonPress, at, button, button, modifiers)


def move(widget: QWidget, at: QPoint, held: Qt.MouseButton = LEFT, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
    mouse(widget, _Kind.MouseMove, at, NO, held, modifiers)


def release(widget: QWidget, at: QPoint, button: Qt.MouseButton = LEFT, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
    mouse(widget, _Kind.MouseButtonRelease, at, button, NO, modifiers)


def wheel(widget: QWidget, at: QPoint, steps: int, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
    where, none = QPointF(at), Qt.ScrollPhase.NoScrollPhase
    turn = QPoint(0, 120 * steps)
    QApplication.sendEvent(widget, QWheelEvent(where, widget.mapToGlobal(where), QPoint(), turn, NO, modifiers, none, False))


def place(widget: QWidget, rng: Random) -> QPoint:
    """A point of a widget."""
    return QPoint(rng.randrange(max(widget.width(), 1)), rng.randrange(max(widget.height(), 1)))


def controls(inside: QWidget) -> list[QWidget]:
    """What can be used in a panel or a dialog now."""
    return [w for w in inside.findChildren(QWidget) if isinstance(w, LIVE) and w.isVisibleTo(inside) and w.isEnabled()]


def use(control: QWidget, rng: Random) -> str:
    """Use a control as a hand would, somehow; what was done, in words."""
    said = f"{type(control).__name__} {control.accessibleName() or control.objectName()}"
    if isinstance(control, QAbstractButton):
        said += f" {control.text()}"
        QTest.mouseClick(control, LEFT)
    elif isinstance(control, QComboBox):
        if control.count():
            chosen = rng.randrange(control.count())
            control.setCurrentIndex(chosen)
            control.activated.emit(chosen)
    elif isinstance(control, QAbstractSpinBox):
        for _ in range(rng.randint(1, 3)):
            QTest.keyClick(control, rng.choice((Qt.Key.Key_Up, Qt.Key.Key_Down)))
    elif isinstance(control, QAbstractSlider):
        control.setValue(rng.randint(control.minimum(), control.maximum()))
    elif isinstance(control, QTabBar):
        control.setCurrentIndex(rng.randrange(max(control.count(), 1)))
    elif isinstance(control, QAbstractItemView):
        inner = control.viewport()
        if inner is not None:
            QTest.mouseClick(inner, LEFT, PLAIN, place(inner, rng))
    elif isinstance(control, QLineEdit):
        for key in rng.choice(("0.1", "1", "-2.5", "abc", "1e-3")):
            QTest.keyClick(control, key)
        QTest.keyClick(control, rng.choice((Qt.Key.Key_Return, Qt.Key.Key_Escape)))
    return said


def answer(file: Path | None) -> str:
    """Answer the question that stands before the window, if one does: files are chosen, or not, changes are given up.

    file: what is chosen where a file is asked for; None: none is. Returns what was asked, "" if nothing.
    """
    asked = QApplication.activeModalWidget() or QApplication.activePopupWidget()
    if asked is None or sip.isdeleted(asked):
        return ""
    said = asked.windowTitle() or type(asked).__name__
    if isinstance(asked, QFileDialog):
        line = asked.findChild(QLineEdit, "fileNameEdit")
        if file is not None and line is not None:
            line.setText(str(file))
            QTest.keyClick(line, Qt.Key.Key_Return)
        else:
            asked.reject()
    elif isinstance(asked, QMessageBox):
        discard = [button for button in asked.buttons() if button.text().replace("&", "") in ("Discard", "Yes", "OK")]
        if discard:
            discard[0].click()
        else:
            asked.reject()
    elif isinstance(asked, QDialog):
        asked.reject()
    else:
        asked.close()  # a menu
    return said
