"""Impacts of pairs, and the acceleration with which surfaces leave each other."""

import numpy as np
import pytest

from tumble import physics
from tumble.physics.observe.impacts import impacts_of
from tumble.physics.observe.touch import ContactTap
from tumble.physics.query.force import separations

BALL = """<mujoco><option timestep="0.001"/><worldbody><geom name="floor" type="plane" size="1 1 1"/>
  <body pos="0 0 {height}"><freejoint/><geom name="ball" size=".05" solref="{solref}" priority="1"/></body>
</worldbody></mujoco>"""


def test_ball_without_damping_meets_the_floor_at_the_frequency_of_its_fall() -> None:
    m = physics.MjModel.from_xml_string(BALL.format(height=0.06, solref="-100000 0"))
    d = physics.MjData(m)
    tap = ContactTap(d)
    tap.attach()
    physics.mj_step(m, d, 2000)
    ((pair, impacts),) = impacts_of(tap.since(0)).items()
    assert {physics.mj_id2name(m, physics.mjtObj.mjOBJ_GEOM, g) for g in pair} == {"floor", "ball"}
    # two falls from 1 cm, and half a swing of the spring in between, whose d is 0.9 to 0.95
    period = 2 * np.sqrt(2 * 0.01 / 9.81) + np.pi / np.sqrt(1e5 * 0.9)
    assert np.diff(impacts.times) == pytest.approx(period, rel=0.03)
    assert impacts.peaks[1:] == pytest.approx(impacts.peaks[0], rel=0.05)
    assert len(impacts.since(1.0).times) < len(impacts.times)


def test_ball_at_rest_meets_nothing() -> None:
    m = physics.MjModel.from_xml_string(BALL.format(height=0.05, solref="0.02 1"))
    d = physics.MjData(m)
    physics.mj_step(m, d)
    tap = ContactTap(d)
    tap.attach()
    physics.mj_step(m, d, 1000)
    assert impacts_of(tap.since(0)) == {}


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_overlap_is_pushed_apart_and_rest_is_not(cone: str) -> None:
    text = BALL.format(height=0.04, solref="0.02 1").replace("<option ", f'<option cone="{cone}" ')
    m = physics.MjModel.from_xml_string(text)
    d = physics.MjData(m)
    physics.mj_forward(m, d)
    assert separations(d) == pytest.approx([d.qacc[2]], rel=1e-6)  # the ball alone, straight up
    assert d.qacc[2] > 1
    physics.mj_step(m, d, 2000)
    assert separations(d) == pytest.approx([0.0], abs=1e-6)
