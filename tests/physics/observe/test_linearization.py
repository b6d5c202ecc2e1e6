"""Poles, modes and regulators of a linearized step, against closed forms."""

import math

import numpy as np
import pytest

from tests.physics.reference import load
from tumble import physics
from tumble.physics.errors import ModelError
from tumble.physics.observe.linear.linearization import Linearization, RegulatorWeights, linearize, modes, regulate

H = 0.001
ROD = 0.5  # from the hinge to a point mass [m]


def pendulum(qpos: float = 0.0, damping: float = 0.0, actuator: str = ""):
    """A point mass below a hinge, without limits and contacts."""
    m, d = load(f"""<mujoco><option timestep="{H}" integrator="implicit"/><worldbody><body><joint name="j" axis="0 1 0"
        damping="{damping}"/><inertial pos="0 0 {-ROD}" mass="1" diaginertia="1e-9 1e-9 1e-9"/></body></worldbody>
        <actuator>{actuator}</actuator></mujoco>""")
    d.qpos[:] = qpos
    physics.mj_forward(m, d)
    return m, d


CARTPOLE = """<mujoco><option timestep=".005"/><worldbody>
    <body><joint name="slide" type="slide" axis="1 0 0"/><geom type="box" size=".1 .1 .1" mass="1" contype="0" conaffinity="0"/>
    <body><joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 1" size=".02" mass=".2" contype="0"
    conaffinity="0"/></body></body></worldbody><actuator><motor joint="slide" ctrlrange="-40 40"/></actuator></mujoco>"""


def test_a_hanging_pendulum_swings_at_its_frequency() -> None:
    m, d = pendulum(damping=0.1)
    (mode,) = modes(linearize(m, d))
    omega = math.sqrt(9.81 / ROD)
    assert mode.frequency == pytest.approx(omega / (2 * math.pi), rel=1e-3)  # the step errs by h omega / 2, 0.2 %
    assert mode.damping == pytest.approx(0.1 / ROD**2 / (2 * omega), abs=3e-3)
    assert not mode.grows
    # Semi-implicit Euler, with damping implicit: v' = (v - h w^2 q) / (1 + h c), q' = q + h v'; the determinant is 1 / (1 + h c).
    assert abs(mode.pole) ** 2 == pytest.approx(1 / (1 + H * 0.1 / ROD**2), rel=1e-8)


def test_a_standing_pendulum_falls_at_the_rate_of_gravity() -> None:
    m, d = pendulum(qpos=math.pi)
    first, second = modes(linearize(m, d))
    omega = math.sqrt(9.81 / ROD)
    assert first.rate.real == pytest.approx(omega, rel=3e-3)
    assert second.rate.real == pytest.approx(-omega, rel=3e-3)
    assert first.grows
    assert first.share == pytest.approx([1.0])
    # With velocity from position, the deviation of velocity is `rate` times that of position.
    assert first.shape[1] / first.shape[0] == pytest.approx(omega, rel=3e-3)


def test_a_mode_that_no_actuator_moves_is_known() -> None:
    m, d = load("""<mujoco><worldbody><body><joint name="a" type="slide" stiffness="9"/><geom size=".1" mass="1"/></body>
        <body pos="1 0 0"><joint name="b" type="slide" stiffness="25"/><geom size=".1" mass="1"/></body></worldbody>
        <actuator><motor joint="a"/></actuator></mujoco>""")
    physics.mj_forward(m, d)
    slow, fast = sorted(modes(linearize(m, d)), key=lambda mode: mode.frequency)
    assert (slow.reached, fast.reached) == (True, False)
    assert slow.share == pytest.approx([1, 0], abs=1e-6)
    assert fast.share == pytest.approx([0, 1], abs=1e-6)
    assert fast.frequency == pytest.approx(5 / (2 * math.pi), rel=1e-3)


def test_linearizing_leaves_model_and_data_as_they_are() -> None:
    m, d = pendulum(qpos=0.3)
    before = d.qpos.copy(), d.qvel.copy(), d.time, d.qacc.copy()
    linear = linearize(m, d)
    assert [*before[0], *before[1], before[2], *before[3]] == [*d.qpos, *d.qvel, d.time, *d.qacc]
    assert linear.drift[1] == pytest.approx(-H * 9.81 / ROD * math.sin(0.3), rel=1e-2)


def test_the_regulator_of_a_pushed_mass_is_that_of_the_riccati_equation() -> None:
    m, d = load(f"""<mujoco><option timestep="{H}" gravity="0 0 0"/><worldbody><body><joint type="slide"/>
        <geom size=".1" mass="1"/></body></worldbody><actuator><motor joint="0"/></actuator></mujoco>""".replace(
        '<joint type="slide"/>', '<joint name="0" type="slide"/>'
    ))
    found = regulate(m, d, RegulatorWeights(position=4.0, velocity=1e-9, control=1.0))
    # In continuous time, with costs q x^2 + u^2, the gains are sqrt(q) and sqrt(2 sqrt(q)); in steps, nearly.
    assert found.gain[0] == pytest.approx([2.0, 2.0], rel=2 * H)
    assert found.growth < 1
    assert found.left == pytest.approx(0.0, abs=1e-12)


def test_the_regulator_balances_a_cartpole() -> None:
    m, d = load(CARTPOLE)
    physics.mj_forward(m, d)
    assert modes(linearize(m, d))[0].grows
    found = regulate(m, d, RegulatorWeights())
    assert found.growth < 1
    d.qpos[1] = 0.2
    x = np.zeros(2 * m.nv)
    for _ in range(4000):
        physics.mj_differentiatePos(m, x[: m.nv], 1.0, found.qpos, d.qpos)
        x[m.nv :] = d.qvel
        d.ctrl[:] = found.hold - found.gain @ x
        physics.mj_step(m, d)
    assert np.allclose([*d.qpos, *d.qvel], 0, atol=1e-3)


def test_the_regulator_holds_an_arm_against_gravity() -> None:
    m, d = pendulum(qpos=math.pi / 2, actuator='<motor joint="j" gear="2"/>')
    found = regulate(m, d, RegulatorWeights())
    assert found.hold == pytest.approx([9.81 * ROD / 2], rel=1e-6)
    assert found.left < 1e-9


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<mujoco><worldbody><site name='s'/></worldbody><actuator><general site='s'/></actuator></mujoco>", "no dofs"),
        ("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>", "no actuators"),
    ],
)
def test_why_there_is_no_regulator(text: str, words: str) -> None:
    m, d = load(text)
    with pytest.raises(ModelError, match=words):
        regulate(m, d, RegulatorWeights())


def test_a_growing_mode_beyond_the_actuators_is_named() -> None:
    m, d = load(CARTPOLE.replace("</worldbody>", """<body pos="0 3 0"><joint name="other" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 1" size=".02" mass=".2"/></body></worldbody>"""))
    with pytest.raises(ModelError, match="1 mode that does not decay is beyond its actuators"):
        regulate(m, d, RegulatorWeights())


def test_a_large_state_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    m, d = pendulum()
    monkeypatch.setattr("tumble.physics.observe.linear.linearization.MOST", 1)
    with pytest.raises(ModelError, match="more than 1"):
        linearize(m, d)


def test_a_pole_that_neither_grows_nor_decays_is_marginal() -> None:
    (mode,) = modes(Linearization(np.array([[0.0, 1.0], [-1.0, 0.0]]), np.zeros((2, 0)), np.zeros(2), 1, 0.1))
    assert mode.marginal
    assert not mode.grows
    assert mode.frequency == pytest.approx(0.25 / 0.1)
