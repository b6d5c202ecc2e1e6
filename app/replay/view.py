"""What a replay says about the view: plain JSON, so that what reads it can be as careful as it must."""

from __future__ import annotations

import math
from dataclasses import asdict, fields
from typing import Any

from render.camera import Camera, CameraKind


def camera_to(camera: Camera) -> dict[str, Any]:
    """A camera as JSON."""
    return asdict(camera) | {"kind": int(camera.kind)}


def camera_from(view: Any) -> Camera | None:
    """The camera that `camera_to` wrote; None for anything else."""
    if not isinstance(view, dict) or set(view) != {f.name for f in fields(Camera)}:
        return None
    numbers = [view["distance"], view["azimuth"], view["elevation"], *_list(view["lookat"])]
    if len(numbers) != 6 or not all(isinstance(n, int | float) and math.isfinite(n) for n in numbers) or not view["distance"] > 0:
        return None
    if view["kind"] not in tuple(CameraKind) or not all(isinstance(view[name], int) for name in ("body", "fixed")):
        return None
    x, y, z = (float(v) for v in view["lookat"])
    return Camera(**view | {"kind": CameraKind(view["kind"]), "lookat": (x, y, z), "orthographic": bool(view["orthographic"])})


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []
