"""Cameras and drawing options of a script, as the window has them and back."""

from __future__ import annotations

from typing import Any

from tumble.physics.state.enums import mjtFrame, mjtLabel
from tumble.render.mjv.structs import MjvCamera, MjvOption
from tumble.render.options import FrameMode, LabelMode

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
