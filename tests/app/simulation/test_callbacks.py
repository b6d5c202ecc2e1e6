"""A callback that fails in the simulation thread stops time and is reported; the thread lives on, the tape has the state."""

import threading

import numpy as np
import pytest

from tumble import physics
from tumble.app.simulation.commands import SetPaused, WatchProbe
from tumble.app.simulation.simulation import Simulation
from tumble.app.simulation.snapshot import Exchange
from tumble.app.simulation.thread import ThreadWorker

PENDULUM = '<mujoco><worldbody><body><joint name="j"/><geom size=".1" pos=".3 0 0"/></body></worldbody></mujoco>'


@pytest.fixture(autouse=True)
def _no_callbacks():
    yield
    physics.mj_resetCallbacks()


def running() -> Simulation:
    model = physics.MjModel.from_xml_string(PENDULUM)
    data = physics.MjData(model)
    physics.mj_forward(model, data)
    simulation = Simulation()
    simulation.adopt(model, data, Exchange(data))
    return simulation


@pytest.mark.parametrize("raised", [ZeroDivisionError("in a callback"), SystemExit("in a callback")])
def test_failing_callback_is_reported_and_run_can_resume(raised: BaseException) -> None:
    simulation = running()
    failed, moved = threading.Event(), threading.Event()
    messages: list[str] = []
    worker = ThreadWorker(simulation)
    worker.listen(lambda: None, lambda message: (messages.append(message), failed.set()), lambda progress: None)

    def control(m: physics.MjModel, d: physics.MjData) -> None:
        if d.time > 0.01:
            raise raised

    physics.set_mjcb_control(control)
    worker.start()
    worker.send(SetPaused(False))
    assert failed.wait(60.0)
    assert messages == [f"{type(raised).__name__}: in a callback"]
    assert simulation.paused
    physics.set_mjcb_control(lambda m, d: moved.set())
    worker.send(SetPaused(False))
    assert moved.wait(60.0)
    assert worker.close()


class FailingProbe:
    """As of a panel with a fault."""

    def room(self, model: physics.MjModel, data: physics.MjData) -> list[float]:
        return []

    def take(self, model: physics.MjModel, data: physics.MjData, into: list[float]) -> None:
        raise ValueError("in a probe")


def test_failing_probe_is_reported_once_and_the_paused_simulation_still_obeys() -> None:
    simulation = running()
    failed, moved = threading.Event(), threading.Event()
    messages: list[str] = []
    worker = ThreadWorker(simulation)
    worker.listen(lambda: None, lambda message: (messages.append(message), failed.set()), lambda progress: None)
    worker.start()
    worker.send(SetPaused(True))
    worker.send(WatchProbe(FailingProbe(), True))
    assert failed.wait(60.0)
    physics.set_mjcb_control(lambda m, d: moved.set())
    worker.send(SetPaused(False))
    assert moved.wait(60.0)
    assert messages == ["ValueError: in a probe"]
    assert worker.close()


def test_the_tape_has_the_steps_before_the_one_that_failed() -> None:
    simulation = running()

    def control(m: physics.MjModel, d: physics.MjData) -> None:
        if d.time > 0.0095:
            raise ZeroDivisionError

    physics.set_mjcb_control(control)
    with pytest.raises(ZeroDivisionError):
        simulation.step(20)
    physics.set_mjcb_control(None)
    assert simulation.tape is not None
    assert simulation.tape.now == 5
    at = simulation.data.qpos.copy()
    simulation.step(3)
    simulation.back(3)
    assert np.array_equal(simulation.data.qpos, at)
