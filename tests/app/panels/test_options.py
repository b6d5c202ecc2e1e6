"""The options dock: the table knows every option, and what is set there the physics follows."""

from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest

from tests.app.conftest import open_panel, written
from tests.app.pump import let_pass
from tumble import physics, resources
from tumble.app.editing.option_table import SECTIONS, Choice, places
from tumble.app.editing.parameters import OVERRIDE
from tumble.physics.state.fields.option_fields import OPTION
from tumble.physics.state.own import DEFAULTS

pytestmark = pytest.mark.pumped
PENDULUM = Path(resources.__file__).parent / "models" / "double_pendulum.xml"
ELSEWHERE = {"opt.disableactuator"}  # bits of actuator groups


def _all_flags():
    for section in SECTIONS:
        yield from section.flags


def test_every_option_is_in_the_dock_or_named_as_elsewhere():
    there = {place.field for place in places()} | ELSEWHERE | {p.field for p in OVERRIDE}
    assert {f.name.replace("_", ".", 1) for f in OPTION} <= there
    assert {name.replace("_", ".", 1) for name in DEFAULTS} <= there


def test_every_integrator_solver_and_cone_can_be_chosen():
    offered = {row.attribute: dict(row.values) for section in SECTIONS for row in section.rows if isinstance(row, Choice)}
    for attribute, kinds in (("integrator", physics.mjtIntegrator), ("solver", physics.mjtSolver), ("cone", physics.mjtCone)):
        assert set(offered[attribute]) == {int(kind) for kind in kinds}


def test_every_flag_that_does_something_is_in_the_dock():
    shown = {flag.name for flag in _all_flags()}
    bits = [*physics.mjtDisableBit, *physics.mjtEnableBit]
    names = {bit.name.rpartition("_")[2].lower() for bit in bits if not bit.name.startswith("mjN")}
    # the mid phase is there or not with the same contacts
    assert names - shown <= {"midphase"}


def test_a_flag_of_what_is_on_by_default_is_set_where_it_is_off():
    gravity = next(flag for flag in _all_flags() if flag.name == "gravity")
    off = gravity.switched(0.0, False)
    assert off == physics.mjtDisableBit.mjDSBL_GRAVITY
    assert not gravity.is_on(off)
    assert gravity.switched(off, True) == 0.0
    sleep = next(flag for flag in _all_flags() if flag.name == "sleep")
    assert sleep.switched(2.0, True) == 2 + physics.mjtEnableBit.mjENBL_SLEEP


@pytest.fixture
def panel(window, qtbot):
    panel = open_panel(qtbot, window, "options", PENDULUM, paused=True)
    window.session.reset()
    return panel


def _pick(box, text):
    """Choose by the keyboard, as a user who has tabbed there."""
    box.setFocus()
    down = box.findText(text) - box.currentIndex()
    for _ in range(abs(down)):
        QTest.keyClick(box, Qt.Key.Key_Down if down > 0 else Qt.Key.Key_Up)


def test_options_are_set_undone_refused_and_followed(window, panel, qtbot):
    session = window.session
    start = session.snapshot.qpos.copy()
    panel.area.ensureWidgetVisible(panel.flags["gravity"])
    QTest.mouseClick(panel.flags["gravity"], Qt.MouseButton.LeftButton, pos=QPoint(20, 8))
    assert not panel.flags["gravity"].isChecked()
    session.step(50)
    qtbot.waitUntil(lambda: session.snapshot.time > 0.09)
    np.testing.assert_array_equal(session.snapshot.qpos, start)
    window.edits.stack.undo()
    assert panel.flags["gravity"].isChecked()
    session.step(50)
    qtbot.waitUntil(lambda: abs(session.snapshot.qpos - start).max() > 0.001)
    session.reset()
    qtbot.waitUntil(lambda: session.snapshot.time == 0)
    row = panel.numbers["timestep"]
    for text in ("-1", "0.001"):
        QTest.mouseClick(row.fields[0], Qt.MouseButton.LeftButton)
        row.fields[0].selectAll()
        QTest.keyClicks(row.fields[0], text)
        QTest.keyClick(row.fields[0], Qt.Key.Key_Return)
        if text == "-1":
            assert "timestep must be" in row.problem.text()
    session.step(10)
    qtbot.waitUntil(lambda: session.snapshot.time > 0)
    assert session.snapshot.time == pytest.approx(0.01)
    QTest.mouseClick(panel.back, Qt.MouseButton.LeftButton)
    assert window.edits.value(next(iter(places()))) == window.edits.first(next(iter(places())))
    session.set_paused(False)
    steps = (("solver", "PGS"), ("cone", "elliptic"), ("jacobian", "sparse"), ("contacts", "hard, LCP"), ("solver", "CG"))
    for name, text in steps:
        _pick(panel.choices[name].box, text)
        assert panel.choices[name].box.currentText() == text
        let_pass(session, qtbot, 0.05)
    assert np.isfinite(session.snapshot.qpos).all()
    assert not session.paused


STIFF = """<mujoco model="stiff"><option timestep="0.01" gravity="0 0 0"/><worldbody><body><joint name="slide" type="slide"/>
    <geom size="0.1" mass="1"/></body></worldbody>
    <actuator><general name="damper" joint="slide" biastype="affine" biasprm="0 0 -600"/></actuator></mujoco>"""


def test_options_panel_names_stable_integrator_and_cost(window, qtbot, tmp_path):
    panel = open_panel(qtbot, window, "options", written(tmp_path / "stiff.xml", STIFF))
    sentence = panel.integrators.sentence
    qtbot.waitUntil(lambda: sentence.text().startswith("Euler is unstable"))
    assert "5-fold" in sentence.text()
    assert "implicitfast (" in sentence.text()
    cost, growth = panel.integrators.cells[int(physics.mjtIntegrator.mjINT_IMPLICITFAST)]
    assert growth.text() == "stable"
    assert cost.text().endswith("µs")
    _pick(panel.choices["integrator"].box, "implicitfast")
    qtbot.waitUntil(lambda: sentence.text().startswith("implicitfast is stable"))


def test_runge_kutta_and_sleep_exclude_each_other(window, panel, qtbot):
    """Whichever comes second is refused with its reason; together no step would run."""
    said = []
    window.session.status.connect(said.append)
    sleep, box = panel.flags["sleep"], panel.choices["integrator"].box
    sleep.click()
    steps = window.edits.stack.count()
    before = box.currentText()
    _pick(box, "RK4")
    assert box.currentText() == before
    assert "exclude each other" in said[-1]
    assert window.edits.stack.count() == steps
    sleep.click()
    _pick(box, "RK4")
    assert box.currentText() == "RK4"
    sleep.click()
    assert not sleep.isChecked()
    time = window.session.snapshot.time
    window.session.step(5)
    qtbot.waitUntil(lambda: window.session.snapshot.time > time)
