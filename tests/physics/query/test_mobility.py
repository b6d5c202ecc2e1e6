"""Mobility and moment arms: the inverse inertia that a force along a direction moves."""

from __future__ import annotations

import numpy as np
import pytest

from tumble import physics
from tumble.physics.query.mobility import mobility, moment_arms

SLIDES = """<mujoco><option gravity="0 0 0"/><worldbody>
  <body><joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="2"/>
  <body><joint name="y" type="slide" axis="0 1 0"/><geom size=".1" mass="3"/></body></body></worldbody>
  <actuator><motor joint="x" gear="4"/><motor joint="y" gear="-1"/></actuator></mujoco>"""


def test_mobility_is_the_acceleration_along_a_force() -> None:
    m = physics.MjModel.from_xml_string(SLIDES)
    d = physics.MjData(m)
    physics.mj_forward(m, d)
    assert [moment_arms(m, d, i).tolist() for i in (0, 1)] == [[4.0, 0.0], [0.0, -1.0]]
    assert mobility(m, d, np.array([1.0, 0.0])) == pytest.approx(1 / 5)  # the first carries the second
    assert mobility(m, d, moment_arms(m, d, 1)) == pytest.approx(1 / 3)
    d.ctrl[0] = 1.0
    physics.mj_forward(m, d)
    assert moment_arms(m, d, 0) @ d.qacc == pytest.approx(mobility(m, d, moment_arms(m, d, 0)))
