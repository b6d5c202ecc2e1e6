"""The time of a collision, pair by pair: what is counted is what happens, and nothing changes."""

from __future__ import annotations

import numpy as np
import pytest

from tumble import physics
from tumble.physics import mjtGeom

TILES = "".join(f'<geom type="box" size=".5 .5 .1" pos="{k} 0 -.1"/>' for k in range(30))
THINGS = "".join(
    f'<body pos="{0.9 * k:.1f} 0 .09"><freejoint/><geom type="{kind}" size=".1 .1 .1"/></body>'
    for k, kind in enumerate(["box", "sphere", "cylinder"] * 10)
)
FEW = '<geom type="plane" size="9 9 1"/>' + THINGS[: THINGS.index("</body>") + 7]


@pytest.mark.parametrize("body", [TILES + THINGS, FEW])
def test_pairs_tell_of_every_contact_and_change_nothing(body: str) -> None:
    m = physics.MjModel.from_xml_string(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    d = physics.MjData(m)
    physics.mj_forward(m, d)
    before, trees = np.array(d.contact.dist), np.array(m.collide_node)
    heard: list[float] = []
    times = physics.collision_times(m, d, heard.append)
    assert heard[-1] == 1.0
    assert len(times.pairs) <= times.seen
    assert sum(pair.contacts for pair in times.pairs) == d.ncon > 0
    touching = {tuple(pair) for pair in d.contact.geom.tolist()}
    assert {(pair.geom1, pair.geom2) for pair in times.pairs if pair.contacts} == touching
    assert sum(kind.pairs for kind in times.by_type(m)) == len(times.pairs)
    assert all(0 < pair.seconds < 1e-3 for pair in times.pairs)
    assert (times.broad > 0) == (m.collide_nactive < 0)
    np.testing.assert_array_equal(d.contact.dist, before)
    np.testing.assert_array_equal(m.collide_node, trees)


def test_narrow_phases_are_added_up_by_types() -> None:
    m = physics.MjModel.from_xml_string(f"<mujoco><worldbody>{TILES}{THINGS}</worldbody></mujoco>")
    d = physics.MjData(m)
    physics.mj_forward(m, d)
    times = physics.collision_times(m, d)
    kinds = {(kind.type1, kind.type2): kind for kind in times.by_type(m)}
    assert set(kinds) == {(mjtGeom.mjGEOM_BOX,) * 2, (mjtGeom.mjGEOM_SPHERE, mjtGeom.mjGEOM_BOX),
                          (mjtGeom.mjGEOM_CYLINDER, mjtGeom.mjGEOM_BOX)}  # fmt: skip
    assert sum(kind.seconds for kind in kinds.values()) == pytest.approx(times.narrow)
