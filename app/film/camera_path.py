"""Cameras that move: keys on a timeline with a smooth way between them, and a steady turn around the scene. Pure maths.

Between its keys a path is a cubic Hermite spline through what a free camera has: the point it looks at, the logarithm of
its distance (so that zooming feels even, and never passes through the point), azimuth and elevation. The slope at a key is
that of the parabola through it and its neighbours (Catmull-Rom for uneven times), at the ends that of the straight line:
two keys are joined at constant speed, and three points on a parabola stay on it. Turning by azimuth and elevation rather
than by the shortest rotation keeps the horizon level, as a free camera has no roll.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict, replace
from numpy.typing import NDArray

from tumble.app.base import plain_json
from tumble.render.camera import MAX_ELEVATION, Camera, CameraKind

MOST_KEYS = 10_000


class PathError(ValueError):
    """A camera path that cannot be read; the message gives the error and what is valid."""


class Director(Protocol):
    """A motion of the camera."""

    def camera(self, shown: float, simulated: float) -> Camera:
        """The camera at a time of the video, and the corresponding time of the simulation [s]."""


class Still(Struct, frozen=True):
    """One camera, which may be bound to the model or to a body, and may orbit at a rate in degrees per second of the video."""

    base: Camera
    turn: float = 0.0

    def camera(self, shown: float, simulated: float) -> Camera:
        """The camera at a time of the video [s]."""
        if self.turn == 0.0 or self.base.kind == CameraKind.FIXED:
            return self.base
        return replace(self.base, azimuth=self.base.azimuth + self.turn * shown)


class CameraKey(Struct, frozen=True):
    """The camera at a simulated time [s] after the first frame. turns: additional whole turns on the way to this key."""

    time: float
    lookat: tuple[float, float, float]
    distance: float
    azimuth: float
    elevation: float
    turns: int = 0

    @classmethod
    def of(cls, time: float, camera: Camera) -> CameraKey:
        """The place of a free camera."""
        return cls(time, camera.lookat, camera.distance, camera.azimuth, camera.elevation)


class CameraPath:
    """Keys in order of time; the camera rests before the first and after the last."""

    def __init__(self, keys: Sequence[CameraKey], base: Camera | None = None) -> None:
        """base: gives the lens, and the body to follow: a tracking camera always looks at its body.

        Raises PathError if there is no key, or two have one time.
        """
        if not 0 < len(keys) <= MOST_KEYS:
            raise PathError(f"a camera path has 1 to {MOST_KEYS} keys, not {len(keys)}")
        self.keys = tuple(sorted(keys, key=lambda key: key.time))
        self._base = base if base is not None else Camera()
        self._times = np.array([key.time for key in self.keys])
        if np.any(np.diff(self._times) <= 0):
            same = float(self._times[int(np.argmin(np.diff(self._times)))])
            raise PathError(f"two keys of the camera path are at {same:g} s; each needs a different time")
        self._points = np.array([[*key.lookat, math.log(key.distance), 0.0, key.elevation] for key in self.keys])
        extra = 360.0 * np.cumsum([key.turns for key in self.keys])
        self._points[:, 4] = np.unwrap([key.azimuth for key in self.keys], period=360.0) + extra
        # numpy's gradient is that of the parabola at inner keys, of the straight line at the ends.
        several = len(keys) > 1
        self._slopes = np.gradient(self._points, self._times, axis=0) if several else np.zeros_like(self._points)

    def at(self, time: float) -> Camera:
        """The camera at a simulated time [s] after the first frame."""
        x, y, z, zoom, azimuth, elevation = (float(v) for v in self._point(time))
        return replace(
            self._base,
            kind=CameraKind.TRACKING if self._base.kind == CameraKind.TRACKING else CameraKind.FREE,
            lookat=(x, y, z),
            distance=math.exp(zoom),
            azimuth=azimuth,
            elevation=min(MAX_ELEVATION, max(-MAX_ELEVATION, elevation)),
        )

    def camera(self, shown: float, simulated: float) -> Camera:
        """The camera at a simulated time [s]."""
        return self.at(simulated)

    def _point(self, time: float) -> NDArray[np.float64]:
        """The spline at a time: as scipy's CubicHermiteSpline, whose import takes 0.3 s of the window's thread and 33 MB."""
        if not self._times[0] < time < self._times[-1]:
            return np.asarray(self._points[0 if time <= self._times[0] else -1])
        k = int(np.searchsorted(self._times, time, side="right")) - 1
        width = self._times[k + 1] - self._times[k]
        u = (time - self._times[k]) / width
        begin, end = self._points[k], self._points[k + 1]
        leave, arrive = width * self._slopes[k], width * self._slopes[k + 1]
        return np.asarray(
            (1 + 2 * u) * (1 - u) ** 2 * begin + u * (1 - u) ** 2 * leave + u * u * (3 - 2 * u) * end - u * u * (1 - u) * arrive
        )

    def to_json(self) -> list[dict[str, Any]]:
        """The keys as they are written to files."""
        return [asdict(key) for key in self.keys]


def read_path(path: Path, base: Camera) -> CameraPath:
    """The camera path in a JSON file, {"keys": [{"time": 0, "azimuth": 90, ...}, ...]}; missing values as in the key before.

    base: values missing from the first key, and other camera settings. Raises PathError.
    """
    try:
        data = plain_json.read(path.read_text("utf-8"))
        keys = data["keys"] if isinstance(data, dict) else data
    except OSError as error:
        raise PathError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError) as error:
        valid = '{"keys": [{"time": 0, "azimuth": 90}, ...]}'
        raise PathError(f"{path}: not a camera path, which is {valid}: {error}") from error
    try:
        return from_json(keys, base)
    except PathError as error:
        raise PathError(f"{path}: {error}") from error


def from_json(keys: object, base: Camera) -> CameraPath:
    """The path of keys as `to_json` gives them. Raises PathError."""
    if not isinstance(keys, list) or len(keys) > MOST_KEYS:
        raise PathError(f"the keys of a camera path are a list of at most {MOST_KEYS}")
    path: list[CameraKey] = []
    before = asdict(CameraKey.of(0.0, base))
    for number, key in enumerate(keys, start=1):
        before = _checked(number, key, before)
        path.append(CameraKey(**before))
    return CameraPath(path, base)


def _checked(number: int, given: object, before: dict[str, Any]) -> dict[str, Any]:
    """The values of one key; missing ones are those of the key before."""
    if not isinstance(given, dict) or "time" not in given:
        raise PathError(f'key {number} needs a time, as in {{"time": 2.5, "azimuth": 90}}')
    unknown = sorted(set(given) - set(before))
    if unknown:
        raise PathError(f"key {number} has {unknown[0]!r}; valid are {', '.join(before)}")
    values = before | {"turns": 0} | given
    numbers = values["lookat"]
    if not isinstance(numbers, list | tuple) or len(numbers) != 3:
        raise PathError(f"key {number}: lookat is three numbers [m]")
    plain = [values["time"], values["distance"], values["azimuth"], values["elevation"], values["turns"], *numbers]
    if not all(isinstance(v, int | float) and not isinstance(v, bool) and abs(v) < 1e9 for v in plain):
        raise PathError(f"key {number}: its values are numbers")
    if not values["distance"] > 0:
        raise PathError(f"key {number}: distance {values['distance']:g}; it is more than 0")
    return values | {"lookat": tuple(float(v) for v in numbers), "turns": int(values["turns"])}
