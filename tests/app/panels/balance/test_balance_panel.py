"""The balance panel in the real window: it follows the selection, adds up to zero, marks sources, and accounts for energy."""

import numpy as np
import pytest
from pytest import approx

from tests.app.conftest import open_panel, written
from tests.app.panels.moments import live, stepped
from tumble import physics
from tumble.app.panels.balance.account import EnergyReport
from tumble.app.panels.balance.balance_readings import BalanceScope, choose, read_balance
from tumble.app.panels.balance.energy_page import CurveKind, curve_of, rows_of
from tumble.app.panels.balance.words import KINETIC, POTENTIAL, REST, TermNames, place_of, subject_of
from tumble.app.session.requests import Show
from tumble.physics.observe.motion.velocity_products import VelocityProducts
from tumble.physics.query.balance.terms import Origin as O

pytestmark = pytest.mark.pumped
SCENE = """<mujoco><option timestep=".002"/><worldbody><light pos="0 0 3"/>
  <geom name="floor" type="plane" size="2 2 .1"/>
  <body name="box" pos="0 0 .099"><freejoint name="free"/><geom name="cube" type="box" size=".1 .1 .1" mass="2"/></body>
  <body name="upper" pos="1 0 1"><joint name="shoulder" axis="0 1 0" damping=".2" stiffness="1"/>
    <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1"/>
    <body name="lower" pos=".3 0 0"><joint name="elbow" axis="0 1 0" damping=".1"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1"/></body></body>
  </worldbody><actuator><motor name="lift" joint="elbow" ctrlrange="-5 5"/></actuator></mujoco>"""


@pytest.fixture
def panel(window, qtbot, tmp_path):
    made = open_panel(qtbot, window, "balance", written(tmp_path / "scene.xml", SCENE), paused=True)
    stepped(window, qtbot, 20)
    qtbot.waitUntil(lambda: made.forces.forces.rowCount() > 0)
    return made


def select(window, qtbot, panel, name):
    body = window.session.loaded_model.body(name).id
    window.session.select(body)
    qtbot.waitUntil(lambda: panel.probe.chosen.name in panel.summary.toolTip() + panel.summary.text())
    qtbot.waitUntil(lambda: panel._reading.chosen == panel.probe.chosen)
    return body


def origins(panel):
    return {key[0] for key in panel.forces.forces.keys}


def numbers(panel, origin, column):
    table = panel.forces.forces
    return [table.value(row, column) for row, key in enumerate(table.keys) if key[0] == origin]


def test_the_selected_body_is_shown_and_its_forces_add_up_to_zero(window, qtbot, panel):
    select(window, qtbot, panel, "lower")
    table = panel.forces.forces
    assert [table.headerData(k, table_orientation()) for k in range(3)] == ["Origin", "Power W", "elbow N m"]
    assert {O.INERTIA, O.GRAVITY, O.JOINT_DAMPER} <= origins(panel)
    total = sum(table.value(row, 2) for row in range(table.rowCount()))
    assert total == approx(0, abs=1e-12)
    assert "adds up to zero" in panel.summary.text()
    select(window, qtbot, panel, "box")
    assert table.columnCount() == 8
    assert numbers(panel, O.GRAVITY, 4) == [approx(-2 * 9.81)]
    assert numbers(panel, O.CONTACT, 4)[0] > 0


def table_orientation():
    from PyQt6.QtCore import Qt

    return Qt.Orientation.Horizontal


def test_tree_and_one_of_its_dofs(window, qtbot, panel):
    select(window, qtbot, panel, "lower")
    panel.scope.setCurrentIndex(list(BalanceScope).index(BalanceScope.TREE))
    qtbot.waitUntil(lambda: panel.forces.forces.columnCount() == 4)
    panel.dof.setCurrentIndex(panel.dof.findText("shoulder"))
    qtbot.waitUntil(lambda: panel.forces.forces.columnCount() == 3)
    assert panel.forces.forces.headerData(2, table_orientation()) == "shoulder N m"
    assert O.JOINT_SPRING in origins(panel)


def test_a_body_of_the_world_has_no_dofs(window, qtbot, tmp_path):
    made = open_panel(qtbot, window, "balance", written(tmp_path / "still.xml", "<mujoco><worldbody/></mujoco>"), paused=True)
    qtbot.waitUntil(lambda: "Nothing here can move" in made.summary.text())


def test_click_on_a_row_marks_its_source_and_the_balance_stays(window, qtbot, panel):
    select(window, qtbot, panel, "box")
    row = next(k for k, key in enumerate(panel.forces.forces.keys) if key[0] == O.CONTACT)
    panel.forces.selectRow(row)
    panel.forces.picked.emit()
    pair = window.session.contact_choice.pair
    model = window.session.loaded_model
    assert set(pair) == {model.geom("floor").id, model.geom("cube").id}
    assert panel.probe.chosen.name == "box"


def test_names_and_elements_of_rows(window, panel):
    model = window.session.loaded_model
    names = TermNames(model)
    assert names.name(O.ACTUATOR, 0) == "Actuator: lift"
    assert names.name(O.JOINT_DAMPER, model.joint("elbow").id) == "Damper: elbow"
    assert place_of(O.ACTUATOR, 0) == ("actuator", 0)
    assert place_of(O.GRAVITY, -1) is None
    assert subject_of(model, O.ACTUATOR, 0).body == model.body("lower").id
    for origin in O:
        assert names.name(origin, -1 if place_of(origin, 0) is None and origin not in (O.CONTACT, O.CONTACT_SPRING) else 0)
    assert {names.name(key, -1) for key in (KINETIC, POTENTIAL, REST)} > {"Kinetic energy"}


def test_choice_of_the_whole_model_has_all_dofs(window, panel):
    model = window.session.loaded_model
    assert choose(model, BalanceScope.MODEL, 0).dofs == tuple(range(model.nv))
    assert choose(model, BalanceScope.BODY, 0).name == "box"


def test_arrows_are_drawn_while_the_panel_is_seen_and_only_then(window, qtbot, panel):
    select(window, qtbot, panel, "box")
    panel.arrows.setChecked(True)
    qtbot.waitUntil(lambda: panel.shown_arrows.count > 1)  # its weight and contacts
    assert window.session.extras.drawings
    weight = next(w for w in panel._reading.wrenches if w.origin == O.GRAVITY)
    assert weight.force == approx([0, 0, -2 * 9.81])
    pushes = sum(w.force for w in panel._reading.wrenches if w.origin == O.CONTACT)
    assert pushes[2] == approx(sum(numbers(panel, O.CONTACT, 4)))
    panel.dock.hide()
    qtbot.waitUntil(lambda: not window.session.extras.drawings)


def test_contacts_one_by_one_add_up_to_their_pair(window, qtbot, panel):
    select(window, qtbot, panel, "box")
    together = numbers(panel, O.CONTACT, 4)
    panel.each.setChecked(True)
    qtbot.waitUntil(lambda: len(numbers(panel, O.CONTACT, 4)) == live(window).ncon > 1)
    assert sum(numbers(panel, O.CONTACT, 4)) == approx(together[0])
    names = [panel.forces.forces.index(row, 0).data() for row in range(panel.forces.forces.rowCount())]
    assert "Contact: floor \N{EN DASH} cube [0]" in names
    assert len(set(names)) == len(names)


def report_of(window, qtbot, panel):
    panel.tabs.setCurrentWidget(panel.energy)
    qtbot.waitUntil(lambda: panel.energy.report is not None)
    return panel.energy.report


def test_energy_of_what_was_played_is_accounted_for(window, qtbot, panel):
    stepped(window, qtbot, 200)
    report = report_of(window, qtbot, panel)
    assert isinstance(report, EnergyReport)
    series = report.series
    assert series.time[-1] == approx(window.session.snapshot.time)
    keys, energies = rows_of(report)
    assert [key[0] for key in keys[:3]] == [KINETIC, POTENTIAL, REST]
    change = series.energy[-1] - series.energy[0]
    assert energies[0] + energies[1] == approx(change)
    assert energies[2:].sum() == approx(change)
    lost = energies[keys.index((int(O.JOINT_DAMPER), window.session.loaded_model.joint("shoulder").id))]
    assert lost < 0
    assert "Energy fell" in panel.energy.summary.text()
    assert len(live(window).qpos)  # and the simulation stands where it stood
    assert window.session.snapshot.time == approx(series.time[-1])


def test_account_follows_the_time_line_back(window, qtbot, panel):
    stepped(window, qtbot, 60)
    report_of(window, qtbot, panel)
    before = panel.energy.report
    window.session.history.go(40)
    qtbot.waitUntil(lambda: panel.energy.report is not None and panel.energy.report is not before)
    assert panel.energy.report.series.time[-1] == approx(40 * 0.002)


def test_curves_of_work_power_and_force(window, qtbot, panel):
    select(window, qtbot, panel, "lower")
    panel.dof.setCurrentIndex(panel.dof.findText("elbow"))
    stepped(window, qtbot, 100)
    report = report_of(window, qtbot, panel)
    damper = int(O.JOINT_DAMPER), window.session.loaded_model.joint("elbow").id
    work, power, force = (curve_of(report, damper, quantity) for quantity in CurveKind)
    assert work.y[-1] == approx(power.y.sum() * 0.002)
    assert power.y.max() < 0.01 * abs(power.y).max()  # where the joint turns back, the step's velocity has both signs
    assert abs(force.y).max() > 0.01
    assert curve_of(report, (KINETIC, -1), CurveKind.FORCE) is None
    panel.energy.quantity.setCurrentIndex(list(CurveKind).index(CurveKind.FORCE))
    drawn = [item for item in panel.energy._curves if item.xData is not None and len(item.xData)]
    assert len(drawn) > 2


def test_account_without_steps_says_so(window, qtbot, tmp_path):
    made = open_panel(qtbot, window, "balance", written(tmp_path / "scene.xml", SCENE), paused=True)
    made.tabs.setCurrentWidget(made.energy)
    qtbot.waitUntil(lambda: "No step was taken yet" in made.energy.summary.text())
    assert np.isfinite(window.session.snapshot.qpos).all()


def test_a_sleeping_tree_says_that_it_sleeps(window, qtbot, tmp_path):
    text = SCENE.replace('timestep=".002"/>', 'timestep=".002" sleep_tolerance="1"><flag sleep="enable"/></option>')
    made = open_panel(qtbot, window, "balance", written(tmp_path / "sleepy.xml", text), paused=True)
    window.session.select(window.session.loaded_model.body("box").id)
    stepped(window, qtbot, 400)
    qtbot.waitUntil(lambda: "sleeps: no force is computed" in made.summary.text())


def test_rounding_about_an_axis_at_rest_is_no_force():
    """A turret about the vertical carries its load: the numbers about its axis are rounding, of which no remainder is told."""
    m = physics.MjModel.from_xml_string("""<mujoco><worldbody><body name="turret"><joint axis="0 0 1" damping="1"/>
        <geom type="box" size=".1 .1 .1"/>
        <body name="load" pos=".3 0 0"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body></body></worldbody></mujoco>""")
    d = physics.MjData(m)
    d.qvel[0] = 1e-13
    physics.mj_forward(m, d)
    products = VelocityProducts(m)
    assert not len(read_balance(m, d, choose(m, BalanceScope.BODY, 1), products, arrows=False, each=False).origin)
    assert len(read_balance(m, d, choose(m, BalanceScope.BODY, 2), products, arrows=False, each=False).origin)


def test_panel_is_found_by_its_task(window, qtbot, panel):
    window.finder.toggle()
    for typed, title in (("why does energy grow", "Balance, Energy"), ("balance of forces", "Balance")):
        assert window.finder.find(typed)[0].title == title
    window.session.ask(Show("balance"))
    assert panel.dock.isVisible()
