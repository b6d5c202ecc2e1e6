"""Cameras of a model: their names in words, the next one, and what becomes of one when the model is read again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tumble import physics
from tumble.app.describe.names import body_name, name_of
from tumble.app.simulation.correspondence import GONE, Correspondence
from tumble.render.camera import Camera, CameraKind, default_camera, fix, free, initial_camera
from tumble.render.frame import Frame

if TYPE_CHECKING:
    from tumble.physics import MjModel

_SIDES = ((90.0, -90.0), (90.0, 0.0), (180.0, 0.0))  # azimuth and elevation [deg]


def camera_name(camera: Camera, model: MjModel | None) -> str:
    """The camera in words."""
    if model is None or camera.kind == CameraKind.FREE:
        return "free camera"
    if camera.kind == CameraKind.FIXED:
        return f"camera {name_of(model, physics.mjtObj.mjOBJ_CAMERA, camera.fixed)}"
    return f"following {body_name(model, camera.body)}"


def first_camera(model: MjModel, index: int) -> Camera:
    """Initial camera of a view: the model's own for the first, its other cameras, then top, front and side."""
    first = initial_camera(model)
    if index == 0:
        return first
    others = [i for i in range(model.ncam) if first.kind is not CameraKind.FIXED or i != first.fixed]
    if index <= len(others):
        return fix(default_camera(model), others[index - 1])
    azimuth, elevation = _SIDES[(index - 1) % len(_SIDES)]
    return replace(default_camera(model), azimuth=azimuth, elevation=elevation, orthographic=True)


def next_camera(camera: Camera, model: MjModel, frame: Frame, step: int) -> Camera:
    """The next or previous of: free, then the model's cameras."""
    now = camera.fixed if camera.kind == CameraKind.FIXED else -1
    wanted = (now + 1 + step) % (model.ncam + 1) - 1
    return free(camera, model, frame) if wanted < 0 else fix(camera, wanted)


def followed(camera: Camera, kept: Correspondence) -> Camera:
    """A camera of the previous model in the reloaded model; a free one if its body or model camera is gone."""
    body, fixed = kept.element("body", camera.body), kept.element("cam", camera.fixed)
    tied = {CameraKind.TRACKING: body, CameraKind.FIXED: fixed}.get(camera.kind)
    return replace(camera, kind=CameraKind.FREE if tied == GONE else camera.kind, body=body, fixed=fixed)
