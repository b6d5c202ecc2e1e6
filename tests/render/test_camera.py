"""Cameras: the pictures and gestures of the reference's viewer, rays that undo projections, and smooth moves."""

from typing import Any

import mujoco
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.testing import assert_allclose

from tumble.physics import MjModel
from tumble.render import camera as cam
from tumble.render.camera import Camera, View, blend, default_camera, ease, view_of
from tumble.render.frame import Frame

SCENE = """
<statistic extent="3" center="0.1 0.2 0.3"/>
<visual><global azimuth="30" elevation="-20" fovy="50"/></visual>
<worldbody>
  <light name="l" pos="0 0 3"/>
  <camera name="plain" pos="0 -2 1" xyaxes="1 0 0 0 0.5 1" fovy="40"/>
  <camera name="lens" pos="0 -2 1" xyaxes="1 0 0 0 0 1" focal="1 2" sensorsize="3 2" resolution="300 200" principal=".1 .2"/>
  <body name="a" pos="1 2 3"><freejoint/><geom size=".1"/><body pos=".5 0 0"><geom size=".2"/></body></body>
</worldbody>"""


class Reference:
    """The reference's abstract camera and scene, moved in step with ours."""

    def __init__(self, model: Any, data: Any) -> None:
        self.model, self.data = model, data
        self.scene, self.camera = mujoco.MjvScene(model, 100), mujoco.MjvCamera()
        mujoco.mjv_defaultFreeCamera(model, self.camera)
        self.update()

    def update(self) -> None:
        option, pull = mujoco.MjvOption(), mujoco.MjvPerturb()
        mujoco.mjv_updateScene(self.model, self.data, option, pull, self.camera, mujoco.mjtCatBit.mjCAT_ALL, self.scene)

    def move(self, action: Any, dx: float, dy: float) -> None:
        mujoco.mjv_moveCamera(self.model, action, dx, dy, self.scene, self.camera)
        self.update()


def same_view(view: cam.View, scene: Any) -> None:
    """Positions are float32 in the reference; its stereo eyes sit half an eye distance apart, along the right axis."""
    left, right = scene.camera
    np.testing.assert_allclose(view.eye, 0.5 * (np.array(left.pos) + right.pos), atol=2e-6)
    np.testing.assert_allclose(view.forward, left.forward, atol=1e-6)
    np.testing.assert_allclose(view.up, left.up, atol=1e-6)
    assert view.near == pytest.approx(left.frustum_near, rel=1e-5)
    assert (view.bottom, view.top) == pytest.approx((left.frustum_bottom, left.frustum_top), rel=1e-5)
    # The reference moves the frustum's centre with each stereo eye; the middle of both is the lens's own.
    centre = 0.5 * (left.frustum_center + right.frustum_center)
    assert 0.5 * (view.left_side + view.right_side) == pytest.approx(centre, abs=1e-7)


@pytest.fixture
def scene(load: Any) -> tuple[Any, Any, Frame]:
    model, data = load(SCENE)
    return model, data, Frame.from_data(data)


def test_cameras_see_what_the_references_see(scene: Any) -> None:
    """The default one, two that are fixed, and one that follows the centre of mass of a subtree."""
    model, data, frame = scene
    reference, default = Reference(model, data), cam.default_camera(model)
    theirs = reference.camera
    assert (default.azimuth, default.elevation) == (theirs.azimuth, theirs.elevation)
    assert default.distance == pytest.approx(theirs.distance)
    np.testing.assert_allclose(default.lookat, theirs.lookat)
    tracking = cam.track(default, 1)
    for ours, index in ((default, -1), (cam.fix(default, 0), 0), (cam.fix(default, 1), 1), (tracking, 1)):
        theirs.type = int(ours.kind)
        theirs.fixedcamid = theirs.trackbodyid = index
        reference.update()
        same_view(cam.view_of(ours, model, frame, 1.5), reference.scene)
    freed = cam.free(tracking, model, frame)
    assert freed.kind == cam.CameraKind.FREE
    np.testing.assert_allclose(freed.lookat, data.subtree_com[1])


GESTURES = {
    "orbit": (mujoco.mjtMouse.mjMOUSE_ROTATE_V, lambda c, m, x, y: cam.orbit(c, x, y)),
    "vertical": (mujoco.mjtMouse.mjMOUSE_MOVE_V, lambda c, m, x, y: cam.pan(c, m, x, y)),
    "horizontal": (mujoco.mjtMouse.mjMOUSE_MOVE_H, lambda c, m, x, y: cam.pan(c, m, x, y, horizontal=True)),
    "zoom": (mujoco.mjtMouse.mjMOUSE_ZOOM, lambda c, m, x, y: cam.zoom(c, m, y)),
}


@pytest.mark.parametrize("name", GESTURES)
def test_gestures_move_the_camera_as_the_reference_does(scene: Any, name: str) -> None:
    model, data, _ = scene
    action, ours_move = GESTURES[name]
    reference, ours = Reference(model, data), cam.default_camera(model)
    rng = np.random.default_rng(1)
    for dx, dy in rng.uniform(-0.4, 0.4, (40, 2)):
        reference.move(action, dx, dy)
        ours = ours_move(ours, model, dx, dy)
        theirs = reference.camera
        # The reference's frustum, by which it scales panning, is float32.
        np.testing.assert_allclose(ours.lookat, theirs.lookat, atol=2e-5)
        assert ours.distance == pytest.approx(theirs.distance, rel=1e-9)
        assert ours.elevation == pytest.approx(theirs.elevation, abs=1e-9)
        assert (ours.azimuth - theirs.azimuth + 180) % 360 - 180 == pytest.approx(0, abs=1e-9)


def test_zoom_and_elevation_stop_at_the_references_limits(scene: Any) -> None:
    model, _, _ = scene
    start = cam.default_camera(model)
    assert cam.zoom(start, model, 100.0).distance == pytest.approx(0.01 * model.stat.extent)
    assert cam.zoom(start, model, -100.0).distance == pytest.approx(100.0 * model.stat.extent)
    assert cam.orbit(start, 0.0, 10.0).elevation == -89.0
    assert cam.orbit(start, 0.0, -10.0).elevation == 89.0
    assert cam.scroll(start, model, 1) == cam.zoom(start, model, 0.02)
    assert cam.scroll(start, model, 1).distance < start.distance


def test_fixed_cameras_ignore_gestures_and_tracking_do_not_pan(scene: Any) -> None:
    model, _, _ = scene
    fixed, tracking = cam.fix(cam.default_camera(model), 0), cam.track(cam.default_camera(model), 1)
    assert cam.orbit(fixed, 0.1, 0.1) == cam.zoom(fixed, model, 0.1) == cam.pan(fixed, model, 0.1, 0.1) == fixed
    assert cam.pan(tracking, model, 0.1, 0.1) == tracking
    assert cam.orbit(tracking, 0.1, 0.1) != tracking


@pytest.mark.parametrize("orthographic", [False, True])
def test_a_ray_through_a_projected_point_meets_it(scene: Any, orthographic: bool) -> None:
    model, _, frame = scene
    view = cam.view_of(replace(cam.default_camera(model), orthographic=orthographic), model, frame, 640 / 480)
    points = np.random.default_rng(2).uniform(-1, 1, (50, 3))
    for point, (x, y, depth) in zip(points, view.project(points, 640, 480), strict=True):
        origin, direction = view.ray(x, y, 640, 480)
        along = (point - origin) @ direction
        np.testing.assert_allclose(origin + along * direction, point, atol=1e-9)
        assert depth == pytest.approx((point - view.eye) @ view.forward)


def test_projection_matrix_agrees_with_the_frustum(scene: Any) -> None:
    model, _, frame = scene
    view = cam.view_of(cam.default_camera(model), model, frame, 2.0)
    corner = view.eye + view.near * view.forward + view.left_side * view.right + view.top * view.up
    clip = view.projection_matrix() @ view.view_matrix() @ np.append(corner, 1.0)
    np.testing.assert_allclose(clip[:3] / clip[3], (-1, 1, -1), atol=1e-9)


# ---- smooth moves


@pytest.fixture(scope="module")
def model() -> MjModel:
    return MjModel.from_xml_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")


def seen(model: MjModel, camera: Camera) -> View:
    return view_of(camera, model, Frame(), 1.5)


@pytest.mark.parametrize("near", [1e-12, 1.0, 1e9])
def test_a_model_that_ends_before_it_begins_is_still_drawn(scene: Any, near: float) -> None:
    model, _, frame = scene
    model.vis.map.znear = model.vis.map.zfar = near
    view = view_of(default_camera(model), model, frame, 1.5)
    assert 0 < view.near < view.far
    assert np.isfinite(view.matrix).all()


def test_camera_blend_ends_are_exact_and_eased(model: MjModel) -> None:
    start, goal = (seen(model, replace(default_camera(model), azimuth=a)) for a in (90.0, -170.0))
    assert blend(start, goal, 0.0, 3.0) is start
    assert blend(start, goal, 1.0, 3.0) is goal
    assert_allclose(blend(start, goal, 1e-9, 3.0).matrix, start.matrix, atol=1e-6)
    assert (ease(-1.0), ease(0.0), ease(1.0), ease(2.0)) == (0.0, 0.0, 1.0, 1.0)
    assert ease(1e-4) < 1e-6


@pytest.mark.parametrize(
    ("start", "goal", "middle"), [((170, -20), (-150, -60), (-170, -40)), ((30, -30), (30, -90), (30, -60))]
)
def test_camera_blend_keeps_horizon_level_and_shorter_azimuth(model: MjModel, start: Any, goal: Any, middle: Any) -> None:
    """Also from straight above, where a view has no azimuth of its own."""
    camera = default_camera(model)
    views = [seen(model, replace(camera, azimuth=float(a), elevation=float(e))) for a, e in (start, goal, middle)]
    half = blend(*views[:2], 0.5, camera.distance)
    assert half.right[2] == pytest.approx(0.0, abs=1e-12)
    assert_allclose(half.matrix, views[2].matrix, atol=1e-9)


def test_blend_to_orthographic_keeps_size_at_the_lookat(model: MjModel) -> None:
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
