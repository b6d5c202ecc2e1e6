"""Growth of a deviation in a step of each integrator, against closed forms."""

import math

import numpy as np
import pytest

from tests.physics.reference import load, posed
from tumble import physics
from tumble.physics.observe.linear.stability import Stability, analyse_stability
from tumble.physics.state.enums import mjtIntegrator

EULER, RK4 = mjtIntegrator.mjINT_EULER, mjtIntegrator.mjINT_RK4
IMPLICIT, FAST = mjtIntegrator.mjINT_IMPLICIT, mjtIntegrator.mjINT_IMPLICITFAST
H = 0.01


def grown(joint: str, actuator: str = "", qpos: float = 0.0, body: str = "") -> Stability:
    """The stability of one joint that moves 1 kg (or 1 kg m^2 and a weight)."""
    m, d = load(f"""<mujoco><option timestep="{H}"/><worldbody><body>
        <joint name="j" {joint}/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>{body}</body></worldbody>
        <actuator>{actuator}</actuator></mujoco>""")
    d.qpos[:] = qpos
    result = analyse_stability(m, d)
    assert result is not None
    return result


def factors(found: Stability) -> dict[mjtIntegrator, float]:
    return {step.integrator: step.growth for step in found.steps}


def test_actuator_damping_is_stable_only_implicitly() -> None:
    kv = 600.0
    result = grown('type="slide"', f'<general joint="j" biastype="affine" biasprm="0 0 {-kv}"/>')
    z = -H * kv
    expected = {EULER: abs(1 + z), RK4: abs(1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24), IMPLICIT: 1.0, FAST: 1.0}
    assert factors(result) == pytest.approx(expected, rel=1e-6)
    assert {step.integrator for step in result.stable} == {IMPLICIT, FAST}
    assert result.used == EULER
    assert not result.own.stable


def test_damping_of_a_joint_is_implicit_in_euler_too() -> None:
    result = grown('type="slide" damping="600"')
    assert {step.integrator for step in result.stable} == {EULER, IMPLICIT, FAST}


@pytest.mark.parametrize(("stretch", "stable"), [(1.9, {EULER, RK4, IMPLICIT, FAST}), (2.1, {RK4}), (2.9, set())])
def test_a_spring_is_stable_up_to_the_step_that_theory_gives(stretch: float, stable: set[mjtIntegrator]) -> None:
    # h w < 2 for a semi-implicit step, h w < 2 sqrt 2 for Runge-Kutta; implicit in velocity means semi-implicit for a spring
    result = grown(f'type="slide" stiffness="{(stretch / H) ** 2}"')
    assert {step.integrator for step in result.stable} == stable
    assert result.natural == pytest.approx(1.0, abs=1e-6)


def test_physical_instability_is_not_blamed_on_integrators() -> None:
    result = grown('type="hinge" axis="0 1 0" pos="0 0 -1"', qpos=0.0)  # 1 kg at 1 m stands on its head; inertia 1 + 1
    rate = math.sqrt(9.81 / 2)
    assert result.natural == pytest.approx(math.exp(H * rate), rel=1e-5)
    assert len(result.stable) == 4


def test_contacts_are_left_out_and_nothing_of_the_data_changes() -> None:
    m, d = posed("""<mujoco><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body></worldbody></mujoco>""")
    before = physics.mj_stateSize(m, physics.mjtState.mjSTATE_INTEGRATION)
    state, after = np.zeros(before), np.zeros(before)
    physics.mj_getState(m, d, state, physics.mjtState.mjSTATE_INTEGRATION)
    result = analyse_stability(m, d)
    physics.mj_getState(m, d, after, physics.mjtState.mjSTATE_INTEGRATION)
    assert result is not None
    assert factors(result) == pytest.approx(dict.fromkeys((EULER, RK4, IMPLICIT, FAST), 1.0), abs=1e-3)
    assert (state == after).all()
    assert m.opt.integrator == EULER


def test_there_is_no_answer_without_dofs() -> None:
    m = physics.MjModel.from_xml_string("<mujoco/>")
    assert analyse_stability(m, physics.MjData(m)) is None
