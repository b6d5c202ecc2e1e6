"""Bodies of many geoms: what the middle phase leaves out touches nothing."""

import mujoco
import numpy as np
import pytest

from tumble import physics

MORE = "<body/>" * 60  # so many bodies that geoms are swept one by one
OVERRIDE = '<option o_margin=".05"><flag override="enable"/></option>'


def cluster(rng: np.random.Generator, number: int, pos: str, joint: str) -> str:
    """A body of small geoms of all kinds, here and there in a ball."""
    kinds = rng.choice(["sphere", "box", "capsule"], number)
    places = 0.5 * rng.normal(size=(number, 3))
    return f'<body pos="{pos}">{joint}' + "".join(
        f'<geom type="{kind}" size=".04 .05 .06" pos="{x:.3f} {y:.3f} {z:.3f}" mass=".1" margin="{margin:.3f}"/>'
        for kind, (x, y, z), margin in zip(kinds, places, 0.02 * rng.random(number), strict=True)
    ) + "</body>"


def scene(seed: int, more: str = "", before: str = "") -> str:
    rng = np.random.default_rng(seed)
    ground = "".join(f'<geom type="box" size=".1 .1 .1" pos="{x:.3f} {y:.3f} -1"/>' for x, y in rng.uniform(-4, 4, (1500, 2)))
    free = "<freejoint/>"
    child = cluster(rng, 30, "1 0 0", "<joint/>")
    return f"""<mujoco>{before}<worldbody><geom type="plane" size="1 1 1" pos="0 0 -1.1"/>{ground}
        {cluster(rng, 80, "0 0 0", free).replace("</body>", child + "</body>")}{cluster(rng, 100, "1.6 0 0", free)}
        {cluster(rng, 60, "0 30 0", free)}{cluster(rng, 50, "2 1 -.5", "")}{more}</worldbody></mujoco>"""


def contacts(text: str) -> tuple[np.ndarray, np.ndarray, physics.MjModel]:
    m = physics.MjModel.from_xml_string(text)
    d = physics.MjData(m)
    physics.mj_forward(m, d)
    return np.array(d.contact.geom).reshape(-1, 2).copy(), np.array(d.contact.dist).copy(), m


@pytest.mark.parametrize("before", ["", OVERRIDE])
@pytest.mark.parametrize("seed", range(3))
def test_contacts_and_their_order_are_those_of_a_sweep_over_all_geoms(seed: int, before: str) -> None:
    geoms, dist, m = contacts(scene(seed, before=before))
    all_geoms, all_dist, many = contacts(scene(seed, MORE, before))
    assert m.nbody**2 <= m.ngeom < many.nbody**2  # the one chooses geoms first, the other does not
    assert len(geoms) > 20
    np.testing.assert_array_equal(geoms, all_geoms)
    np.testing.assert_array_equal(dist, all_dist)


def test_bodies_of_many_geoms_touch_as_in_the_reference() -> None:
    text = scene(5)
    theirs = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(theirs)
    mujoco.mj_forward(theirs, data)
    geoms, _, _ = contacts(text)
    np.testing.assert_array_equal(np.unique(geoms, axis=0), np.unique(data.contact.geom, axis=0))
