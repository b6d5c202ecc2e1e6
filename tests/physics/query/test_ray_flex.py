"""Rays at flexes, against the reference: what is met first, where, and its normal."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from tests.physics.collision.flex.scenes import SoftTwins, grid
from tumble import physics


@pytest.mark.parametrize(("dim", "count"), [(1, "5 1 1"), (2, "4 4 1"), (3, "5 5 5")])
def test_distance_vertex_and_normal_are_the_references(dim, count):
    twins, rng = SoftTwins(grid("a", dim, count, 'selfcollide="none"').replace('".01"', '".02"')), np.random.default_rng(0)
    twins.pose(twins.near(rng, 0.01))
    corners = twins.rd.flexvert_xpos
    met = 0
    for k in range(300):
        point = corners.mean(axis=0) + rng.normal(size=3) * (0.5 if k % 3 else 0.1)
        way = 2.0 * (corners[rng.integers(len(corners))] + rng.normal(size=3) * 0.05 - point)
        what, layer = [int(x) for x in rng.integers(0, 2, size=4)], int(rng.integers(0, 2))
        vertex, normal = np.full(1, -1, np.int32), np.zeros(3)
        theirs, direction = np.full((1, 1), -1, np.int32), np.zeros((3, 1))
        found = physics.mj_rayFlex(twins.m, twins.d, layer, *what, 0, point, way, vertex, normal)
        expected = mujoco.mj_rayFlex(
            twins.rm, twins.rd, layer, *what, 0, point.reshape(3, 1), way.reshape(3, 1), theirs, direction
        )
        assert found == pytest.approx(expected, abs=1e-9)
        assert vertex[0] == theirs[0, 0]
        if found >= 0:
            np.testing.assert_allclose(normal, direction.ravel(), atol=1e-6)
            met += 1
    assert met > 50


def test_other_rays_do_not_see_flexes():
    twins = SoftTwins(grid("a", 2, "4 4 1"))
    twins.pose(twins.rm.qpos0)
    assert physics.mj_ray(twins.m, twins.d, [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]) == -1.0


def test_a_flex_that_does_not_exist_is_named():
    twins = SoftTwins(grid("a", 2, "4 4 1"))
    with pytest.raises(physics.ModelError, match="flex 1"):
        physics.mj_rayFlex(twins.m, twins.d, 0, 1, 0, 0, 0, 1, np.zeros(3), np.ones(3))
