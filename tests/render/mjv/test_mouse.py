"""The mouse moves cameras, models and held bodies as it does in the reference, and finds what is under it."""

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.render.mjv.both import both, mujoco, ours
from tumble.physics.errors import ModelError

ACTIONS = range(1, 8)


def fields(struct: Any, *names: str) -> np.ndarray:
    """Fields of a structure, one after the other."""
    return np.concatenate([np.ravel(np.asarray(getattr(struct, name), float)) for name in names])


def seen(lib: ModuleType, m: Any, d: Any) -> tuple[Any, Any]:
    """A scene, and the free camera that it is seen from."""
    camera, scene = lib.MjvCamera(), lib.MjvScene(m, 500)
    lib.mjv_defaultFreeCamera(m, camera)
    camera.azimuth, camera.elevation = 30.0, -20.0
    lib.mjv_updateScene(m, d, lib.MjvOption(), None, camera, 7, scene)
    return scene, camera


def moved(lib: ModuleType, m: Any, d: Any) -> np.ndarray:
    """Cameras and models after each action."""
    poses = []
    for action in ACTIONS:
        for x, y in ((0.1, 0.0), (-0.3, 0.2)):
            scene, camera = seen(lib, m, d)
            lib.mjv_moveCamera(m, action, x, y, scene, camera)
            poses.append(fields(camera, "lookat", "distance", "azimuth", "elevation"))
            scene.enabletransform, scene.translate, scene.rotate, scene.scale = 1, [0.1, 0.2, 0.3], [0.8, 0.6, 0, 0], 2.0
            lib.mjv_moveModel(m, action, x, y, np.array([0.0, 0.0, 1.0]), scene)
            poses.append(fields(scene, "translate", "rotate", "scale"))
            place, quat = np.zeros(3), np.zeros(4)
            lib.mjv_room2model(place, quat, np.array([1.0, 2, 3]), np.array([0.6, 0, 0.8, 0]), scene)
            poses += [place, quat]
    return np.concatenate(poses)


def test_cameras_and_models_move_as_in_the_reference() -> None:
    (theirs, reference), (model, data) = both()
    np.testing.assert_allclose(moved(ours, model, data), moved(mujoco, theirs, reference), rtol=1e-5, atol=1e-5)


def held(lib: ModuleType, m: Any, d: Any) -> np.ndarray:
    """What is wanted of held bodies after each action, and the force that pulls them there, at rest."""
    found, pulled = [], d.xfrc_applied.copy()
    scene, _ = seen(lib, m, d)
    for body in (1, 2, 3, 5):
        for action in ACTIONS:
            pert = lib.MjvPerturb()
            pert.select, pert.localpos = body, [0.05, 0.02, 0.01]
            lib.mjv_initPerturb(m, d, scene, pert)
            lib.mjv_movePerturb(m, d, action, 0.1, 0.05, scene, pert)
            found.append(fields(pert, "refpos", "refquat", "refselpos", "localmass", "scale"))
            for pert.active in (1, 2):
                d.xfrc_applied[:] = 0.0
                lib.mjv_applyPerturbForce(m, d, pert)
                found.append(0.01 * d.xfrc_applied.ravel())
    d.xfrc_applied[:] = pulled
    return np.concatenate(found)


def test_held_bodies_are_pulled_as_in_the_reference() -> None:
    (theirs, reference), (model, data) = both()
    np.testing.assert_allclose(held(ours, model, data), held(mujoco, theirs, reference), rtol=1e-4, atol=1e-3)


def test_perturb_pose_moves_mocap_always_and_free_if_paused() -> None:
    _, (model, _) = both()
    data = ours.MjData(model)
    ours.mj_forward(model, data)
    pert = ours.MjvPerturb()
    pert.active, pert.refpos, pert.refquat = 1, [1.0, 2.0, 3.0], [0.6, 0.8, 0.0, 0.0]
    pert.select = ours.mj_name2id(model, ours.mjtObj.mjOBJ_BODY, "moc")
    ours.mjv_applyPerturbPose(model, data, pert, 0)
    np.testing.assert_allclose(data.mocap_pos[0], (1, 2, 3))
    pert.select = 1
    ours.mjv_applyPerturbPose(model, data, pert, 0)
    assert data.qpos[0] == 0
    ours.mjv_applyPerturbPose(model, data, pert, 1)
    np.testing.assert_allclose(data.qpos[:7], (1, 2, 3, 0.6, 0.8, 0, 0))


def test_a_ray_finds_what_the_references_finds() -> None:
    (theirs, reference), (model, data) = both()
    for x, y in ((0.5, 0.5), (0.42, 0.55), (0.6, 0.42), (0.31, 0.61), (0.5, 0.99)):
        hits = []
        for lib, m, d in ((mujoco, theirs, reference), (ours, model, data)):
            scene, _ = seen(lib, m, d)
            point, ids = np.zeros(3), [np.zeros((1, 1), np.int32) for _ in range(3)]
            body = lib.mjv_select(m, d, lib.MjvOption(), 1.5, x, y, scene, point, *ids)
            hits.append(np.r_[body, point, np.ravel(ids)])
        np.testing.assert_allclose(hits[1], hits[0], rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize(("kind", "index"), [(1, 99), (2, 9), (7, 0)])
def test_a_camera_that_the_model_lacks_is_refused(kind: int, index: int) -> None:
    _, (model, data) = both()
    camera = ours.MjvCamera()
    camera.type = kind
    camera.fixedcamid = camera.trackbodyid = index
    with pytest.raises(ModelError, match=str(index) if kind < 7 else "unknown camera type 7"):
        ours.mjv_updateCamera(model, data, camera, ours.MjvScene(model, 10))
