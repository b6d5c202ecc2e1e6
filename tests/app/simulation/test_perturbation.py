"""The mouse's spring: critically damped whatever it pulls; rigid displacement while time stands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tumble import physics
from tumble.app.simulation.perturbation import Grip, GripMode, move_free, move_mocap, place_free, spring_wrench, turn_between
from tumble.physics.algebra.quat import quat_vel

UNIT = np.array([1.0, 0, 0, 0])


def _free(mass: float, timestep: float = 0.002) -> tuple[Any, Any]:
    model = physics.MjModel.from_xml_string(
        f"""<mujoco><option gravity="0 0 0" timestep="{timestep}"/><worldbody><body pos="0 0 1"><freejoint/>
        <geom type="box" size=".1 .1 .1" mass="{mass}"/></body>
        <body name="hand" mocap="true" pos="1 0 0"><geom type="sphere" size=".1"/></body></worldbody></mujoco>"""
    )
    data = physics.MjData(model)
    physics.mj_forward(model, data)
    return model, data


def _pull(model: Any, data: Any, grip: Grip, seconds: float) -> np.ndarray:
    xs = []
    for _ in range(round(seconds / model.opt.timestep)):
        data.xfrc_applied[grip.body] = spring_wrench(model, data, grip)
        physics.mj_step(model, data)
        xs.append(np.array(data.qpos))
    return np.array(xs)


@pytest.mark.parametrize("mass", [1e-3, 1.0, 1e4])
def test_a_flea_and_a_lorry_follow_alike_without_overshoot(mass: float) -> None:
    model, data = _free(mass)
    grip = Grip(1, GripMode.TRANSLATE, np.zeros(3), np.array([1.0, 0, 1]), UNIT)
    x = _pull(model, data, grip, 1.5)[:, 0]
    t = model.opt.timestep * np.arange(1, len(x) + 1)
    w = np.sqrt(model.vis.map.stiffness)
    # x'' = w^2 (1 - x) - 2 w x': the critically damped answer; the step is 0.02 of its time constant.
    np.testing.assert_allclose(x, 1 - (1 + w * t) * np.exp(-w * t), atol=0.02)
    assert x.max() <= 1 + 1e-6


@pytest.mark.parametrize("timestep", [0.002, 0.05])
def test_held_corner_reaches_the_target_at_any_timestep(timestep: float) -> None:
    model, data = _free(1.0, timestep)
    local = np.array([0.1, 0.1, 0.1])
    target = np.array([0.3, -0.2, 1.5])
    grip = Grip(1, GripMode.TRANSLATE, local, target, UNIT)
    path = _pull(model, data, grip, 10.0)
    assert np.isfinite(path).all()
    physics.mj_forward(model, data)
    point = data.xpos[1] + np.asarray(data.xmat[1]).reshape(3, 3) @ local
    # The body goes on turning about the point held, and stretches the spring by its centripetal force.
    np.testing.assert_allclose(point, target, atol=0.06)


def test_a_held_body_turns_to_the_wanted_attitude() -> None:
    model, data = _free(1.0)
    expected = np.array([np.cos(0.7), 0, np.sin(0.7), 0])
    _pull(model, data, Grip(1, GripMode.ROTATE, np.zeros(3), np.zeros(3), expected), 2.0)
    error = quat_vel(turn_between(np.asarray(data.xquat[1]), expected), 1.0)
    np.testing.assert_allclose(error, 0, atol=1e-3)


def test_a_body_that_cannot_move_feels_nothing() -> None:
    model, data = _free(1.0)
    grip = Grip(2, GripMode.TRANSLATE, np.zeros(3), np.array([5.0, 5, 5]), UNIT)
    assert not spring_wrench(model, data, grip).any()


def test_a_paused_free_body_is_placed_and_turned_about_its_mass() -> None:
    model, data = _free(1.0)
    assert move_free(model, data, Grip(1, GripMode.TRANSLATE, np.array([0.1, 0, 0]), np.array([2.0, 0, 0]), UNIT))
    np.testing.assert_allclose(data.qpos[:3], [1.9, 0, 0], atol=1e-12)
    physics.mj_forward(model, data)
    turned = np.array([np.cos(0.3), np.sin(0.3), 0, 0])
    assert move_free(model, data, Grip(1, GripMode.ROTATE, np.zeros(3), np.zeros(3), turned))
    np.testing.assert_allclose(data.qpos, [1.9, 0, 0, *turned], atol=1e-12)


def test_a_mocap_body_goes_where_the_mouse_wants() -> None:
    model, data = _free(1.0)
    grip = Grip(2, GripMode.TRANSLATE, np.zeros(3), np.array([3.0, 2, 1]), UNIT)
    assert not move_free(model, data, grip)
    assert move_mocap(model, data, grip)
    np.testing.assert_allclose(data.mocap_pos[0], [3, 2, 1])
    assert not move_mocap(model, data, Grip(1, GripMode.TRANSLATE, np.zeros(3), np.zeros(3), UNIT))


def test_a_sleeping_body_that_is_placed_wakes_at_rest() -> None:
    model = physics.MjModel.from_xml_string("""<mujoco><option><flag sleep="enable"/></option><worldbody>
      <geom type="plane" size="2 2 .1"/>
      <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>""")
    data = physics.MjData(model)
    physics.mj_step(model, data, 1000)
    assert data.tree_asleep[0] >= 0
    data.qvel[:] = 0.0
    assert place_free(model, data, Grip(1, GripMode.PLACE, np.zeros(3), np.array([0, 0, 1.0]), UNIT))
    physics.mj_step(model, data)
    assert data.tree_asleep[0] < 0
    assert data.qpos[2] == pytest.approx(1 - 9.81 * model.opt.timestep**2, abs=1e-12)
    assert not place_free(model, data, Grip(1, GripMode.TRANSLATE, np.zeros(3), np.zeros(3), UNIT))
