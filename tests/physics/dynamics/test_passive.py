"""Springs, dampers and gravity compensation: closed forms, and the reference in every integrator and under every flag."""


import mujoco
import numpy as np
import pytest

from tests.physics.reference import assert_close, load, mirror_model, put_state, twins
from tests.physics.scenes import GYM, SMOOTH_SCENE
from tumble.physics.dynamics.actuator.actuation import acceleration, actuation
from tumble.physics.dynamics.actuator.transmission import transmission, transmission_vel
from tumble.physics.dynamics.camlight import camlight
from tumble.physics.dynamics.com import com_pos, com_vel
from tumble.physics.dynamics.crb import factor_m, make_m
from tumble.physics.dynamics.fluid.medium import fluid
from tumble.physics.dynamics.kinematics import kinematics
from tumble.physics.dynamics.passive import passive
from tumble.physics.dynamics.rne import rne_bias
from tumble.physics.dynamics.tendon.path import tendon
from tumble.physics.run.stepping import mj_forward, mj_step
from tumble.physics.state.data import Data

# Joints of every type and tendons with springs, deadbands and dampers, within a tree and between two; a medium.
SPRINGS = """<mujoco><compiler angle="radian"/>
<option integrator="{}" density="1.2" viscosity=".1" wind="1 0 0"><flag {}/></option>
<default><geom contype="0" conaffinity="0"/></default>
<worldbody><site name="s0" pos="0 0 2"/>
<body pos="0 0 1" gravcomp=".3"><geom size=".1" pos=".2 0 .1"/><site name="s1" pos=".1 0 0"/>
 <joint name="turn" axis="0 1 0" springdamper=".1 .8" ref=".1"/>
 <joint name="slide" type="slide" axis="1 0 0" stiffness="3" damping="1" springref=".2" actuatorgravcomp="true"/>
 <body pos=".5 0 0" gravcomp="1.5"><geom type="box" size=".1 .2 .05"/><site name="s2" pos=".2 .1 0"/>
  <joint type="ball" stiffness="2" damping=".2"/>
  <body pos=".3 0 0"><joint name="last" axis="0 0 1" springdamper=".2 1.2"/><geom type="capsule" size=".03 .1"/></body>
 </body></body>
<body pos="2 0 1"><freejoint/><geom type="ellipsoid" size=".1 .2 .3"/><site name="s3"/></body>
<body pos="3 0 1" gravcomp="1"><joint type="free" stiffness="4" damping=".5"/>
 <geom type="ellipsoid" size=".1 .2 .3" fluidshape="ellipsoid"/></body>
</worldbody><tendon>
<spatial stiffness="5" damping="1.5" springlength=".3"><site site="s0"/><site site="s1"/><site site="s2"/></spatial>
<spatial stiffness="7" damping=".7" springlength=".5 1.4"><site site="s2"/><site site="s3"/></spatial>
<spatial stiffness="2" springlength="-1"><site site="s0"/><site site="s3"/></spatial>
<fixed stiffness="4" damping="2" springlength="-.1 .1"><joint joint="turn" coef="1"/><joint joint="last" coef="-2"/></fixed>
<fixed stiffness="4" damping="2" springlength=".05 5"><joint joint="slide" coef="1"/><joint joint="last" coef=".5"/></fixed>
</tendon><actuator><motor joint="turn"/></actuator></mujoco>"""
FLAGS = ("", 'spring="disable"', 'damper="disable"', 'spring="disable" damper="disable"', 'gravity="disable"',
         'eulerdamp="disable"')  # fmt: skip


@pytest.mark.parametrize("flag", FLAGS)
@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
def test_passive_forces_and_step_match_reference(integrator, flag):
    xml = SPRINGS.format(integrator, flag)
    rm, rd, m, d = twins(xml)
    rng = np.random.default_rng(0)
    for width in (1.0, 0.1, 0.1):  # the deadbands are left and entered
        rd.qpos[:], rd.qvel[:] = width * rng.normal(size=rm.nq), rng.normal(size=rm.nv)
        d.qpos, d.qvel, d.qacc_warmstart = rd.qpos, rd.qvel, rd.qacc_warmstart
        mujoco.mj_step(rm, rd)
        mj_step(m, d)
        for name in ("qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_fluid", "qfrc_passive", "qvel", "qpos"):
            theirs = getattr(rd, name)
            np.testing.assert_allclose(getattr(d, name), theirs, rtol=0, atol=1e-11 * (1 + np.abs(theirs).max()), err_msg=name)


def test_a_deadband_pulls_only_outside_of_it():
    m, d = load("""<mujoco><worldbody><body><joint name="j" type="slide"/><geom size=".1"/></body></worldbody>
    <tendon><fixed stiffness="6" springlength="-.1 .3"><joint joint="j" coef="2"/></fixed></tendon></mujoco>""")
    for position, force in ((0.0, 0.0), (0.15, 0.0), (0.2, -2 * 6 * (0.4 - 0.3)), (-0.05, 0.0), (-0.1, 2 * 6 * (0.2 - 0.1))):
        d.qpos[0] = position
        mj_forward(m, d)
        assert d.qfrc_spring[0] == pytest.approx(force, abs=1e-14)


STAGES = (kinematics, com_pos, camlight, tendon, make_m, factor_m, transmission, transmission_vel, com_vel, fluid, passive,
          rne_bias, actuation, acceleration)
FIELDS = ("xpos", "xquat", "xmat", "xipos", "ximat", "xanchor", "xaxis", "geom_xpos", "geom_xmat", "site_xpos", "site_xmat",
          "cam_xpos", "cam_xmat", "light_xpos", "light_xdir", "subtree_com", "cdof", "cinert", "crb", "M", "qM", "qLD",
          "qLDiagInv", "ten_length", "actuator_length", "ten_velocity", "actuator_velocity", "cvel", "cdof_dot", "qfrc_bias",
          "qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_fluid", "qfrc_passive", "act_dot", "actuator_force",
          "qfrc_actuator", "qfrc_smooth", "qacc_smooth")


def check(reference: mujoco.MjModel) -> None:
    rng = np.random.default_rng(0)
    m, rd = mirror_model(reference), mujoco.MjData(reference)
    d = Data(m)
    for _ in range(3):
        for _ in range(40):
            rd.ctrl[:] = rng.uniform(-1, 1, reference.nu)
            mujoco.mj_step(reference, rd)
        rd.xfrc_applied[1:] = rng.normal(size=(reference.nbody - 1, 6))
        put_state(d, rd)
        mujoco.mj_forward(reference, rd)
        for stage in STAGES:
            stage(m, d)
        # forces reach 1e4 N and are sums of opposite terms: 1e-9 of their scale is rounding
        scale = 1 + max(np.abs(rd.qfrc_smooth).max(initial=0), np.abs(rd.qacc_smooth).max(initial=0))
        assert_close(d, rd, FIELDS, rtol=1e-9, atol=1e-11 * scale)


@pytest.mark.parametrize("path", GYM, ids=lambda p: p.stem)
def test_gymnasium(path):
    check(mujoco.MjModel.from_xml_path(str(path)))


def test_every_kind_of_joint_actuator_camera_and_force():
    check(mujoco.MjModel.from_xml_string(SMOOTH_SCENE))
