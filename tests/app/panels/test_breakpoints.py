"""Breakpoints stop at the very step; in the real window they are switched on, hit, stepped back from and gone on."""

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QPushButton

from tests.app.conftest import MODELS, open_and_wait, open_panel
from tests.app.pump import let_pass
from tumble import physics
from tumble.app.base.log_relay import LogRelay
from tumble.app.base.settings import BREAKPOINTS, Settings
from tumble.app.describe.expression import parse
from tumble.app.describe.signals import Catalogue
from tumble.app.describe.subject import Subject
from tumble.app.panels.breakpoints import conditions
from tumble.app.panels.breakpoints.breakpoints import BLOWUP, Breakpoints, Monitor
from tumble.app.shell.main_window import MainWindow
from tumble.app.simulation.simulation import Simulation
from tumble.app.simulation.snapshot import Exchange

pytestmark = pytest.mark.pumped

ARM, BLOWUP_MODEL = MODELS / "arm.xml", MODELS / "blowup.xml"
# A ball falls from 1 cm onto a plane, its sideways speed makes it slip; a second one follows.
DROP = """<mujoco><option timestep="0.001"/><worldbody><geom name="floor" type="plane" size="3 3 1"/>
<body name="first" pos="0 0 0.11"><freejoint name="one"/><geom name="ball" size="0.1" mass="1"/></body>
<body name="second" pos="0 1 0.21"><freejoint name="two"/><geom name="other" size="0.1" mass="1"/></body>
</worldbody></mujoco>"""


def made(xml=DROP, cone="pyramidal"):
    m = physics.MjModel.from_xml_string(xml.replace("<option", f"<option cone='{cone}'"))
    return m, physics.MjData(m)


def stopped(m, d, condition, steps=2000, key="it"):
    """A simulation run until the condition stops it; what was said."""
    hits = []
    sim = Simulation()
    sim.adopt(m, d, Exchange(d))
    sim.set_paused(False)
    sim.monitor_steps(Monitor(m, {} if condition is None else {key: condition}, condition is None, hits.append))
    taken = sim.step(steps)
    assert sim.paused == bool(hits)
    return sim, hits, taken


def test_an_expression_stops_at_the_first_step_at_which_it_holds():
    m, d = made()
    twin = physics.MjData(m)
    sim, hits, taken = stopped(m, d, conditions.expression(parse("qpos[two, 2] < 0.15 and time > 0.05", Catalogue(m))))
    step = 0
    while not (twin.qpos[9] < 0.15 and twin.time > 0.05):
        physics.mj_step(m, twin)
        step += 1
    assert taken == step
    np.testing.assert_array_equal(d.qpos, twin.qpos)
    assert f"qpos[two, 2] = {twin.qpos[9]:.6g}" in hits[0].text
    assert hits[0].time == twin.time
    sim.paused = False
    assert sim.step(20) == 20  # it still holds: going on is possible
    assert len(hits) == 1
    sim.back(40)
    assert d.time == pytest.approx(0.001 * (step - 20))
    assert sim.step(100) == 20  # the same step again
    np.testing.assert_array_equal(d.qpos, twin.qpos)


def test_contacts_and_the_iteration_cap_stop_with_their_numbers():
    for cone in ("pyramidal", "elliptic"):
        m, d = made(cone=cone)
        _, hits, _ = stopped(m, d, conditions.penetration(0.5))
        assert d.contact_dist.min() < -0.0005
        assert hits[0].text.startswith("penetration of floor and ball is 0.")
        m, d = made(cone=cone)
        _, hits, _ = stopped(m, d, conditions.normal_force(25))
        assert "N > 25 N" in hits[0].text
        m, d = made(cone=cone)
        d.qvel[0] = 0.5  # slides, while the other falls straight
        _, hits, _ = stopped(m, d, conditions.slip(100))
        assert hits[0].text.startswith("floor and ball slips with")
        assert float(hits[0].text.split("with ")[1].split()[0]) == pytest.approx(500, rel=0.2)
    m, d = made()
    m.opt.iterations = 1
    m.opt.tolerance = 0
    _, hits, _ = stopped(m, d, conditions.iteration_cap())
    assert hits[0].text == "the solver used all 1 iterations"


def test_events_are_told_by_name():
    m, d = made()
    woken, merged = conditions.wakes(), conditions.islands_merge()
    d.tree_asleep[:] = 0, -5
    assert woken(m, d) is None
    d.tree_asleep[:] = -10, -5
    assert woken(m, d) == conditions.Held("woke up: first", Subject(body=1))
    assert woken(m, d) is None
    d.inner.nisland = 2
    d.inner.tree_island[:] = 0, 1
    assert merged(m, d) is None
    d.inner.nisland = 1
    d.inner.tree_island[:] = 0, 0
    assert merged(m, d) == conditions.Held("islands merged: those of first and second", Subject(body=1))
    assert merged(m, d) is None


def test_a_state_that_blows_up_is_gone_back_from_and_explained():
    m = physics.MjModel.from_xml_path(str(BLOWUP_MODEL))
    d = physics.MjData(m)
    _, hits, taken = stopped(m, d, None, 3000)
    assert taken < 3000
    report = hits[0].autopsy
    assert hits[0].key == BLOWUP
    assert d.time == report.time > 0.05  # back from the reset
    assert np.isfinite(d.qpos).all()
    assert report.dofs[0].name == "spring"
    assert "spring" in report.what
    before = physics.MjData(m)
    while before.time < report.time - 1e-9:
        physics.mj_step(m, before)
    np.testing.assert_array_equal(before.qpos, d.qpos)
    physics.mj_step(m, before)
    physics.mj_step(m, before)
    assert before.time < 0.03  # that was the last good state: what follows is a reset


def started(window, qtbot):
    """The panel, and the arm that will turn once time runs."""
    panel, session = open_panel(qtbot, window, "breakpoints", ARM, paused=True), window.session
    session.reset()
    session.set_ctrl(0, 1.0)
    return panel, session


def test_typed_breakpoint_stops_rewinds_and_is_edited(window, qtbot):
    panel, session = started(window, qtbot)
    qtbot.keyClicks(panel.text, "qpos[hinge] > ")
    qtbot.keyClick(panel.text, Qt.Key.Key_Return)
    assert "At character 15: the end stands where a value belongs" in panel.error.text()
    qtbot.keyClicks(panel.text, "0.5")
    qtbot.mouseClick(panel.add, Qt.MouseButton.LeftButton)
    qtbot.keyClick(window.viewport, Qt.Key.Key_Space)
    assert not session.paused
    let_pass(session, qtbot, 2.0)
    qtbot.waitUntil(lambda: session.paused and session.snapshot.paused)
    qtbot.waitUntil(lambda: session.snapshot.qpos[0] > 0.5)
    bar = window.statusBar()
    assert f"Breakpoint at {session.snapshot.time:.3f} s: " in bar.currentMessage()
    assert "qpos[hinge] = 0.5" in bar.currentMessage()
    time = session.snapshot.time
    assert "Stopped at" in panel.place.text()
    qtbot.mouseClick(panel.back_buttons[1], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.snapshot.time < time)
    assert session.snapshot.time == pytest.approx(time - 0.002)
    assert session.snapshot.qpos[0] <= 0.5
    qtbot.mouseClick(panel.forward, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.snapshot.time == time)
    qtbot.mouseClick(panel.go_on, Qt.MouseButton.LeftButton)
    let_pass(session, qtbot, 0.2)
    qtbot.waitUntil(lambda: session.snapshot.time > time + 0.1)
    assert not session.paused
    panel.breakpoints.remove(next(iter(panel.conditions)))
    session.set_paused(True)
    session.reset()
    session.set_ctrl(0, 1.0)
    key = typed_condition(panel, qtbot, "qpos[hinge] > 100")
    line = panel.conditions[key].line
    qtbot.keyClicks(line, "7")
    assert line.text() == "qpos[hinge] > 100"  # only shown
    qtbot.mouseDClick(line, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(line, "qpos[hinge] > ")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert "At character 15" in panel.error.text()
    assert panel.breakpoints.points[key].text == "qpos[hinge] > 100"
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert line.text() == "qpos[hinge] > 100"
    qtbot.mouseDClick(line, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(line, "qpos[hinge] > 0.25")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert line.isReadOnly()
    qtbot.keyClick(window.viewport, Qt.Key.Key_Space)
    let_pass(session, qtbot, 2.0)
    qtbot.waitUntil(lambda: session.paused and session.snapshot.paused)
    assert 0.25 < session.snapshot.qpos[0] < 0.3
    qtbot.mouseClick(panel.conditions[key].remove, Qt.MouseButton.LeftButton)
    assert not panel.conditions
    key = typed_condition(panel, qtbot, "qpos[hinge] > 100")
    panel.breakpoints.remove(key)  # not by the panel
    assert not panel.conditions


@pytest.mark.threaded
def test_the_window_shows_why_a_state_blew_up(window, qtbot):
    window.panels.dock("breakpoints").show()
    open_and_wait(qtbot, window.session, BLOWUP_MODEL)
    panel, session = window.panels.breakpoints, window.session
    qtbot.mouseClick(panel.switches[BLOWUP], Qt.MouseButton.LeftButton, pos=panel.switches[BLOWUP].rect().center() * 0.2)
    if not panel.switches[BLOWUP].isChecked():
        qtbot.keyClick(panel.switches[BLOWUP], Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: panel.dofs.isVisibleTo(panel))
    assert panel.dofs.topLevelItem(0).text(0) == "spring"
    assert session.paused
    assert panel.rows.topLevelItemCount() > 0
    window.session.select(0)
    panel.dofs.setCurrentItem(panel.dofs.topLevelItem(0))  # which marks its body in the view
    assert window.session.selection == int(window.session.model.jnt_bodyid[window.session.model.joint("spring").id]) > 0
    assert all(b.toolTip() for b in panel.findChildren(QPushButton))


@pytest.mark.threaded
def test_a_state_that_has_blown_up_is_explained_afterwards(window, qtbot):
    panel, session = open_panel(qtbot, window, "breakpoints", BLOWUP_MODEL), window.session
    assert not panel.switches[BLOWUP].isChecked()
    qtbot.waitUntil(lambda: panel.why.isVisible())  # nobody has asked beforehand
    qtbot.mouseClick(panel.why, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.dofs.isVisibleTo(panel))
    assert panel.dofs.topLevelItem(0).text(0) == "spring"
    qtbot.waitUntil(lambda: session.paused and session.snapshot.paused)
    assert session.history.now < session.history.end
    assert session.history.strayed == 0


def typed_condition(panel, qtbot, text):
    qtbot.keyClicks(panel.text, text)
    qtbot.mouseClick(panel.add, Qt.MouseButton.LeftButton)
    return next(key for key, row in panel.conditions.items() if row.line.text() == text)


def restarted(window, qtbot, path):
    """Another window with what this one remembers, and a model that stands."""
    window.session.store.sync()
    other = MainWindow(window.session.store, LogRelay())
    qtbot.addWidget(other, before_close_func=lambda w: w.cleanup())
    other.session.set_paused(True)
    other.panels.breakpoints.dock.show()
    other.show()
    open_and_wait(qtbot, other.session, path)
    return other


def test_breakpoints_persist_but_act_only_on_their_model(window, qtbot):
    panel = open_panel(qtbot, window, "breakpoints", ARM)
    typed_condition(panel, qtbot, "qpos[hinge] > 3")
    typed_condition(panel, qtbot, "time > -1")  # true of any model
    panel.switches["slip"].click()
    panel.limits["slip"].setValue(77.0)
    other = restarted(window, qtbot, MODELS / "ball.xml")
    again, session = other.panels.breakpoints, other.session
    assert again.switches["slip"].isChecked()
    assert again.limits["slip"].value() == 77.0
    fits, general = again.conditions["expression 1"], again.conditions["expression 2"]
    assert (fits.line.text(), general.line.text()) == ("qpos[hinge] > 3", "time > -1")
    assert "does not fit this model: qpos has no 'hinge'" in fits.reason.text()
    assert "switched on for arm.xml, not for this model" in general.reason.text()
    assert fits.reason.isVisibleTo(again)
    assert not fits.switch.isChecked()
    session.step(5)
    qtbot.waitUntil(lambda: session.snapshot.time > 4.5 * session.model.opt.timestep)
    assert "Stopped" not in again.place.text()
    general.switch.click()  # now it is meant
    assert general.switch.isChecked()
    assert not general.reason.isVisibleTo(again)
    session.step(5)
    qtbot.waitUntil(lambda: "Stopped" in again.place.text())
    open_and_wait(qtbot, session, ARM)  # back to where the first was typed
    assert fits.switch.isChecked()
    assert not fits.reason.isVisibleTo(again)
    assert "switched on for ball.xml" in general.reason.text()


def test_a_stored_breakpoint_that_makes_no_sense_is_left_out(qtbot, tmp_path, session):
    store = Settings(tmp_path / "settings.json")
    store.put(BREAKPOINTS, [{"key": "nonsense"}, {"key": "expression 9", "on": True, "text": "time > 1"}])
    session.store = store
    points = session.part(Breakpoints)
    assert [p.text for p in points.points.values() if p.text] == ["time > 1"]
