"""Actuators of every kind: compiled and computed as the reference does, in many small random models."""

import mujoco
import numpy as np
import pytest

from tests.physics.dynamics.actuators import actuator_model
from tests.physics.reference import assert_close, put_state
from tumble import physics

COMPILED = [name for name, field in physics.MjModel._struct.fields.items()
            if name.startswith("actuator_") and field.shape and hasattr(mujoco.MjModel, name)]  # fmt: skip
COMPUTED = ("act_dot", "actuator_length", "actuator_velocity", "actuator_force", "qfrc_actuator")
MODELS = 40


def moments(m, d):
    """actuator_moment, dense."""
    dense = np.zeros((m.nu, m.nv))
    rows = [np.array(a) for a in (d.actuator_moment, d.moment_rownnz, d.moment_rowadr, d.moment_colind)]
    mujoco.mju_sparse2dense(dense, *rows)
    return dense


def random_state(m, d, seed):
    """A state near the initial one; the box stays on the floor, where adhesion holds it."""
    r = np.random.default_rng(seed)
    box = slice(m.jnt("f1").qposadr[0], m.jnt("f1").qposadr[0] + 7)
    d.qpos[:] = m.qpos0 + r.uniform(-0.2, 0.2, m.nq)
    d.qpos[box] = m.qpos0[box]
    mujoco.mj_normalizeQuat(m, d.qpos)
    d.qvel[:], d.ctrl[:], d.act[:] = r.normal(size=m.nv), r.normal(size=m.nu), r.normal(size=m.na)


@pytest.mark.parametrize("seed", range(MODELS))
def test_random_actuators_are_the_references(seed):
    text = actuator_model(seed)
    rm, m = mujoco.MjModel.from_xml_string(text), physics.MjModel.from_xml_string(text)
    assert_close(m, rm, COMPILED, rtol=1e-8, atol=1e-9)
    rd, d = mujoco.MjData(rm), physics.MjData(m)
    random_state(rm, rd, seed)
    put_state(d, rd)
    mujoco.mj_forward(rm, rd)
    physics.mj_forward(m, d)
    assert_close(d, rd, COMPUTED)
    np.testing.assert_allclose(moments(m, d), moments(rm, rd), 1e-9, 1e-10)
    again = physics.MjData(m)
    put_state(again, rd)
    for part in ("kinematics", "comPos", "tendon", "collision", "transmission"):
        getattr(physics, f"mj_{part}")(m, again)
    np.testing.assert_allclose(moments(m, again), moments(m, d), 1e-12, 1e-12)
    mujoco.mj_step(rm, rd)
    physics.mj_step(m, d)
    assert_close(d, rd, ("act", "act_dot"), rtol=1e-8, atol=1e-8 * max(1.0, np.abs(rd.qvel).max()))


def test_the_random_models_have_every_kind_of_actuator():
    text = "".join(actuator_model(seed) for seed in range(MODELS))
    for kind in ("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion"):
        assert text.count(f"<{kind} ") > 3, kind
    for attribute in ("refsite", "cranksite", "jointinparent", "dampratio", "inheritrange", "actearly", "actdim", "actlimited"):
        assert text.count(f'{attribute}="') > 2, attribute


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_an_actuator_of_a_disabled_group_keeps_its_activation(integrator):
    m = physics.MjModel.from_xml_string(f"""<mujoco><option actuatorgroupdisable="2" integrator="{integrator}"/>
      <worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody><actuator>
        <general joint="j" dyntype="integrator" group="2"/><general joint="j" dyntype="integrator" group="1"/>
      </actuator></mujoco>""")
    d = physics.MjData(m)
    d.act[:], d.ctrl[:] = 0.25, 1.0
    physics.mj_step(m, d, 10)
    assert d.act[0] == 0.25
    assert d.act[1] == pytest.approx(0.25 + 10 * m.opt.timestep)
    assert d.act_dot.tolist() == [1.0, 1.0]
    assert d.actuator_force[0] == 0.0


TWO = '<motor joint="j"/><general joint="k" dyntype="integrator" actlimited="true" actrange="0 1"/>'


@pytest.mark.parametrize("actuators", ["", TWO])
@pytest.mark.parametrize("flag", ["enable", "disable"])
def test_gravity_compensation_and_activations_need_actuation_as_in_the_reference(actuators, flag):
    joint = '<body gravcomp="1"><joint name="{}" axis="0 1 0" actuatorgravcomp="true" actuatorfrcrange="-{} 20"/>' \
            '<geom size=".1" pos=".3 0 0"/></body>'
    text = f"""<mujoco><option><flag actuation="{flag}"/></option>
      <worldbody>{joint.format("j", 0.2)}{joint.format("k", 20)}</worldbody><actuator>{actuators}</actuator></mujoco>"""
    rm, m = mujoco.MjModel.from_xml_string(text), physics.MjModel.from_xml_string(text)
    rd, d = mujoco.MjData(rm), physics.MjData(m)
    for data in (rd, d):
        data.act[:], data.ctrl[:] = 3.0, 0.5
    mujoco.mj_step(rm, rd)
    physics.mj_step(m, d)
    assert_close(d, rd, ("act", "act_dot", "qfrc_actuator", "qfrc_gravcomp", "qfrc_passive", "qacc"))
