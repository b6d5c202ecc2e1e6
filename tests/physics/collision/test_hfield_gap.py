"""Distances of height fields: against each prism as a mesh of its own, and in closed form."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.physics.collision.test_hfields import ROUGH, SHAPES, SLOPE, numbers, posed, prisms, scene
from tumble import physics

Floats = NDArray[np.float64]
SIZE = [1.2, 1, 0.5, 0.3]
SMALL = ROUGH[:3, :4]


def gap(d: physics.MjData, m: physics.MjModel, limit: float = 1e4) -> tuple[float, Floats]:
    ends = np.zeros(6)
    return physics.mj_geomDistance(m, d, 0, 1, limit, ends), ends


def of_prisms(shape: str) -> mujoco.MjModel:
    """Every prism of the field SMALL as a mesh, and a shape, in the reference."""
    flat = SMALL / SMALL.max() if SMALL.min() == 0 else (SMALL - SMALL.min()) / np.ptp(SMALL)
    meshes = list(prisms(flat[::-1].astype(np.float32).astype(float), SIZE))
    assets = "".join(f'<mesh name="p{k}" vertex="{numbers(v)}"/>' for k, v in enumerate(meshes))
    geoms = "".join(f'<geom type="mesh" mesh="p{k}"/>' for k in range(len(meshes)))
    return mujoco.MjModel.from_xml_string(
        f"<mujoco><asset>{assets}</asset><worldbody>{geoms}<body><freejoint/><geom {shape}/></body></worldbody></mujoco>"
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_the_distance_is_that_of_the_nearest_prism(shape: str) -> None:
    """From touching to a hundred times the size, on all sides; the ends are on both surfaces."""
    theirs = of_prisms(SHAPES[shape])
    data = mujoco.MjData(theirs)
    m, d = posed(scene(SMALL, "1.2 1 .5 .3", f"|{SHAPES[shape]}"))
    rng, apart = np.random.default_rng(3), 0
    for _ in range(25):
        d.qpos[:] = data.qpos[:] = np.concatenate([rng.normal(size=3) * 10 ** rng.uniform(0, 2), rng.normal(size=4)])
        physics.mj_kinematics(m, d)
        mujoco.mj_kinematics(theirs, data)
        last = theirs.ngeom - 1
        each = [mujoco.mj_geomDistance(theirs, data, k, last, 1e4, None) for k in range(last)]
        if min(each) <= 0:
            continue
        apart += 1
        dist, ends = gap(d, m)
        assert dist == pytest.approx(min(each), rel=1e-6, abs=1e-6)  # ccd_tolerance
        assert np.linalg.norm(ends[3:] - ends[:3]) == pytest.approx(dist, rel=1e-9)
        turned = np.zeros(6)
        assert physics.mj_geomDistance(m, d, 1, 0, 1e4, turned) == dist
        np.testing.assert_array_equal(turned, ends[[3, 4, 5, 0, 1, 2]])
        assert gap(d, m, 0.999 * dist)[0] == 0.999 * dist
    assert apart > 10


def test_where_they_overlap_it_is_the_deepest_contact() -> None:
    m, d = posed(scene(ROUGH, "1.2 1 .5 .3", f'pos=".1 .2 .3" quat="1 2 3 4"|{SHAPES["box"]}', field='euler="10 20 30"'))
    assert d.ncon > 3
    assert gap(d, m)[0] == pytest.approx(d.contact.dist.min(), abs=1e-12)


def test_above_a_slope_it_is_that_of_the_slope() -> None:
    """The slope rises by 1 over 2; from far beyond its upper end, the nearest is the edge there."""
    normal = np.array([-1, 0, 2]) / np.sqrt(5)
    m, d = posed(scene(SLOPE, "1 1 1 .2", '|type="sphere" size=".1"'))
    for place, dist, foot in (
        (np.array([0, 0.1, 0.5]) + 0.4 * normal, 0.3, [0, 0.1, 0.5]), (np.array([31, 0.1, 41]), 49.9, [1, 0.1, 1]),
        (np.array([0.2, 0.1, -7.2]), 6.9, [0.2, 0.1, -0.2]),
    ):  # fmt: skip
        d.qpos[:3] = place
        physics.mj_kinematics(m, d)
        found, ends = gap(d, m)
        assert found == pytest.approx(dist, abs=1e-6)
        np.testing.assert_allclose(ends[:3], foot, atol=1e-5)


def test_to_a_plane_it_is_that_of_the_lowest_point() -> None:
    m, d = posed('<mujoco><asset><hfield name="h" nrow="2" ncol="3" size="2 1 1 .5" elevation="0 1 0 0 0 .5"/></asset><worldbody>'
                 '<geom type="plane" size="1 1 1"/><geom type="hfield" hfield="h" pos="0 0 3"/>'
                 '<geom type="hfield" hfield="h" pos="0 0 3" euler="180 0 0"/></worldbody></mujoco>')  # fmt: skip
    ends = np.zeros(6)
    assert physics.mj_geomDistance(m, d, 0, 1, 10, ends) == pytest.approx(2.5)
    assert physics.mj_geomDistance(m, d, 2, 0, 10, ends) == pytest.approx(2.0)
    np.testing.assert_allclose(ends, [0, -1, 2, 0, -1, 0], atol=1e-12)
    assert physics.mj_geomDistance(m, d, 2, 0, 1.9, ends) == 1.9
