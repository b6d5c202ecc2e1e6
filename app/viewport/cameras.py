"""Cameras of a model: their names in words, the next one, and their mapping to a reloaded model."""

from __future__ import annotations

import math
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace
from PyQt6.QtCore import QObject, QTimer

from tumble import physics
from tumble.app.describe.names import body_name, name_of
from tumble.app.session.session import Session
from tumble.app.simulation.correspondence import GONE, Correspondence
from tumble.render.camera import Camera, CameraKind, View, blend, default_camera, ease, fix, free, initial_camera, view_of
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


_NUMBERS = {"distance": 1, "azimuth": 1, "elevation": 1, "lookat": 3}


class CameraTextError(Exception):
    """Text that does not describe a valid camera; the message gives the reason."""


def camera_element(view: View) -> str:
    """A <camera> element in the world's frame, whose numbers read back bit for bit."""
    pose = f'pos="{_row(view.eye)}" xyaxes="{_row([*view.right, *view.up])}"'
    height = view.top - view.bottom
    if view.orthographic:
        return f'<camera {pose} projection="orthographic" fovy="{_row([height])}"/>'
    return f'<camera {pose} fovy="{_row([math.degrees(2.0 * math.atan2(0.5 * height, view.near))])}"/>'


def camera_lines(camera: Camera, view: View) -> str:
    """The numbers of a free camera with this view, a line each, as Python reads them; angles in degrees, lengths in metres."""
    seen = camera if camera.kind == CameraKind.FREE else _looking(camera, view.eye, view.forward)
    values = {name: getattr(seen, name) for name in ("lookat", "distance", "azimuth", "elevation", "orthographic")}
    values["lookat"] = [float(x) for x in values["lookat"]]
    return "\n".join(f"{name} = {value!r}" for name, value in values.items())


def read_camera(text: str, now: Camera, model: MjModel) -> Camera:
    """The free camera that either text gives; now: values that it lacks. Raises CameraTextError."""
    return _of_element(text, now, model) if "<camera" in text else _of_lines(text, now)


def _of_element(text: str, now: Camera, model: MjModel) -> Camera:
    from xml.etree import ElementTree  # few paste a camera, and every start would import it

    try:
        element = ElementTree.fromstring(f"<all>{text.strip()}</all>").find(".//camera")
    except (ElementTree.ParseError, ValueError) as error:
        raise CameraTextError(f"the <camera> on the clipboard is damaged: {error}") from error
    attributes = {} if element is None else element.attrib
    if not {"pos", "xyaxes"} <= set(attributes):
        raise CameraTextError("the <camera> on the clipboard needs pos and xyaxes")
    pos, axes = _floats("pos", attributes["pos"].split(), 3), _floats("xyaxes", attributes["xyaxes"].split(), 6)
    back = np.cross(axes[:3], axes[3:])
    if np.linalg.norm(back) < 1e-9:
        raise CameraTextError("the xyaxes of the <camera> have no direction")
    orthographic = attributes.get("projection") == "orthographic"
    if orthographic:
        height = float(_floats("fovy", attributes.get("fovy", "45").split(), 1)[0])
        now = replace(now, distance=0.5 * height / math.tan(math.radians(0.5 * float(model.vis.global_.fovy))))
    return replace(_looking(now, pos, -back / np.linalg.norm(back)), orthographic=orthographic)


def _of_lines(text: str, now: Camera) -> Camera:
    values: dict[str, object] = {}
    for line in text.strip().splitlines():
        name, _, value = (part.strip() for part in line.partition("="))
        if name in _NUMBERS:
            numbers = _floats(name, value.strip("[]()").replace(",", " ").split(), _NUMBERS[name])
            values[name] = tuple(numbers.tolist()) if name == "lookat" else float(numbers[0])
        elif name == "orthographic":
            values[name] = value == "True"
    if not {"lookat", "distance", "azimuth", "elevation"} <= set(values):
        raise CameraTextError("a camera as text has lookat, distance, azimuth and elevation")
    camera: Camera = replace(now, kind=CameraKind.FREE, **values)
    if camera.distance <= 0.0:
        raise CameraTextError("the distance of a camera is above zero")
    return camera


def _looking(camera: Camera, eye: np.ndarray, forward: np.ndarray) -> Camera:
    """A free camera at a place, upright, with the distance that a camera has."""
    azimuth = camera.azimuth if abs(forward[2]) > 1.0 - 1e-12 else math.degrees(math.atan2(forward[1], forward[0]))
    elevation = math.degrees(math.asin(min(max(float(forward[2]), -1.0), 1.0)))
    x, y, z = (float(v) for v in np.asarray(eye) + camera.distance * np.asarray(forward))
    return replace(camera, kind=CameraKind.FREE, lookat=(x, y, z), azimuth=azimuth, elevation=elevation)


def _floats(name: str, words: list[str], count: int) -> np.ndarray:
    try:
        numbers = np.array([float(word) for word in words])
    except ValueError as error:
        raise CameraTextError(f"{name} has something that is no number: {error}") from error
    if len(numbers) != count or not np.all(np.isfinite(numbers)):
        raise CameraTextError(f"{name} of a camera is {count} finite numbers")
    return numbers


def _row(values: object) -> str:
    return " ".join(repr(float(v) + 0.0).removesuffix(".0") for v in np.ravel(np.asarray(values, float)))


DURATION = 0.3  # [s]
INTERVAL = 16  # between two pictures [ms]


class Gliding(QObject):
    """On the way from the view that was seen to that of the present camera; at rest nearly always."""

    def __init__(self, parent: QObject, session: Session) -> None:
        super().__init__(parent)
        self._session = session
        self._start: View | None = None
        self._begun = 0.0
        self.timer = QTimer(self)
        self.timer.setInterval(INTERVAL)

    @property
    def under_way(self) -> bool:
        """True while the view moves to its camera."""
        return self._start is not None

    def begin(self, seen: View | None) -> None:
        """Leave from this view; None: be there at once."""
        self._start, self._begun = seen, perf_counter()
        if seen is None:
            self.timer.stop()
        else:
            self.timer.start()

    def view(self, camera: Camera, aspect: float) -> View | None:
        """Interpolated view on the way to the camera; None without a model."""
        shown = self._session.shown
        if shown is None:
            return None
        goal = view_of(camera, *shown, aspect)
        if self._start is None:
            return goal
        share = ease((perf_counter() - self._begun) / DURATION)
        if share >= 1.0:
            self.begin(None)
            return goal
        return blend(self._start, goal, share, self._focus(camera, goal))

    def _focus(self, camera: Camera, goal: View) -> float:
        """Distance from the eye to the point of interest [m]."""
        if camera.kind is not CameraKind.FIXED:
            return camera.distance
        model = self._session.loaded_model
        extent = float(model.stat.extent)
        return float(np.clip((np.asarray(model.stat.center) - goal.eye) @ goal.forward, 0.3 * extent, 10.0 * extent))
