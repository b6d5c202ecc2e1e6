"""What is kept from one step to the next to see that geoms are apart saves time, and changes nothing."""

from __future__ import annotations

import numpy as np

from tests.physics.collision.scenes import number_list
from tumble import physics


def heap(margin: float) -> physics.MjModel:
    """Bodies of two meshes, of 30 and 12 corners, and of an ellipsoid and a cylinder, above each other."""
    rng = np.random.default_rng(5)
    assets = ""
    for name, count in (("rock", 30), ("stone", 12)):
        points = rng.normal(size=(count, 3))
        assets += f'<mesh name="{name}" vertex="{number_list(0.1 * points / np.linalg.norm(points, axis=1)[:, None])}"/>'
    kinds = ['type="mesh" mesh="rock"', 'type="mesh" mesh="stone"', 'type="ellipsoid" size=".1 .08 .06"',
             'type="cylinder" size=".08 .06"']  # fmt: skip
    bodies = "".join(
        f'<body pos="{number_list(rng.uniform([-0.15, -0.15, 0.1], [0.15, 0.15, 0.7]))}"><freejoint/>'
        f'<geom {kinds[k % 4]} margin="{margin}"/>'
        "</body>"
        for k in range(12)
    )
    return physics.MjModel.from_xml_string(
        f'<mujoco><asset>{assets}</asset><worldbody><geom type="plane" size="2 2 .1"/>{bodies}</worldbody></mujoco>'
    )


def contacts(d: physics.MjData) -> bytes:
    return d.contact.geom.tobytes() + d.contact.dist.tobytes() + d.contact.pos.tobytes() + d.contact.frame.tobytes()


def test_contacts_are_to_the_bit_those_of_data_that_know_nothing_of_the_steps_before() -> None:
    for margin in (0.0, 0.02):
        m = heap(margin)
        d, found = physics.MjData(m), set()
        for _ in range(60):
            physics.mj_step(m, d, 8)
            fresh = physics.MjData(m)
            fresh.qpos = d.qpos
            physics.mj_forward(m, fresh)
            physics.mj_forward(m, d)
            assert contacts(d) == contacts(fresh)
            found |= {tuple(pair) for pair in d.contact.geom.tolist()}
        assert len(found) > 25  # pairs met and parted


def test_a_geom_that_takes_another_mesh_is_searched_from_a_corner_that_mesh_has() -> None:
    m = heap(0.0)
    d = physics.MjData(m)
    physics.mj_step(m, d, 200)
    with m.unlocked():
        m.geom_dataid = np.where(m.geom_dataid == 0, 1, m.geom_dataid)  # from 30 corners to 12
    fresh = physics.MjData(m)
    fresh.qpos = d.qpos
    physics.mj_forward(m, fresh)
    physics.mj_forward(m, d)
    assert contacts(d) == contacts(fresh)
