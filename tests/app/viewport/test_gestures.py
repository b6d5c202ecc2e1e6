"""Gestures as pure functions: what a button means, and where a drag leads."""

from types import SimpleNamespace

import numpy as np
import pytest
from PyQt6.QtCore import Qt

from tumble.app.simulation.perturbation import Grip, GripMode, rotated
from tumble.app.viewport.gestures import Click, Drag, click_of, drag_camera, drag_grip, drag_of, seen_height
from tumble.render.camera import Camera, view_of
from tumble.render.frame import Frame

L, M, R = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton
NONE, CTRL, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def _model():
    return SimpleNamespace(
        stat=SimpleNamespace(extent=2.0, center=np.zeros(3)),
        vis=SimpleNamespace(
            global_=SimpleNamespace(fovy=45.0, orthographic=0, azimuth=90.0, elevation=-45.0),
            map=SimpleNamespace(znear=0.01, zfar=50.0),
        ),
    )


def _view(azimuth=90.0, elevation=-30.0):
    return view_of(Camera(azimuth=azimuth, elevation=elevation, distance=3.0), _model(), Frame(), 1.5)


@pytest.mark.parametrize(
    ("button", "modifiers", "selected", "drag"),
    [
        (L, NONE, False, Drag.ORBIT),
        (L, CTRL, False, Drag.ORBIT),
        (L, CTRL, True, Drag.TURN_BODY),
        (L, NONE, True, Drag.ORBIT),
        (R, NONE, False, Drag.PAN_VERTICAL),
        (R, SHIFT, True, Drag.PAN_HORIZONTAL),
        (R, CTRL, True, Drag.MOVE_BODY_VERTICAL),
        (R, CTRL | SHIFT, True, Drag.MOVE_BODY_HORIZONTAL),
        (R, CTRL | SHIFT, False, Drag.PAN_HORIZONTAL),
        (M, NONE, True, Drag.ZOOM),
        (Qt.MouseButton.BackButton, NONE, True, Drag.NOTHING),
    ],
)
def test_what_a_drag_means(button, modifiers, selected, drag):
    assert drag_of(button, modifiers, selected) is drag


def test_what_a_double_click_means():
    assert click_of(L, NONE) is Click.SELECT
    assert click_of(R, NONE) is Click.CENTRE
    assert click_of(R, CTRL) is Click.TRACK
    assert click_of(M, NONE) is Click.NOTHING


@pytest.mark.parametrize("drag", [Drag.MOVE_BODY_VERTICAL, Drag.MOVE_BODY_HORIZONTAL])
def test_a_point_moved_sideways_stays_under_the_mouse(drag):
    view = _view(azimuth=37.0)
    grip = Grip(1, GripMode.TRANSLATE, np.zeros(3), np.array([0.2, -0.1, 0.3]), np.array([1.0, 0, 0, 0]))
    moved = drag_grip(grip, view, drag, 0.1, 0.0)
    before, after = (view.project(g.target, 900, 600)[0] for g in (grip, moved))
    assert after[0] - before[0] == pytest.approx(0.1 * 600)
    assert after[1] == pytest.approx(before[1])


def test_vertical_moves_go_up_and_horizontal_ones_away():
    view = _view(azimuth=90.0)  # looks along +y
    grip = Grip(1, GripMode.TRANSLATE, np.zeros(3), np.zeros(3), np.array([1.0, 0, 0, 0]))
    up = drag_grip(grip, view, Drag.MOVE_BODY_VERTICAL, 0.0, -0.1).target
    away = drag_grip(grip, view, Drag.MOVE_BODY_HORIZONTAL, 0.0, -0.1).target
    reach = 0.1 * seen_height(view, np.zeros(3))
    np.testing.assert_allclose(up, [0, 0, reach], atol=1e-12)
    np.testing.assert_allclose(away, [0, reach, 0], atol=1e-12)


def test_turning_follows_the_mouse():
    view = _view(azimuth=90.0, elevation=0.0)
    grip = Grip(1, GripMode.ROTATE, np.zeros(3), np.zeros(3), np.array([1.0, 0, 0, 0]))
    near = np.array([0.0, -1.0, 0.0])  # a point on the side of the eye
    right = rotated(drag_grip(grip, view, Drag.TURN_BODY, 0.1, 0.0).quat, near)
    down = rotated(drag_grip(grip, view, Drag.TURN_BODY, 0.0, 0.1).quat, near)
    assert right[0] > 0.2
    assert down[2] < -0.2


def test_camera_drags_leave_the_camera_alone_when_they_mean_a_body():
    camera = Camera()
    assert drag_camera(camera, _model(), Drag.TURN_BODY, 0.1, 0.1) is camera
    assert drag_camera(camera, _model(), Drag.ZOOM, 0.0, -0.1).distance < camera.distance
    assert drag_camera(camera, _model(), Drag.ORBIT, 0.1, 0.0).azimuth != camera.azimuth
    assert drag_camera(camera, _model(), Drag.PAN_VERTICAL, 0.0, 0.1).lookat[2] != camera.lookat[2]
    assert drag_camera(camera, _model(), Drag.PAN_HORIZONTAL, 0.0, 0.1).lookat[1] != camera.lookat[1]
