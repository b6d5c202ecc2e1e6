"""What sensors must read where the answer is known: at rest, in free fall, in a spin."""

import mujoco
import numpy as np
import pytest

from tests.physics.reference import mirror_model
from tumble.physics.run.reset import mj_resetData
from tumble.physics.run.stepping import mj_forward, mj_step1, mj_step2
from tumble.physics.state.data import Data

G = 9.81


def load(body: str, sensors: str, option: str = "") -> tuple:
    reference = mujoco.MjModel.from_xml_string(
        f"<mujoco><option timestep='0.001' {option}/><worldbody>{body}</worldbody><sensor>{sensors}</sensor></mujoco>"
    )
    m = mirror_model(reference)
    d = Data(m)
    mj_resetData(m, d)
    return m, d


BALL = "<body pos='0 0 3'><freejoint/><geom size='.1' mass='2'/><site name='s' pos='.05 0 0'/></body>"


def test_in_free_fall_nothing_is_felt():
    m, d = load(BALL, "<accelerometer site='s'/><force site='s'/><framelinacc objtype='body' objname='world'/>")
    mj_forward(m, d)
    np.testing.assert_allclose(d.sensordata[:6], 0, atol=1e-12)
    np.testing.assert_allclose(d.qacc[2], -G, rtol=1e-12)


def test_a_scale_reads_the_weight_of_what_it_carries():
    hanging = """<body><joint type='slide' axis='1 0 0'/><geom size='.1' mass='1'/><site name='s'/>
      <body pos='0 0 -.5'><geom size='.1' mass='2'/></body><body pos='.3 0 0'><geom size='.1' mass='4'/></body></body>"""
    m, d = load(hanging, "<force site='s'/><torque site='s'/><accelerometer site='s'/>")
    mj_forward(m, d)
    np.testing.assert_allclose(d.sensordata[:3], (0, 0, 7 * G), atol=1e-12)
    np.testing.assert_allclose(d.sensordata[3:6], (0, -4 * G * 0.3, 0), atol=1e-12)  # carries what hangs off its side
    np.testing.assert_allclose(d.sensordata[6:], (0, 0, G), atol=1e-12)


def test_on_a_carousel_the_pull_is_towards_the_axis():
    carousel = "<body><joint axis='0 0 1'/><geom size='.1' mass='1'/><site name='s' pos='2 0 0'/></body>"
    m, d = load(carousel, "<accelerometer site='s'/><velocimeter site='s'/><gyro site='s'/>", "gravity='0 0 0'")
    d.qpos, d.qvel = 0.7, 3.0
    mj_forward(m, d)
    np.testing.assert_allclose(d.sensordata, (-2 * 3.0**2, 0, 0, 0, 2 * 3.0, 0, 0, 0, 3.0), atol=1e-12)


def test_accelerometer_reads_force_applied_between_half_steps():
    body = "<body><joint name='j' type='slide'/><geom size='.1' mass='2'/><site name='s'/></body>"
    m, d = load(body, "<accelerometer site='s'/>", "gravity='0 0 0'")
    for force in (1.0, 5.0, -3.0):
        mj_step1(m, d)
        d.qfrc_applied = force
        mj_step2(m, d)
        assert d.sensordata[2] == pytest.approx(force / 2)


@pytest.mark.parametrize("flag", ["enable", "disable"])
def test_the_kinetic_energy_is_the_present_one(flag):
    m, d = load(BALL, "<e_kinetic/>", f"gravity='0 0 0'><flag energy='{flag}'/></option><option")
    for speed in (1.0, 3.0):
        d.qvel[:3] = 0, speed, 0
        mj_forward(m, d)
        assert d.sensordata[0] == pytest.approx(speed**2)
