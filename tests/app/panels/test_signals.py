"""The signals dock in the real window: signals are searched, plotted, dropped, measured and saved."""

import csv

import numpy as np
import pytest
from msgspec.structs import replace
from PyQt6.QtCore import QMimeData, QPoint, QPointF, Qt
from PyQt6.QtGui import QDragEnterEvent, QDropEvent
from PyQt6.QtWidgets import QApplication, QFileDialog

from tests.app.conftest import MODELS, open_and_wait, open_panel, written
from tests.app.pump import let_pass, simulation_of
from tests.app.tasks.steps import choose
from tumble import physics
from tumble.app.base.log_relay import LogRelay
from tumble.app.base.settings import PLOTS
from tumble.app.describe.signals import Catalogue
from tumble.app.panels.signals.pane import SignalPane
from tumble.app.shell.main_window import MainWindow

pytestmark = pytest.mark.pumped

ARM, BALL = MODELS / "arm.xml", MODELS / "ball.xml"


def plotted(panel, qtbot, name):
    panel.tree.search.clear()
    qtbot.keyClicks(panel.tree.search, name)
    qtbot.keyClick(panel.tree.search, Qt.Key.Key_Return)


def test_a_signal_is_searched_and_plotted_at_every_step(window, qtbot, monkeypatch, tmp_path):
    open_and_wait(qtbot, window.session, ARM)
    choose(window, "Window", "Signals")
    panel, session = window.panels.signals, window.session
    session.set_paused(True)
    session.reset()
    session.set_ctrl(0, 1.0)
    plotted(panel, qtbot, "qpos[hinge]")
    plotted(panel, qtbot, "actuator force hinge")  # words of the name and of what it means
    assert [s.name for s in panel.panes[0].signals] == ["qpos[hinge]", "qfrc_actuator[hinge]"]
    assert panel.panes[0].signals[0].unit == "rad"
    assert "No samples yet" in panel.status.text()
    session.step(50)
    qtbot.waitUntil(lambda: panel.traces.now.count == 50)
    time, values = panel.traces.now.samples()
    np.testing.assert_allclose(time, 0.002 * np.arange(1, 51))
    assert values[-1, 0] == session.snapshot.qpos[0] > 0.01
    assert values[-1, 1] == simulation_of(session).data.qfrc_actuator[0] != 0
    target = tmp_path / "out.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(target), ""))
    qtbot.mouseClick(panel.export, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(target.exists)
    rows = list(csv.reader(target.read_text("utf-8").splitlines()))
    assert rows[0][:2] == ["time [s]", "qpos[hinge] [rad]"]
    assert [float(r[1]) for r in rows[1:]] == list(values[:, 0])
    session.reset()
    session.step(5)
    qtbot.waitUntil(lambda: panel.traces.before is not None and panel.traces.now.count == 5)
    assert panel.traces.before.count == 50


def test_a_signal_is_dropped_on_a_second_plot_and_taken_away(window, qtbot):
    panel = open_panel(qtbot, window, "signals", ARM)
    qtbot.mouseClick(panel.new_pane, Qt.MouseButton.LeftButton)
    first, second = panel.panes
    mime = QMimeData()
    mime.setText("qvel[hinge]")
    none, left = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    enter = QDragEnterEvent(QPoint(20, 20), Qt.DropAction.CopyAction, mime, left, none)
    QApplication.sendEvent(first, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(first, QDropEvent(QPointF(20, 20), Qt.DropAction.CopyAction, mime, left, none))
    assert [s.name for s in first.signals] == ["qvel[hinge]"]
    assert not second.signals
    let_pass(window.session, qtbot, 0.2)
    qtbot.waitUntil(lambda: panel.traces.now.count > 50)
    x, y = first._curves["qvel[hinge]"][1].getData()
    assert len(x) == len(y) > 10
    panel.cursor_switch.click()
    first.cursors[0].setValue(0.02)
    first.cursors[1].setValue(0.05)
    assert "B\N{MINUS SIGN}A 0.030 s, 33.33 Hz" in panel.status.text()
    assert second.cursors[0].value() == pytest.approx(0.02)
    qtbot.mouseClick(first.entries["qvel[hinge]"].close_button, left)
    assert not first.signals
    qtbot.mouseClick(second.close_button, left)
    assert panel.panes == [first]


def test_zooming_stops_following_closing_stops_sampling(window, qtbot):
    panel = open_panel(qtbot, window, "signals", ARM)
    plotted(panel, qtbot, "qpos[hinge]")
    let_pass(window.session, qtbot, 0.2)
    qtbot.waitUntil(lambda: panel.traces.now.count > 50)
    panel.panes[0].box.setXRange(0.01, 0.03, padding=0)
    panel.panes[0].box.sigRangeChangedManually.emit((True, False))
    assert not panel.follow.isChecked()
    qtbot.wait(60)
    assert panel.panes[0].window_shown == pytest.approx((0.01, 0.03))
    panel.follow.click()
    let_pass(window.session, qtbot, 1.0)
    qtbot.waitUntil(lambda: panel.panes[0].window_shown[1] > 1.0)
    data = simulation_of(window.session).data
    assert data.tap != 0
    panel.dock.hide()
    qtbot.waitUntil(lambda: data.tap == 0)
    count = panel.traces.now.count
    let_pass(window.session, qtbot, 0.1)
    assert panel.traces.now.count == count
    panel.dock.show()
    qtbot.waitUntil(lambda: data.tap != 0)
    let_pass(window.session, qtbot, 0.1)
    qtbot.waitUntil(lambda: panel.traces.now.count > count)


def test_plots_persist_and_return_with_a_matching_model(window, qtbot):
    panel = open_panel(qtbot, window, "signals", ARM)
    plotted(panel, qtbot, "qpos[hinge]")
    qtbot.mouseClick(panel.new_pane, Qt.MouseButton.LeftButton)
    plotted(panel, qtbot, "time")
    window.session.store.sync()
    other = MainWindow(window.session.store, LogRelay())
    qtbot.addWidget(other, before_close_func=lambda w: w.cleanup())
    other.show()
    again = open_panel(qtbot, other, "signals", BALL)
    assert [[s.name for s in pane.signals] for pane in again.panes] == [[], ["time"]]
    assert "Not in this model: qpos[hinge]" in again.status.text()
    qtbot.waitUntil(lambda: again.traces.now.count > 5)
    open_and_wait(qtbot, other.session, ARM)
    assert [[s.name for s in pane.signals] for pane in again.panes] == [["qpos[hinge]"], ["time"]]
    qtbot.mouseClick(again.panes[0].close_button, Qt.MouseButton.LeftButton)
    assert other.session.store.get(PLOTS) == [["time"]]


SENSORS = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/><body name="ball" pos="0 0 .099"><freejoint/>
  <geom name="ball" size=".1" mass="1"/></body></worldbody>
  <sensor><contact name="grip" geom2="ball" num="2" data="found force torque"/><clock name="t"/></sensor></mujoco>"""


def test_sensor_components_expand_in_tree_by_name(window, qtbot, tmp_path):
    panel = open_panel(qtbot, window, "signals", written(tmp_path / "grip.xml", SENSORS))
    tree = panel.tree.tree
    readings = tree.topLevelItem(0).child(0)
    readings.setExpanded(True)
    assert [readings.child(k).text(0) for k in range(2)] == ["sensordata[grip]", "sensordata[t]"]
    grip = readings.child(0)
    assert grip.childCount() == 0
    grip.setExpanded(True)
    assert [grip.child(k).text(0) for k in (0, 1, 13)] == ["0 found", "0 force x", "1 torque z"]
    tree.itemDoubleClicked.emit(grip.child(1), 0)
    assert [(s.name, s.unit) for s in panel.panes[0].signals] == [("sensordata[grip, 0 force x]", "N")]


@pytest.mark.parametrize("width", [180, 260, 330, 480, 900])
def test_units_in_the_legend_stand_whole_or_not_at_all(qtbot, width):
    catalogue = Catalogue(physics.MjModel.from_xml_path(str(MODELS / "arm.xml")))
    pane = SignalPane()
    qtbot.addWidget(pane)
    units = {"qpos[0]": "rad", "qvel[0]": "1/kg or 1/(kg·m²)"}
    signals = [replace(catalogue.scalar(name), unit=unit) for name, unit in units.items()]
    for signal in signals:
        pane.add(signal)
    pane.resize(width, 200)
    pane.show()
    for signal, entry in zip(signals, pane.entries.values(), strict=True):
        entry.show_value("-1234.567", "")
        qtbot.waitUntil(lambda entry=entry: entry.width() > 100)
        assert entry.value.text() in (f"-1234.567 {signal.unit}", "-1234.567")
        wide = entry.value.fontMetrics().horizontalAdvance(entry.value.text())
        qtbot.waitUntil(lambda entry=entry, wide=wide: entry.value.width() >= wide)
        assert signal.unit in entry.value.toolTip()
    if width >= 480:
        assert entry.value.text().endswith("1/(kg·m²)")
        qtbot.waitUntil(lambda: entry.name.width() >= entry.name.fontMetrics().horizontalAdvance("qvel[0]"))
