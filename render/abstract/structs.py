"""The structures of the abstract picture, with the reference's fields and defaults (mjvisualize.h)."""

from __future__ import annotations

import numpy as np

from physics.state.enums import mjtGeom
from render.abstract.struct import VisualStruct

NGROUP, NVISFLAG, NRNDFLAG = 6, 31, 11
MAXLINE, MAXLINEPNT = 100, 1001
_GROUPS = (1, 1, 1, 0, 0, 0)
_UNIT_QUAT = (1.0, 0.0, 0.0, 0.0)
_HELD_UPRIGHT = np.eye(3)


class MjvOption(VisualStruct):
    """What of a model a scene lists: groups and flags (mjtVisFlag), one kind of labels (mjtLabel), of frames (mjtFrame)."""

    __slots__ = ()
    RECORD = np.dtype(
        [
            ("label", "i4"),
            ("frame", "i4"),
            *((f"{kind}group", "u1", NGROUP) for kind in ("geom", "site", "joint", "tendon", "actuator", "flex", "skin")),
            ("flags", "u1", NVISFLAG),
            ("bvh_depth", "i4"),
            ("flex_layer", "i4"),
        ]
    )
    _SHOWN = (1, 7, 8, 13, 22, 23, 25, 27)  # texture, tendon, rangefinder, pertobj, static, skin, flexedge, flexskin
    DEFAULTS = {
        **{f"{kind}group": _GROUPS for kind in ("geom", "site", "joint", "tendon", "actuator", "flex", "skin")},
        "flags": np.isin(np.arange(NVISFLAG), _SHOWN),
        "bvh_depth": 1,
    }


class MjvCamera(VisualStruct):
    """A camera as a user holds it: lengths [m], angles [deg]; azimuth 90, elevation 0 looks along +y."""

    __slots__ = ()
    RECORD = np.dtype(
        [
            ("type", "i4"),
            ("fixedcamid", "i4"),
            ("trackbodyid", "i4"),
            ("lookat", "f8", 3),
            ("distance", "f8"),
            ("azimuth", "f8"),
            ("elevation", "f8"),
            ("orthographic", "i4"),
        ]
    )
    DEFAULTS = {"fixedcamid": -1, "trackbodyid": -1, "distance": 2.0, "azimuth": 90.0, "elevation": -45.0}


class MjvPerturb(VisualStruct):
    """A body that the mouse holds, where it is wanted, and how it is pulled there (mjtPertBit)."""

    __slots__ = ()
    RECORD = np.dtype(
        [
            *((name, "i4") for name in ("select", "flexselect", "skinselect", "active", "active2")),
            ("refpos", "f8", 3),
            ("refquat", "f8", 4),
            ("refselpos", "f8", 3),
            ("localpos", "f8", 3),
            ("localmass", "f8"),
            ("scale", "f8"),
        ]
    )
    DEFAULTS = {"flexselect": -1, "skinselect": -1, "refquat": _UNIT_QUAT, "scale": 1.0}


class MjvGLCamera(VisualStruct):
    """A camera as it is drawn through: its frame, and the frustum's sides at the near plane [m]."""

    __slots__ = ()
    RECORD = np.dtype(
        [
            ("pos", "f4", 3),
            ("forward", "f4", 3),
            ("up", "f4", 3),
            *((f"frustum_{side}", "f4") for side in ("center", "width", "bottom", "top", "near", "far")),
            ("orthographic", "i4"),
        ]
    )


class MjvGeom(VisualStruct):
    """A thing to be drawn: what it is, where, how large, and in which paint."""

    __slots__ = ()
    RECORD = np.dtype(
        [
            *((name, "i4") for name in ("type", "dataid", "objtype", "objid", "category", "matid", "texcoord", "segid")),
            ("size", "f4", 3),
            ("pos", "f4", 3),
            ("mat", "f4", (3, 3)),
            ("rgba", "f4", 4),
            *((name, "f4") for name in ("emission", "specular", "shininess", "reflectance")),
            ("label", "S100"),
            ("camdist", "f4"),
            ("modelrbound", "f4"),
            ("transparent", "u1"),
        ]
    )
    DEFAULTS = {
        "type": int(mjtGeom.mjGEOM_NONE),
        "dataid": -1,
        "matid": -1,
        "size": 0.1,
        "mat": _HELD_UPRIGHT,
        "rgba": (0.5, 0.5, 0.5, 1.0),
        "specular": 0.5,
        "shininess": 0.5,
    }


class MjvLight(VisualStruct):
    """A light of the picture, as OpenGL's fixed lights were described."""

    __slots__ = ()
    RECORD = np.dtype(
        [
            ("id", "i4"),
            ("pos", "f4", 3),
            ("dir", "f4", 3),
            ("type", "i4"),
            ("texid", "i4"),
            ("attenuation", "f4", 3),
            ("cutoff", "f4"),
            ("exponent", "f4"),
            ("ambient", "f4", 3),
            ("diffuse", "f4", 3),
            ("specular", "f4", 3),
            ("headlight", "u1"),
            ("castshadow", "u1"),
            ("bulbradius", "f4"),
            ("intensity", "f4"),
            ("range", "f4"),
        ]
    )


def _line_colours() -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """(MAXLINE, 3) colours of a figure's lines, far apart for lines that follow each other."""
    turn = (np.arange(MAXLINE)[:, None] * 0.381966 + (0.0, 2 / 3, 1 / 3)) % 1.0
    return (0.6 + 0.4 * np.cos(2.0 * np.pi * turn)).astype(np.float32)


class MjvFigure(VisualStruct):
    """A plot of lines over the picture. linedata: x and y of each point in turn."""

    __slots__ = ()
    RECORD = np.dtype(
        [
            ("flg_legend", "i4"),
            ("flg_ticklabel", "i4", 2),
            *((f"flg_{name}", "i4") for name in ("extend", "barplot", "selection", "symmetric")),
            ("linewidth", "f4"),
            ("gridwidth", "f4"),
            ("gridsize", "i4", 2),
            ("gridrgb", "f4", 3),
            *((f"{name}rgba", "f4", 4) for name in ("figure", "pane", "legend")),
            ("textrgb", "f4", 3),
            ("linergb", "f4", (MAXLINE, 3)),
            ("range", "f4", (2, 2)),
            *((name, "S20") for name in ("xformat", "yformat", "minwidth")),
            ("title", "S1000"),
            ("xlabel", "S100"),
            ("linename", "S100", MAXLINE),
            ("legendoffset", "i4"),
            ("subplot", "i4"),
            ("highlight", "i4", 2),
            ("highlightid", "i4"),
            ("selection", "f4"),
            ("linepnt", "i4", MAXLINE),
            ("linedata", "f4", (MAXLINE, 2 * MAXLINEPNT)),
            ("xaxispixel", "i4", 2),
            ("yaxispixel", "i4", 2),
            ("xaxisdata", "f4", 2),
            ("yaxisdata", "f4", 2),
        ]
    )
    DEFAULTS = {
        "flg_legend": 1,
        "flg_ticklabel": 1,
        "flg_extend": 1,
        "linewidth": 3.0,
        "gridwidth": 1.0,
        "gridsize": 2,
        "gridrgb": 0.4,
        "figurergba": (0.0, 0.0, 0.0, 1.0),
        "panergba": (0.0, 0.0, 0.0, 1.0),
        "legendrgba": (0.0, 0.0, 0.0, 0.3),
        "textrgb": 1.0,
        "linergb": _line_colours(),
        "range": (0.0, 1.0),
        "xformat": b"%.0f",
        "yformat": b"%.2g",
        "minwidth": b"XXX",
        "highlightid": -1,
    }


def mjv_defaultCamera(cam: MjvCamera) -> None:
    """Make a camera as a new one is: free, 2 m from the origin, looking along +y and down."""
    cam.reset()


def mjv_defaultOption(opt: MjvOption) -> None:
    """Make options as new ones are."""
    opt.reset()


def mjv_defaultPerturb(pert: MjvPerturb) -> None:
    """Make a perturbation as a new one is: nothing is held."""
    pert.reset()


def mjv_defaultFigure(fig: MjvFigure) -> None:
    """Make a figure as a new one is: without lines, its range fitting what will be drawn."""
    fig.reset()
