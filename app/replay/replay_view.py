"""The view settings of a replay: camera, drawing options, bookmarks and docks as plain JSON, which is checked when read."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct, ValidationError, convert
from msgspec.structs import asdict

from tumble.render.camera import Camera, CameraKind
from tumble.render.frame import Frame
from tumble.render.options import MODES, NGROUP, FrameMode, LabelMode, RenderOptions

if TYPE_CHECKING:
    from tumble.physics import MjModel

SWITCHES = (*(name for name, kind in RenderOptions.__annotations__.items() if kind == "bool" and name != "background"), *MODES)
NUMBERS = {"force_size": (0.1, 10.0)}  # with their valid ranges
GROUPS = tuple(name for name in RenderOptions.__struct_fields__ if name.endswith("_group"))


class Bookmark(Struct, frozen=True):
    """A moment marked by the user; like an Event."""

    step: int
    time: float
    text: str
    frame: Frame | None = None


def camera_to(camera: Camera) -> dict[str, Any]:
    """A camera as JSON."""
    return asdict(camera) | {"kind": int(camera.kind)}


def camera_from(view: object) -> Camera | None:
    """The camera from the output of `camera_to`; None if invalid."""
    if not isinstance(view, dict) or set(view) != set(Camera.__struct_fields__):
        return None
    try:
        camera = convert(view, Camera)
    except ValidationError:
        return None
    numbers = (camera.distance, camera.azimuth, camera.elevation, *camera.lookat)
    return camera if all(map(math.isfinite, numbers)) and camera.distance > 0 else None


def fits(camera: Camera, model: MjModel) -> bool:
    """True if the model has the camera or body that a camera refers to."""
    if camera.kind == CameraKind.FIXED and not 0 <= camera.fixed < model.ncam:
        return False
    return (0 if camera.kind == CameraKind.TRACKING else -1) <= camera.body < model.nbody


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


MOST_MARKS = 1000


def marks_to(marks: Sequence[Bookmark], begin: int) -> list[dict[str, Any]]:
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


def options_to(options: RenderOptions) -> dict[str, Any]:
    """Options as JSON; labels and frames of the selection become none, as nothing is selected in a replay."""
    label = LabelMode.NONE if options.label.name.startswith("SELECTION") else options.label
    return (
        {name: options.is_on(name) for name in SWITCHES}
        | {name: [bool(on) for on in getattr(options, name)] for name in GROUPS}
        | {name: float(getattr(options, name)) for name in NUMBERS}
        | {"label": label.name, "frame": options.frame.name}
    )


def options_from(view: object) -> RenderOptions:
    """The options that `options_to` wrote; missing or invalid ones get their defaults."""
    result = RenderOptions()
    take_options(result, view)
    return result


def take_options(options: RenderOptions, view: object) -> None:
    """Set options from the values of `options_to`; missing or invalid ones stay as they are."""
    if not isinstance(view, dict):
        return
    for name in SWITCHES:
        if isinstance(view.get(name), bool):
            options.switch(name, view[name])
    for name in GROUPS:
        group = view.get(name)
        if isinstance(group, list) and len(group) == NGROUP and all(isinstance(on, bool) for on in group):
            getattr(options, name)[:] = group
    for name, (least, most) in NUMBERS.items():
        number = view.get(name)
        if isinstance(number, int | float) and not isinstance(number, bool) and least <= number <= most:
            setattr(options, name, float(number))
    if view.get("label") in tuple(LabelMode.__members__):
        options.label = LabelMode[view["label"]]
    if view.get("frame") in tuple(FrameMode.__members__):
        options.frame = FrameMode[view["frame"]]
