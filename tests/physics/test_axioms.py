"""What physics demands, whatever engine computes it."""

import math

import numpy as np
import pytest
from pytest import approx

from tests.physics.reference import load
from tumble import physics
from tumble.physics import MjData, MjModel, mj_forward, mj_resetData, mj_step

G = 9.81


def run(m: MjModel, d: MjData, seconds: float) -> None:
    mj_step(m, d, round(seconds / m.opt.timestep))


BALL = '<mujoco><worldbody><body pos="0 0 9"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>'

CHAIN = """
<mujoco><option integrator="RK4" timestep="0.001"><flag energy="enable" contact="disable"/></option>
  <worldbody><body pos="0 0 2"><joint type="ball"/><geom type="capsule" fromto="0 0 0 0.3 0 0.1" size="0.04"/>
    <body pos="0.3 0 0.1"><joint axis="0 1 0"/><joint axis="0 0 1" type="slide" stiffness="200"/>
      <geom type="box" size="0.1 0.05 0.2"/></body></body>
    <body pos="1 0 2"><freejoint/><geom type="ellipsoid" size="0.1 0.2 0.3"/></body></worldbody></mujoco>"""


def test_free_fall_is_a_parabola_under_runge_kutta():
    m, d = load(BALL.replace("<worldbody>", '<option integrator="RK4"/><worldbody>'))
    d.qvel[:3] = 1, 2, 3
    run(m, d, 1.0)
    t = d.time
    # the method is exact for polynomials of this degree; what is left is rounding over 500 steps
    np.testing.assert_allclose(d.qpos[:3], [t, 2 * t, 9 + 3 * t - G * t * t / 2], atol=1e-11)


def test_euler_falls_as_its_own_recurrence_says():
    m, d = load(BALL)
    n, h = 100, m.opt.timestep
    mj_step(m, d, n)
    assert d.qpos[2] == approx(9 - G * h * h * n * (n + 1) / 2, abs=1e-12)


def energy_drift(xml: str, timestep: float, seconds: float) -> float:
    m, d = load(xml)
    m.opt.timestep = timestep
    d.qvel = np.linspace(-2, 2, m.nv)
    mj_forward(m, d)
    start = d.energy.sum()
    run(m, d, seconds)
    mj_forward(m, d)
    return float(abs(d.energy.sum() - start) / abs(start))


def test_energy_is_conserved_to_fourth_order_under_runge_kutta():
    two = '<joint axis="0 0 1"/><joint axis="1 0 0" type="slide"/>'
    scalar = CHAIN.replace('type="ball"', 'axis="1 1 0"').replace("<freejoint/>", two)
    coarse, fine = (energy_drift(scalar, h, 1.0) for h in (0.004, 0.002))
    assert coarse < 1e-6
    assert fine < coarse / 10  # sixteen, but for what higher orders add


def test_energy_drift_with_quaternions_is_of_second_order():
    # The tableau moves a quaternion along one stage's velocity, as the reference does: rotations do not commute.
    coarse, fine = (energy_drift(CHAIN, h, 1.0) for h in (0.002, 0.001))
    assert coarse < 1e-5
    assert fine < coarse / 3.5


def test_angular_momentum_error_vanishes_with_the_step():
    errors = []
    for h in (0.002, 0.0005):
        m, d = load(f"""<mujoco><option gravity="0 0 0" timestep="{h}"/><worldbody>
            <body pos="0 0 0"><freejoint/><geom type="box" size="0.1 0.2 0.1"/></body>
            <body pos="0.5 0.15 0.05"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>""")
        d.qvel[6] = -2.0
        mj_forward(m, d)

        def angular(m: MjModel = m, d: MjData = d) -> np.ndarray:
            total = np.zeros(3)
            for b in (1, 2):
                v, R = d.qvel[6 * (b - 1) : 6 * b], d.ximat[b].reshape(3, 3)
                spin = d.xmat[b].reshape(3, 3) @ v[3:]
                total += R @ (m.body_inertia[b] * (R.T @ spin)) + m.body_mass[b] * np.cross(d.xipos[b], v[:3])
            return total

        before = angular()
        run(m, d, 0.5)
        mj_forward(m, d)
        errors.append(np.abs(angular() - before).max())
    assert errors[1] < errors[0] / 2.5


def test_resting_box_is_carried_by_exactly_its_weight():
    m, d = load("""<mujoco><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body></worldbody></mujoco>""")
    run(m, d, 3.0)
    mj_forward(m, d)
    assert d.ncon == 4
    assert d.qfrc_constraint[2] == approx(m.body_mass[1] * G, rel=1e-6)  # the depth is soft, the force is not
    assert np.abs(d.qvel).max() < 1e-6


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize(("slope", "slides"), [(0.8, False), (1.25, True)])
def test_friction_holds_below_the_cone_and_slides_above(cone, slope, slides):
    mu = 0.6
    angle = math.atan(mu * slope)
    m, d = load(f"""<mujoco><option cone="{cone}" gravity="{G * math.sin(angle)} 0 {-G * math.cos(angle)}" impratio="10"/>
        <worldbody><geom type="plane" size="9 9 1" friction="{mu}"/>
        <body pos="0 0 0.05"><freejoint/><geom type="box" size="0.2 0.2 0.05" friction="{mu}"/></body></worldbody></mujoco>""")
    run(m, d, 0.5)
    start, t, impulse = d.qvel.copy(), d.time, np.zeros(6)
    for _ in range(500):
        mj_step(m, d)
        impulse += d.qfrc_constraint * m.opt.timestep
    if slides:
        # A soft box chatters while it slides, so the force fluctuates; but at each moment it lies on the cone.
        assert -impulse[0] == approx(mu * impulse[2], rel=1e-3)
        gained = m.body_mass[1] * (d.qvel - start)[0]
        assert gained == approx(m.body_mass[1] * G * math.sin(angle) * (d.time - t) + impulse[0], rel=1e-9)
        assert d.qvel[0] > 1.0
    else:
        assert abs(d.qvel[0]) < 2e-3  # creep of the regularized cone, not sliding
        assert abs(d.qvel[0] - start[0]) < 1e-4
        assert -impulse[0] == approx(math.tan(angle) * impulse[2], rel=1e-3)


@pytest.mark.parametrize("scene", ["tumbler", "rover"])
def test_the_same_run_twice_is_the_same_bit_for_bit(scene):
    """Of shapes in a drum, and of wheels on a height field."""
    m = MjModel.from_xml_path((physics.__path__[0] + f"/../resources/models/{scene}.xml").replace("/physics/..", ""))
    d, results = MjData(m), []
    for _ in range(2):
        mj_resetData(m, d)
        run(m, d, 1.0)
        results.append((d.qpos.tobytes(), d.qvel.tobytes(), d.qacc.tobytes(), d.efc_force.tobytes()))
    other = MjData(m)
    run(m, other, 1.0)
    results.append((other.qpos.tobytes(), other.qvel.tobytes(), other.qacc.tobytes(), other.efc_force.tobytes()))
    assert results[0] == results[1] == results[2]
