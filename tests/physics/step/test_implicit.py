"""Integration implicit in velocity: stable where Euler's is not, of first order, tree by tree, and equal to the reference's."""

import mujoco
import numpy as np
import pytest

from tests.physics.dynamics.derivative_scenes import ACTUATORS, TENDONS, move, random_state, tree
from tests.physics.reference import put_state
from tumble import physics
from tumble.physics import MjData, MjModel, mj_forward, mj_implicit, mj_step

IMPLICIT, FAST, EULER = (int(getattr(physics.mjtIntegrator, f"mjINT_{name}")) for name in ("IMPLICIT", "IMPLICITFAST", "EULER"))
BOTH = pytest.mark.parametrize("integrator", [IMPLICIT, FAST], ids=["implicit", "implicitfast"])
HUMANOID = """<body pos="{x} 0 {z}"><freejoint/><geom type="capsule" size=".1 .2"/><body pos="0 .2 0">
  <joint axis="1 0 0" damping="1"/><joint axis="0 1 0" damping=".5"/>
  <geom type="capsule" size=".05" fromto="0 0 0 0 .3 .1"/></body></body>"""


def load(xml, integrator, timestep=None):
    m = MjModel.from_xml_string(xml)
    m.opt.integrator = integrator
    if timestep:
        m.opt.timestep = timestep
    return m, MjData(m)


def energy(m, d):
    """Kinetic and potential energy; servos of velocity store none."""
    physics.mj_energyPos(m, d)
    physics.mj_energyVel(m, d)
    return float(d.energy.sum())


@BOTH
def test_a_step_is_the_references_in_random_states(integrator):
    m, d, rm, rd = random_state(tree(TENDONS + ACTUATORS.replace("damper", "motor").replace('kv="4"', "")), 0)
    m.opt.integrator = rm.opt.integrator = integrator
    fields = ["qDeriv", "qpos", "qvel", "act", *(["qLU"] if integrator == IMPLICIT else ["qH", "qHDiagInv"])]
    for seed in range(20):
        move(m, d, rm, rd, seed)
        mj_step(m, d)
        mujoco.mj_step(rm, rd)
        for name in fields:
            ours, theirs = getattr(d, name), getattr(rd, name)
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-11 * np.abs(theirs).max(), err_msg=name)


@BOTH
def test_a_step_with_contacts_and_sleep_is_the_references(integrator):
    floor = '<geom type="plane" size="9 9 1"/>'
    xml = f"""<mujoco><option tolerance="1e-14"><flag sleep="enable"/></option><worldbody>{floor}{HUMANOID.format(x=0, z=0.3)}
      <body sleep="init" pos="5 0 1"><joint damping="1"/><geom size=".1" pos="0 .1 0"/></body></worldbody></mujoco>"""
    m, d = load(xml, integrator)
    rm = mujoco.MjModel.from_xml_string(xml)
    rm.opt.integrator = integrator
    rd = mujoco.MjData(rm)
    for _ in range(60):
        put_state(d, rd)
        mj_step(m, d)
        mujoco.mj_step(rm, rd)
        np.testing.assert_allclose(d.qvel, rd.qvel, rtol=1e-7, atol=1e-8)
        np.testing.assert_array_equal(d.tree_awake, rd.tree_awake)
    assert list(d.tree_awake) == [1, 0]
    assert d.ncon > 0


def chain(links):
    """A hanging chain whose joints are damped by servos: Euler takes their force at the start of the step."""
    body = "".join(
        f'<body pos="0 0 {-0.1 if k else 2}"><joint name="j{k}" axis="0 1 0"/>'
        '<geom type="capsule" size=".02" fromto="0 0 0 0 0 -.1"/>'
        for k in range(links)
    )
    servos = "".join(f'<velocity joint="j{k}" kv="5"/>' for k in range(links))
    return f"""<mujoco><option timestep=".005"><flag contact="disable" energy="enable" autoreset="disable"/></option><worldbody>
      {body}{"</body>" * links}</worldbody><actuator>{servos}</actuator></mujoco>"""


def test_stiffly_damped_chain_is_stable_only_implicitly():
    for integrator in (EULER, IMPLICIT, FAST):
        m, d = load(chain(8), integrator)
        d.qpos[0] = 0.5
        mj_forward(m, d)
        lifted = energy(m, d)
        for _ in range(40):
            mj_step(m, d, 5)
            assert integrator == EULER or energy(m, d) < 1.0001 * lifted
        if integrator == EULER:
            assert d.warning_number.sum() > 0 or not np.abs(d.qvel).max() < 1e3
        else:
            assert np.abs(d.qvel).max() < 0.1


SPINNING = """<mujoco><option gravity="0 0 0" timestep=".01"><flag energy="enable"/></option><worldbody><body><freejoint/>
  <inertial pos="0 0 0" mass="1" diaginertia="1 2 2.9"/></body></worldbody></mujoco>"""


def test_spinning_body_gains_no_energy_with_full_implicit():
    gained = {}
    for integrator in (EULER, FAST, IMPLICIT):
        m, d = load(SPINNING, integrator)
        d.qvel[3:] = [1, 10, 1]
        mj_forward(m, d)
        before = d.energy[1]
        mj_step(m, d, 2000)
        gained[integrator] = d.energy[1] / before
    assert gained[EULER] > 1.5
    assert gained[FAST] == gained[EULER]  # it leaves the gyroscopic forces out
    assert 0.1 < gained[IMPLICIT] <= 1


@BOTH
def test_the_error_of_a_motion_is_of_first_order(integrator):
    """Half the time step, half the error, on a pendulum with servos and joint damping."""
    def end(integrator, steps):
        m, d = load(chain(3).replace('kv="5"', 'kv=".02"'), integrator, 0.5 / steps)
        d.qpos[:] = 0.3, 0.4, -0.5
        mj_step(m, d, steps)
        return d.qpos.copy()

    exact = end(int(physics.mjtIntegrator.mjINT_RK4), 2000)
    errors = [np.abs(end(integrator, steps) - exact).max() for steps in (1000, 2000, 4000)]
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    np.testing.assert_allclose(orders, 1, atol=0.05)


@BOTH
def test_a_step_in_parts_is_a_whole_step(integrator):
    m, d = load(tree(TENDONS + ACTUATORS), integrator)
    halves, parts = MjData(m), MjData(m)
    for data in (d, halves, parts):
        data.qvel, data.ctrl = 0.5, 0.3
    for _ in range(5):
        mj_step(m, d)
        physics.mj_step1(m, halves)
        physics.mj_step2(m, halves)
        mj_forward(m, parts)
        mj_implicit(m, parts)
    assert d.qpos.tobytes() == halves.qpos.tobytes() == parts.qpos.tobytes()
    assert d.act.tobytes() == halves.act.tobytes() == parts.act.tobytes()


def test_mj_implicit_needs_an_implicit_integrator():
    m, d = load(tree(), EULER)
    mj_forward(m, d)
    with pytest.raises(physics.ModelError, match="needs integrator implicit or implicitfast"):
        mj_implicit(m, d)


def test_mj_implicit_takes_the_step_of_hard_contacts():
    m, d = load(tree(), IMPLICIT)
    m.tumble.contact_model = physics.ContactModel.LCP
    parts = MjData(m)
    mj_step(m, d)
    mj_forward(m, parts)
    mj_implicit(m, parts)
    assert d.qpos.tobytes() == parts.qpos.tobytes()
