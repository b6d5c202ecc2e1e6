"""Soft bodies and sleep: what they are part of stays awake, unless a file allows it to sleep, as in the reference."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from tests.physics.collision.flex.scenes import FLOOR, grid
from tumble import physics

_QUIET = 'selfcollide="none"'
PARTS = {
    "cloth": grid("f", 2, "4 4 1", _QUIET, pos="0 0 .2"),
    "nodes": grid("f", 3, "4 4 4", _QUIET, pos="0 0 .2", more='dof="trilinear"'),
    "quadratic": grid("f", 3, "4 4 4", _QUIET, pos="0 0 .2", more='dof="quadratic"'),
}


def scene(part: str, policy: str) -> str:
    sleep = f'sleep="{policy}"' if policy else ""
    bodies = "".join(f'<body name="{name}" pos="{x} 0 -.1" {sleep}><freejoint/><geom size=".1"/>{inside}</body>'
                     for name, x, inside in (("carries", 0, part), ("ball", 1, "")))  # fmt: skip
    return f'<mujoco><option><flag sleep="enable" nativeccd="disable"/></option><worldbody>{FLOOR}{bodies}</worldbody></mujoco>'


@pytest.mark.parametrize("policy", ["", "never", "allowed", "init"])
@pytest.mark.parametrize("part", PARTS)
def test_which_trees_may_sleep_is_as_in_the_reference(part: str, policy: str) -> None:
    """A flex keeps its own trees awake, and no other: not the last one, where vertices between nodes have no body."""
    xml = scene(PARTS[part], policy)
    ours, theirs = physics.MjModel.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)
    np.testing.assert_array_equal(ours.tree_sleep_policy, theirs.tree_sleep_policy)


@pytest.mark.parametrize("policy", ["", "allowed"])
def test_trees_fall_asleep_in_the_same_step(policy: str) -> None:
    xml = scene(PARTS["cloth"], policy)
    m, rm = physics.MjModel.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)
    d, rd = physics.MjData(m), mujoco.MjData(rm)
    for _ in range(200):
        physics.mj_step(m, d)
        mujoco.mj_step(rm, rd)
        np.testing.assert_array_equal(d.tree_asleep, rd.tree_asleep)
    assert (d.tree_asleep >= 0).any()
