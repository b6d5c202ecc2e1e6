"""Everything by keyboard: each control of each panel and dialog has a name for screen readers and takes the focus."""

from datetime import datetime

import pytest
from PyQt6.QtCore import QLockFile, Qt
from PyQt6.QtGui import QContextMenuEvent
from PyQt6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QDockWidget,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QScrollBar,
    QTabBar,
    QToolBar,
    QToolButton,
    QWidget,
)

from tests.app.conftest import MODELS, open_and_wait
from tumble.app.decompose.decompose_desk import DecomposeDialog
from tumble.app.look.actions import plain
from tumble.app.panels.control.controllers import Controllers
from tumble.app.preferences.mnemonics import letter, marked
from tumble.app.rescue.error_dialog import ErrorDialog
from tumble.app.rescue.recovery import Left
from tumble.app.rescue.recovery_dialog import RecoveryDialog
from tumble.app.session.requests import ShowElement
from tumble.app.widgets.trust_dialog import TrustDialog

pytestmark = pytest.mark.pumped
CONTROLS = (
    QAbstractButton, QLineEdit, QAbstractSpinBox, QComboBox, QAbstractSlider, QAbstractItemView, QPlainTextEdit,
)  # fmt: skip
HANDS = ("mousePressEvent", "mouseMoveEvent", "keyPressEvent")
# Parts of Qt's own widgets, which their owner speaks for.
OWNERS = (QAbstractSpinBox, QComboBox, QLineEdit, QDockWidget, QTabBar, QToolBar, QAbstractItemView)


def is_canvas(widget):
    """Whether it is drawn by the program itself and takes the mouse or keys."""
    own = [kind for kind in type(widget).__mro__ if kind.__module__.startswith("tumble.app.")]
    return any(hand in kind.__dict__ for kind in own for hand in HANDS) and not isinstance(widget, QLabel | QDialog)


def controls(root):
    for widget in root.findChildren(QWidget):
        if isinstance(widget, QScrollBar | QHeaderView) or widget.objectName().startswith("qt_"):
            continue
        owner = widget.parentWidget()
        part = isinstance(owner, OWNERS) or (owner is not None and isinstance(owner.parentWidget(), QComboBox))
        if (isinstance(widget, CONTROLS) or is_canvas(widget)) and not (part and type(widget).__module__.startswith("PyQt6")):
            yield widget


def name_of(widget):
    """What a screen reader calls it: its accessible name, its own text, or that of the label it is the buddy of."""
    if widget.accessibleName():
        return widget.accessibleName()
    if isinstance(widget, QToolButton) and widget.defaultAction() is not None:
        return widget.defaultAction().text()
    if isinstance(widget, QAbstractButton) and widget.text():
        return widget.text()
    return next((label.text() for label in widget.window().findChildren(QLabel) if label.buddy() is widget), "")


def nameless(root):
    return [f"{root.objectName() or type(root).__name__}: {type(w).__name__} {w.toolTip()[:40]}" for w in controls(root)
            if not name_of(w).strip()]  # fmt: skip


def out_of_reach(root):
    """Controls that Tab does not reach."""
    return [f"{root.objectName() or type(root).__name__}: {name_of(w)}" for w in controls(root)
            if not w.focusPolicy() & Qt.FocusPolicy.TabFocus]  # fmt: skip


def dialogs(window, folder):
    """All that opens over the window, open."""
    names = ("preferences", "library", "screenshot", "record", "export", "report", "write", "help", "own_layouts", "editor")
    for name in (*names, "snap_steps"):
        window.actions_by_name[name].trigger()
    window.finder.toggle()
    DecomposeDialog(window)
    TrustDialog(window.session.part(Controllers), window)
    ErrorDialog("It failed", "for a reason", "line 1", None, window, ("Go back", lambda: None))
    RecoveryDialog([Left(folder / "a", "arm.xml", 0.0, QLockFile(str(folder / "lock")), "died here")], datetime.now(), window)
    found = window.findChildren(QDialog)
    assert len(found) >= 14
    return [*found, window.finder.popup, window.help_card]


@pytest.mark.slow
def test_every_control_has_a_name_and_is_reached_by_tab(window, qtbot, tmp_path):
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    failed = []
    for dock in window.docks:
        dock.bring()
        assert list(controls(dock)), dock.objectName()
        failed += nameless(dock) + [f"focus: {what}" for what in out_of_reach(dock)]
    for root in (window.toolbar, window.statusBar(), *dialogs(window, tmp_path)):
        failed += nameless(root) + [f"focus: {what}" for what in out_of_reach(root)]
    assert window.viewport.accessibleName()
    assert "\n".join(failed) == ""


def letters(menu):
    return [letter(action.text()) for action in menu.actions() if not action.isSeparator()]


def test_each_entry_of_a_menu_has_a_letter_of_its_own(window):
    menus = [window.menuBar(), *window.menuBar().findChildren(QMenu)]
    assert len(menus) > 10
    for menu in menus:
        if menu is not window._recent:
            used = [sign for sign in letters(menu) if sign]
            assert len(set(used)) == len(used)
            bare = [action.text() for action in menu.actions() if action.text() and not letter(action.text())]
            assert all(set(text.lower()) - {" "} <= set(used) for text in bare)  # only where none of its letters is left
    assert marked(("&Open", "&Order", "Close")) == ("&Open", "O&rder", "&Close")


def test_ctrl_f6_cycles_docks_and_escape_returns_to_view(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    window.session.set_paused(True)  # joints can be posed
    window.panels.open(["contacts"])
    qtbot.waitUntil(lambda: window.panels.joints.rows[0].slider.isEnabled())
    docks = [window.panels.joints.dock, window.panels.control.dock, window.panels.contacts.dock]
    qtbot.waitUntil(lambda: window.isActiveWindow() and not any(dock.visibleRegion().isEmpty() for dock in docks))
    window.viewport.setFocus()  # a dock that has just come may have it
    qtbot.waitUntil(window.viewport.hasFocus)
    seen = []
    for _ in range(12):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F6, Qt.KeyboardModifier.ControlModifier)
        now = QApplication.focusWidget()
        seen += [dock.objectName() for dock in window.docks if dock.isAncestorOf(now)]
        if now is window.viewport:
            break
    assert now is window.viewport
    assert set(seen) == {"joints", "control", "contacts"}
    qtbot.keyClick(now, Qt.Key.Key_F6, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert QApplication.focusWidget() is not window.viewport
    window.panels.contacts.contacts.setFocus()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert window.viewport.hasFocus()


def test_the_menu_key_opens_the_menu_of_the_chosen_element(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    window.session.ask(ShowElement("geom", 0))
    tree = window.panels.inspector.view.tree
    tree.setFocus()
    at = tree.visualRect(tree.currentIndex()).center()
    QApplication.sendEvent(tree, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, tree.mapToGlobal(at)))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert any("collide" in plain(action.text()) for action in menu.actions())
    menu.close()


def test_shortcut_card_fits_the_window_with_a_bottom_dock(window, qtbot):
    window.panels.open(["log"])
    card = window.help_card
    for size in ((800, 600), (1280, 800), (2560, 1440)):
        window.resize(*size)
        qtbot.keyClick(window.viewport, Qt.Key.Key_F1)
        assert window.rect().contains(card.geometry())
        inner, port = card.area.widget(), card.area.viewport()
        qtbot.wait(1)
        assert inner.width() <= port.width()
        assert inner.height() - port.height() <= card.area.verticalScrollBar().maximum()
        for label in inner.findChildren(QLabel):
            assert label.width() >= (0 if label.wordWrap() else label.sizeHint().width())
            assert label.height() >= label.heightForWidth(label.width())
        texts = " ".join(label.text() for label in inner.findChildren(QLabel))
        assert all(word in texts for word in ("Ctrl+K", "Shadow", "orbit", "F7"))
        qtbot.keyClick(card.area, Qt.Key.Key_Escape)
        assert not card.isVisible()
        assert not window.actions_by_name["help"].isChecked()


def test_lists_and_lanes_are_worked_by_keys(window, qtbot, pump):
    open_and_wait(qtbot, window.session, MODELS / "boxes.xml")
    window.panels.open(["contact_events", "signals", "breakpoints"])
    window.panels.dock("contact_events").bring()
    pump.run(0.3)
    events = window.panels.contact_events
    events.view.setFocus()
    qtbot.keyClick(events.view, Qt.Key.Key_Down)
    pairs = events.view.shown.pairs
    at = pairs.index(window.session.contact_choice.pair)
    qtbot.keyClick(events.view, Qt.Key.Key_Down)
    assert window.session.contact_choice.pair == pairs[at + 1]
    start = events.times.start
    qtbot.keyClick(events.view, Qt.Key.Key_Left)
    assert events.times.start < start
    signals = window.panels.signals
    window.panels.dock("signals").bring()
    signals.tree.search.setText("qvel")
    signals.tree.search.returnPressed.emit()
    tree = signals.tree.tree
    tree.setCurrentItem(tree.topLevelItem(1))
    qtbot.keyClick(tree, Qt.Key.Key_Return)
    assert len(signals.panes[0].signals) == 2
    breakpoints = window.panels.breakpoints
    breakpoints.text.setText("ncon > 100")
    breakpoints.add.click()
    line = next(line for line in breakpoints.findChildren(QLineEdit) if line.text() == "ncon > 100")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert not line.isReadOnly()
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert line.isReadOnly()
