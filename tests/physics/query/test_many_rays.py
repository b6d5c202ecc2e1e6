"""Many rays from one point: the same as one by one, and as the reference's."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

from tumble import physics

TYPES = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")
SHAPE, SIZES = {"mesh": 'mesh="rock"'}, 'size=".2 .3 .25"'
RANDOM = np.random.default_rng(5)
GEOMS = "".join(
    f'<body pos="{x} {y} {z}" euler="{a} {b} {c}"><geom type="{kind}" {SHAPE.get(kind, SIZES)} group="{k % 3}"/></body>'
    for k, (kind, (x, y, z), (a, b, c)) in enumerate(
        zip(TYPES * 6, RANDOM.uniform([-3, -3, 0.3], [3, 3, 3], (36, 3)), RANDOM.uniform(0, 180, (36, 3)), strict=True))
)  # fmt: skip
SCENE = f"""<mujoco>
  <asset>
    <mesh name="rock" vertex="0 0 0  .5 0 0  0 .5 0  0 0 .5  .4 .4 .3"/>
    <hfield name="hills" nrow="3" ncol="3" size="2 2 .5 .1" elevation="0 1 2 1 0 1 2 0 1"/>
  </asset>
  <worldbody>{GEOMS}<geom type="hfield" hfield="hills" pos="1 1 .1"/><geom type="plane" size="0 0 1"/>
    <geom size=".3" pos="0 0 1.8" rgba="1 1 1 0"/></worldbody></mujoco>"""


def cast(module: Any, vec: np.ndarray, cutoff: float, **kinds: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    m = module.MjModel.from_xml_string(SCENE)
    d = module.MjData(m)
    module.mj_forward(m, d)
    n = len(vec)
    geom, dist, normal = np.full(n, -9, np.int32), np.zeros(n), np.zeros(3 * n)
    settings = {"geomgroup": None, "flg_static": 1, "bodyexclude": -1} | kinds
    module.mj_multiRay(m, d, np.array([0, 0, 1.8]), vec.ravel(), *settings.values(), geom, dist, normal, n, cutoff)
    return geom, dist, normal


@pytest.mark.parametrize(("cutoff", "kinds"), [
    (1e10, {}), (1.2, {}), (2.0, {"geomgroup": np.array([1, 0, 1, 0, 0, 0], np.uint8)}), (1e10, {"flg_static": 0}),
    (1e10, {"bodyexclude": 0}),
])  # fmt: skip
def test_many_rays_meet_what_the_references_do(cutoff: float, kinds: dict[str, Any]) -> None:
    """Among them which geoms the cutoff leaves out; of the plane, see the next test."""
    vec = np.random.default_rng(1).normal(size=(600, 3))
    ours, theirs = cast(physics, vec, cutoff, **kinds), cast(mujoco, vec, cutoff, **kinds)
    assert (ours[0] >= 0).any() == ("flg_static" not in kinds)
    if cutoff == 1.2:
        assert 0 < (ours[0] >= 0).sum() < 200  # few geoms are so near
    np.testing.assert_array_equal(ours[0], theirs[0])
    np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-9)
    np.testing.assert_allclose(ours[2], theirs[2], atol=1e-7)  # vertices have 32 bits


def test_a_plane_is_as_far_away_as_its_surface() -> None:
    """The reference measures to its middle, which a plane without end does not have."""
    m = physics.MjModel.from_xml_string('<mujoco><worldbody><geom type="plane" size="0 0 1" pos="10 0 0"/></worldbody></mujoco>')
    d = physics.MjData(m)
    physics.mj_forward(m, d)
    geom, dist = np.zeros(1, np.int32), np.zeros(1)
    for cutoff, met in ((1.9, -1), (2.1, 0)):
        physics.mj_multiRay(m, d, [0, 0, 2], [0, 0, -1], None, 1, -1, geom, dist, None, 1, cutoff)
        assert geom[0] == met


def test_every_direction_needs_a_length() -> None:
    with pytest.raises(physics.PhysicsError, match="row without length"):
        cast(physics, np.array([[1.0, 0, 0], [0, 0, 0]]), 1.0)
