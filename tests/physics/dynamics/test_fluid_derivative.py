"""The velocity derivatives of both models of the medium: finite differences, and the reference after an implicit step."""

import mujoco
import numpy as np
import pytest

from tests.physics.dynamics.derivative_scenes import dense
from tests.physics.dynamics.fluid_scenes import MIXED, put_random_state
from tumble.physics.data import MjData
from tumble.physics.dynamics.derivative.fluid import fluid_derivative
from tumble.physics.model import MjModel
from tumble.physics.run.parts import mj_fwdVelocity
from tumble.physics.run.stepping import mj_forward, mj_step
from tumble.physics.state.enums import mjtWarning


def test_finite_differences_confirm_the_derivative_of_both_models():
    m = MjModel.from_xml_string(MIXED)
    d = MjData(m)
    rng = np.random.default_rng(1)
    for _ in range(3):
        d.qpos, d.qvel = rng.normal(size=m.nq), rng.normal(size=m.nv)
        mj_forward(m, d)
        d.qDeriv = 0.0
        fluid_derivative(m, d)
        analytic, numeric = dense(m, d.qDeriv), np.zeros((m.nv, m.nv))
        for i in range(m.nv):
            forces, kept = [], d.qvel[i]
            for eps in (1e-6, -1e-6):
                d.qvel[i] = kept + eps
                mj_fwdVelocity(m, d)
                forces.append(d.qfrc_fluid.copy())
            d.qvel[i] = kept
            numeric[:, i] = (forces[0] - forces[1]) / 2e-6
        # central differences of forces of 1e3 N leave 1e-7; the pattern holds all there is
        np.testing.assert_allclose(analytic, numeric, atol=1e-8 * np.abs(analytic).max())


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast"])
@pytest.mark.parametrize("flag", ["", 'damper="disable"', 'spring="disable" damper="disable"'])
def test_a_step_has_the_references_derivative_and_velocity(integrator, flag):
    xml = MIXED.replace('wind="1 -1 2"/>', f'wind="1 -1 2" integrator="{integrator}"><flag {flag}/></option>')
    rm, m = mujoco.MjModel.from_xml_string(xml), MjModel.from_xml_string(xml)
    rd, d = mujoco.MjData(rm), MjData(m)
    rng = np.random.default_rng(2)
    for _ in range(5):
        put_random_state(rng, rm, rd, d)
        mujoco.mj_step(rm, rd)
        mj_step(m, d)
        np.testing.assert_allclose(d.qDeriv, rd.qDeriv, rtol=1e-10, atol=1e-12 * np.abs(rd.qDeriv).max())
        np.testing.assert_allclose(d.qvel, rd.qvel, rtol=1e-10, atol=1e-12)


def test_at_rest_in_still_air_only_viscosity_is_left():
    m = MjModel.from_xml_string(MIXED.replace('wind="1 -1 2"', ""))
    d = MjData(m)
    mj_forward(m, d)
    d.qDeriv = 0.0
    fluid_derivative(m, d)
    ball = m.body_dofadr[m.geom_bodyid[7]]
    slope = dense(m, d.qDeriv)[ball : ball + 6, ball : ball + 6]
    radius, viscosity = 0.2, 0.7
    slide, turn = 6 * np.pi * viscosity * radius, 8 * np.pi * viscosity * radius**3
    np.testing.assert_allclose(slope, -np.diag([slide] * 3 + [turn] * 3), atol=1e-12)


def test_an_implicit_step_holds_a_light_plate_in_a_thick_medium_where_euler_loses_it():
    speeds, lost = {}, {}
    for integrator in ("Euler", "implicit", "implicitfast"):
        m = MjModel.from_xml_string(f"""<mujoco><option viscosity="20" integrator="{integrator}" timestep=".01"/><worldbody>
        <body><freejoint/><geom type="box" size=".1 .1 .001" mass=".01" fluidshape="ellipsoid"/></body></worldbody></mujoco>""")
        d = MjData(m)
        for _ in range(50):
            mj_step(m, d)
        speeds[integrator], lost[integrator] = -d.qvel[2], d.warning[mjtWarning.mjWARN_BADQACC].number
    terminal = 0.01 * 9.81 / (6 * np.pi * 20 * (0.201 / 3))
    assert lost["Euler"] > 0
    assert lost["implicit"] == lost["implicitfast"] == 0
    assert speeds["implicit"] == pytest.approx(terminal, rel=1e-9)
    assert speeds["implicitfast"] == pytest.approx(terminal, rel=1e-9)
