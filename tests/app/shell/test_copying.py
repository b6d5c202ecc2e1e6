"""Copied as text, as MJCF: pasting gives the same state, and the same camera."""

import numpy as np
import pytest
from PyQt6.QtGui import QGuiApplication

from tests.app.conftest import MODELS, open_and_wait
from tumble import physics
from tumble.render.camera import Camera, CameraKind, view_of

pytestmark = pytest.mark.pumped


def copied(window, action):
    window.actions_by_name[action].trigger()
    board = QGuiApplication.clipboard()
    return board.text()


def test_state_and_camera_come_back_from_text_and_from_mjcf(window, qtbot, pump):
    session, view = window.session, window.viewport
    open_and_wait(qtbot, session, MODELS / "arm.xml")
    session.set_ctrl(0, 0.7)
    pump.run(0.3)
    session.set_paused(True)
    pump.obey()
    session.look()
    kept = {name: getattr(session.snapshot, name).copy() for name in ("qpos", "qvel", "ctrl")}
    for action in ("copy_state_text", "copy_state"):
        text = copied(window, action)
        session.reset()
        pump.obey()
        session.look()
        assert session.snapshot.qpos[0] == 0.0
        window.actions_by_name["paste_state"].trigger()
        pump.obey()
        session.look()
        for name, values in kept.items():
            np.testing.assert_array_equal(getattr(session.snapshot, name), values, err_msg=text)

    def seen(camera):
        assert session.frame is not None
        found = view_of(camera, session.loaded_model, session.frame, 1.5)
        height = found.top if found.orthographic else found.top / found.near
        return np.concatenate([found.eye, found.right, found.up, [height]])

    for ortho in (False, True):
        camera = Camera(lookat=(0.1, 1 / 3, 0.2), distance=1.7, azimuth=33.3, elevation=-12.0, orthographic=ortho)
        for action in ("copy_camera", "copy_camera_text"):
            view.set_camera(camera)
            element = copied(window, action)
            view.set_camera(Camera())
            window.actions_by_name["paste_state"].trigger()
            assert view.camera.kind == CameraKind.FREE
            assert view.camera.orthographic == ortho
            at = slice(3 if ortho and action == "copy_camera" else 0, None)  # a parallel projection has no place along its axis
            np.testing.assert_allclose(seen(view.camera)[at], seen(camera)[at], rtol=0, atol=1e-12)
            if action == "copy_camera":  # a model takes it, and sees what the view does
                scene = f"<mujoco><worldbody>{element}<body><geom size='.1'/></body></worldbody></mujoco>"
                model = physics.MjModel.from_xml_string(scene)
                data = physics.MjData(model)
                physics.mj_forward(model, data)
                found = view.view()
                np.testing.assert_allclose(data.cam_xmat[0].reshape(3, 3)[:, 0], found.right, rtol=0, atol=1e-12)
                assert model.cam_projection[0] == ortho
