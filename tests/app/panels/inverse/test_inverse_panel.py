"""The inverse panel in the real window: forces of what was played and of paths through keyframes, in the background."""

import csv

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QFileDialog
from pytest import approx

from tests.app.conftest import open_panel, written
from tests.app.panels.moments import live, stepped
from tumble import physics
from tumble.app.panels.inverse.force_plot import stacks
from tumble.app.panels.inverse.fwdinv_gauge import FwdInvProbe, gap_words
from tumble.app.panels.inverse.inverse_panel import MotionSource
from tumble.app.panels.inverse.key_times import first_times
from tumble.app.simulation.commands import SetState

pytestmark = pytest.mark.pumped
SCENE = """<mujoco><option timestep=".002"/><worldbody><light pos="0 0 3"/>
  <geom name="floor" type="plane" size="2 2 .1"/>
  <body name="box" pos="0 0 .099"><freejoint name="free"/><geom name="cube" type="box" size=".1 .1 .1" mass="2"/></body>
  <body name="upper" pos="1 0 1"><joint name="shoulder" axis="0 1 0" damping=".2" stiffness="1"/>
    <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1"/>
    <body name="lower" pos=".3 0 0"><joint name="elbow" axis="0 1 0" damping=".1"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1"/></body></body>
  </worldbody><actuator><motor name="lift" joint="elbow" ctrlrange="-5 5"/></actuator>
  <keyframe><key name="low" qpos="0 0 .5 1 0 0 0 0 0"/><key name="high" qpos="0 0 .5 1 0 0 0 -1 .5"/></keyframe></mujoco>"""


@pytest.fixture
def panel(window, qtbot, tmp_path):
    made = open_panel(qtbot, window, "inverse", written(tmp_path / "scene.xml", SCENE), paused=True)
    window.session.set_ctrl(0, 2.0)
    stepped(window, qtbot, 100)
    qtbot.waitUntil(lambda: made.report is not None and len(made.report.forces.motion.time) == 100)
    return made


def need(panel, name):
    return next(row for row in panel._needs if row.name == name)


def reported(panel, qtbot, act):
    """Do something, and wait for the report that follows."""
    before = panel.report
    act()
    qtbot.waitUntil(lambda: panel.report is not None and panel.report is not before)
    return panel.report


def through_keys(panel, qtbot):
    return reported(panel, qtbot, lambda: panel.source.setCurrentIndex(list(MotionSource).index(MotionSource.KEYS)))


def test_the_played_motion_needs_what_its_motor_gave(window, panel):
    forces = panel.report.forces
    elbow = panel.report.names.index("elbow")
    assert forces.needed[:, elbow] == approx(np.full(100, 2.0), abs=1e-6)
    assert need(panel, "elbow").by == "actuators"
    assert need(panel, "shoulder").by == "not needed"
    assert "simulated forces differ by" in panel.summary.toolTip() + panel.summary.text()
    assert window.session.snapshot.time == approx(0.2)  # the simulation stands where it stood
    assert live(window).qfrc_inverse == approx(np.zeros(8))  # and nothing was computed on its data


def test_a_chosen_dof_is_stacked_by_origin_and_the_parts_add_up(panel):
    row = next(k for k, one in enumerate(panel._needs) if one.name == "elbow")
    panel.table.topLevelItem(row).setSelected(True)
    assert "asks [N m], by origin" in panel.forces.heading.text()
    dof = panel.report.names.index("elbow")
    upper, lower = stacks(panel.report, dof)
    assert upper[:, -1] + lower[:, -1] == approx(panel.report.forces.needed[:, dof], abs=1e-9)
    assert "simulated" in panel.forces.heading.text()


def test_rows_and_the_body_that_is_selected_follow_each_other(window, panel):
    model = window.session.loaded_model
    window.session.select(model.body("lower").id)
    assert [one.name for one in panel._chosen()] == ["elbow"]
    window.session.select(model.body("box").id)
    assert len(panel._chosen()) == 6
    row = next(k for k, one in enumerate(panel._needs) if one.name == "shoulder")
    panel.table.clearSelection()
    panel.table.topLevelItem(row).setSelected(True)
    panel.table.itemClicked.emit(panel.table.topLevelItem(row), 0)
    assert window.session.selection == model.body("upper").id
    assert [one.name for one in panel._chosen()] == ["shoulder"]


def test_smoothing_follows_the_field(qtbot, panel):
    report = reported(panel, qtbot, lambda: panel.smoothing.setValue(0.04))
    assert report.window == 0.04
    assert "smoothed over 40 ms" in panel.summary.toolTip() + panel.summary.text()
    elbow = report.names.index("elbow")
    assert report.forces.needed[20:-20, elbow] == approx(np.full(60, 2.0), abs=0.2)


def test_too_long_a_window_says_so(qtbot, panel):
    panel.smoothing.setValue(3.0)
    qtbot.waitUntil(lambda: "needs 1501 moments, and there are 100" in panel.summary.toolTip())
    assert panel.table.topLevelItemCount() == 0


def test_a_path_through_keyframes_holds_the_box_from_nowhere(window, qtbot, panel):
    report = through_keys(panel, qtbot)
    assert report.keys == (0.0, 1.0)
    assert report.forces.motion.qpos[[0, -1], 7] == approx([0.0, -1.0])
    assert "box needs a hand from nowhere: 19.62 N" in panel.summary.toolTip() + panel.summary.text()
    assert need(panel, "free z").by == "nowhere"
    assert need(panel, "shoulder").by == "no actuator"
    assert panel.keys.isVisible()
    stopping = reported(panel, qtbot, lambda: panel.stops.setChecked(True))
    assert stopping.forces.motion.qvel[0] == approx(np.zeros(8), abs=1e-9)


def test_times_and_ticks_of_keyframes_are_the_users(qtbot, panel):
    through_keys(panel, qtbot)
    report = reported(panel, qtbot, lambda: panel.keys.topLevelItem(1).setText(1, "2.5"))
    assert report.keys == (0.0, 2.5)
    panel.keys.topLevelItem(1).setText(1, "soon")
    assert panel.keys.topLevelItem(1).text(1) == "2.5"
    panel.keys.topLevelItem(0).setCheckState(0, Qt.CheckState.Unchecked)
    qtbot.waitUntil(lambda: "Tick two keyframes" in panel.summary.toolTip() + panel.summary.text())


def test_two_keyframes_at_one_time_are_refused_in_words(qtbot, panel):
    through_keys(panel, qtbot)
    panel.keys.topLevelItem(1).setText(1, "0")
    qtbot.waitUntil(lambda: "times of the poses of a path have to rise" in panel.summary.toolTip() + panel.summary.text())


def test_first_times_are_those_of_the_keyframes_where_they_rise():
    assert first_times([0.0, 0.5, 2.0]) == [0.0, 0.5, 2.0]
    assert first_times([0.0, 0.0, 2.0]) == [0.0, 1.0, 2.0]


def test_it_follows_the_time_line_back(window, qtbot, panel):
    report = reported(panel, qtbot, lambda: window.session.history.go(40))
    assert report.forces.motion.time[-1] == approx(39 * 0.002)


def test_it_begins_after_the_state_was_changed(window, qtbot, panel):
    window.session.send(SetState("qpos", 8, (0.5,)))
    report = reported(panel, qtbot, lambda: stepped(window, qtbot, 30))
    qtbot.waitUntil(lambda: len(panel.report.forces.motion.time) == 30)
    assert panel.report.forces.motion.qpos[0, 8] == approx(0.5)
    assert report is not None


def test_a_computation_can_be_cancelled(qtbot, panel):
    panel.compute.click()
    assert panel.cancel.isVisibleTo(panel)
    panel.cancel.click()
    assert not panel.work.working
    assert panel.compute.isVisibleTo(panel)


def test_forces_are_saved_as_a_table(window, qtbot, panel, tmp_path, monkeypatch):
    path = tmp_path / "forces.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(path), ""))
    panel.csv.click()
    qtbot.waitUntil(lambda: not panel.csv._background.busy and path.exists())
    with path.open() as file:
        rows = list(csv.reader(file))
    assert len(rows) == 101
    column = rows[0].index("elbow Needed: actuators or others N m")
    assert [float(row[column]) for row in rows[1:]] == approx([2.0] * 100, abs=1e-6)


def test_gauge_of_forward_minus_inverse(window, qtbot, panel):
    qtbot.waitUntil(lambda: "forward minus inverse" in panel.gauge.toolTip() + panel.gauge.text())
    d = live(window)
    before = d.qfrc_inverse.copy(), d.efc_force.copy(), d.solver_fwdinv.copy()
    probe = FwdInvProbe()
    shown = probe.room(window.session.loaded_model, d)
    probe.take(window.session.loaded_model, d, shown)
    assert 0 < shown.gap[0] < 1e-3 * np.linalg.norm(d.qfrc_constraint)
    for name, value in zip(("qfrc_inverse", "efc_force", "solver_fwdinv"), before, strict=True):
        assert np.array_equal(getattr(d, name), value)
    free = physics.MjModel.from_xml_string("<mujoco><worldbody/></mujoco>")
    probe.take(free, physics.MjData(free), shown)
    assert "no constraints to solve" in gap_words(shown)


def test_a_model_that_cannot_move_and_one_without_keyframes(window, qtbot, tmp_path):
    made = open_panel(qtbot, window, "inverse", written(tmp_path / "still.xml", "<mujoco><worldbody/></mujoco>"), paused=True)
    qtbot.waitUntil(lambda: "No step was taken yet" in made.summary.toolTip() + made.summary.text())
    stepped(window, qtbot, 3)
    qtbot.waitUntil(lambda: "Nothing in this model can move" in made.summary.toolTip() + made.summary.text())
    made.source.setCurrentIndex(list(MotionSource).index(MotionSource.KEYS))
    qtbot.waitUntil(lambda: "A path needs two keyframes" in made.summary.toolTip() + made.summary.text())


def test_a_closed_panel_computes_nothing(window, qtbot, panel):
    panel.dock.hide()
    qtbot.waitUntil(lambda: not panel.live)
    before = panel.report
    stepped(window, qtbot, 5)
    qtbot.wait(500)
    assert panel.report is before
    assert not panel.work.working


def test_panel_is_found_by_its_task(window, panel):
    window.finder.toggle()
    for typed in ("which forces make this motion", "required torque", "fwdinv"):
        assert window.finder.find(typed)[0].title == "Inverse dynamics"
