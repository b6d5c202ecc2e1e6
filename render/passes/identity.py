"""What an instance shows: a number for each object of a model, and its colour in segmentations."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from physics.state.enums import mjtObj
from render.constants import CONTACT
from render.drawlist import DrawList
from render.islands import oklch

if TYPE_CHECKING:
    from physics import MjModel

Ints = NDArray[np.int64]

# In this order objects are numbered: what is most of a picture first, so that a model's colours stay when decoration is shown.
_COUNTS = (
    (mjtObj.mjOBJ_GEOM, "ngeom"), (mjtObj.mjOBJ_SITE, "nsite"), (mjtObj.mjOBJ_SKIN, "nskin"), (mjtObj.mjOBJ_FLEX, "nflex"),
    (mjtObj.mjOBJ_TENDON, "ntendon"), (mjtObj.mjOBJ_BODY, "nbody"), (mjtObj.mjOBJ_JOINT, "njnt"), (mjtObj.mjOBJ_CAMERA, "ncam"),
    (mjtObj.mjOBJ_LIGHT, "nlight"), (mjtObj.mjOBJ_ACTUATOR, "nu"), (mjtObj.mjOBJ_EQUALITY, "neq"),
    (mjtObj.mjOBJ_SENSOR, "nsensor"),
)  # fmt: skip
# Lightness and chroma in OKLCH, in turn: neighbours on the wheel of hues differ in brightness, and all from the black behind.
_LIGHT = ((0.76, 0.14), (0.58, 0.16), (0.88, 0.09), (0.66, 0.09), (0.47, 0.13))
_GOLDEN, _FIRST_HUE = 0.61803398875, 0.6


def identified(drawlist: DrawList) -> NDArray[np.bool_]:
    """(n,) which instances show an object of the model or a contact: not ghosts, axes of frames, and what programs add."""
    return np.asarray((drawlist.objtype != int(mjtObj.mjOBJ_UNKNOWN)) & (drawlist.objid >= 0))


def numbers(model: MjModel, objtype: Ints, objid: Ints) -> Ints:
    """(n,) a number for each object, which those of other models have too; -1 for what has no identity. Contacts come last."""
    made = np.full(len(objtype), -1, np.int64)
    first = 0
    for kind, count in _COUNTS:
        rows = objtype == int(kind)
        made[rows] = first + objid[rows]
        first += int(getattr(model, count))
    rows = objtype == CONTACT
    made[rows] = first + objid[rows]
    return np.where(objid < 0, -1, made)


def colours(number: Ints) -> NDArray[np.float32]:
    """(n, 3) rgb 0..1 of numbers of objects: no two have the same, and none is black."""
    most = int(number.max(initial=0)) + 1
    return (_palette(1 << most.bit_length())[number] / 255.0).astype(np.float32)


@lru_cache(maxsize=4)
def _palette(count: int) -> NDArray[np.uint8]:
    """(count, 3) colours of the first numbers. A longer palette begins with the shorter one."""
    index = np.arange(count)
    light = np.array(_LIGHT)[index % len(_LIGHT)]
    wanted = np.rint(255.0 * oklch(light[:, 0], light[:, 1], np.mod(_FIRST_HUE + _GOLDEN * index, 1.0))).astype(np.int64)
    taken: set[int] = {0}
    for i, (red, green, blue) in enumerate(wanted.tolist()):
        packed = red << 16 | green << 8 | blue
        while packed in taken:  # one shade farther: the eye need not tell them apart, but a program can
            packed = (packed + 1) & 0xFFFFFF
        taken.add(packed)
        wanted[i] = packed >> 16, packed >> 8 & 255, packed & 255
    return wanted.astype(np.uint8)
