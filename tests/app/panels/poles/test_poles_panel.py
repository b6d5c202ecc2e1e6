"""The poles panel in the real window: what grows, its motion in the view, and a regulator that keeps the state."""

import threading

import numpy as np
import pytest
from PyQt6.QtWidgets import QFileDialog
from pytest import approx

from tests.app.conftest import open_panel, written
from tests.app.panels.moments import live, stepped
from tumble import physics
from tumble.app.library.examples import EXAMPLES
from tumble.app.panels.control.controllers import Controllers
from tumble.app.panels.poles import poles_panel
from tumble.app.panels.poles.analysis import (
    analyse,
    carriers,
    damping_text,
    frequency_text,
    nearest,
    pace_text,
    pole_text,
    summary,
    too_large,
)
from tumble.app.panels.poles.mode_ghost import TURN, deflection
from tumble.app.panels.poles.pole_plane import PlaneKind, points_of
from tumble.app.simulation.commands import SetState
from tumble.app.simulation.state_copy import copy_state

pytestmark = pytest.mark.pumped
CARTPOLE = """<mujoco><option timestep=".005"/><worldbody><light pos="0 0 3"/>
    <body name="cart"><joint name="slide" type="slide" axis="1 0 0"/><geom type="box" size=".1 .1 .1" mass="1" contype="0"
    conaffinity="0"/><body name="pole"><joint name="hinge" axis="0 1 0"/><geom name="rod" type="capsule" fromto="0 0 0 0 0 1"
    size=".02" mass=".2" contype="0" conaffinity="0"/></body></body></worldbody>
    <actuator><motor name="push" joint="slide" ctrlrange="-40 40"/></actuator></mujoco>"""


@pytest.fixture
def panel(window, qtbot, tmp_path):
    made = open_panel(qtbot, window, "poles", written(tmp_path / "cartpole.xml", CARTPOLE), paused=True)
    qtbot.waitUntil(lambda: made.report is not None)
    return made


def test_the_falling_pole_is_named(panel):
    assert "hinge doubles in" in panel.summary.text() + panel.summary.toolTip()
    first = panel.report.modes[0]
    assert first.grows
    assert carriers(panel.report, first)[0] == "hinge"
    assert panel.list.topLevelItemCount() == len(panel.report.modes)
    assert panel.chosen == 0


def test_poles_follow_the_pose_while_time_stands(window, qtbot, panel):
    window.session.send(SetState("qpos", 1, (np.pi,)))
    qtbot.waitUntil(lambda: not panel.report.growing)
    assert "none grows" in panel.summary.toolTip()
    swing = panel.report.modes[nearest(panel.report, max((m.pole for m in panel.report.modes), key=lambda z: z.imag))]
    assert frequency_text(swing).endswith("Hz")


def test_state_that_changes_during_an_analysis_is_analysed_next(window, qtbot, panel, monkeypatch):
    slow = threading.Event()
    monkeypatch.setattr(poles_panel, "analyse", lambda model, data: (slow.wait(30), analyse(model, data))[1])
    before = panel.report
    for angle in (0.5, np.pi):
        taken = panel.probe.taken
        window.session.send(SetState("qpos", 1, (angle,)))
        qtbot.waitUntil(lambda taken=taken: panel.probe.taken > taken)
    slow.set()
    qtbot.waitUntil(lambda: panel.report is not before and panel.report.data.qpos[1] == np.pi)


def test_both_planes_have_all_poles(panel):
    for plane in PlaneKind:
        at, mode = points_of(panel.report.modes, plane)
        assert len(at) == 4
        assert set(mode.tolist()) == set(range(len(panel.report.modes)))
    panel.plane.setCurrentIndex(1)
    assert pace_text(panel.report.modes[0]).startswith("doubles")


def test_the_slider_deflects_a_ghost_and_hiding_removes_it(window, qtbot, panel):
    assert window.session.extras.posed == ()
    panel.phase.setValue(panel.phase.maximum() // 4)
    (ghost,) = window.session.extras.posed
    rod = window.session.loaded_model.geom("rod").id
    assert not np.allclose(ghost.geom_xpos[rod], live(window).geom_xpos[rod])
    shape = deflection(panel.report, panel.report.modes[0])
    assert abs(shape[1]) <= TURN + 1e-12
    panel.phase.setValue(0)
    assert window.session.extras.posed == ()
    panel.swing.setChecked(True)
    qtbot.waitUntil(lambda: bool(window.session.extras.posed))
    window.panels.dock("contacts").bring()
    qtbot.waitUntil(lambda: window.session.extras.posed == ())
    assert not panel.swing.isChecked()


def test_a_click_runs_a_regulator_that_balances_the_pole(window, qtbot, panel):
    controllers = window.session.part(Controllers)
    panel.keep.click()
    qtbot.waitUntil(lambda: controllers.running)
    assert controllers.source.path.name == "cartpole_lqr.py"
    window.session.send(SetState("qpos", 1, (0.2,)))
    qtbot.waitUntil(lambda: live(window).qpos[1] == approx(0.2))
    stepped(window, qtbot, 2000)
    assert controllers.running
    assert live(window).qpos == approx([0, 0], abs=5e-3)
    panel.stop.click()
    qtbot.waitUntil(lambda: not controllers.running)


def test_why_there_is_no_regulator_is_in_the_status_bar(window, qtbot, tmp_path):
    free = "<mujoco><worldbody><body><freejoint/><geom size='.1'/><site name='s'/></body></worldbody></mujoco>"
    made = open_panel(qtbot, window, "poles", written(tmp_path / "free.xml", free), paused=True)
    qtbot.waitUntil(lambda: made.report is not None)
    assert not made.keep.isEnabled()
    said = []
    window.session.status.connect(said.append)
    made._regulate()
    qtbot.waitUntil(lambda: any("no actuators" in text for text in said))


def test_a_model_without_dofs_has_no_poles(window, qtbot, tmp_path):
    still = written(tmp_path / "still.xml", "<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    made = open_panel(qtbot, window, "poles", still, paused=True)
    qtbot.waitUntil(lambda: "no dofs" in made.empty.text())


def test_matrices_are_saved_with_names(window, qtbot, panel, tmp_path, monkeypatch):
    path = tmp_path / "out.npz"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(path), ""))
    panel.npz.click()
    qtbot.waitUntil(path.exists)
    with np.load(path) as saved:
        assert saved["A"] == approx(panel.report.linear.A)
        assert saved["states"].tolist() == ["position slide", "position hinge", "velocity slide", "velocity hinge"]
        assert saved["controls"].tolist() == ["push"]
    rows = list(panel._rows())
    assert rows[0][-1] == "control push"
    assert len(rows) == 5


def test_no_copy_is_made_for_a_hidden_panel(window, qtbot, panel):
    window.panels.dock("contacts").bring()
    qtbot.waitUntil(lambda: not panel.live)
    taken = panel.probe.taken
    stepped(window, qtbot, 20)
    assert panel.probe.taken == taken


def test_a_large_state_is_not_copied(monkeypatch, panel):
    monkeypatch.setattr("tumble.app.panels.poles.analysis.MOST", 3)
    model = panel.report.model
    copy = copy_state(model, physics.MjData(model), too_large(model))
    assert copy.model is None
    assert "4 numbers" in copy.why
    assert summary(panel.report)


def test_a_single_mode_is_counted_as_one():
    model = physics.MjModel.from_xml_path(str(next(e.path for e in EXAMPLES if e.path.stem == "motor")))
    data = physics.MjData(model)
    data.qpos[0] = 2.356  # the rod hangs
    assert summary(analyse(model, data)) == "0.000 s: 1 mode, none grows, 1 stays"
    data.qpos[0] = -0.785
    assert summary(analyse(model, data)) == "0.000 s: 2 modes, 1 grows: hinge doubles in 0.22 s"


def test_poles_at_one_that_rounding_splits_do_not_swing():
    model = physics.MjModel.from_xml_path(str(next(e.path for e in EXAMPLES if e.path.stem == "slope")))
    data = physics.MjData(model)
    physics.mj_step(model, data, 150)
    stay = [mode for mode in analyse(model, data).modes if mode.marginal]
    assert any(mode.pole.imag > 0 for mode in stay)
    assert {frequency_text(mode) for mode in stay} == {damping_text(mode) for mode in stay} == {""}
    assert all("i" not in pole_text(mode) for mode in stay)
