"""Patches of pressure and cuts of friction cones, in closed forms."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from tumble.physics.dynamics.contact_force import cone_share
from tumble.physics.observe.friction_cone import cone_section
from tumble.physics.observe.pressure import convex_hull, pressure_patches

Vec = NDArray[np.float64]
MU = (0.6, 0.25, 0.02, 0.01, 0.004)


def level(points: list[tuple[float, float]], height: float = 0.3, tilt: float = 0.0) -> tuple[Vec, Vec]:
    """Contacts at points of a plane through (0, 0, height), turned about y by an angle, and their frames."""
    turn = np.array([[math.cos(tilt), 0.0, math.sin(tilt)], [0.0, 1.0, 0.0], [-math.sin(tilt), 0.0, math.cos(tilt)]])
    pos = np.c_[np.array(points), np.zeros(len(points))] @ turn.T + (0.0, 0.0, height)
    frame = np.stack([turn[:, 2], turn[:, 0], turn[:, 1]]).ravel()
    return pos, np.tile(frame, (len(points), 1))


def test_the_hull_has_the_corners_alone_in_their_order() -> None:
    square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    inside = [(0.5, 0.5), (0.5, 0.0), (0.2, 0.9)]
    points = [inside[0], square[2], square[0], inside[1], square[3], inside[2], square[1]]
    hull = [points[i] for i in convex_hull(points)]
    start = hull.index((0.0, 0.0))
    assert hull[start:] + hull[:start] == square
    assert sorted(convex_hull([(0.0, 0.0), (1.0, 1.0), (0.25, 0.25), (0.5, 0.5)])) == [0, 1]
    assert convex_hull([(2.0, 3.0)]) == [0]
    turns = np.linspace(0.0, 2.0 * math.pi, 9, endpoint=False)
    assert len(convex_hull([(math.cos(t), math.sin(t)) for t in turns])) == 9


@pytest.mark.parametrize("tilt", [0.0, 0.7])
def test_a_patch_has_the_area_force_and_centre_of_what_presses(tilt: float) -> None:
    corners = [(0.2, 0.1), (-0.2, 0.1), (-0.2, -0.1), (0.2, -0.1), (0.05, 0.02)]
    pos, axes = level(corners, tilt=tilt)
    force = np.array([1.0, 1.0, 3.0, 3.0, 2.0])
    pairs = np.tile([4, 7], (5, 1))
    (patch,) = pressure_patches(pairs, pos, axes, force)
    assert patch.pair == (4, 7)
    assert patch.area == pytest.approx(0.4 * 0.2)
    assert patch.force == 10.0
    assert patch.pressure == pytest.approx(10.0 / 0.08)
    assert patch.centre is not None
    middle = (np.array(corners) * force[:, None]).sum(axis=0) / 10.0
    np.testing.assert_allclose(patch.centre, level([(float(middle[0]), float(middle[1]))], tilt=tilt)[0][0], atol=1e-12)
    assert len(patch.outline) == 4
    np.testing.assert_allclose(patch.normal, axes[0, :3], atol=1e-12)
    first, second = patch.outline[1] - patch.outline[0], patch.outline[2] - patch.outline[1]
    assert np.cross(first, second) @ patch.normal > 0  # counter-clockwise about it


def test_pairs_lie_apart_and_what_is_no_plane_has_no_patch() -> None:
    three = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]
    pos, axes = level(three)
    both = np.array([[1, 2]] * 3 + [[1, 3]] * 3)
    order = np.array([3, 0, 4, 1, 5, 2])  # one pair's contacts need not follow each other
    two = pressure_patches(both[order], np.r_[pos, pos + 5.0][order], np.r_[axes, axes][order], np.ones(6))
    assert [(patch.pair, patch.area) for patch in two] == [((1, 2), pytest.approx(0.5)), ((1, 3), pytest.approx(0.5))]
    assert pressure_patches(both[:2], pos[:2], axes[:2], np.ones(2)) == []
    assert pressure_patches(np.tile([-1, 2], (3, 1)), pos, axes, np.ones(3)) == []  # a flex
    turned = np.r_[axes[:2], level(three, tilt=1.2)[1][:1]]
    assert pressure_patches(both[:3], pos, turned, np.ones(3)) == []
    (line,) = pressure_patches(both[:3], *level([(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]), np.ones(3))
    assert (line.area, line.pressure, line.force) == (0.0, 0.0, 3.0)
    (still,) = pressure_patches(both[:3], pos, axes, np.zeros(3))
    assert still.centre is None


@pytest.mark.parametrize("elliptic", [True, False])
@pytest.mark.parametrize("dim", [3, 4, 6])
def test_a_force_on_the_rim_of_the_cut_uses_all_of_the_cone(elliptic: bool, dim: int) -> None:
    normal = 40.0
    turning = np.array([0.0, 0.0, 0.0, 0.3 * normal * MU[2], 0.2 * normal * MU[3], -0.1 * normal * MU[4]])
    turning[dim:] = 0.0
    turning[0] = normal
    first, second, left = cone_section(turning, MU, dim, elliptic=elliptic)
    assert (first, second) == pytest.approx((24.0, 10.0))
    for angle in (0.0, 0.4, 2.0, 4.5):
        x, y = math.cos(angle), math.sin(angle)
        reach = 1.0 if elliptic else abs(x) + abs(y)  # of the ellipse, or of the rhombus with its corners on the axes
        force = turning.copy()
        force[1], force[2] = left * first * x / reach, left * second * y / reach
        assert float(cone_share(force, MU, elliptic)) == pytest.approx(1.0)
        force[1:3] *= 0.9
        assert float(cone_share(force, MU, elliptic)) < 1.0
    assert (left < 1.0) == (dim > 3)


def test_without_friction_or_force_there_is_no_cut() -> None:
    assert cone_section(np.array([5.0, 0, 0, 0, 0, 0]), MU, 1, elliptic=True) == (0.0, 0.0, 1.0)
    assert cone_section(np.zeros(6), MU, 3, elliptic=True) == (0.0, 0.0, 1.0)
    assert cone_section(np.array([-1.0, 0, 0, 0, 0, 0]), MU, 6, elliptic=False) == (0.0, 0.0, 1.0)
