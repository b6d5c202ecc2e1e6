"""The signals dock in the real window: signals are searched, plotted, dropped, measured and saved."""

import csv

import numpy as np
import pytest
from msgspec.structs import replace
from PyQt6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
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


# ---- measured data


def saved(path, head, rows):
    np.savetxt(path, rows, delimiter=",", header=head, comments="")
    return path


def laid_over(window, qtbot, path):
    panel = open_panel(qtbot, window, "signals", ARM)
    window.session.set_paused(True)
    window.session.reset()
    window.open_path(path)
    qtbot.waitUntil(lambda: panel.measured.record is not None)
    return panel


def test_measured_data_are_drawn_over_the_signal_and_as_a_ghost_of_their_time(window, qtbot, tmp_path):
    time = np.arange(0, 1, 0.01)
    path = saved(tmp_path / "run.csv", "time [s],qpos[hinge] [rad],other", np.stack([time, 0.5 + time, time], axis=1))
    panel = laid_over(window, qtbot, path)
    assert [s.name for s in panel.panes[0].signals] == ["qpos[hinge]"]
    x, y = panel.measured.curve("qpos[hinge]", 0.0, 1.0, 1600)
    np.testing.assert_allclose(y, 0.5 + x)
    assert panel.measured_bar.isVisible()
    session = window.session
    session.step(50)
    qtbot.waitUntil(lambda: session.snapshot.time > 0.09)
    (ghost,) = session.frame.ghosts
    model, data = session.loaded_model, physics.MjData(session.loaded_model)
    data.qpos[0] = 0.5 + session.snapshot.time
    physics.mj_kinematics(model, data)
    np.testing.assert_allclose(ghost.geom_xpos, data.geom_xpos, atol=1e-9)
    panel.measured_bar.shift.setValue(0.05)
    (ghost,) = session.frame.ghosts
    data.qpos[0] = 0.45 + session.snapshot.time
    physics.mj_kinematics(model, data)
    np.testing.assert_allclose(ghost.geom_xpos, data.geom_xpos, atol=1e-9)
    panel.measured_bar.ghost.click()
    assert session.frame.ghosts == ()
    panel.measured_bar.ghost.click()
    qtbot.mouseClick(panel.measured_bar.close_button, Qt.MouseButton.LeftButton)
    assert session.frame.ghosts == ()
    assert not panel.measured_bar.isVisible()
    assert len(panel.measured.curve("qpos[hinge]", 0.0, 1.0, 1600)[0]) == 0


def test_no_ghost_is_shown_in_a_hole_or_outside_of_the_record(window, qtbot, tmp_path):
    time = np.concatenate([np.arange(0, 0.1, 0.01), np.arange(0.3, 0.4, 0.01)])
    panel = laid_over(window, qtbot, saved(tmp_path / "run.csv", "t,qpos[0]", np.stack([time, time], axis=1)))
    pose, nothing = panel.measured.pose, window.session.snapshot.qpos
    shown = [pose.ghost(t, nothing, (1, 1, 1)) is not None for t in (-0.01, 0.05, 0.2, 0.35, 0.5)]
    assert shown == [False, True, False, True, False]


def test_a_record_that_the_simulation_is_past_says_how_to_see_it(window, qtbot, tmp_path):
    panel = open_panel(qtbot, window, "signals", ARM)
    window.session.set_paused(True)
    window.session.step(50)
    qtbot.waitUntil(lambda: window.session.snapshot.time > 0.09)
    texts = []
    window.session.status.connect(texts.append)
    window.open_path(saved(tmp_path / "run.csv", "t,qpos[0]", np.array([[0.0, 1], [0.05, 2]])))
    qtbot.waitUntil(lambda: panel.measured.pose is not None)
    assert "run.csv ends at 0.05 s: Reset, or set where it is from, to see it" in texts


def test_a_measured_orientation_is_turned_the_short_way(window, qtbot, tmp_path):
    rows = np.array([[0.0, 1, 0, 0, 0], [0.1, -np.cos(0.1), 0, 0, -np.sin(0.1)]])  # of the second, the other sign
    head = "t," + ",".join(f"qpos[{k}]" for k in range(3, 7))
    panel = open_panel(qtbot, window, "signals", BALL)
    window.session.set_paused(True)
    window.open_path(saved(tmp_path / "turn.csv", head, rows))
    qtbot.waitUntil(lambda: panel.measured.pose is not None)
    qpos = np.array(window.session.snapshot.qpos)
    ghost = panel.measured.pose.ghost(0.05, qpos, (1, 1, 1))
    geom = int(np.flatnonzero(window.session.loaded_model.geom_bodyid == 1)[0])
    turned = ghost.geom_xmat[geom].reshape(3, 3)
    assert turned[0, 0] == pytest.approx(np.cos(0.1), abs=1e-3)


@pytest.mark.parametrize(
    ("head", "rows", "message"),
    [
        ("t,angle", [[0, 1], [1, 2]], "no column has the name of a signal, as qpos"),
        ("clock,qpos[0]", [[0, 1], [1, 2]], "there is no column of times, t or time"),
        ("t,qpos[0]", [[0, 1], [0, 2]], r"run.csv:3: the time 0 does not come after 0"),
    ],
)
def test_measured_data_that_cannot_be_laid_over_say_why(window, qtbot, tmp_path, head, rows, message):
    panel = open_panel(qtbot, window, "signals", ARM)
    window.open_path(saved(tmp_path / "run.csv", head, np.array(rows, float)))
    qtbot.waitUntil(lambda: message in panel.measured_bar.name.toolTip())
    assert panel.measured.record is None


def test_a_file_dropped_on_a_plot_is_laid_over(window, qtbot, tmp_path):
    panel = open_panel(qtbot, window, "signals", ARM)
    path = saved(tmp_path / "run.csv", "t,qpos[0]", np.array([[0.0, 1], [1, 2]]))
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    none, left = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    panel.panes[0].dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, mime, left, none))
    qtbot.waitUntil(lambda: panel.measured.record is not None)
    assert panel.measured.record.path == path
