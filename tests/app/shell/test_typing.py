"""Typing in the window while time runs: what the hand has begun stays until Enter, and Escape takes it back."""

import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QLineEdit

from tests.app.conftest import MODELS, open_and_wait

SOFT, ARM = MODELS / "soft.xml", MODELS / "arm.xml"
pytestmark = pytest.mark.pumped


def _press(widget, key, modifiers=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(widget, key, modifiers)


def _enter_by_mouse(field):
    """A click into a field, and a double click that selects what it says."""
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    QTest.mouseDClick(field, Qt.MouseButton.LeftButton)
    assert field.hasFocus()


def test_a_stiffness_that_lives_keeps_what_is_selected_and_typed(window, qtbot, pump):
    open_and_wait(qtbot, window.session, SOFT)
    panel = window.panels.parameters
    panel.dock.raise_()
    qtbot.waitUntil(lambda: panel.live)
    window.session.select(1)
    pump.run(1.0)
    panel.refresh()
    field = panel.lab.stiffness
    field.setFocus()
    field.selectAll()
    shown = field.text()
    _live_on(panel, pump)
    assert field.text() == shown
    assert field.selectedText() == shown
    QTest.keyClicks(field, "2e")
    _live_on(panel, pump)
    QTest.keyClicks(field, "4")
    assert field.text() == "2e4"
    _press(field, Qt.Key.Key_Home)
    _live_on(panel, pump)
    assert field.cursorPosition() == 0
    _press(field, Qt.Key.Key_Return)
    assert window.edits.count == 1
    assert not panel.lab.problem.text()
    _live_on(panel, pump)
    assert float(field.text()) == pytest.approx(2e4, rel=0.05)  # of the load then; it sways a little
    field.setFocus()
    QTest.keyClicks(field, "77")
    _press(field, Qt.Key.Key_Escape)
    assert "77" not in field.text()
    assert window.edits.count == 1


def _live_on(panel, pump):
    """Time passes, and the panel shows it."""
    pump.run(0.05)
    panel.refresh()


def test_a_control_that_moves_by_itself_keeps_what_is_typed(window, qtbot, pump):
    open_and_wait(qtbot, window.session, ARM)
    window.panels.control.dock.raise_()
    row = window.panels.control.rows[0]
    field, line = row.field, row.field.lineEdit()
    _enter_by_mouse(field)
    line.selectAll()
    QTest.keyClicks(field, "0.")
    row.show_value(0.75)  # as a controller does
    QTest.keyClicks(field, "5")
    assert line.text() == "0.5"
    _press(field, Qt.Key.Key_Escape)
    assert field.value() == 0.75
    assert not field.hasFocus()
    field.setFocus()
    line.selectAll()
    row.show_value(-0.25)
    assert line.selectedText() == line.text()
    QTest.keyClicks(field, "0.75")  # what the field shows, and no longer so
    wanted = []
    row.changed.connect(wanted.append)
    _press(field, Qt.Key.Key_Return)
    assert wanted == [0.75]
    field.setFocus()
    row.show_value(0.125)
    window.viewport.setFocus()
    assert field.value() == 0.125
    assert wanted == [0.75]


def test_a_number_in_the_model_panel_keeps_its_cursor(window, qtbot, pump):
    open_and_wait(qtbot, window.session, SOFT)
    panel = window.panels.inspector
    panel.dock.raise_()
    window.session.select(1)
    table = panel.table
    item = table.item_of("body_mass")
    table.editItem(item, 1)
    editor = table.findChild(QLineEdit)
    editor.setCursorPosition(1)
    item.setText(1, "12345")  # as a refresh does
    assert editor.cursorPosition() == 1
    assert not editor.hasSelectedText()
    QTest.keyClicks(editor, "0")
    item.setText(1, "12346")
    assert editor.text()[1] == "0"


def test_the_wheel_over_a_panel_changes_no_number_and_no_choice(window, qtbot, pump):
    open_and_wait(qtbot, window.session, SOFT)
    changed = []
    for dock in window.docks:
        for field in (*dock.panel.findChildren(QComboBox), *dock.panel.findChildren(QAbstractSpinBox)):
            before = _said(field)
            middle = QPointF(field.rect().center())
            turn = QWheelEvent(
                middle, QPointF(field.mapToGlobal(middle)), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
                Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
            )  # fmt: skip
            QApplication.sendEvent(field, turn)
            if _said(field) != before:
                changed.append(f"{dock.objectName()}: {before} is {_said(field)}")
    assert not changed


def _said(field):
    return field.currentText() if isinstance(field, QComboBox) else field.text()
