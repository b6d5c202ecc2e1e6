"""Keys do as the menus say and as in `simulate`, except where text is typed, which stays until Enter."""

import mujoco
import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QKeySequence, QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QAbstractSpinBox, QApplication, QCheckBox, QComboBox, QLineEdit

from tests.app.conftest import MODELS, open_and_wait
from tumble.app.editing.edits import EditPlace
from tumble.render.options import FrameMode, LabelMode

pytestmark = pytest.mark.pumped

ARM = MODELS / "arm.xml"
CTRL = Qt.KeyboardModifier.ControlModifier


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
    calls = []
    action.triggered.disconnect()
    action.triggered.connect(calls.append)
    return calls


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
def test_global_shortcuts_work_from_every_non_text_widget(arm, pump):
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
        combined = window.actions_by_name["collision"].shortcut()[0]
        _hit(window, combined.key(), combined.keyboardModifiers())
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


def test_widgets_keep_the_keys_that_they_need_and_no_others(arm, pump):
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
    window.panels.dock("options").bring()
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
    window.panels.dock("inspector").bring()
    QApplication.processEvents()
    tree = window.panels.inspector.view.tree
    for reached in ("mouse", "keyboard"):
        if reached == "keyboard":
            tree.setFocus(Qt.FocusReason.TabFocusReason)
        where = tree.viewport().mapTo(window, tree.visualRect(tree.model().index(0, 0)).center())
        QTest.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton, pos=where)
        QApplication.processEvents()
        assert tree.hasFocus()
        paused = window.session.paused
        _hit(window, Qt.Key.Key_Space)
        assert window.session.paused is not paused, reached


def test_copying_undo_and_keys_of_floating_panels(arm, pump, qtbot):
    window = arm
    copied = _watch(window.actions_by_name["copy_state"])
    text = window.panels.log.text
    text.setFocus()
    text.selectAll()
    _hit(window, Qt.Key.Key_C, CTRL)
    assert not copied
    assert QApplication.clipboard().text() in text.toPlainText()
    assert QApplication.clipboard().text()
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


KEYS = {
    "Space": "pause", "Right": "step", "Left": "back", "=": "faster", "-": "slower", "Backspace": "reset", "Ctrl+L": "reload",
    "Ctrl+A": "align", "Ctrl+C": "copy_state", "Esc": "free_camera", "[": "previous_camera", "]": "next_camera",
    "PgUp": "select_parent", "Tab": "left_panels", "Shift+Tab": "right_panels", "F1": "help", "F2": "info",
    "F3": "profiler", "F4": "sensors", "F5": "fullscreen",
    "F6": "frames", "F7": "labels", "Ctrl+P": "screenshot", "Ctrl+Q": "quit", "Ctrl+O": "open", "Ctrl+S": "save_model",
    **{str(i): f"geom_group_{i}" for i in range(6)}, **{f"Shift+{i}": f"site_group_{i}" for i in range(6)},
}  # fmt: skip
# What the reference calls its flags, where we have another name.
OTHER_NAMES = {
    "center_of_mass": "com", "range_finder": "rangefinder", "static_body": "static",
}  # fmt: skip


def flags():
    """Of the reference: the key of each flag that has one, the switch of ours, and whether it is on at first."""
    found = {}
    for text, first, key in (*mujoco.mjVISSTRING, *mujoco.mjRNDSTRING):
        name = text.replace("&", "").lower().replace(" ", "_")
        if key.strip():
            found.setdefault(key, (OTHER_NAMES.get(name, name), first == "1"))  # "," is of two: the first has it
    return found


def test_each_key_and_flag_of_simulate_is_here(window, qtbot):
    wrong = {key: name for key, name in KEYS.items() if QKeySequence(key).toString() not in window.keys.keys(name)}
    assert not wrong
    assert len(flags()) > 31
    for key, (name, first) in flags().items():
        assert window.keys.keys(name) == (key,), name
        assert window.viewport.option(name) is first, name
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    view = window.viewport
    for key, name in (
        (Qt.Key.Key_Y, "rangefinder"), (Qt.Key.Key_E, "equality"), (Qt.Key.Key_Comma, "activation"),
        (Qt.Key.Key_Apostrophe, "scale_inertia"), (Qt.Key.Key_QuoteLeft, "body_tree"), (Qt.Key.Key_Backslash, "mesh_tree"),
    ):  # fmt: skip
        before = view.option(name)
        qtbot.keyClick(view, key)
        assert view.option(name) is not before
        assert window.actions_by_name[name].isChecked() is not before
    qtbot.keyClick(view, Qt.Key.Key_F6)
    assert view.options.frame is FrameMode.BODY
    qtbot.keyClick(view, Qt.Key.Key_F7)
    assert view.options.label is LabelMode.BODY
    actions = window.actions_by_name
    actions["label_constraint"].trigger()  # from the menu
    assert view.options.label is LabelMode.CONSTRAINT
    assert [name for name, action in actions.items() if name.startswith("label_") and action.isChecked()] == ["label_constraint"]
    qtbot.keyClick(view, Qt.Key.Key_F2)
    assert view.show_info
    window.session.select(1)
    parents = []
    for _ in range(2):
        qtbot.keyClick(view, Qt.Key.Key_PageUp)
        parents.append(window.session.selection)
    assert parents == [0, 0]  # it ends at the world
    qtbot.keyClick(view, Qt.Key.Key_F5)
    assert window.isFullScreen()
    qtbot.keyClick(view, Qt.Key.Key_F5)
    assert not window.isFullScreen()


SOFT = MODELS / "soft.xml"


def test_numbers_that_live_keep_what_is_selected_and_typed(window, qtbot, pump):
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
    QTest.keyClick(field, Qt.Key.Key_Home)
    _live_on(panel, pump)
    assert field.cursorPosition() == 0
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert window.edits.count == 1
    assert not panel.lab.problem.text()
    _live_on(panel, pump)
    assert float(field.text()) == pytest.approx(2e4, rel=0.05)  # of the load then; it sways a little
    field.setFocus()
    QTest.keyClicks(field, "77")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert "77" not in field.text()
    assert window.edits.count == 1
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


def _live_on(panel, pump):
    """Time passes, and the panel shows it."""
    pump.run(0.05)
    panel.refresh()


def test_a_control_that_moves_by_itself_keeps_what_is_typed(window, qtbot, pump):
    open_and_wait(qtbot, window.session, ARM)
    window.panels.control.dock.raise_()
    row = window.panels.control.rows[0]
    field, line = row.field, row.field.lineEdit()
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    QTest.mouseDClick(field, Qt.MouseButton.LeftButton)
    assert field.hasFocus()
    line.selectAll()
    QTest.keyClicks(field, "0.")
    row.show_value(0.75)  # as a controller does
    QTest.keyClicks(field, "5")
    assert line.text() == "0.5"
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.value() == 0.75
    assert not field.hasFocus()
    field.setFocus()
    line.selectAll()
    row.show_value(-0.25)
    assert line.selectedText() == line.text()
    QTest.keyClicks(field, "0.75")  # what the field shows, and no longer so
    wanted = []
    row.changed.connect(wanted.append)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert wanted == [0.75]
    field.setFocus()
    row.show_value(0.125)
    window.viewport.setFocus()
    assert field.value() == 0.125
    assert wanted == [0.75]


def _said(field):
    return field.currentText() if isinstance(field, QComboBox) else field.text()
