"""Actuators on sites, slider-cranks and bodies, and muscles: axioms first, then parity with the reference."""

import numpy as np
import pytest

from tests.physics.reference import load
from tumble import physics

SCENE = """
<mujoco>
  <worldbody>
    <site name="wall" pos=".1 0 2" euler="10 20 30"/>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 1">
      <joint name="swing" axis="0 1 0" range="-50 60"/>
      <geom size=".1"/>
      <site name="base" pos=".3 0 0"/><site name="bench" pos="-.3 0 .1" euler="0 90 0"/>
      <body pos=".5 0 0"><joint name="ball" type="ball"/><geom size=".1"/>
        <site name="tip" pos=".3 0 0" euler="20 30 40"/><site name="pin" pos=".3 0 .1"/></body>
    </body>
    <body name="foot" pos="2 2 .1"><freejoint/><geom size=".11" margin=".03" gap=".02"/><geom size=".11" pos=".5 0 0"/>
      <site name="sole" pos=".1 .2 .3"/></body>
  </worldbody>
  <tendon><spatial name="string"><site site="wall"/><site site="tip"/></spatial></tendon>
  <actuator>{actuator}</actuator>
</mujoco>
"""


def test_refsite_rotation_is_measured_between_sites() -> None:
    """The reference multiplies the quaternions of site and body in the wrong order."""
    xml = """<mujoco><worldbody><body><joint type="ball"/><geom size=".1"/><site name="s" euler="20 30 40"/></body>
      <body pos="0 0 1"><joint type="ball"/><geom size=".1"/><site name="r" euler="50 -30 40"/></body></worldbody>
      <actuator><motor site="s" refsite="r" gear="0 0 0 1 0 0"/><motor site="s" refsite="r" gear="0 0 0 0 1 0"/>
      <motor site="s" refsite="r" gear="0 0 0 0 0 1"/></actuator></mujoco>"""
    m, d = load(xml)
    d.qpos = np.random.default_rng(0).normal(size=8)
    physics.mj_normalizeQuat(m, d.qpos)
    physics.mj_forward(m, d)
    site, ref = d.site_xmat.reshape(2, 3, 3)
    angle = np.linalg.norm(d.actuator_length)
    x, y, z = d.actuator_length / angle
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    turn = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    np.testing.assert_allclose(ref @ turn, site, atol=1e-12)


@pytest.mark.parametrize(("settings", "expected"), [
    ('mode="none"', (0.0, 0.0)), ('uselimit="true"', (-50 * np.pi / 180, 60 * np.pi / 180)),
])  # fmt: skip
def test_a_length_range_may_be_taken_from_a_limit_or_left_open(settings: str, expected: tuple[float, float]) -> None:
    section = f"<mujoco><compiler><lengthrange {settings}/></compiler>"
    xml = SCENE.format(actuator='<muscle joint="swing"/>').replace("<mujoco>", section)
    np.testing.assert_allclose(physics.MjModel.from_xml_string(xml).actuator_lengthrange[0], expected)


@pytest.mark.parametrize(("actuator", "message"), [
    ('<motor joint="swing" refsite="wall"/>', "give it a site too"),
    ('<motor slidersite="tip" cranksite="base"/>', "must be positive"),
    ('<motor cranksite="tip" cranklength="1"/>', "needs both"),
    ('<motor joint="swing" cranklength="1"/>', "belongs to a slider-crank"),
    ('<adhesion body="foot" ctrlrange="-1 1"/>', "must not be negative"),
    ('<muscle joint="ball"/>', "give it a lengthrange"),
    ('<muscle joint="swing" lengthrange="0 1" lmin="2"/>', "lmin < 1 < lmax"),
    ('<general joint="swing" lengthrange="0 1" gaintype="muscle"/>', "reversed"),
])  # fmt: skip
def test_what_cannot_act_is_an_error_at_its_place(actuator: str, message: str) -> None:
    with pytest.raises(physics.MjcfError, match=message):
        physics.MjModel.from_xml_string(SCENE.format(actuator=actuator))
