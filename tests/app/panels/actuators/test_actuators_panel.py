"""The actuators panel in the real window: the chain and curves of an actuator, and what lights up."""

import numpy as np
import pytest
from pytest import approx

from tests.app.conftest import open_panel, written
from tests.app.panels.moments import live, stepped
from tumble import physics
from tumble.app.panels.actuators.actuator_reading import actuator_of_body, read_actuator
from tumble.app.panels.actuators.chain_boxes import boxes_of, curves_of
from tumble.physics.query.actuator_chain import ActuatorLaw

pytestmark = pytest.mark.pumped
SCENE = """<mujoco><compiler angle="radian"/><option timestep=".002"/><worldbody><light pos="0 0 3"/>
  <geom name="floor" type="plane" size="2 2 .1"/>
  <body name="arm" pos="1 0 1"><joint name="elbow" axis="0 1 0" damping=".2"/><geom type="capsule" size=".03"
    fromto="0 0 0 .4 0 0" mass="1"/><site name="tip" pos=".4 0 .05"/><site name="pin" pos=".1 0 0"/></body>
  <body name="box" pos="0 0 .0999"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>
  <site name="root" pos="1 0 1.3"/><site name="rail" pos="1.5 0 1" euler="0 1.5708 0"/></worldbody>
  <tendon><spatial name="cord"><site site="root"/><site site="tip"/></spatial></tendon>
  <actuator><motor name="turn" joint="elbow" ctrlrange="-1 1"/>
    <muscle name="biceps" tendon="cord" lengthrange=".2 .6" force="20"/>
    <position name="servo" joint="elbow" kp="20" forcerange="-1 1"/><adhesion name="glue" body="box" ctrlrange="0 1" gain="9"/>
    <general name="crank" cranksite="pin" slidersite="rail" cranklength=".6"/>
    <motor name="late" joint="elbow" delay=".02" nsample="20"/></actuator></mujoco>"""


@pytest.fixture
def panel(window, qtbot, tmp_path):
    made = open_panel(qtbot, window, "actuators", written(tmp_path / "scene.xml", SCENE), paused=True)
    qtbot.waitUntil(lambda: made.reading.index == 0)
    return made


def go(qtbot, panel, name):
    panel.choice.setCurrentIndex(panel.choice.findText(name))
    qtbot.waitUntil(lambda: panel.reading.index == panel.probe.index)
    return [curve.title for curve in curves_of(panel.session.model, panel.reading, panel._law)]


def lit(panel):
    return [box.title for box in panel.chain.boxes if box.lit]


def test_the_clamp_of_a_control_is_lit_while_it_acts(window, qtbot, panel):
    assert lit(panel) == []
    window.session.set_ctrl(0, 3.0)
    stepped(window, qtbot, 1)
    qtbot.waitUntil(lambda: lit(panel) == ["Clamp"])
    assert "ctrl 3" in panel.chain.boxes[0].lines
    assert panel.reading.chain.force == approx(1.0)
    window.session.set_ctrl(2, 2.0)
    stepped(window, qtbot, 1)
    go(qtbot, panel, "servo")
    qtbot.waitUntil(lambda: lit(panel) == ["Force"])


def test_each_kind_has_its_curves_with_the_present_point_on_them(window, qtbot, panel):
    assert go(qtbot, panel, "biceps") == ["Force by length", "Force by velocity", "Activation, if the control stays"]
    assert go(qtbot, panel, "servo")[0] == "Servo"
    assert go(qtbot, panel, "crank")[0] == "Slider-crank"
    assert go(qtbot, panel, "late")[0] == "Delay"
    assert go(qtbot, panel, "turn") == ["Force by control"]
    assert [plot.isVisible() for plot in panel.curves.plots] == [True, False, False]


def test_present_points_lie_on_the_curves(window, qtbot, panel):
    model, data = window.session.loaded_model, live(window)
    data.ctrl[:] = 0.4
    physics.mj_step(model, data, 30)
    physics.mj_forward(model, data)
    for i in range(model.nu):
        for curve in curves_of(model, read_actuator(model, data, i), ActuatorLaw(model, i)):
            x, y = curve.at
            if curve.title != "Slider-crank":
                size = max(abs(curve.lines[0][1]).max(), 1e-9)
                assert np.interp(x, curve.x, curve.lines[0][1]) == approx(y, abs=0.03 * size), curve.title  # between 41 points


def test_muscle_curves_are_those_of_physics(window, qtbot, panel):
    go(qtbot, panel, "biceps")
    model, reading = window.session.loaded_model, panel.reading
    curve = curves_of(model, reading, panel._law)[0]
    full = dict(curve.lines)["all, at rest"]
    arguments = model.actuator_lengthrange[1], model.actuator_acc0[1], model.actuator_gainprm[1, :9]
    expected = [physics.mju_muscleGain(x, 0.0, *arguments) + physics.mju_muscleBias(x, *arguments) for x in curve.x.tolist()]
    assert full == approx(-np.array(expected))


def test_adhesion_has_an_arrow_at_each_contact_while_it_is_seen(window, qtbot, panel):
    window.session.set_ctrl(3, 1.0)
    stepped(window, qtbot, 2)
    go(qtbot, panel, "glue")
    qtbot.waitUntil(lambda: panel.reading.sticking is not None and len(panel.reading.sticking.contact) == 4)
    qtbot.waitUntil(lambda: bool(window.session.extras.drawings))
    transmission = next(box for box in panel.chain.boxes if box.title.startswith("Transmission"))
    assert "4 contacts" in transmission.lines
    window.panels.dock("contacts").bring()
    qtbot.waitUntil(lambda: not window.session.extras.drawings)


def test_the_selected_body_leads_to_its_actuator(window, qtbot, panel):
    model = window.session.loaded_model
    window.session.select(model.body("box").id)
    assert panel.choice.currentText() == "glue"
    window.session.select(model.body("arm").id)
    assert panel.choice.currentText() == "turn"
    assert actuator_of_body(model, 0) == -1


def test_a_model_without_actuators_says_so(window, qtbot, tmp_path):
    still = written(tmp_path / "still.xml", "<mujoco><worldbody/></mujoco>")
    made = open_panel(qtbot, window, "actuators", still, paused=True)
    qtbot.waitUntil(lambda: "no actuators" in made.empty.text())
    assert not made.body.isVisible()


def test_the_chain_fits_its_width_and_names_the_stages(window, qtbot, panel):
    go(qtbot, panel, "biceps")
    titles = [box.title for box in boxes_of(window.session.loaded_model, panel.reading)]
    assert titles[0] == "Control"
    assert titles[-1] == "Joint forces"
    assert any(title.startswith("Activation") for title in titles)
    assert max(place.right() for place in panel.chain.places()) <= panel.chain.width() + 1
