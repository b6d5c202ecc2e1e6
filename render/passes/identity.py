"""Identity of an instance: a number for each object of a model, and its colour in segmentations."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.physics.state.enums import mjtObj
from tumble.render.constants import CONTACT
from tumble.render.drawlist import DrawList

if TYPE_CHECKING:
    from tumble.physics import MjModel

Ints = NDArray[np.int64]

# In this order objects are numbered: what is most of a picture first, so that a model's colours stay when decoration is shown.
_COUNTS = (
    (mjtObj.mjOBJ_GEOM, "ngeom"), (mjtObj.mjOBJ_SITE, "nsite"), (mjtObj.mjOBJ_SKIN, "nskin"), (mjtObj.mjOBJ_FLEX, "nflex"),
    (mjtObj.mjOBJ_TENDON, "ntendon"), (mjtObj.mjOBJ_BODY, "nbody"), (mjtObj.mjOBJ_JOINT, "njnt"), (mjtObj.mjOBJ_CAMERA, "ncam"),
    (mjtObj.mjOBJ_LIGHT, "nlight"), (mjtObj.mjOBJ_ACTUATOR, "nu"), (mjtObj.mjOBJ_EQUALITY, "neq"),
    (mjtObj.mjOBJ_SENSOR, "nsensor"),
)  # fmt: skip
# Of candidates on a grid, each colour is the one farthest from all before it, to the eye: the first ones are the most distinct.
_STEPS, _FIRST, _PICKED = 16, (68, 119, 170), 256
_WEIGHT = np.sqrt((2.0, 4.0, 3.0))  # of red, green and blue in what the eye sees of a difference
_DARKEST = 190.0  # the least distance from black, which is behind
_SCATTER = 0x9E3779B1  # spreads the numbers that come after those over all colours


@dataclass(frozen=True)
class SeenObjects:
    """Object of each pixel, first row on top: mjtObj (or CONTACT) and id (height, width), both -1 for nothing.

    depth: (height, width) how far ahead of the eye it is, along the view [m]; 0 for nothing.
    """

    objtype: Ints
    objid: Ints
    depth: NDArray[np.float32]


def identified(drawlist: DrawList) -> NDArray[np.bool_]:
    """(n,) which instances show an object of the model or a contact: not ghosts, axes of frames, and what programs add."""
    return np.asarray((drawlist.objtype != int(mjtObj.mjOBJ_UNKNOWN)) & (drawlist.objid >= 0))


def numbers(model: MjModel, objtype: Ints, objid: Ints) -> Ints:
    """A number for each object, in the shape of both: contacts come last; -1 for what has no identity."""
    made = np.full(objtype.shape, -1, np.int64)
    first = 0
    for kind, count in _COUNTS:
        rows = objtype == int(kind)
        made[rows] = first + objid[rows]
        first += int(getattr(model, count))
    rows = objtype == CONTACT
    made[rows] = first + objid[rows]
    return np.where(objid < 0, -1, made)


def colours(number: Ints) -> NDArray[np.float32]:
    """(..., 3) rgb 0..1 of numbers of objects: no two have the same, and none is near black."""
    most = int(number.max(initial=0)) + 1
    return (_palette(1 << most.bit_length())[number] / 255.0).astype(np.float32)


@lru_cache(maxsize=4)
def _palette(count: int) -> NDArray[np.uint8]:
    """(count, 3) colours of the first numbers. A longer palette begins with the shorter one."""
    first = _distinct()
    if count <= len(first):
        return first[:count]
    taken = {int(red) << 16 | int(green) << 8 | int(blue) for red, green, blue in first}
    more: list[tuple[int, int, int]] = []
    seed = 0
    while len(more) < count - len(first):
        seed += 1
        packed = seed * _SCATTER & 0xFFFFFF  # another one for each seed: the factor is odd
        rgb = packed >> 16, packed >> 8 & 255, packed & 255
        if packed not in taken and np.dot(_WEIGHT**2, np.square(rgb)) > _DARKEST**2:
            more.append(rgb)
    return np.concatenate([first, np.array(more, np.uint8)])


@lru_cache(maxsize=1)
def _distinct() -> NDArray[np.uint8]:
    """(_PICKED, 3) colours that differ most from each other, and from black."""
    axis = np.linspace(0, 255, _STEPS).round()
    grid = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1).reshape(-1, 3)
    grid = grid[np.linalg.norm(_WEIGHT * grid, axis=1) > _DARKEST]
    made = np.empty((_PICKED, 3))
    made[0] = _FIRST
    away = np.linalg.norm(_WEIGHT * (grid - made[0]), axis=1)
    for i in range(1, _PICKED):
        made[i] = grid[np.argmax(away)]
        away = np.minimum(away, np.linalg.norm(_WEIGHT * (grid - made[i]), axis=1))
    return made.astype(np.uint8)
