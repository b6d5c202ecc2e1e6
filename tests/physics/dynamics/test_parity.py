"""Every stage of the smooth dynamics against the reference, on Gymnasium's models in states reached under random controls."""

import mujoco
import numpy as np
import pytest

from tests.physics.reference import assert_close, mirror_model, put_state
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
from tumble.physics.dynamics.tendon.fixed import tendon
from tumble.physics.state.data import Data

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
