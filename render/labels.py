"""Text labels: what to write and where on the picture. The window draws them; the renderer needs no font."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from render.camera import View
from render.frame import Frame
from render.options import LabelMode, RenderOptions, Selection

if TYPE_CHECKING:
    from physics import MjModel

_Items = Iterator[tuple[str, NDArray[np.float64]]]


@dataclass(frozen=True)
class Label:
    """A text at a pixel (from the top left), and how far away what it names is [m]."""

    text: str
    x: float
    y: float
    depth: float


def labels(
    model: MjModel, frame: Frame, options: RenderOptions, selection: Selection, view: View, width: int, height: int
) -> list[Label]:
    """The labels within the picture, farthest first, so that the nearest is drawn on top."""
    items = list(_items(model, frame, options.label, selection))
    if not items or width <= 0 or height <= 0:
        return []
    pixels = view.project(np.array([point for _, point in items]), width, height)
    found = [
        Label(text, float(x), float(y), float(depth))
        for (text, _), (x, y, depth) in zip(items, pixels, strict=True)
        if depth > view.near and 0 <= x < width and 0 <= y < height
    ]
    return sorted(found, key=lambda label: -label.depth)


def name(model: MjModel, kind: str, index: int) -> str:
    """The name of object `index` of a kind (`body`, `jnt`, `geom`, ...), or kind and index when it has none."""
    start = int(getattr(model, f"name_{kind}adr")[index])
    names = bytes(model.names)
    text = names[start : names.index(b"\0", start)].decode("utf-8", "replace")
    return text or f"{kind} {index}"


def _items(model: MjModel, frame: Frame, mode: LabelMode, selection: Selection) -> _Items:
    plain = {
        LabelMode.BODY: ("body", frame.xpos),
        LabelMode.JOINT: ("jnt", frame.xanchor),
        LabelMode.GEOM: ("geom", frame.geom_xpos),
        LabelMode.SITE: ("site", frame.site_xpos),
        LabelMode.CAMERA: ("cam", frame.cam_xpos),
        LabelMode.LIGHT: ("light", frame.light_xpos),
    }
    if mode in plain:
        kind, points = plain[mode]
        for i in range(1 if mode == LabelMode.BODY else 0, len(points)):
            yield name(model, kind, i), points[i]
    elif mode == LabelMode.TENDON:
        for t in range(len(frame.ten_wrapnum)):
            if frame.ten_wrapnum[t] > 0:
                yield name(model, "tendon", t), frame.wrap_xpos[frame.ten_wrapadr[t] + frame.ten_wrapnum[t] // 2]
    elif mode == LabelMode.SKIN:
        yield from _skin_items(model, frame)
    elif mode == LabelMode.FLEX and len(frame.flexvert_xpos) == model.nflexvert:
        for i in range(model.nflex):
            start, count = int(model.flex_vertadr[i]), int(model.flex_vertnum[i])
            yield name(model, "flex", i), frame.flexvert_xpos[start : start + count].mean(axis=0)
    elif mode == LabelMode.ACTUATOR:
        yield from _actuator_items(model, frame)
    elif mode in (LabelMode.CONTACT_POINT, LabelMode.CONTACT_FORCE):
        yield from _contact_items(frame, forces=mode == LabelMode.CONTACT_FORCE)
    elif mode == LabelMode.ISLAND:
        for tree in np.flatnonzero(np.asarray(frame.tree_island) >= 0):
            yield f"island {frame.tree_island[tree]}", frame.xipos[int(model.tree_bodyadr[tree])]
    elif mode in (LabelMode.SELECTION, LabelMode.SELECTION_POINT) and 0 < selection.body < len(frame.xpos):
        b = selection.body
        point = frame.xpos[b] + frame.xmat[b].reshape(3, 3) @ np.asarray(selection.localpos)
        text = name(model, "body", b) if mode == LabelMode.SELECTION else "{:.3f} {:.3f} {:.3f}".format(*point)
        yield text, point


def _skin_items(model: MjModel, frame: Frame) -> _Items:
    """Skins, each in the middle of its bones."""
    for i in range(model.nskin):
        start, count = int(model.skin_boneadr[i]), int(model.skin_bonenum[i])
        if count:
            yield name(model, "skin", i), frame.xpos[np.asarray(model.skin_bonebodyid)[start : start + count]].mean(axis=0)


def _actuator_items(model: MjModel, frame: Frame) -> _Items:
    for i in range(model.nu):
        kind, target = int(model.actuator_trntype[i]), int(model.actuator_trnid[i][0])
        if kind in (0, 1) and target < len(frame.xanchor):
            yield name(model, "actuator", i), frame.xanchor[target]
        elif kind == 4 and target < len(frame.site_xpos):
            yield name(model, "actuator", i), frame.site_xpos[target]
        elif kind == 5 and target < len(frame.xipos):
            yield name(model, "actuator", i), frame.xipos[target]


def _contact_items(frame: Frame, *, forces: bool) -> _Items:
    for c in range(len(frame.contact_pos)):
        if not forces:
            yield str(c), frame.contact_pos[c]
        elif c < len(frame.contact_force):
            yield f"{float(np.linalg.norm(frame.contact_force[c, :3])):.3g} N", frame.contact_pos[c]
