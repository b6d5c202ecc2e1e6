"""Cameras and drawing options of a script, as the window has them and back."""

from __future__ import annotations

from typing import Any

from tumble.physics.state.enums import mjtFrame, mjtLabel, mjtRndFlag, mjtVisFlag
from tumble.render.mjv.structs import MjvCamera, MjvOption
from tumble.render.options import FrameMode, LabelMode

VIS = {
    int(mjtVisFlag.mjVIS_CONVEXHULL): "convex_hull", int(mjtVisFlag.mjVIS_TEXTURE): "texture",
    int(mjtVisFlag.mjVIS_JOINT): "joint", int(mjtVisFlag.mjVIS_CAMERA): "camera", int(mjtVisFlag.mjVIS_ACTUATOR): "actuator",
    int(mjtVisFlag.mjVIS_ACTIVATION): "activation", int(mjtVisFlag.mjVIS_LIGHT): "light", int(mjtVisFlag.mjVIS_TENDON): "tendon",
    int(mjtVisFlag.mjVIS_RANGEFINDER): "rangefinder", int(mjtVisFlag.mjVIS_CONSTRAINT): "equality",
    int(mjtVisFlag.mjVIS_INERTIA): "inertia", int(mjtVisFlag.mjVIS_SCLINERTIA): "scale_inertia",
    int(mjtVisFlag.mjVIS_PERTFORCE): "perturb_force",
    int(mjtVisFlag.mjVIS_PERTOBJ): "perturb_object", int(mjtVisFlag.mjVIS_CONTACTPOINT): "contact_point",
    int(mjtVisFlag.mjVIS_ISLAND): "island", int(mjtVisFlag.mjVIS_CONTACTFORCE): "contact_force",
    int(mjtVisFlag.mjVIS_CONTACTSPLIT): "contact_split", int(mjtVisFlag.mjVIS_TRANSPARENT): "transparent",
    int(mjtVisFlag.mjVIS_AUTOCONNECT): "auto_connect", int(mjtVisFlag.mjVIS_COM): "com",
    int(mjtVisFlag.mjVIS_SELECT): "select_point", int(mjtVisFlag.mjVIS_STATIC): "static", int(mjtVisFlag.mjVIS_SKIN): "skin",
    int(mjtVisFlag.mjVIS_FLEXVERT): "flex_vert", int(mjtVisFlag.mjVIS_FLEXEDGE): "flex_edge",
    int(mjtVisFlag.mjVIS_FLEXFACE): "flex_face", int(mjtVisFlag.mjVIS_FLEXSKIN): "flex_skin",
    int(mjtVisFlag.mjVIS_BODYBVH): "body_tree", int(mjtVisFlag.mjVIS_MESHBVH): "mesh_tree",
}  # fmt: skip
RND = {
    int(mjtRndFlag.mjRND_SHADOW): "shadow", int(mjtRndFlag.mjRND_WIREFRAME): "wireframe",
    int(mjtRndFlag.mjRND_REFLECTION): "reflection", int(mjtRndFlag.mjRND_ADDITIVE): "additive",
    int(mjtRndFlag.mjRND_SKYBOX): "skybox", int(mjtRndFlag.mjRND_FOG): "fog", int(mjtRndFlag.mjRND_HAZE): "haze",
    int(mjtRndFlag.mjRND_DEPTH): "depth", int(mjtRndFlag.mjRND_SEGMENT): "segmentation",
}  # fmt: skip
Settings = dict[str, Any]

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
    """Give an MjvCamera what the window has."""
    cam.type, cam.trackbodyid, cam.fixedcamid = int(settings["kind"]), int(settings["body"]), int(settings["fixed"])
    cam.lookat[:] = settings["lookat"]
    cam.distance, cam.azimuth, cam.elevation = settings["distance"], settings["azimuth"], settings["elevation"]
    cam.orthographic = int(settings["orthographic"])


def options_of(opt: MjvOption, scene_flags: Any) -> Settings:  # noqa: ANN401 - (11,) uint8
    """An MjvOption, and the rendering flags of a scene, as the window has drawing options."""
    result: Settings = {name: bool(opt.flags[k]) for k, name in VIS.items()}
    result |= {name: bool(scene_flags[k]) for k, name in RND.items()}
    result |= {f"{kind}_group": [bool(on) for on in getattr(opt, f"{kind}group")] for kind in GROUPS}
    label, frame = int(opt.label), int(opt.frame)
    result["label"] = LabelMode(label).name if label in set(LabelMode) else LabelMode.NONE.name
    result["frame"] = FrameMode(frame).name if frame in set(FrameMode) else FrameMode.NONE.name
    return result


def set_options(opt: MjvOption, scene_flags: Any, settings: Settings) -> None:  # noqa: ANN401 - (11,) uint8
    """Give an MjvOption and a scene's rendering flags what the window has."""
    for flags, names in ((opt.flags, VIS), (scene_flags, RND)):
        for k, name in names.items():
            if name in settings:
                flags[k] = int(settings[name])
    for kind in GROUPS:
        if f"{kind}_group" in settings:
            getattr(opt, f"{kind}group")[:] = settings[f"{kind}_group"]
    if "label" in settings:
        opt.label = int(mjtLabel(LabelMode[settings["label"]].value))
    if "frame" in settings:
        opt.frame = int(mjtFrame(FrameMode[settings["frame"]].value))
