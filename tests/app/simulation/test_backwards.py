"""Time backwards in a running simulation: before its record begins, kept by the tape, and refused in words."""

import numpy as np
from pytest import approx

from tests.app.conftest import open_and_wait, written
from tests.app.simulation.test_correspondence import loaded
from tumble.app.simulation.applied_forces import DofForce, ForceDriver
from tumble.app.simulation.commands import SetDriver
from tumble.app.simulation.hooks import DriverSlot
from tumble.app.simulation.simulation import Simulation
from tumble.app.simulation.snapshot import Exchange

PENDULUM = """<mujoco><option integrator="{integrator}"/><worldbody><body pos="0 0 1"><joint axis="0 1 0"/>
  <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body></worldbody></mujoco>"""


def running(integrator="RK4"):
    sim = Simulation()
    model, data = loaded(PENDULUM.format(integrator=integrator))
    sim.adopt(model, data, Exchange(data))
    return sim, data


def backwards(sim, count):
    sim.touch()  # as the thread does before each command
    return sim.step_backwards(count)


def test_it_goes_to_before_the_beginning_and_the_tape_plays_that_again():
    sim, data = running()
    sim.step(100)
    assert backwards(sim, 150).steps == 150
    assert data.time == approx(-0.1)
    sim.step(50)
    assert data.time == approx(0.0, abs=1e-12)
    assert data.qpos[0] == approx(0.0, abs=1e-9)  # from where it fell
    end = data.qpos.copy()
    sim.tape.go(0)
    sim.tape.go(150)
    assert np.array_equal(data.qpos, end)
    assert sim.tape.strayed == 0


def test_it_says_what_is_in_the_way():
    sim, data = running("Euler")
    sim.step(3)
    assert "Runge-Kutta" in backwards(sim, 1).obstacle
    sim, data = running()
    SetDriver(DriverSlot.FORCES, ForceDriver([DofForce(0, 1.0)])).apply(sim)
    assert "writes inputs" in backwards(sim, 1).obstacle
    assert data.time == 0.0


def test_the_action_steps_back_or_says_why_not(window, qtbot, tmp_path):
    session = window.session
    session.set_paused(True)
    open_and_wait(qtbot, session, written(tmp_path / "rk4.xml", PENDULUM.format(integrator="RK4")))
    window.actions_by_name["backwards"].trigger()
    qtbot.waitUntil(lambda: session.snapshot.time == approx(-0.002))
    open_and_wait(qtbot, session, written(tmp_path / "euler.xml", PENDULUM.format(integrator="Euler")))
    with qtbot.waitSignal(session.status, check_params_cb=lambda text: "cannot run backwards: it takes" in text):
        window.actions_by_name["backwards"].trigger()
