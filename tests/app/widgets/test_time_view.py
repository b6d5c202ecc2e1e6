"""The view along time: places and moments, the wheel, and keys that a widget has for itself."""

import pytest
from PyQt6.QtCore import QEvent, QPointF, Qt
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import QApplication, QWidget

from tests.app.mouse import wheel
from tumble.app.widgets.own_keys import OwnKeys
from tumble.app.widgets.time_view import TimeView
from tumble.app.widgets.time_window import TimeWindow

CTRL, NONE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def view(qtbot):
    view = TimeView(TimeWindow(5.0), axis_height=20, least_above=40, margin=10)
    qtbot.addWidget(view)
    view.resize(420, 100)
    view.show()
    return view


def test_moments_go_from_margin_to_margin(view):
    assert (view.x_of(0.0), view.x_of(5.0)) == (10.0, 410.0)
    for time in (0.0, 1.7, 5.0):
        assert view.time_at(view.x_of(time)) == pytest.approx(time)


def test_the_wheel_keeps_the_moment_under_the_mouse(view):
    view.times.move(3.0)
    at = QPointF(110.0, 30.0)
    moment = view.time_at(at.x())
    wheel(view.canvas, at.toPoint(), 1)
    assert view.span == pytest.approx(5.0 / 1.25)
    assert view.time_at(at.x()) == pytest.approx(moment)


@pytest.mark.parametrize(("key", "modifiers", "claimed"), [
    (Qt.Key.Key_Home, NONE, True), (Qt.Key.Key_Home, CTRL, False), (Qt.Key.Key_F5, NONE, False),
])  # fmt: skip
def test_own_keys_are_claimed_before_shortcuts(qtbot, key, modifiers, claimed):
    widget, acts = QWidget(), []
    qtbot.addWidget(widget)
    OwnKeys(widget, {Qt.Key.Key_Home: lambda: acts.append("home")}, plain=True)
    override = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers)
    override.ignore()
    QApplication.sendEvent(widget, override)
    assert override.isAccepted() == claimed
    assert not acts
    QApplication.sendEvent(widget, QKeyEvent(QEvent.Type.KeyPress, key, modifiers))
    assert acts == ["home"] * claimed
