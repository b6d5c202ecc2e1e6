"""Keys do what the menus say wherever the focus is, except where text is typed or the widget needs them."""

import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit

from tests.app.conftest import MODELS, open_and_wait
from tumble.app.editing.edits import EditPlace

ARM = MODELS / "arm.xml"
CTRL = Qt.KeyboardModifier.ControlModifier
pytestmark = pytest.mark.pumped


@pytest.fixture
def arm(window, qtbot, pump):
    """The window with a model that stands a moment after its start, and panels of every kind open."""
    open_and_wait(qtbot, window.session, ARM)
    window.resize(1600, 1000)  # panels make room for others where there is little
    pump.run(0.1)
    window.session.set_paused(True)
    for key in ("contacts", "log", "options", "inspector"):
        window.panels.dock(key).bring()
    qtbot.waitUntil(lambda: window.panels.options.isVisible() and window.panels.inspector.isVisible())
    QTest.mouseRelease(window.windowHandle(), Qt.MouseButton.LeftButton)  # a test before may have left it down
    return window


def _hit(window, key, modifiers=Qt.KeyboardModifier.NoModifier):
    """A key as the desktop sends it: to the window, which knows where the focus is."""
    QTest.keyClick(window.windowHandle(), key, modifiers)
    QApplication.processEvents()


def _click(window, widget):
    QTest.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton, pos=widget.mapTo(window, QPoint(24, widget.height() // 2)))
    QApplication.processEvents()


def _time(window):
    return window.session.snapshot.time


def _watch(action):
    """Filled with each trigger, in place of what the action does."""
    told = []
    action.triggered.disconnect()
    action.triggered.connect(told.append)
    return told


def _without_text(window):
    options, inspector = window.panels.options, window.panels.inspector
    return [
        options.findChild(QCheckBox),
        options.findChild(QComboBox),
        inspector.table,
        inspector.view.tree,
        window.panels.control.rows[0].slider,
        window.panels.parameters.bar.write,
        window.panels.log.text,
    ]


@pytest.mark.slow
def test_global_keys_work_from_every_widget_in_which_no_text_is_typed(arm, pump):
    window = arm
    exported = _watch(window.actions_by_name["export"])
    copied = _watch(window.actions_by_name["copy_state"])
    window.edits.set(EditPlace("opt.timestep"), (0.004,), "Change timestep")
    window.panels.dock("control").bring()
    widgets = _without_text(window)
    for count, widget in enumerate(widgets, 1):
        widget.setFocus()
        window.session.step()
        pump.obey()
        assert _time(window) > 0
        _hit(window, Qt.Key.Key_Backspace)
        pump.obey()
        assert _time(window) == 0, widget
        _hit(window, Qt.Key.Key_E, CTRL)
        _hit(window, Qt.Key.Key_C, CTRL)
        assert (len(exported), len(copied)) == (count, count), widget
        shown = window.viewport.option("wireframe")
        _hit(window, Qt.Key.Key_W)
        assert window.viewport.option("wireframe") is not shown, widget


@pytest.mark.slow
def test_only_typing_takes_text_keys(arm, pump):
    window = arm
    exported, found = _watch(window.actions_by_name["export"]), _watch(window.actions_by_name["collision"])
    copied = _watch(window.actions_by_name["copy_state"])
    line = window.panels.inspector.view.search
    fields = {"inspector": line, "options": window.panels.options.numbers["timestep"].fields[0]}
    for key, field in (*fields.items(), ("control", window.panels.control.rows[0].field)):
        window.panels.dock(key).bring()
        QApplication.processEvents()  # other panels may make room
        field.setFocus()
        inside = field if isinstance(field, QLineEdit) else field.lineEdit()
        inside.selectAll()
        for typed in (Qt.Key.Key_1, Qt.Key.Key_Period, Qt.Key.Key_2, Qt.Key.Key_Backspace, Qt.Key.Key_3):
            _hit(window, typed)
        assert inside.text() == "1.3", key
        _hit(window, Qt.Key.Key_A, CTRL)
        assert inside.selectedText() == "1.3"
        _hit(window, Qt.Key.Key_C, CTRL)
        _hit(window, Qt.Key.Key_V, CTRL)
        assert inside.text() == "1.3"
        assert not copied
        exported.clear()
        _hit(window, Qt.Key.Key_E, CTRL)
        _hit(window, *_keys(window.actions_by_name["collision"]))
        assert exported
        assert found
        assert inside.text() == "1.3"
        before = _time(window)
        _hit(window, Qt.Key.Key_Escape)
        QApplication.processEvents()
        assert window.viewport.hasFocus()
        _hit(window, Qt.Key.Key_Right)
        pump.obey()
        assert _time(window) > before


def _keys(action):
    combined = action.shortcut()[0]
    return combined.key(), combined.keyboardModifiers()


def test_widgets_keep_the_keys_that_they_need(arm, pump):
    window = arm
    box = window.panels.options.findChild(QCheckBox)
    box.setFocus(Qt.FocusReason.TabFocusReason)
    was, paused = box.isChecked(), window.session.paused
    _hit(window, Qt.Key.Key_Space)
    assert box.isChecked() is not was
    assert window.session.paused is paused
    window.panels.dock("control").bring()
    slider, before = window.panels.control.rows[0].slider, _time(window)
    slider.setFocus(Qt.FocusReason.TabFocusReason)
    at = slider.value()
    _hit(window, Qt.Key.Key_Right)
    pump.obey()
    assert slider.value() > at
    assert _time(window) == before
    _hit(window, Qt.Key.Key_Tab)  # goes on to the next widget, and does not hide panels
    assert window.panels.dock("control").isVisible()
    assert not slider.hasFocus()


def test_a_click_on_a_button_or_box_leaves_the_keyboard_to_the_view(arm, pump):
    window = arm
    box = window.panels.options.findChild(QCheckBox)
    window.panels.options.findChild(QLineEdit).setFocus()
    was, paused = box.isChecked(), window.session.paused
    window.panels.options.area.ensureWidgetVisible(box)
    QApplication.processEvents()
    _click(window, box)
    assert box.isChecked() is not was
    assert window.viewport.hasFocus()
    _hit(window, Qt.Key.Key_Space)
    assert window.session.paused is not paused
    assert box.isChecked() is not was


@pytest.mark.parametrize("reached", ["mouse", "keyboard"])
def test_space_pauses_after_a_click_on_a_row_however_the_list_was_reached(arm, reached):
    window = arm
    window.panels.dock("inspector").bring()
    QApplication.processEvents()
    tree = window.panels.inspector.view.tree
    if reached == "keyboard":
        tree.setFocus(Qt.FocusReason.TabFocusReason)
    row, rows = tree.visualRect(tree.model().index(0, 0)), tree.viewport()
    where = rows.mapTo(window, row.center())
    QTest.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton, pos=where)
    QApplication.processEvents()
    assert tree.hasFocus()
    paused = window.session.paused
    _hit(window, Qt.Key.Key_Space)
    assert window.session.paused is not paused


def test_text_that_is_only_shown_is_copied_where_some_is_selected(arm):
    window = arm
    copied = _watch(window.actions_by_name["copy_state"])
    text = window.panels.log.text
    text.setFocus()
    text.selectAll()
    _hit(window, Qt.Key.Key_C, CTRL)
    assert not copied
    assert QApplication.clipboard().text() in text.toPlainText()
    assert QApplication.clipboard().text()


def test_undo_is_of_the_model_until_something_is_typed(arm, pump):
    window = arm
    window.edits.set(EditPlace("opt.timestep"), (0.004,), "Change timestep")
    field = window.panels.options.numbers["timestep"].fields[0]
    field.setFocus()
    _hit(window, Qt.Key.Key_9)
    _hit(window, Qt.Key.Key_Z, CTRL)
    assert window.edits.count == 1
    _hit(window, Qt.Key.Key_Escape)
    field.setFocus()
    _hit(window, Qt.Key.Key_Z, CTRL)
    assert window.edits.count == 0
    assert float(field.text()) == pytest.approx(0.002)


def test_keys_of_a_floating_panel_are_the_window_s(arm, qtbot):
    window = arm
    dock = window.panels.dock("control")
    dock.setFloating(True)
    dock.activateWindow()
    qtbot.waitUntil(dock.isActiveWindow)
    button = window.panels.control.clear
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setFocus()
    exported = _watch(window.actions_by_name["export"])
    QTest.keyClick(dock.windowHandle(), Qt.Key.Key_E, CTRL)
    assert exported
