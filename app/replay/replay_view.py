"""The view settings of a replay: plain JSON, so that they can be checked when read."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from msgspec.structs import asdict

from tumble.render.camera import Camera, CameraKind

if TYPE_CHECKING:
    from tumble.physics import MjModel


class Marked(Protocol):
    """A bookmark: `history.Bookmark`."""

    @property
    def step(self) -> int: ...

    @property
    def time(self) -> float: ...

    @property
    def text(self) -> str: ...


def camera_to(camera: Camera) -> dict[str, Any]:
    """A camera as JSON."""
    return asdict(camera) | {"kind": int(camera.kind)}


def camera_from(view: object) -> Camera | None:
    """The camera from the output of `camera_to`; None if invalid."""
    if not isinstance(view, dict) or set(view) != set(Camera.__struct_fields__):
        return None
    numbers = [view["distance"], view["azimuth"], view["elevation"], *_list(view["lookat"])]
    if len(numbers) != 6 or not all(isinstance(n, int | float) and math.isfinite(n) for n in numbers) or not view["distance"] > 0:
        return None
    if view["kind"] not in tuple(CameraKind) or not all(isinstance(view[name], int) for name in ("body", "fixed")):
        return None
    x, y, z = (float(v) for v in view["lookat"])
    return Camera(**view | {"kind": CameraKind(view["kind"]), "lookat": (x, y, z), "orthographic": bool(view["orthographic"])})


def fits(camera: Camera, model: MjModel) -> bool:
    """True if the model has the camera or body that a camera refers to."""
    if camera.kind == CameraKind.FIXED and not 0 <= camera.fixed < model.ncam:
        return False
    return (0 if camera.kind == CameraKind.TRACKING else -1) <= camera.body < model.nbody


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


MOST_MARKS = 1000


def marks_to(marks: Sequence[Marked], begin: int) -> list[dict[str, Any]]:
    """Bookmarks as JSON; begin: the position at which the replay begins."""
    return [{"step": mark.step - begin, "time": mark.time, "text": mark.text} for mark in marks if mark.step >= begin]


def marks_from(view: object) -> list[tuple[int, float, str]]:
    """The bookmarks (step, time [s], text) that `marks_to` wrote; invalid ones are omitted."""
    marks = []
    for mark in _list(view)[:MOST_MARKS]:
        if not isinstance(mark, dict):
            continue
        step, time, text = mark.get("step"), mark.get("time"), mark.get("text")
        if isinstance(step, int) and isinstance(time, int | float) and math.isfinite(time) and isinstance(text, str):
            marks.append((step, float(time), text))
    return marks


def docks_from(view: object, known: Collection[str]) -> list[str]:
    """Names of the docks to show, among the existing ones."""
    return [name for name in _list(view) if isinstance(name, str) and name in known]
