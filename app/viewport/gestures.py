"""Gestures of the mouse: pure functions from buttons, keys and motion to a camera, a selection or a pull on a body.

Motion is in units of the viewport's height, x to the right and y down, as in tumble.render.camera.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace
from PyQt6.QtCore import QPointF, Qt

from tumble.app.simulation.perturbation import Grip, GripMode, Vector, product, rotated, turn_about
from tumble.app.simulation.snapshot import Snapshot
from tumble.render.camera import Camera, View, orbit, pan, zoom

if TYPE_CHECKING:
    from tumble.physics import MjModel

STILL, REACH = 4.0, 16.0  # pixels the mouse may move in a click; from a click to the point that is meant
Button = Qt.MouseButton
Modifier = Qt.KeyboardModifier


class Drag(Enum):
    """The effect of dragging the mouse."""

    NOTHING = auto()
    ORBIT = auto()
    PAN_VERTICAL = auto()
    PAN_HORIZONTAL = auto()
    ZOOM = auto()
    TURN_BODY = auto()
    MOVE_BODY_VERTICAL = auto()
    MOVE_BODY_HORIZONTAL = auto()


class Click(Enum):
    """The effect of a double click on the body, geom or point under the mouse."""

    NOTHING = auto()
    SELECT = auto()
    PAIR = auto()
    CENTRE = auto()
    TRACK = auto()


BODY_DRAGS = (Drag.TURN_BODY, Drag.MOVE_BODY_VERTICAL, Drag.MOVE_BODY_HORIZONTAL)


def drag_of(button: Button, modifiers: Modifier, selected: bool) -> Drag:
    """The drag that pressing a button begins; Ctrl pulls a selected body, and without one leaves the camera's drags."""
    shift = bool(modifiers & Modifier.ShiftModifier)
    pull = selected and bool(modifiers & Modifier.ControlModifier)
    if button == Button.LeftButton:
        return Drag.TURN_BODY if pull else Drag.ORBIT
    if button == Button.RightButton:
        if pull:
            return Drag.MOVE_BODY_HORIZONTAL if shift else Drag.MOVE_BODY_VERTICAL
        return Drag.PAN_HORIZONTAL if shift else Drag.PAN_VERTICAL
    return Drag.ZOOM if button == Button.MiddleButton else Drag.NOTHING


def click_of(button: Button, modifiers: Modifier) -> Click:
    """The meaning of a double click."""
    if button == Button.LeftButton:
        return Click.PAIR if modifiers & Modifier.ShiftModifier else Click.SELECT
    if button == Button.RightButton:
        return Click.TRACK if modifiers & Modifier.ControlModifier else Click.CENTRE
    return Click.NOTHING


def is_click(pressed: QPointF, released: QPointF) -> bool:
    """True if the mouse moved no more than a few pixels between press and release."""
    return (released - pressed).manhattanLength() <= STILL


def nearest_place(places: Vector, x: float, y: float) -> int:
    """The visible point nearest to a click, within its reach; -1: none.

    places: (n,3) pixels and depth as `View.project` gives them. Of points at the same place in the picture, the one in front.
    """
    if len(places) == 0:
        return -1
    away = np.hypot(places[:, 0] - x, places[:, 1] - y)
    away[(places[:, 2] <= 0) | (away > REACH)] = np.inf
    best = float(away.min())
    if not np.isfinite(best):
        return -1
    rivals = np.flatnonzero(away <= best + 2.0)
    return int(rivals[np.argmin(places[rivals, 2])])


def drag_camera(camera: Camera, model: MjModel, drag: Drag, dx: float, dy: float) -> Camera:
    """The camera after a motion of the mouse."""
    if drag is Drag.ORBIT:
        return orbit(camera, dx, dy)
    if drag is Drag.PAN_VERTICAL:
        return pan(camera, model, dx, dy)
    if drag is Drag.PAN_HORIZONTAL:
        return pan(camera, model, dx, dy, horizontal=True)
    if drag is Drag.ZOOM:
        return zoom(camera, model, -dy)
    return camera


def grip_at(snapshot: Snapshot, body: int, local: Vector, drag: Drag, soft: float = 0.0) -> Grip:
    """The first hold of a body at a point of its frame (3,) [m]: the target is where it is; soft: as in `Grip`."""
    mode = GripMode.ROTATE if drag is Drag.TURN_BODY else GripMode.TRANSLATE
    quat = snapshot.xquat[body].copy()
    horizontal = drag is Drag.MOVE_BODY_HORIZONTAL
    return Grip(body, mode, local, snapshot.xpos[body] + rotated(quat, local), quat, horizontal, soft)


def drag_grip(grip: Grip, view: View, drag: Drag, dx: float, dy: float) -> Grip:
    """The hold after a motion of the mouse: a point follows it at its depth, a body turns half a turn a height.

    Vertical moves go along the picture's right and the world's z, horizontal ones along right and away from the eye.
    """
    right = _horizontal(view.right, np.array([1.0, 0.0, 0.0]))
    if drag is Drag.TURN_BODY:
        up = np.array([0.0, 0.0, 1.0])
        turn = product(turn_about(up, np.pi * dx), turn_about(right, np.pi * dy))
        quat = product(turn, grip.quat)
        return replace(grip, quat=quat / np.linalg.norm(quat))
    scale = seen_height(view, grip.target)
    away = np.cross(np.array([0.0, 0.0, 1.0]), right)
    along = away if drag is Drag.MOVE_BODY_HORIZONTAL else np.array([0.0, 0.0, 1.0])
    return replace(grip, target=grip.target + scale * (dx * right - dy * along))


def seen_height(view: View, point: Vector) -> float:
    """The height [m] that the picture spans at the depth of a point (3,)."""
    height = view.top - view.bottom
    if view.orthographic:
        return height
    return height / view.near * max(float((point - view.eye) @ view.forward), view.near)


def _horizontal(axis: Vector, otherwise: Vector) -> Vector:
    """The axis laid into the horizontal plane, of unit length."""
    flat = np.array([axis[0], axis[1], 0.0])
    length = float(np.linalg.norm(flat))
    return flat / length if length > 1e-6 else otherwise
