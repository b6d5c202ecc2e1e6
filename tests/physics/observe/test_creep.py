"""Creep of sticking contacts: a load moves at the speed of the law, and impratio divides it."""

import numpy as np
import pytest

from tumble import physics
from tumble.physics.observe.creep import creep_of, friction_forces

SLOPE = """<mujoco><option cone="{cone}" impratio="{impratio}"/><worldbody>
  <geom name="ramp" type="plane" size="2 2 .1" euler="0 20 0"/>
  <body pos="0 0 .0533" euler="0 20 0"><freejoint/><geom type="box" size=".05 .05 .05" mass="1"/></body>
</worldbody></mujoco>"""


def settled(cone: str, impratio: float) -> physics.MjData:
    m = physics.MjModel.from_xml_string(SLOPE.format(cone=cone, impratio=impratio))
    d = physics.MjData(m)
    physics.mj_step(m, d, 500)
    return d


@pytest.mark.parametrize("impratio", [1.0, 10.0])
def test_box_on_a_slope_creeps_as_the_law_has_it(impratio: float) -> None:
    creep = creep_of(settled("elliptic", impratio))
    assert creep.sticks.all()
    assert creep.sliding == pytest.approx(creep.law, rel=1e-3, abs=1e-9)  # it has settled to that in a second


def test_impratio_divides_the_speed_of_creep() -> None:
    slow, fast = (creep_of(settled("elliptic", ratio)).speed.mean() for ratio in (10.0, 1.0))
    assert fast / slow == pytest.approx(10, rel=1e-3)


def test_pyramid_creeps_faster_by_its_edges() -> None:
    """R of an edge belongs to its own inverse inertia, (1 + mu^2) W; contacts all of whose edges carry follow the law."""
    pyramid, ellipse = (creep_of(settled(cone, 1.0)) for cone in ("pyramidal", "elliptic"))
    fastest = np.linalg.norm(pyramid.law, axis=1).max()
    assert pyramid.speed == pytest.approx(fastest, rel=1e-3)
    assert fastest > 1.9 * np.linalg.norm(ellipse.law, axis=1).max()  # 1 + mu^2 is 2, less what edges without force leave


def test_friction_holds_the_weight_along_the_slope() -> None:
    force = friction_forces(settled("elliptic", 1.0)).sum(axis=0)
    assert np.linalg.norm(force) == pytest.approx(9.81 * np.sin(np.deg2rad(20)), rel=1e-3)
