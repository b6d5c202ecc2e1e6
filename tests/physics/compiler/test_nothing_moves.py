"""Models in which nothing can move load and step, whatever they ask for: there is nothing to pull at, and nothing to limit."""

import mujoco
import numpy as np
import pytest

from tumble import physics

BODIES = {
    "no bodies": "",
    "static": '<body name="B" pos="0 0 2"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body><body name="C"/>',
    "mocap": '<body name="B" mocap="true"/><body name="C"/>',
}
GEOMS = {"no geoms": "", "geoms": '<geom name="g" size=".1"/><geom name="h" size=".1" pos="1 0 0"/>'}

LINE = '<site site="a"/><site site="b"/>'
TENDONS = (
    'limited="true" range="0 .5"', 'limited="true" range="0 .5" margin=".1"', 'limited="true" range="2 3"', 'frictionloss="1"',
    'margin="1" frictionloss="1"',
    'stiffness="3" damping="1"', 'armature="1"', 'actuatorfrclimited="true" actuatorfrcrange="-1 1"',
)  # fmt: skip
ACTUATORS = (
    'motor site="a"', 'motor site="a" refsite="b"', 'position site="a" kp="2"', 'velocity site="a"',
    'intvelocity site="a" actrange="0 1"',
    'damper tendon="t0" ctrlrange="0 1"', 'cylinder tendon="t0"', 'muscle tendon="t0" lengthrange="0 1"', 'general tendon="t0"',
    'adhesion body="world" ctrlrange="0 1"', 'motor cranksite="a" slidersite="b" cranklength="1"',
)  # fmt: skip
HOLDING = ('adhesion body="B" ctrlrange="0 1"',)
SENSORS = (
    *(f'{kind} site="a"' for kind in (
        "touch", "accelerometer", "velocimeter", "gyro", "force", "torque", "magnetometer", "rangefinder",
        'camprojection camera="c"',
    )),
    *(f'tendon{kind} tendon="t0"' for kind in ("pos", "vel", "actuatorfrc", "limitpos", "limitvel", "limitfrc")),
    *(f'actuator{kind} actuator="a0"' for kind in ("pos", "vel", "frc")),
    *(f'frame{kind} objtype="site" objname="a"' for kind in (
        "pos", "quat", "xaxis", "yaxis", "zaxis", "linvel", "angvel", "linacc", "angacc",
    )),
    *(f'subtree{kind} body="world"' for kind in ("com", "linvel", "angmom")),
    'insidesite site="a" objtype="site" objname="b"', "e_potential", "e_kinetic", "clock", 'contact body1="world"',
)  # fmt: skip
OF_GEOMS = ('distance geom1="g" geom2="h"', 'normal geom1="g" geom2="h"', 'fromto geom1="g" geom2="h"', 'contact geom1="g"')
OF_BODIES = ('connect body1="world" body2="B" anchor="0 0 0"', 'weld body1="B" body2="C"', 'weld body1="B"')
EQUALITIES = ('connect site1="a" site2="b"', 'weld site1="a" site2="b"', 'tendon tendon1="t0"',
              'tendon tendon1="t0" tendon2="t1"')  # fmt: skip


def model_of(bodies: str, geoms: str, option: str) -> str:
    """One of each kind."""
    tendons = "".join(f'<spatial name="t{i}" {each}>{LINE}</spatial>' for i, each in enumerate(TENDONS))
    if geoms:
        tendons += '<spatial limited="true" range="0 .5"><site site="a"/><geom geom="g"/><site site="b"/></spatial>'
    kind_and_rest = (each.split(" ", 1) for each in (*ACTUATORS, *(HOLDING if bodies else ())))
    actuators = "".join(f'<{kind} name="a{i}" {rest}/>' for i, (kind, rest) in enumerate(kind_and_rest))
    sensors = "".join(f"<{each}/>" for each in (*SENSORS, *(OF_GEOMS if geoms else ())))
    equalities = "".join(f"<{each}/>" for each in (*EQUALITIES, *(OF_BODIES if bodies else ())))
    pair = '<contact><pair geom1="g" geom2="h"/></contact>' if geoms else ""
    return f"""<mujoco><option {option}/>
      <worldbody><light/><camera name="c" pos="0 0 3"/><site name="a" pos="0 0 1"/><site name="b" pos="0 1 1"/>
        {geoms}{bodies}</worldbody><tendon>{tendons}</tendon><actuator>{actuators}</actuator><sensor>{sensors}</sensor><equality>{equalities}</equality>{pair}
      <keyframe><key time="1"/></keyframe></mujoco>"""


@pytest.mark.parametrize("option", ['jacobian="sparse"', 'jacobian="dense" solver="PGS" integrator="RK4"'])
@pytest.mark.parametrize("geoms", GEOMS)
@pytest.mark.parametrize("bodies", BODIES)
def test_every_kind_of_element_works_where_nothing_moves(bodies, geoms, option):
    xml = model_of(BODIES[bodies], GEOMS[geoms], option)
    theirs, ours = mujoco.MjModel.from_xml_string(xml), physics.MjModel.from_xml_string(xml)
    assert ours.nv == ours.ntree == 0
    expected, d = mujoco.MjData(theirs), physics.MjData(ours)
    expected.ctrl[:] = d.ctrl[:] = 0.5
    for _ in range(3):
        mujoco.mj_step(theirs, expected)
        physics.mj_step(ours, d)
    for name in ("time", "nefc", "ncon", "ten_length", "actuator_length", "actuator_force", "act", "sensordata", "energy"):
        np.testing.assert_allclose(getattr(d, name), getattr(expected, name), rtol=1e-9, atol=1e-12, err_msg=name)
    for name in ("tendon_length0", "tendon_invweight0", "tendon_lengthspring", "actuator_acc0", "actuator_length0"):
        if hasattr(theirs, name):
            np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-9, atol=1e-12, err_msg=name)
    physics.mj_forward(ours, d)
    physics.mj_inverse(ours, d)
