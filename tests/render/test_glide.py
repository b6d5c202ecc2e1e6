"""Smooth moves of the camera: ends, a level horizon, and the way from perspective to orthographic."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tumble.physics import MjModel
from tumble.render.camera import Camera, View, default_camera, view_of
from tumble.render.frame import Frame
from tumble.render.glide import blend, ease

ASPECT = 1.5


@pytest.fixture(scope="module")
def model() -> MjModel:
    return MjModel.from_xml_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")


def seen(model: MjModel, camera: Camera) -> View:
    return view_of(camera, model, Frame(), ASPECT)


def matrix(view: View) -> np.ndarray:
    return view.projection_matrix() @ view.view_matrix()


def test_a_glide_begins_and_ends_in_the_two_views_and_stands_still_there(model: MjModel) -> None:
    start, goal = (seen(model, replace(default_camera(model), azimuth=a)) for a in (90.0, -170.0))
    assert blend(start, goal, 0.0, 3.0) is start
    assert blend(start, goal, 1.0, 3.0) is goal
    assert_allclose(matrix(blend(start, goal, 1e-9, 3.0)), matrix(start), atol=1e-6)
    assert (ease(-1.0), ease(0.0), ease(1.0), ease(2.0)) == (0.0, 0.0, 1.0, 1.0)
    assert ease(1e-4) < 1e-6


def test_the_horizon_stays_level_and_the_short_way_round_is_taken(model: MjModel) -> None:
    camera = default_camera(model)
    start = seen(model, replace(camera, azimuth=170.0, elevation=-20.0))
    goal = seen(model, replace(camera, azimuth=-150.0, elevation=-60.0))
    middle = blend(start, goal, 0.5, camera.distance)
    assert middle.right[2] == pytest.approx(0.0, abs=1e-12)
    assert_allclose(matrix(middle), matrix(seen(model, replace(camera, azimuth=-170.0, elevation=-40.0))), atol=1e-9)


def test_a_view_from_straight_above_has_an_azimuth(model: MjModel) -> None:
    camera = replace(default_camera(model), azimuth=30.0)
    start, goal = seen(model, replace(camera, elevation=-30.0)), seen(model, replace(camera, elevation=-90.0))
    middle = blend(start, goal, 0.5, camera.distance)
    assert_allclose(matrix(middle), matrix(seen(model, replace(camera, elevation=-60.0))), atol=1e-9)


def test_what_is_looked_at_keeps_its_size_while_perspective_flattens(model: MjModel) -> None:
    camera = default_camera(model)
    start, goal = seen(model, camera), seen(model, replace(camera, orthographic=True))
    points = np.asarray(camera.lookat) + np.outer([-0.4, 0.4], start.up)
    behind = points + 1.0 * start.forward
    heights, depths = [], []
    for share in (0.0, 0.25, 0.5, 0.75, 0.99, 1.0):
        view = blend(start, goal, share, camera.distance)
        heights.append(np.ptp(view.project(points, 300, 200)[:, 1]))
        depths.append(np.ptp(view.project(behind, 300, 200)[:, 1]))
        assert view.near > 0 or view.orthographic
        assert (view.project(points, 300, 200)[:, 2] < view.far).all()
    assert_allclose(heights, heights[0], rtol=1e-9)
    assert (np.diff(depths) > 0).all()  # what is behind grows
    assert depths[-1] == pytest.approx(heights[-1], rel=1e-9)  # until nothing shrinks with distance
