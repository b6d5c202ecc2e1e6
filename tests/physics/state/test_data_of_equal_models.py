"""Data serve every model of the sizes of theirs, whether that has taken steps or not."""

from __future__ import annotations

import copy

import pytest

from tumble import physics

TWO_BALLS = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 1"><freejoint/><geom size=".1"/></body>
  <body pos="0 0 2"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


def test_data_of_a_model_that_never_stepped_serve_its_copies() -> None:
    m = physics.MjModel.from_xml_string(TWO_BALLS)
    d, twin = physics.MjData(m), copy.copy(m)
    for _ in range(3):  # the first step finds which pairs can collide, and keeps them with the model
        physics.mj_step(twin, d)
    physics.mj_step(m, d)
    assert d.time == pytest.approx(4 * m.opt.timestep)


def test_data_do_not_serve_a_model_of_other_sizes() -> None:
    m = physics.MjModel.from_xml_string(TWO_BALLS)
    other = physics.MjModel.from_xml_string(TWO_BALLS.replace('<geom size=".1"/>', '<geom size=".1"/><geom size=".05"/>', 1))
    with pytest.raises(physics.ModelError, match="other sizes"):
        physics.mj_step(other, physics.MjData(m))
