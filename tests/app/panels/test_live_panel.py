"""Docks that follow the simulation do so exactly while they are seen, wherever they are."""

import pytest
from PyQt6.QtCore import QEvent, QObject, Qt
from PyQt6.QtWidgets import QTabBar

from tests.app.conftest import MODELS, open_and_wait
from tests.app.pump import simulation_of
from tumble.app.shell.layouts.desk import LAYOUT_VERSION


@pytest.mark.parametrize("name", ["parameters", "inspector"])
def test_a_dock_made_to_float_from_behind_a_tab_follows(window, qtbot, name):
    open_and_wait(qtbot, window.session, MODELS / "soft.xml")
    panel = getattr(window.panels, name)
    front = window.panels.dock({"parameters": "control", "inspector": "joints"}[name])
    front.raise_()
    qtbot.waitUntil(lambda: not panel.live)
    panel.dock.setFloating(True)
    qtbot.waitUntil(lambda: panel.dock.isVisible() and panel.live)
    assert window.geometry().contains(panel.dock.geometry().topLeft())  # where the user sees it
    qtbot.waitUntil(lambda: window.session.reading(panel.probe) is not None)
    panel.dock.close()
    qtbot.waitUntil(lambda: not panel.live)
    panel.dock.show()
    qtbot.waitUntil(lambda: panel.live)
    panel.dock.setFloating(False)
    panel.dock.raise_()
    qtbot.waitUntil(lambda: panel.live)
    front.raise_()
    qtbot.waitUntil(lambda: not panel.live)


def test_signals_made_to_float_from_behind_a_tab_are_sampled(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "soft.xml")
    panel = window.panels.signals
    panel.dock.show()
    panel.add("time")
    window.panels.log.dock.show()
    window.panels.log.dock.raise_()
    qtbot.waitUntil(lambda: panel.dock.visibleRegion().isEmpty())
    qtbot.waitUntil(lambda: simulation_of(window.session).data.tap == 0)
    panel.dock.setFloating(True)
    qtbot.waitUntil(lambda: panel.traces.now.count > 5)


def test_no_tab_bar_lies_about_that_belongs_to_no_docks(window, qtbot):
    """Qt forgets one when docks are put into tabs, and each time a layout is restored, as at every start."""

    def titles():
        bars = window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        seen = [bar for bar in bars if bar.isVisible() and bar.geometry().intersects(window.rect())]
        return sorted([bar.tabText(k) for k in range(bar.count())] for bar in seen)

    wanted = [["Control", "Parameters", "Options"], ["Joints", "Model"]]
    qtbot.waitUntil(lambda: titles() == wanted)
    window.restoreState(window.saveState(LAYOUT_VERSION), LAYOUT_VERSION)
    window.resize(1200, 760)
    qtbot.waitUntil(lambda: titles() == wanted)
    window.panels.signals.dock.show()
    window.panels.log.dock.show()
    qtbot.waitUntil(lambda: titles() == [*wanted, ["Signals", "Log"]])


def test_a_window_in_which_nothing_happens_does_nothing(window, qtbot):
    """No layout follows from a layout: once that went on for ever, and took a whole core."""
    open_and_wait(qtbot, window.session, MODELS / "soft.xml")
    window.session.set_paused(True)
    qtbot.wait(400)
    counted = EventCounter(QEvent.Type.LayoutRequest)
    window.installEventFilter(counted)
    qtbot.wait(300)
    window.removeEventFilter(counted)
    assert counted.count <= 1


class EventCounter(QObject):
    """Counts the events of one kind that a widget gets."""

    def __init__(self, kind):
        super().__init__()
        self._kind, self.count = kind, 0

    def eventFilter(self, watched, event):
        self.count += event is not None and event.type() == self._kind
        return False
