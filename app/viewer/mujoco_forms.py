"""Forms of the package mujoco as the window has them, and back: cameras, drawing options, texts, pictures and figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.app.viewer.connection import Colour, Rect, ScriptFigure, ScriptPicture, ScriptText
from tumble.physics.state.enums import mjtFont, mjtFrame, mjtGridPos, mjtLabel
from tumble.render.mjr.context import MjrRect
from tumble.render.mjv.structs import MjvCamera, MjvOption
from tumble.render.options import FrameMode, LabelMode

TextItem = tuple[int | None, int | None, str | None, str | None]
ImageItem = tuple[MjrRect, NDArray[np.uint8]]
Settings = dict[str, Any]

# Names in the window of the flags of an MjvOption, in the order of mjtVisFlag, and of those of a scene, in that of mjtRndFlag.
VIS = (
    "convex_hull", "texture", "joint", "camera", "actuator", "activation", "light", "tendon",
    "rangefinder", "equality", "inertia", "scale_inertia", "perturb_force", "perturb_object",
    "contact_point", "island", "contact_force", "contact_split", "transparent", "auto_connect",
    "com", "select_point", "static", "skin", "flex_vert", "flex_edge", "flex_face", "flex_skin",
    "body_tree", "mesh_tree",
)  # fmt: skip
RND = ("shadow", "wireframe", "reflection", "additive", "skybox", "fog", "haze", "depth", "segmentation")
GROUPS = ("geom", "site", "joint", "tendon", "actuator", "skin", "flex")


def camera_of(cam: MjvCamera) -> Settings:
    """An MjvCamera as the window has cameras."""
    x, y, z = (float(v) for v in cam.lookat)
    return {
        "kind": int(cam.type), "lookat": [x, y, z], "distance": float(cam.distance), "azimuth": float(cam.azimuth),
        "elevation": float(cam.elevation), "body": int(cam.trackbodyid), "fixed": int(cam.fixedcamid),
        "orthographic": bool(cam.orthographic),
    }  # fmt: skip


def set_camera(cam: MjvCamera, settings: Settings) -> None:
    """Fill an MjvCamera from the window's camera."""
    cam.type, cam.trackbodyid, cam.fixedcamid = int(settings["kind"]), int(settings["body"]), int(settings["fixed"])
    cam.lookat[:] = settings["lookat"]
    cam.distance, cam.azimuth, cam.elevation = settings["distance"], settings["azimuth"], settings["elevation"]
    cam.orthographic = int(settings["orthographic"])


def options_of(opt: MjvOption, scene_flags: Any) -> Settings:  # noqa: ANN401 - (11,) uint8
    """An MjvOption, and the rendering flags of a scene, as the window has drawing options."""
    result: Settings = {name: bool(opt.flags[k]) for k, name in enumerate(VIS)}
    result |= {name: bool(scene_flags[k]) for k, name in enumerate(RND)}
    result |= {f"{kind}_group": [bool(on) for on in getattr(opt, f"{kind}group")] for kind in GROUPS}
    label, frame = int(opt.label), int(opt.frame)
    result["label"] = LabelMode(label).name if label in set(LabelMode) else LabelMode.NONE.name
    result["frame"] = FrameMode(frame).name if frame in set(FrameMode) else FrameMode.NONE.name
    return result


def set_options(opt: MjvOption, scene_flags: Any, settings: Settings) -> None:  # noqa: ANN401 - (11,) uint8
    """Fill an MjvOption and a scene's rendering flags from the window's options."""
    for flags, names in ((opt.flags, VIS), (scene_flags, RND)):
        for k, name in enumerate(names):
            if name in settings:
                flags[k] = int(settings[name])
    for kind in GROUPS:
        if f"{kind}_group" in settings:
            getattr(opt, f"{kind}group")[:] = settings[f"{kind}_group"]
    if "label" in settings:
        opt.label = int(mjtLabel(LabelMode[settings["label"]].value))
    if "frame" in settings:
        opt.frame = int(mjtFrame(FrameMode[settings["frame"]].value))


def _tuples(items: Any, size: int) -> list[Any]:  # noqa: ANN401 - one tuple, or several
    """One item, or several, as a list of tuples of this size. Raises ValueError."""
    several = [items] if isinstance(items, tuple) and not (items and all(isinstance(i, tuple) for i in items)) else list(items)
    for item in several:
        if not isinstance(item, tuple) or len(item) != size:
            raise ValueError(f"expected a tuple of {size}, or a list of such tuples; got {item!r:.80}")
    return several


def texts_of(texts: TextItem | Sequence[TextItem]) -> list[ScriptText]:
    """Texts from (font, place, left column, right column)."""
    return [
        ScriptText(
            int(mjtFont.mjFONT_NORMAL if font is None else font),
            int(mjtGridPos.mjGRID_TOPLEFT if place is None else place),
            "" if left is None else str(left),
            "" if right is None else str(right),
        )
        for font, place, left, right in _tuples(texts, 4)
    ]


def pictures_of(images: ImageItem | Sequence[ImageItem]) -> list[ScriptPicture]:
    """Pictures from (rectangle, pixels). Raises ValueError for one that does not fill its rectangle."""
    several = _tuples(images, 2)
    for rect, image in several:
        wanted = (int(rect.height), int(rect.width))
        if np.ndim(image) != 3 or image.shape[2] != 3:
            raise ValueError(f"an image has the shape (height, width, 3), and this {np.shape(image)}")
        if image.shape[:2] != wanted:
            raise ValueError(f"Image shape {image.shape[:2]} does not match target shape {wanted}")
        if image.dtype != np.uint8:
            raise ValueError(f"an image is of type uint8, and this of {image.dtype}")
    return [ScriptPicture(_rect(rect), np.ascontiguousarray(image)) for rect, image in several]


def figures_of(figures: Any) -> list[ScriptFigure]:  # noqa: ANN401 - (MjrRect, MjvFigure), or several
    """Figures from (rectangle, MjvFigure)."""
    return [_figure(_rect(rect), figure) for rect, figure in _tuples(figures, 2)]


def _rect(rect: MjrRect) -> Rect:
    return int(rect.left), int(rect.bottom), int(rect.width), int(rect.height)


def _figure(rect: Rect, figure: Any) -> ScriptFigure:  # noqa: ANN401 - an MjvFigure
    shown = [k for k, count in enumerate(np.asarray(figure.linepnt)) if count > 0]
    lines = [np.asarray(figure.linedata[k], float)[: 2 * int(figure.linepnt[k])].reshape(-1, 2) for k in shown]
    lines = [points[np.isfinite(points).all(axis=1)] for points in lines]
    low, high = _limits(np.concatenate([*lines, np.zeros((0, 2))]), np.asarray(figure.range, float))
    return ScriptFigure(
        rect,
        _text(figure.title),
        _text(figure.xlabel),
        [_text(figure.linename[k]) for k in shown],
        [_colour([*figure.linergb[k], 1.0]) for k in shown],
        lines,
        low,
        high,
        _colour(figure.figurergba),
        (max(2, int(figure.gridsize[0])), max(2, int(figure.gridsize[1]))),
    )


def _limits(points: NDArray[np.float64], given: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Least and largest x and y that a figure shows, (2,) each: from its range, else from the data."""
    low, high = np.zeros(2), np.ones(2)
    for k, (least, most) in enumerate(given):
        if least < most:
            low[k], high[k] = least, most
        elif len(points):
            low[k], high[k] = points[:, k].min(), points[:, k].max()
            if high[k] - low[k] < 1e-12:
                low[k], high[k] = low[k] - 0.5, high[k] + 0.5
    return low, high


def _colour(values: Any) -> Colour:  # noqa: ANN401 - four numbers
    r, g, b, a = (min(max(float(v), 0.0), 1.0) for v in values)
    return r, g, b, a


def _text(value: Any) -> str:  # noqa: ANN401 - bytes or text
    return value.decode(errors="replace").rstrip("\0") if isinstance(value, bytes) else str(value)
