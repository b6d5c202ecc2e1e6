"""Rays against height fields: planes where the answer is known, the reference where it is not."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from numpy.typing import NDArray

from tumble import physics

Floats = NDArray[np.float64]
HALF = np.array([1.2, 1.0, 0.5])
RIDGE = np.array([[0.5, 1.0, 0.5], [0.5, 1.0, 0.5], [0.0, 0.0, 0.0]])
ROUGH = np.random.default_rng(0).random((6, 7))


def scene(heights: Floats, place: str = "") -> str:
    """A height field of half lengths 1.2 and 1, up to 0.5 high, on a base of 0.3."""
    nrow, ncol = heights.shape
    samples = f'elevation="{" ".join(f"{h:.17g}" for h in heights.ravel())}"' if np.ptp(heights) else ""
    return (f'<mujoco><asset><hfield name="h" nrow="{nrow}" ncol="{ncol}" size="1.2 1 .5 .3" {samples}/></asset>'
            f'<worldbody><geom type="hfield" hfield="h" {place}/></worldbody></mujoco>')  # fmt: skip


def posed(xml: str) -> tuple[physics.MjModel, physics.MjData]:
    m = physics.MjModel.from_xml_string(xml)
    d = physics.MjData(m)
    physics.mj_forward(m, d)
    return m, d


def cast(m: physics.MjModel, d: physics.MjData, start: object, way: object) -> tuple[float, int, Floats]:
    geom, normal = np.zeros(1, np.int32), np.zeros(3)
    return physics.mj_ray(m, d, start, way, None, 1, -1, geom, normal), int(geom[0]), normal


def test_a_ray_down_a_slope_meets_its_plane() -> None:
    """The slope rises by 0.5 over 2.4 along x."""
    m, d = posed(scene(np.repeat([np.linspace(0, 1, 9)], 5, axis=0)))
    normal = np.array([-0.5, 0, 2.4]) / np.hypot(0.5, 2.4)
    for x in np.linspace(-1.19, 1.19, 7):
        dist, geom, surface = cast(m, d, [x, 0.123, 2], [0, 0, -2])
        assert geom == 0
        assert dist == pytest.approx(1 - 0.5 * (x + 1.2) / 2.4 / 2, abs=1e-7)  # heights are single precision
        np.testing.assert_allclose(surface, normal, atol=1e-6)


@pytest.mark.parametrize(("start", "way", "dist", "normal"), [
    ([5, 0, 0.1], [-1, 0, 0], 3.8, [1, 0, 0]), ([0, -5, -0.1], [0, 1, 0], 4.0, [0, -1, 0]),
    ([0, 0, -2], [0, 0, 1], 1.7, [0, 0, -1]),
    ([5, 0, 0.26], [-1, 0, 0], 3.8 + 1.2 * 0.04, [0.25, 0, 1.2]), ([0, 5, 0.6], [0, -1, 0], -1, [0, 0, 0]),
    ([5, 5, 5], [0, 0, -1], -1, [0, 0, 0]),
])  # fmt: skip
def test_walls_base_and_what_lies_beyond(start: list[float], way: list[float], dist: float, normal: list[float]) -> None:
    """Halfway up at both ends of x, a ridge of full height in the middle."""
    m, d = posed(scene(RIDGE))
    found, _, surface = cast(m, d, start, way)
    assert found == pytest.approx(dist, abs=1e-6)
    np.testing.assert_allclose(surface, np.array(normal) / max(1e-9, np.linalg.norm(normal)), atol=1e-6)


@pytest.mark.parametrize("place", ["", 'pos=".1 .2 .05" euler="50 7 30"'])
@pytest.mark.parametrize("heights", [ROUGH, np.zeros((4, 9))], ids=["rough", "level"])
def test_rays_from_everywhere_meet_what_the_reference_meets(heights: Floats, place: str) -> None:
    xml = scene(heights, place)
    m, d = posed(xml)
    theirs = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(theirs)
    mujoco.mj_forward(theirs, data)
    rng = np.random.default_rng(3)
    met, geom, normal = 0, np.zeros(1, np.int32), np.zeros(3)
    for k in range(400):
        start = rng.uniform(-1.5 * HALF, 1.5 * HALF + [0, 0, 1])
        way = (rng.uniform(-HALF, HALF) - start) * rng.uniform(0.1, 3) if k % 2 else rng.normal(size=3)
        if k % 10 == 4:
            way[rng.integers(3)] = 0  # along the grid
        if k % 10 == 5:
            way[:2] = 0
        dist = mujoco.mj_ray(theirs, data, start, way, None, 1, -1, geom, normal)
        ours, found, surface = cast(m, d, start, way)
        assert (ours, found) == (pytest.approx(dist, rel=1e-9, abs=1e-12), geom[0]), (start, way)
        np.testing.assert_allclose(surface, normal, atol=1e-6)  # of heights in single precision
        met += dist >= 0
    assert met > 100


def test_a_field_of_one_row_is_not_met() -> None:
    m, d = posed(scene(np.array([[0.0, 1.0, 0.5]])))
    assert cast(m, d, [0, 0, 2], [0, 0, -1])[0] == -1


def test_no_ray_slips_between_triangles() -> None:
    """Straight through samples, edges and diagonals, where rounding decides between neighbours."""
    m, d = posed(scene(ROUGH))
    for x in np.linspace(-1.2, 1.2, 7)[1:-1]:
        for y in np.linspace(-1, 1, 6)[1:-1]:
            for way in ([0, 0, -1], [1e-9, 0, -1], [0.4, 0.4, -1], [-0.4, 0.4, -1], [0, 1e-17, -1]):
                assert 0 <= cast(m, d, [x - way[0], y - way[1], 1], way)[0] <= 1
