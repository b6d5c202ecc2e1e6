"""Time backwards: a pendulum returns to its beginning, and what brakes is named."""

import numpy as np
import pytest
from pytest import approx

from tumble import physics
from tumble.physics.observe.motion.backwards import backwards, obstacle

PENDULUM = """<mujoco><option timestep=".002" integrator="{integrator}" {option}/><worldbody>{floor}
  <body pos="0 0 1"><joint name="first" axis="0 1 0" {joint}/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
  <body pos=".3 0 0"><joint name="second" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body></body>
  <body pos="2 0 1"><joint type="ball"/><geom type="ellipsoid" size=".1 .2 .3" pos=".2 0 0"/></body>
  </worldbody>{end}</mujoco>"""


def made(integrator="RK4", option="", joint="", floor="", end=""):
    m = physics.MjModel.from_xml_string(PENDULUM.format(integrator=integrator, option=option, joint=joint, floor=floor, end=end))
    return m, physics.MjData(m)


def test_a_conservative_pendulum_goes_back_to_its_beginning():
    """Two links and a body on a ball joint, two seconds there and back; a motor pushes with a constant torque."""
    m, d = made(end='<actuator><motor joint="first"/></actuator>')
    d.ctrl[:] = 0.3
    d.qvel[2:] = 1.0, 2.0, 3.0
    first = d.qpos.copy(), d.qvel.copy()
    physics.mj_step(m, d, 1000)
    assert abs(d.qpos - first[0]).max() > 0.1
    result = backwards(m, d, 1000)
    assert (result.steps, result.obstacle) == (1000, "")
    assert d.time == approx(0.0, abs=1e-12)
    assert d.qpos == approx(first[0], abs=1e-6)
    assert d.qvel == approx(first[1], abs=1e-5)
    assert m.opt.timestep == 0.002


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"integrator": "Euler"}, "takes the integrator Runge-Kutta"),
        ({"joint": 'damping=".1"'}, "dampers brake"),
        ({"joint": 'frictionloss=".1"'}, "friction loss of a joint"),
        ({"joint": 'limited="true" range="10 20"'}, "at its limit"),
        ({"option": 'density="1.2"'}, "the medium brakes"),
        ({"end": '<actuator><velocity joint="first" kv="1"/></actuator>'}, "actuators brake"),
        ({"end": '<actuator><general joint="first" dyntype="filter" dynprm=".1"/></actuator>'}, "activations"),
        ({"floor": '<geom type="plane" size="2 2 .1" pos="0 0 .98"/>'}, "bodies touch"),
        ({"end": '<equality><joint joint1="first" joint2="second"/></equality>'}, "an equality constraint"),
    ],
)
def test_what_brakes_is_named_and_nothing_moves(settings, words):
    m, d = made(**settings)
    before = d.qpos.copy(), d.time
    result = backwards(m, d, 5)
    assert words in result.obstacle
    assert result.steps == 0
    assert np.array_equal(d.qpos, before[0])
    assert d.time == before[1]
    assert obstacle(m, d) == result.obstacle


def test_it_stops_before_a_contact_of_the_past():
    """A ball that rises now was at the floor before."""
    m = physics.MjModel.from_xml_string("""<mujoco><option timestep=".002" integrator="RK4"/><worldbody>
        <geom type="plane" size="2 2 .1"/><body pos="0 0 .5"><freejoint/><geom size=".1"/></body></worldbody></mujoco>""")
    d = physics.MjData(m)
    d.qvel[2] = 4.0
    physics.mj_forward(m, d)
    result = backwards(m, d, 1000)
    assert 0 < result.steps < 60
    assert "bodies touch" in result.obstacle
    assert d.ncon == 0
    assert d.qpos[2] == approx(0.1, abs=0.02)
