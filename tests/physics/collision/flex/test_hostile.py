"""Flexes as nobody means them: flat, inverted, in one point, huge. No number is lost, and nothing hangs."""

import time

import numpy as np
import pytest

from tests.physics.collision.flex.scenes import EXACT, SCENES, SoftTwins
from tumble import physics

MOST = 2.0  # of the processor's time for one step [s], where a whole test takes milliseconds
PLACES = {
    "in one point": np.zeros(3),
    "in a plane": np.array([1.0, 1.0, 0.0]),
    "on a line": np.array([0.0, 1.0, 0.0]),
    "inside out": np.array([1.0, 1.0, -1.0]),
    "a mile wide": np.full(3, 1e4),
    "beyond all measure": np.full(3, 1e100),
    "almost nothing": np.full(3, 1e-13),
}
SOME = [name for name in SCENES if "folded" not in name]


def stretch(twins: SoftTwins, factors: np.ndarray) -> None:
    """Multiply the world places of all vertices that can move by factors, axis by axis."""
    m, d = twins.m, twins.d
    d.qpos[:] = m.qpos0
    physics.mj_kinematics(m, d)
    physics.mj_flex(m, d)
    for vertex, body in enumerate(m.flex_vertbodyid):
        if m.body_jntnum[body] == 3:
            at = m.jnt_qposadr[m.body_jntadr[body]]
            d.qpos[at : at + 3] += (factors - 1.0) * d.flexvert_xpos[vertex]


def step_in_time(twins: SoftTwins) -> None:
    start = time.process_time()
    physics.mj_forward(twins.m, twins.d)
    assert time.process_time() - start < MOST
    for name in ("dist", "pos", "frame"):
        assert np.isfinite(getattr(twins.d.contact, name)).all(), name
    assert np.isfinite(np.array(twins.d.qacc)).all()


@pytest.mark.parametrize("ccd", ["", EXACT], ids=["polytopes", "portals"])
@pytest.mark.parametrize("scene", SOME)
def test_every_degenerate_shape_is_survived(scene, ccd):
    twins = SoftTwins(SCENES[scene], ">" + ccd)
    physics.mj_forward(twins.m, twins.d)  # compiles what is not there yet
    for place in PLACES.values():
        stretch(twins, place)
        step_in_time(twins)


@pytest.mark.parametrize("radius", [0.0, 1e-300, 1e6, -1.0])
@pytest.mark.parametrize("scene", [name for name in SOME if name != "interpolated solids"])  # 60,000 contacts
def test_every_radius_is_survived(scene, radius):
    twins = SoftTwins(SCENES[scene])
    physics.mj_forward(twins.m, twins.d)
    twins.m.flex_radius[:] = radius
    step_in_time(twins)


def test_what_is_no_number_touches_nothing_for_ever():
    twins = SoftTwins(SCENES["two cubes"])
    physics.mj_forward(twins.m, twins.d)
    twins.d.flexvert_xpos[:] = np.nan
    twins.d.flexelem_aabb[:] = np.nan
    twins.d.bvh_aabb_dyn[:] = np.nan
    start = time.process_time()
    physics.mj_collision(twins.m, twins.d)
    assert time.process_time() - start < MOST
