"""Models in which nothing can move load and step, whatever they ask for: there is nothing to pull at, and nothing to limit."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import physics

SITES = '<site name="a"/><site name="b" pos="1 0 0"/>'
TENDON = '<tendon><spatial {}><site site="a"/><site site="b"/></spatial></tendon>'


@pytest.mark.parametrize(
    "asked",
    [
        TENDON.format('limited="true" range="0 0.5"'),
        TENDON.format('margin="1" frictionloss="1"'),
        TENDON.format('stiffness="1" damping="1" armature="1"'),
        '<actuator><general site="a" gear="1 0 0 0 0 0"/></actuator>',
        '<actuator><general site="a" refsite="b" gear="1 0 0 0 0 0"/></actuator>',
        '<actuator><adhesion body="fixed" ctrlrange="0 1"/></actuator>',
    ],
)
def test_what_pulls_at_nothing_changes_nothing(asked: str) -> None:
    text = f'<mujoco><worldbody>{SITES}<body name="fixed"><geom size="0.1"/></body></worldbody>{asked}</mujoco>'
    m, theirs = physics.MjModel.from_xml_string(text), mujoco.MjModel.from_xml_string(text)
    d, reference = physics.MjData(m), mujoco.MjData(theirs)
    for _ in range(3):
        physics.mj_step(m, d)
        mujoco.mj_step(theirs, reference)
    physics.mj_inverse(m, d)
    np.testing.assert_array_equal(d.actuator_length, reference.actuator_length)
    np.testing.assert_array_equal(d.ten_length, reference.ten_length)
    assert d.nefc == reference.nefc
