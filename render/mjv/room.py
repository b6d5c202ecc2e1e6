"""The room and the model in it: with scn.enabletransform, the model is moved, turned and scaled before the camera."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.physics.algebra.quat import quat_inv, quat_mul, quat_rot
from tumble.physics.errors import ModelError
from tumble.render.camera import View
from tumble.render.mjv.cameras import mjv_averageCamera
from tumble.render.mjv.scene import MjvScene
from tumble.render.mjv.structs import MjvGLCamera

Vec = NDArray[np.float64]
_LEAST_SCALE = 1e-15


def _transform(scn: MjvScene, caller: str) -> tuple[Vec, Vec, float]:
    """Shift, unit quaternion and scale of the model in its room; the identity without a transform."""
    if not scn.enabletransform:
        return np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), 1.0
    if scn.scale < _LEAST_SCALE:
        raise ModelError(f"{caller}: mjvScene scale too small: {scn.scale}")
    turn = np.asarray(scn.rotate, float)
    length = float(np.linalg.norm(turn))
    if length < _LEAST_SCALE:
        raise ModelError(f"{caller}: mjvScene rotate is no rotation: {scn.rotate}")
    return np.asarray(scn.translate, float), turn / length, scn.scale


def mjv_room2model(modelpos: Vec, modelquat: Vec, roompos: Vec, roomquat: Vec, scn: MjvScene) -> None:
    """Write where a pose in the room, (3,) and (4,), is in the model. Raises ModelError for a scale of 0."""
    shift, turn, scale = _transform(scn, "mjv_room2model")
    back = np.array(quat_inv(turn))
    place = np.array(quat_rot(back, np.asarray(roompos, float) - shift)) / scale
    quat = np.array(quat_mul(back, np.asarray(roomquat, float)))
    modelpos[...], modelquat[...] = place, quat


def mjv_model2room(roompos: Vec, roomquat: Vec, modelpos: Vec, modelquat: Vec, scn: MjvScene) -> None:
    """Write where a pose in the model, (3,) and (4,), is in the room. Raises ModelError for a scale of 0."""
    shift, turn, scale = _transform(scn, "mjv_model2room")
    # As the reference has it: the shift is scaled too, so that this undoes mjv_room2model at a scale of 1 only.
    place = scale * (np.array(quat_rot(turn, np.asarray(modelpos, float))) + shift)
    quat = np.array(quat_mul(turn, np.asarray(modelquat, float)))
    roompos[...], roomquat[...] = place, quat


def seen_in_room(scn: MjvScene, eye: MjvGLCamera | None = None) -> tuple[Vec, Vec, Vec]:
    """Position, forward and up, in the room, of a camera, by default that between the eyes."""
    middle = eye if eye is not None else mjv_averageCamera(scn.camera[0], scn.camera[1])
    return np.array(middle.pos, float), np.array(middle.forward, float), np.array(middle.up, float)


def seen_in_model(scn: MjvScene, eye: MjvGLCamera | None = None) -> tuple[Vec, Vec, Vec]:
    """Position, forward and up, in the model, of a camera, by default that between the eyes."""
    pos, forward, up = seen_in_room(scn, eye)
    shift, turn, scale = _transform(scn, "mjv_cameraInModel")
    back = np.array(quat_inv(turn))
    place = np.array(quat_rot(back, pos - shift)) / scale
    return place, np.array(quat_rot(back, forward)), np.array(quat_rot(back, up))


def view_in(scn: MjvScene, eye: MjvGLCamera, aspect: float) -> View:
    """The view through one of the scene's cameras, or their mean, in the model's frame; aspect: width over height."""
    pos, forward, up = seen_in_model(scn, eye)
    up = up - (up @ forward) * forward
    up = up / max(float(np.linalg.norm(up)), 1e-15)
    shrink = 1.0 / scn.scale if scn.enabletransform and scn.scale > 0 else 1.0
    bottom, top = shrink * eye.frustum_bottom, shrink * eye.frustum_top
    half, centre = 0.5 * aspect * (top - bottom), shrink * eye.frustum_center
    near, far = shrink * eye.frustum_near, shrink * eye.frustum_far
    right = np.cross(forward, up)
    return View(pos, right, up, forward, centre - half, centre + half, bottom, top, near, far, bool(eye.orthographic))


def mjv_cameraInModel(headpos: Vec, forward: Vec, up: Vec, scn: MjvScene) -> None:
    """Write position and axes, (3,) each, of the camera between the eyes, in the model."""
    headpos[...], forward[...], up[...] = seen_in_model(scn)


def mjv_cameraInRoom(headpos: Vec, forward: Vec, up: Vec, scn: MjvScene) -> None:
    """Write position and axes, (3,) each, of the camera between the eyes, in the room."""
    headpos[...], forward[...], up[...] = seen_in_room(scn)


def aligned(vec: Vec, forward: Vec) -> Vec:
    """A vector (3,) whose y axis was forward, turned about the vertical so that it is forward of the camera."""
    along = np.asarray(forward, float)[:2]
    length = float(np.linalg.norm(along))
    x, y = along / length if length > 1e-15 else (0.0, 1.0)
    return np.array([y * vec[0] + x * vec[1], -x * vec[0] + y * vec[1], vec[2]])


def mjv_alignToCamera(res: Vec, vec: Vec, forward: Vec) -> None:
    """Write a vector (3,) turned in the horizontal plane by the angle between (0, 1) and forward's x and y."""
    res[...] = aligned(np.asarray(vec, float), np.asarray(forward, float))
