"""Cameras: where the picture is taken from, the gestures that move them, the matrices that follow, and smooth moves. Pure numpy.

Conventions of the reference's viewer: azimuth and elevation in degrees; azimuth 90, elevation 0 looks along +y; the world's
z is up. A gesture's motion is given in units of the viewport's height, x to the right and y down.
"""

from __future__ import annotations

import math
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tumble.render.frame import Frame

if TYPE_CHECKING:
    from tumble.physics import MjModel

Vec = NDArray[np.float64]

MAX_ELEVATION = 89.0
SCROLL_STEP = 0.02
# The far plane costs no depth precision next to the near one, and an infinite floor must reach the horizon.
FAR_EXTENTS = 1000.0
DEFAULT_FOVY = 45.0  # MJCF's default [deg]


class CameraKind(IntEnum):
    """Ways in which a camera finds its pose (the values of mjtCamera)."""

    FREE = 0
    TRACKING = 1
    FIXED = 2


class Camera(Struct, frozen=True):
    """A camera as the user holds it. Angles in degrees, lengths in metres."""

    kind: CameraKind = CameraKind.FREE
    lookat: tuple[float, float, float] = (0.0, 0.0, 0.0)
    distance: float = 2.0
    azimuth: float = 90.0
    elevation: float = -45.0
    body: int = -1
    fixed: int = -1
    orthographic: bool = False


class View(Struct, frozen=True, dict=True):
    """A camera's pose and frustum for one picture: orthonormal axes; the frustum's sides at the near plane [m].

    back: how much farther from the scene the eye is than it looks [m]; haze and fog begin that much farther away.
    """

    eye: Vec
    right: Vec
    up: Vec
    forward: Vec
    left_side: float
    right_side: float
    bottom: float
    top: float
    near: float
    far: float
    orthographic: bool
    back: float = 0.0

    @cached_property
    def matrix(self) -> Vec:
        """(4, 4) world to clip space, for reading."""
        matrix = self.projection_matrix() @ self.view_matrix()
        matrix.flags.writeable = False
        return matrix

    def view_matrix(self) -> Vec:
        """(4, 4) world to camera, column vectors: p_camera = matrix @ p_world."""
        matrix = np.eye(4)
        matrix[0, :3], matrix[1, :3], matrix[2, :3] = self.right, self.up, -self.forward
        matrix[:3, 3] = -matrix[:3, :3] @ self.eye
        return matrix

    def projection_matrix(self) -> Vec:
        """(4, 4) camera to clip space, OpenGL's depth range."""
        l, r, b, t, n, f = self.left_side, self.right_side, self.bottom, self.top, self.near, self.far
        if self.orthographic:
            return np.array(
                [
                    [2 / (r - l), 0, 0, -(r + l) / (r - l)],
                    [0, 2 / (t - b), 0, -(t + b) / (t - b)],
                    [0, 0, -2 / (f - n), -(f + n) / (f - n)],
                    [0, 0, 0, 1],
                ]
            )
        return np.array(
            [
                [2 * n / (r - l), 0, (r + l) / (r - l), 0],
                [0, 2 * n / (t - b), (t + b) / (t - b), 0],
                [0, 0, -(f + n) / (f - n), -2 * f * n / (f - n)],
                [0, 0, -1, 0],
            ]
        )

    def part(self, x: int, y: int, width: int, height: int, of: tuple[int, int]) -> View:
        """The view of a part of a picture, from pixel (x, y) from the top left on; of: the picture's width and height."""
        across, down = (self.right_side - self.left_side) / of[0], (self.bottom - self.top) / of[1]
        left, top = self.left_side + across * x, self.top + down * y
        return replace(self, left_side=left, right_side=left + across * width, top=top, bottom=top + down * height)

    def project(self, points: Vec, width: int, height: int) -> Vec:
        """(n, 3) world points -> (n, 3): pixel x from the left, pixel y from the top, depth along the view [m].

        Points behind the eye have a depth of 0 or less; their pixels mean nothing.
        """
        points = np.atleast_2d(np.asarray(points, float))
        homogeneous = np.c_[points, np.ones(len(points))]
        camera = homogeneous @ self.view_matrix().T
        clip = camera @ self.projection_matrix().T
        w = np.where(np.abs(clip[:, 3]) < 1e-12, 1e-12, clip[:, 3])
        x = (clip[:, 0] / w + 1) * 0.5 * width
        y = (1 - clip[:, 1] / w) * 0.5 * height
        return np.stack([x, y, -camera[:, 2]], axis=1)

    def ray(self, x: float, y: float, width: int, height: int) -> tuple[Vec, Vec]:
        """The ray through pixel (x, y) from the top left: origin and unit direction, in the world [m]."""
        u = self.left_side + (self.right_side - self.left_side) * x / max(width, 1)
        v = self.top + (self.bottom - self.top) * y / max(height, 1)
        if self.orthographic:
            return self.eye + u * self.right + v * self.up, self.forward.copy()
        direction = u * self.right + v * self.up + self.near * self.forward
        return self.eye.copy(), direction / np.linalg.norm(direction)


def default_camera(model: MjModel) -> Camera:
    """The free camera a model starts with: its `visual/global` angles about its centre, 1.5 extents away."""
    look = model.vis.global_
    x, y, z = (float(v) for v in model.stat.center)
    return Camera(
        lookat=(x, y, z),
        distance=1.5 * float(model.stat.extent),
        azimuth=float(look.azimuth),
        elevation=float(look.elevation),
        orthographic=bool(look.orthographic),
    )


def initial_camera(model: MjModel) -> Camera:
    """The initial camera of a model: `visual/global cameraid`, else the default free camera."""
    camera = default_camera(model)
    fixed = int(model.vis.global_.cameraid)
    return fix(camera, fixed) if 0 <= fixed < model.ncam else camera


def axes_of(azimuth: float, elevation: float) -> tuple[Vec, Vec, Vec]:
    """Forward, up and right (3,) of a camera with these angles [deg]."""
    a, e = math.radians(azimuth), math.radians(elevation)
    forward = np.array([math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)])
    up = np.array([-math.sin(e) * math.cos(a), -math.sin(e) * math.sin(a), math.cos(e)])
    return forward, up, np.array([math.sin(a), -math.cos(a), 0.0])


def turned_angles(azimuth: float, elevation: float, dx: float, dy: float) -> tuple[float, float]:
    """Azimuth and elevation [deg] after a drag: half a turn a viewport height; the elevation stops short of the poles."""
    azimuth -= 180.0 * dx
    azimuth -= 360.0 * math.floor((azimuth + 180.0) / 360.0)
    return azimuth, min(MAX_ELEVATION, max(-MAX_ELEVATION, elevation - 180.0 * dy))


def zoomed_distance(distance: float, extent: float, dy: float) -> float:
    """The distance [m] after a drag: nearer for dy > 0, faster from afar, between 0.01 and 100 extents."""
    distance -= math.log1p(distance / extent / 3.0) * dy * 9.0 * extent
    return min(100.0 * extent, max(0.01 * extent, distance))


def orbit(camera: Camera, dx: float, dy: float) -> Camera:
    """Turn about the looked-at point."""
    if camera.kind == CameraKind.FIXED:
        return camera
    azimuth, elevation = turned_angles(camera.azimuth, camera.elevation, dx, dy)
    return replace(camera, azimuth=azimuth, elevation=elevation)


def pan(camera: Camera, model: MjModel, dx: float, dy: float, *, horizontal: bool = False) -> Camera:
    """Move the looked-at point so that it follows the mouse, in the vertical plane that faces the eye or in the horizontal one.

    Only a free camera pans: a tracking one is bound to its body, a fixed one to the model.
    """
    if camera.kind != CameraKind.FREE:
        return camera
    scale = 2.0 * _half_height(camera, model)
    # Of a camera that looks level, forward is horizontal and up is vertical.
    ahead, up, right = axes_of(camera.azimuth, 0.0)
    x, y, z = np.asarray(camera.lookat) + scale * (dy * (ahead if horizontal else up) - dx * right)
    return replace(camera, lookat=(float(x), float(y), float(z)))


def zoom(camera: Camera, model: MjModel, dy: float) -> Camera:
    """Move closer (dy > 0) or farther."""
    if camera.kind == CameraKind.FIXED:
        return camera
    return replace(camera, distance=zoomed_distance(camera.distance, float(model.stat.extent), dy))


def scroll(camera: Camera, model: MjModel, clicks: float) -> Camera:
    """Zoom by clicks of the mouse wheel; away from the user is nearer."""
    return zoom(camera, model, SCROLL_STEP * clicks)


def look_at(camera: Camera, point: Vec) -> Camera:
    """A free camera centred on a point, at the same angles and distance."""
    x, y, z = (float(v) for v in point)
    return replace(camera, kind=CameraKind.FREE, lookat=(x, y, z))


def track(camera: Camera, body: int) -> Camera:
    """Follow the centre of mass of a body's subtree."""
    return replace(camera, kind=CameraKind.TRACKING, body=body)


def fix(camera: Camera, index: int) -> Camera:
    """Use the model's camera of this index."""
    return replace(camera, kind=CameraKind.FIXED, fixed=index)


def free(camera: Camera, model: MjModel, frame: Frame) -> Camera:
    """A free camera that keeps a tracking camera's place; from a fixed one, the free camera as it was left."""
    if camera.kind == CameraKind.TRACKING:
        return look_at(camera, _lookat(camera, frame))
    return replace(camera, kind=CameraKind.FREE)


def view_of(camera: Camera, model: MjModel, frame: Frame, aspect: float) -> View:
    """The pose and frustum of a camera; aspect: width over height. A camera that the model lacks falls back to the free one."""
    if camera.kind == CameraKind.FIXED and 0 <= camera.fixed < len(frame.cam_xpos):
        return _fixed_view(camera.fixed, model, frame, aspect)
    lookat = _lookat(camera, frame)
    forward, up, right = axes_of(camera.azimuth, camera.elevation)
    near, far = _clip_range(model, camera.distance)
    half = _half_height(camera, model)
    top = half if camera.orthographic else near * half / camera.distance
    eye, back = lookat - camera.distance * forward, 0.0
    if camera.orthographic:
        # Nothing in front of the camera may be cut away when it is zoomed in: step back, which changes nothing else.
        back = float(model.stat.extent) * 2.0
        eye, far = eye - back * forward, far + back
    return View(eye, right, up, forward, -top * aspect, top * aspect, -top, top, near, far, camera.orthographic, back)


def _lookat(camera: Camera, frame: Frame) -> Vec:
    if camera.kind == CameraKind.TRACKING and 0 <= camera.body < len(frame.subtree_com):
        return np.array(frame.subtree_com[camera.body], float)
    return np.array(camera.lookat, float)


def _half_height(camera: Camera, model: MjModel) -> float:
    """Half the visible height [m] at the looked-at point."""
    look = model.vis.global_
    fovy = float(look.fovy)
    if look.orthographic and not camera.orthographic:
        fovy = DEFAULT_FOVY  # the model's is a length
    elif look.orthographic:
        # The model then gives a length, seen from the default distance; scaling it by distance makes zooming work.
        return 0.5 * fovy * camera.distance / (1.5 * float(model.stat.extent))
    return camera.distance * math.tan(math.radians(0.5 * fovy))


def _clip_range(model: MjModel, distance: float) -> tuple[float, float]:
    extent = float(model.stat.extent)
    near = max(float(model.vis.map.znear) * extent, 1e-9)
    far = max(float(model.vis.map.zfar), FAR_EXTENTS) * extent + distance
    return near, max(far, 2 * near)  # a model may say that it ends before it begins


def _fixed_view(index: int, model: MjModel, frame: Frame, aspect: float) -> View:
    axes = np.asarray(frame.cam_xmat[index], float).reshape(3, 3)
    right, up, forward = axes[:, 0], axes[:, 1], -axes[:, 2]
    near, far = _clip_range(model, 0.0)
    (below, top), (left, right_side) = sides_of(model, index, near)
    centre, half = 0.5 * (right_side - left), 0.5 * (below + top) * aspect
    eye, flat = np.array(frame.cam_xpos[index], float), bool(model.cam_projection[index])
    return View(eye, right, up, forward, centre - half, centre + half, -below, top, near, far, flat)


def sides_of(model: MjModel, camera: int, near: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Extent of a model camera's view below and above, left and right of its axis, at the near plane [m]; 0: by its shape."""
    fovy = float(model.cam_fovy[camera])
    if model.cam_projection[camera]:
        return (0.5 * fovy, 0.5 * fovy), (0.0, 0.0)
    sensor = np.asarray(model.cam_sensorsize[camera], float)
    if sensor.min() > 0:
        # An explicit sensor fixes the frustum's height and centre; all four numbers are in the sensor's unit of length.
        fx, fy, cx, cy = (float(v) for v in model.cam_intrinsic[camera])
        vertical = near / fy * (0.5 * float(sensor[1]) - cy), near / fy * (0.5 * float(sensor[1]) + cy)
        horizontal = near / fx * (0.5 * float(sensor[0]) - cx), near / fx * (0.5 * float(sensor[0]) + cx)
        return vertical, horizontal
    half = near * math.tan(math.radians(0.5 * fovy))
    return (half, half), (0.0, 0.0)


# Between two views, a view is taken apart into numbers that can be blended: the point that is looked at, azimuth, elevation and
# roll, the height seen at that point, and the slope of the frustum's sides, 0 for an orthographic one. Azimuth and elevation keep
# the horizon level. With the slope going to 0 while the height stays, the eye moves away as the field of view narrows (a dolly
# zoom), so that perspective flattens gradually into an orthographic picture.
LEAST_SLOPE = 0.004  # an eye 125 times as far as the picture is high looks orthographic, and depth can still be resolved


class _Pose(Struct, frozen=True):
    """focus (3,) [m]; turn (3,): azimuth, elevation, roll [rad]; half height at the focus [m]; slope: of it per distance;
    shift (2,): of the frustum's centre from its axis, in half heights; reach: from the focus to the far plane [m]."""

    focus: Vec
    turn: Vec
    half: float
    slope: float
    shift: Vec
    reach: float


def blend(start: View, goal: View, share: float, focus: float) -> View:
    """The view at a share, 0 to 1, of the way; focus: distance of the target from a perspective eye [m]."""
    if share >= 1.0:
        return goal
    if share <= 0.0:
        return start
    first, last = _pose(start, focus), _pose(goal, focus)
    turn = first.turn + share * ((last.turn - first.turn + math.pi) % (2.0 * math.pi) - math.pi)
    half = math.exp((1.0 - share) * math.log(first.half) + share * math.log(last.half))
    names = ("focus", "shift", "slope", "reach")
    mixed = {name: (1.0 - share) * getattr(first, name) + share * getattr(last, name) for name in names}
    aspect = (goal.right_side - goal.left_side) / (goal.top - goal.bottom)
    steepest = max(first.slope, last.slope) or LEAST_SLOPE
    return _view(_Pose(turn=turn, half=half, **mixed), aspect, min(start.near, goal.near), steepest)


def ease(share: float) -> float:
    """A share of the time as a share of the way: begins and ends at rest."""
    share = min(max(share, 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


def _pose(view: View, distance: float) -> _Pose:
    half, distance = 0.5 * (view.top - view.bottom), distance + view.back
    shift = np.array([view.left_side + view.right_side, view.bottom + view.top]) / (2.0 * half)
    slope = 0.0
    if not view.orthographic:
        slope = half / view.near
        half = slope * distance
    return _Pose(view.eye + distance * view.forward, _angles(view), half, slope, shift, max(view.far - distance, distance))


def _angles(view: View) -> Vec:
    """Azimuth, elevation and roll; where the view is vertical, the azimuth is that of the picture's up."""
    x, y, z = (float(v) for v in view.forward)
    flat = math.hypot(x, y)
    elevation = math.atan2(z, flat)
    if flat < 1e-6:
        x, y = (-math.copysign(1.0, z) * float(v) for v in view.up[:2])
    azimuth = math.atan2(y, x)
    right, up = _level(azimuth, elevation)
    return np.array([azimuth, elevation, math.atan2(float(view.right @ up), float(view.right @ right))])


def _level(azimuth: float, elevation: float) -> tuple[Vec, Vec]:
    """Right and up of a view without roll."""
    sa, ca, se, ce = math.sin(azimuth), math.cos(azimuth), math.sin(elevation), math.cos(elevation)
    return np.array([sa, -ca, 0.0]), np.array([-se * ca, -se * sa, ce])


def _view(pose: _Pose, aspect: float, near: float, steepest: float) -> View:
    """The view of a pose; steepest: the slope at which the eye would be where it looks to be."""
    azimuth, elevation, roll = (float(v) for v in pose.turn)
    level, raised = _level(azimuth, elevation)
    right = math.cos(roll) * level + math.sin(roll) * raised
    up = math.cos(roll) * raised - math.sin(roll) * level
    forward = np.cross(up, right)
    slope = max(pose.slope, LEAST_SLOPE)
    distance = pose.half / slope
    near = max(near, distance - pose.reach)
    half = slope * near
    x, y = (float(v) * half for v in pose.shift)
    eye, far = pose.focus - distance * forward, distance + pose.reach
    sides = x - half * aspect, x + half * aspect, y - half, y + half
    return View(eye, right, up, forward, *sides, near, far, orthographic=False, back=max(0.0, distance - pose.half / steepest))
