"""Viewpoints of a scene: frame and frustum of a camera, for each eye, in the model and in its room. Lengths in metres."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.physics.algebra.quat import quat_inv, quat_mul, quat_rot
from tumble.physics.errors import ModelError
from tumble.physics.state.enums import mjtCamera
from tumble.render.camera import View, axes_of, sides_of
from tumble.render.mjv.scene import MjvScene
from tumble.render.mjv.structs import MjvCamera, MjvGLCamera

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Vec = NDArray[np.float64]
_FREE, _TRACKING, _FIXED, _USER = (int(kind) for kind in mjtCamera if int(kind) <= int(mjtCamera.mjCAMERA_USER))


def mjv_defaultFreeCamera(m: MjModel, cam: MjvCamera) -> None:
    """The free camera a model starts with: its `visual/global` angles about its centre, 1.5 extents away."""
    cam.reset()
    cam.lookat = m.stat.center
    cam.distance = 1.5 * float(m.stat.extent)
    cam.azimuth, cam.elevation = float(m.vis.global_.azimuth), float(m.vis.global_.elevation)
    cam.orthographic = int(m.vis.global_.orthographic)


def camera_frame(d: MjData, cam: MjvCamera) -> tuple[Vec, Vec, Vec, Vec]:
    """Position, forward, up and right of a camera; of a tracking one, about the point it looked at last."""
    if cam.type == _FIXED:
        if not 0 <= cam.fixedcamid < len(d.cam_xpos):
            raise ModelError(f"mjv_cameraFrame: fixed camera id is outside valid range: {cam.fixedcamid} of {len(d.cam_xpos)}")
        axes = np.asarray(d.cam_xmat[cam.fixedcamid]).reshape(3, 3)
        return np.array(d.cam_xpos[cam.fixedcamid]), -axes[:, 2], axes[:, 1].copy(), axes[:, 0].copy()
    if cam.type not in (_FREE, _TRACKING):
        raise ModelError(f"mjv_cameraFrame: unknown camera type {cam.type}")
    forward, up, right = axes_of(cam.azimuth, cam.elevation)
    return np.array(cam.lookat) - cam.distance * forward, forward, up, right


def mjv_cameraFrame(headpos: Vec, forward: Vec, up: Vec, right: Vec, d: MjData, cam: MjvCamera) -> None:
    """Write position [m] and axes, (3,) each, of a free, tracking or fixed camera.

    Raises ModelError for a camera that the model lacks or of another kind.
    """
    for target, value in zip((headpos, forward, up, right), camera_frame(d, cam), strict=True):
        if target is not None:
            target[...] = value


def _frustum(m: MjModel, cam: MjvCamera) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float], bool]:
    """Extents below and above, left and right (0: by the picture's shape), near and far, and whether it is orthographic."""
    extent = float(m.stat.extent)
    near, far = float(m.vis.map.znear) * extent, float(m.vis.map.zfar) * extent
    if cam.type == _FIXED:
        if not 0 <= cam.fixedcamid < m.ncam:
            raise ModelError(f"mjv_cameraFrustum: fixed camera id is outside valid range: {cam.fixedcamid} of {m.ncam}")
        return *sides_of(m, cam.fixedcamid, near), (near, far), bool(m.cam_projection[cam.fixedcamid])
    if cam.type not in (_FREE, _TRACKING):
        raise ModelError(f"mjv_cameraFrustum: unknown camera type {cam.type}")
    flat = bool(m.vis.global_.orthographic)
    fovy = float(m.vis.global_.fovy)
    half = 0.5 * fovy if flat else near * math.tan(math.radians(0.5 * fovy))
    return (half, half), (0.0, 0.0), (near, far), flat


def mjv_cameraFrustum(zver: Vec, zhor: Vec, zclip: Vec, m: MjModel, cam: MjvCamera) -> None:
    """Write a camera's frustum [m]: (2,) below and above, (2,) left and right (0: by the picture's shape), (2,) near and far.

    Raises ModelError for a camera that the model lacks or of another kind.
    """
    vertical, horizontal, clip, _ = _frustum(m, cam)
    for target, value in zip((zver, zhor, zclip), (vertical, horizontal, clip), strict=True):
        if target is not None:
            target[...] = value


def mjv_updateCamera(m: MjModel, d: MjData, cam: MjvCamera, scn: MjvScene) -> None:
    """Set the scene's two cameras: the left and the right eye, `visual/global ipd` apart. A user's camera is left as it is.

    A tracking camera looks at its body from now on: cam.lookat is written. Raises ModelError for an invalid index.
    """
    if cam.type == _USER:
        return
    if cam.type == _TRACKING:
        if not 0 <= cam.trackbodyid < m.nbody:
            raise ModelError(f"mjv_updateCamera: track body id is outside valid range: {cam.trackbodyid} of {m.nbody}")
        cam.lookat = d.subtree_com[cam.trackbodyid]
    vertical, horizontal, (near, far), flat = _frustum(m, cam)
    pos, forward, up, right = camera_frame(d, cam)
    apart = float(m.cam_ipd[cam.fixedcamid] if cam.type == _FIXED else m.vis.global_.ipd)
    for eye, side in zip(scn.camera, (-0.5, 0.5), strict=True):
        eye.pos, eye.forward, eye.up = pos + side * apart * right, forward, up
        eye.frustum_bottom, eye.frustum_top = -vertical[0], vertical[1]
        eye.frustum_center = 0.5 * (horizontal[1] - horizontal[0])
        eye.frustum_width = 0.5 * (horizontal[1] + horizontal[0])
        eye.frustum_near, eye.frustum_far, eye.orthographic = near, far, int(flat)


def mjv_averageCamera(cam1: MjvGLCamera, cam2: MjvGLCamera) -> MjvGLCamera:
    """The camera in the middle between two, such as those of two eyes."""
    mean = MjvGLCamera()
    mean.pos = 0.5 * (cam1.pos + cam2.pos)
    forward, up = np.asarray(cam1.forward, float) + cam2.forward, np.asarray(cam1.up, float) + cam2.up
    forward /= max(float(np.linalg.norm(forward)), 1e-15)
    up -= (up @ forward) * forward
    mean.forward, mean.up = forward, up / max(float(np.linalg.norm(up)), 1e-15)
    for name in ("center", "width", "bottom", "top", "near", "far"):
        field = f"frustum_{name}"
        setattr(mean, field, 0.5 * (getattr(cam1, field) + getattr(cam2, field)))
    mean.orthographic = cam1.orthographic or cam2.orthographic
    return mean


def mjv_frustumHeight(scn: MjvScene) -> float:
    """Visible height at unit distance; of an orthographic camera at any. The mean of both eyes, in the room."""
    seen = mjv_averageCamera(scn.camera[0], scn.camera[1])
    height = seen.frustum_top - seen.frustum_bottom
    return height if seen.orthographic else height / max(seen.frustum_near, 1e-15)


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
    if not forward.any():  # its pose was not computed yet: as in the reference, it sees the sky along x
        forward, up = np.eye(3)[:2]
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
