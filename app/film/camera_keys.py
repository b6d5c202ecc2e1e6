"""The camera path of the window: keys on the timeline that are added, changed, saved and followed."""

from __future__ import annotations

import json
import math
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace
from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.base import files
from tumble.app.film.camera_path import CameraKey, CameraPath, PathError, from_json, read_path
from tumble.app.session.session import Session
from tumble.app.viewport.tiles.tiles import Tile
from tumble.app.viewport.widget import Viewport
from tumble.render.camera import MAX_ELEVATION, Camera, CameraKind, free, view_of
from tumble.render.frame import Frame

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

CLOSE = 1e-6  # keys nearer to each other than this are at one time [s]
SUFFIX = ".json"


class CameraKeys(QObject):
    """Keys in the order of their times, which are simulated seconds on the timeline. changed: any of them."""

    changed = pyqtSignal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.keys: list[CameraKey] = []

    def marks(self) -> list[tuple[float, str]]:
        """Time [s] and words of each key, for the timeline."""
        return [(key.time, f"Camera key {k + 1}: {where(key)}") for k, key in enumerate(self.keys)]

    def add(self, time: float, camera: Camera) -> int:
        """A key with a free camera, in place of one at the same time; its index."""
        before = self._at(time)
        key = CameraKey.of(time, camera)
        if before is not None:
            key = replace(key, time=before.time, turns=before.turns)
        self._put([other for other in self.keys if other is not before] + [key])
        return self.keys.index(key)

    def update(self, index: int, camera: Camera) -> None:
        """Replace the camera of a key."""
        self._replace(index, replace(CameraKey.of(0.0, camera), time=self.keys[index].time, turns=self.keys[index].turns))

    def move(self, index: int, time: float) -> int:
        """Change the time of a key [s]; returns its new index. Raises PathError if another key is at that time."""
        if not math.isfinite(time) or abs(time) > 1e6:
            raise PathError(f"{time:g} s is not a valid time of a key")
        other = self._at(time)
        if other is not None and other is not self.keys[index]:
            raise PathError(f"there is a key at {time:g} s already; each needs a different time")
        return self._replace(index, replace(self.keys[index], time=time))

    def set_number(self, index: int, name: str, value: float) -> None:
        """The distance [m], azimuth or elevation [deg], or the whole turns more on the way to a key. Raises PathError."""
        if not math.isfinite(value) or abs(value) >= 1e9:
            raise PathError(f"{value:g} is not a valid {name}")
        if name == "distance" and value <= 0:
            raise PathError("the distance is more than 0")
        if name == "elevation" and abs(value) > MAX_ELEVATION:
            raise PathError(f"the elevation is between -{MAX_ELEVATION:g} and {MAX_ELEVATION:g}")
        changed: dict[str, Any] = {name: round(value) if name == "turns" else value}
        self._replace(index, replace(self.keys[index], **changed))

    def remove(self, index: int) -> None:
        """One key less."""
        self._put([key for k, key in enumerate(self.keys) if k != index])

    def clear(self) -> None:
        """No keys."""
        self._put([])

    def path(self, base: Camera, origin: float = 0.0) -> CameraPath | None:
        """The way between the keys; None without keys. origin: the time that counts as 0 [s]."""
        if not self.keys:
            return None
        return CameraPath([replace(key, time=key.time - origin) for key in self.keys], base)

    def save(self, path: Path) -> None:
        """Write the file that `tumble render --path` reads. Raises FileError."""
        text = json.dumps({"keys": self.to_json()}, indent=1)
        files.write_whole(path, f"{text}\n".encode())

    def load(self, path: Path, base: Camera) -> None:
        """Read such a file in place of the present keys; base: values missing from its first key. Raises PathError."""
        self._put(list(read_path(path, base).keys))

    def to_json(self) -> list[dict[str, Any]]:
        """The keys as plain data."""
        path = self.path(Camera())
        return path.to_json() if path is not None else []

    def from_json(self, data: MjData, origin: float = 0.0) -> None:
        """Keys that `to_json` gave, in place of the present ones; origin: the time [s] that is 0 then. Raises PathError."""
        keys = from_json(data, Camera()).keys if data else ()
        self._put([replace(key, time=key.time - origin) for key in keys])

    def _at(self, time: float) -> CameraKey | None:
        return next((key for key in self.keys if abs(key.time - time) <= CLOSE), None)

    def _replace(self, index: int, key: CameraKey) -> int:
        self._put([other for k, other in enumerate(self.keys) if k != index] + [key])
        return self.keys.index(key)

    def _put(self, keys: list[CameraKey]) -> None:
        self.keys = sorted(keys, key=lambda key: key.time)
        self.changed.emit()


def where(key: CameraKey) -> str:
    """A key in words."""
    return f"{key.distance:.3g} m away, azimuth {key.azimuth:.0f}°, elevation {key.elevation:.0f}°"


def placed(camera: Camera, model: MjModel, frame: Frame) -> Camera:
    """The free camera with the view of another camera: at its place, without the lens of a model's camera."""
    if camera.kind != CameraKind.FIXED:
        return free(camera, model, frame)
    view = view_of(camera, model, frame, 1.0)
    x, y, z = (float(v) for v in view.eye + camera.distance * view.forward)
    elevation = math.degrees(math.asin(float(np.clip(view.forward[2], -1, 1))))
    azimuth = math.degrees(math.atan2(float(view.forward[1]), float(view.forward[0])))
    bounded = min(MAX_ELEVATION, max(-MAX_ELEVATION, elevation))
    return replace(camera, kind=CameraKind.FREE, lookat=(x, y, z), azimuth=azimuth, elevation=bounded)


class Motion(Enum):
    """The motion of the view's camera."""

    NOTHING = auto()
    PATH = auto()
    ORBIT = auto()


class CameraGuide(QObject):
    """Moves the view's camera while time runs, along the keys or around its target.

    While time stands the camera is the user's, so that the next key can be found; in an orbit it is at any time.
    """

    changed = pyqtSignal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.motion = Motion.NOTHING
        self.speed = 20.0  # of the orbit [deg/s]
        self._session, self._keys = session, session.part(CameraKeys)
        self._view: Viewport | None = None
        self._tile: Tile | None = None  # whose camera is moved, whichever view the user goes on to
        self._before = math.nan  # the time of the last picture [s]
        session.advanced.connect(self._advance)
        self._keys.changed.connect(self._follow)

    def lead(self, view: Viewport) -> None:
        """The view whose camera is moved."""
        self._view = view

    def set_motion(self, motion: Motion) -> None:
        """Move the camera so from now on."""
        self.motion = motion
        self._tile = None if self._view is None else self._view.tiles.active
        self._before = self._session.history.time
        self._follow()
        self.changed.emit()

    def _advance(self) -> None:
        if self.motion is Motion.NOTHING:
            return
        now, before = self._session.history.time, self._before
        if now == before:
            return
        self._before = now
        if self.motion is Motion.PATH:
            self._follow()
        else:
            self._turn(self.speed * (now - before) / self._session.rate)

    def _follow(self) -> None:
        """Move the camera to its present place on the path."""
        view, tile = self._view, self._tile
        if view is None or tile is None or self.motion is not Motion.PATH or self._session.model is None:
            return
        path = self._keys.path(tile.camera)
        if path is not None:
            view.set_camera(path.at(self._session.history.time), tile)

    def _turn(self, degrees: float) -> None:
        view, tile = self._view, self._tile
        if view is None or tile is None or tile.camera.kind == CameraKind.FIXED or abs(degrees) >= 180:  # more: time has jumped
            return
        view.set_camera(replace(tile.camera, azimuth=math.remainder(tile.camera.azimuth + degrees, 360.0)), tile)
