"""Applied forces act as statics and dynamics say, beside the mouse's pull, and go when they are switched off."""

import numpy as np
import pytest

from tests.app.conftest import open_and_wait, written
from tests.app.simulation.test_correspondence import loaded
from tumble.app.panels.forces.forces import Forces
from tumble.app.simulation.applied_forces import BodyForce, DofForce, ForceDriver
from tumble.app.simulation.commands import SetDriver
from tumble.app.simulation.generators import Generator, Shape
from tumble.app.simulation.hooks import DriverSlot
from tumble.app.simulation.perturbation import Grip, GripMode, spring_wrench
from tumble.app.simulation.simulation import Simulation
from tumble.app.simulation.snapshot import Exchange

MODEL = """<mujoco><option gravity="0 0 0"/><worldbody><body name="rod" pos="0 0 1" quat="1 0 0 1"><freejoint/>
<geom type="box" size=".5 .1 .1" pos=".25 0 0" mass="2"/></body>
<body name="arm"><joint name="hinge" axis="0 1 0"/><geom name="link" type="capsule" fromto="0 0 0 .3 0 0" size=".02"/></body>
</worldbody></mujoco>"""


def running(*forces):
    sim = Simulation()
    model, data = loaded(MODEL)
    sim.adopt(model, data, Exchange(data))
    SetDriver(DriverSlot.FORCES, ForceDriver(forces)).apply(sim)
    return sim, model, data


def test_a_force_at_the_centre_of_mass_accelerates_a_body_and_does_not_turn_it():
    sim, _, data = running(BodyForce(1, force=(3.0, 0.0, 0.0), point=(0.25, 0.0, 0.0)))
    sim.step(1)
    np.testing.assert_allclose(data.qacc[:3], (1.5, 0, 0), atol=1e-12)
    np.testing.assert_allclose(data.qacc[3:6], 0, atol=1e-12)


def test_a_force_away_from_it_has_a_moment_about_it():
    sim, _, data = running(BodyForce(1, force=(1.0, 0.0, 0.0), point=(0.75, 0.0, 0.0)))
    sim.step(1)
    np.testing.assert_allclose(data.xfrc_applied[1], (1, 0, 0, 0, 0, -0.5), atol=1e-12)  # the rod points along y of the world


def test_a_force_along_the_body_s_axes_turns_with_it():
    sim, _, data = running(BodyForce(1, force=(1.0, 0.0, 0.0), moment=(0.0, 0.0, 2.0), point=(0.25, 0, 0), turns=True))
    sim.step(1)
    np.testing.assert_allclose(data.xfrc_applied[1], (0, 1, 0, 0, 0, 2), atol=1e-12)
    sim.step(300)
    np.testing.assert_allclose(data.xfrc_applied[1, :3], data.xmat[1].reshape(3, 3)[:, 0], atol=0.02)
    assert abs(data.xfrc_applied[1, 1] - 1) > 0.1


def test_forces_on_one_body_add_up_and_waves_follow_time():
    wave = Generator(Shape.SINE, frequency=2.0)
    sim, _, data = running(BodyForce(1, force=(1.0, 0, 0)), BodyForce(1, force=(0, 2.0, 0), factor=wave), DofForce(6, 0.5))
    sim.step(60)
    time = float(data.time) - 0.002  # when the last step began
    np.testing.assert_allclose(data.xfrc_applied[1, :3], (1, 2 * np.sin(4 * np.pi * time), 0), atol=1e-9)
    assert data.qfrc_applied[6] == 0.5


def test_the_mouse_pulls_beside_a_force_on_the_same_body():
    sim, model, data = running(BodyForce(1, force=(1.0, 0.0, 0.0)))
    grip = Grip(1, GripMode.TRANSLATE, np.zeros(3), np.array([0.0, 0.0, 1.2]), np.array([1.0, 0, 0, 0]))
    sim.set_paused(False)
    sim.hold(grip)
    pull = spring_wrench(model, data, grip)
    sim.step(1)
    alone = BodyForce(1, force=(1.0, 0.0, 0.0))
    driver = ForceDriver([alone])
    fresh = loaded(MODEL)
    driver.begin(*fresh)
    np.testing.assert_allclose(data.xfrc_applied[1], pull + fresh[1].xfrc_applied[1])
    assert pull[2] > 0


def test_what_is_switched_off_leaves_no_force():
    sim, _, data = running(BodyForce(1, force=(1.0, 0, 0)), DofForce(6, 0.5))
    sim.step(3)
    SetDriver(DriverSlot.FORCES, None).apply(sim)
    assert not data.xfrc_applied.any()
    assert not data.qfrc_applied.any()


@pytest.mark.pumped
def test_a_body_is_pushed_from_the_window_and_its_force_outlasts_a_reload(window, qtbot, tmp_path):
    session = window.session
    path = written(tmp_path / "m.xml", MODEL)
    open_and_wait(qtbot, session, path)
    window.panels.dock("forces").bring()
    panel, forces = window.panels.forces, session.part(Forces)
    assert not panel.push.isEnabled()
    session.select(1)
    assert panel.push.text() == "Push rod"
    panel.push.click()
    assert window.viewport.option("perturb_force")  # its arrow is seen
    assert forces.entries[0].force == BodyForce(1, (9.8, 0.0, 0.0))  # half the weight of 2 kg
    card = panel.cards[0]
    field = card.fields["force", 2]
    field.setText("7.5")
    field.setModified(True)
    field.commit()
    panel.dofs.setCurrentIndex(0)
    panel.drive.click()
    assert [entry.force for entry in forces.entries] == [BodyForce(1, (9.8, 0.0, 7.5)), DofForce(6, 1.0)]
    qtbot.waitUntil(lambda: session.snapshot is not None and session.snapshot.xfrc_applied[1, 2] == 7.5)
    panel.cards[0].on.click()
    qtbot.waitUntil(lambda: not session.snapshot.xfrc_applied[1].any())
    with qtbot.waitSignal(session.model_loaded):
        path.write_text(MODEL.replace('<body name="rod"', '<body name="new" pos="0 0 9"/><body name="rod"'))
    assert [entry.on for entry in forces.entries] == [False, True]
    assert forces.entries[0].force == BodyForce(2, (9.8, 0.0, 7.5))
    panel.cards[0].remove.click()
    assert len(panel.cards) == 1
