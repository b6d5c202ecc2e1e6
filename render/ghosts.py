"""Ghosts: the same model elsewhere, or at another moment, drawn as glass of one colour. Trails: where points have been."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tumble.physics.state.enums import mjtObj
from tumble.render.constants import Category
from tumble.render.drawlist import DrawList

Floats = NDArray[np.float64]

ALPHA = 0.55
LEAST_ALPHA = 0.02
# While a ghost coincides with its original, the two would fight for each pixel: it appears as they separate, and is
# all there at this share of the model's extent.
PARTED = 0.004
# A box that has sunk in has its sides in one plane with its ghost's: those of the ghost go inside, out of the fight.
SHRUNK = 0.995
MATERIAL = (0.3, 0.2, 16.0, 0.0)  # glows a little, so that it is visible in shadows


@dataclass(frozen=True)
class Ghost:
    """geom_xpos (ngeom, 3) [m] and geom_xmat (ngeom, 9) as in MjData; rgb 0..1: its colour; flexvert_xpos (nflexvert, 3) [m].

    strength: of its alpha, 0..1.
    """

    geom_xpos: Floats
    geom_xmat: Floats
    rgb: tuple[float, float, float]
    flexvert_xpos: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    strength: float = 1.0


@dataclass(frozen=True)
class Trail:
    """points (n, 3) [m] in which a point has been, the oldest first; age (n,) of each, 0 now to 1; rgb 0..1."""

    points: Floats
    age: Floats
    rgb: tuple[float, float, float]


def haunt(part: DrawList, ghost: Ghost, extent: float) -> DrawList:
    """The geoms of a part in a ghost's poses; those without a pose, or in the model's pose, are left out.

    part: the model's, its objid the geoms; extent [m]: of the model.
    """
    here, pos, mat = part.instances, ghost.geom_xpos[part.objid], ghost.geom_xmat[part.objid]
    turned = np.linalg.norm(mat - here["mat"], axis=1) / np.sqrt(2.0)  # 2 sin(angle / 2): what a point at radius 1 moves
    apart = np.linalg.norm(pos - here["pos"], axis=1) + part.radius * turned
    alpha = ghost.strength * ALPHA * np.minimum(1.0, apart / (PARTED * extent))
    seen = np.flatnonzero((alpha > LEAST_ALPHA) & np.isfinite(apart))
    result = part.pick(seen)
    result.instances["pos"], result.instances["mat"] = pos[seen], mat[seen]
    result.instances["scale"] *= SHRUNK
    result.instances["rgba"][:, :3], result.instances["rgba"][:, 3] = ghost.rgb, alpha[seen]
    result.instances["material"], result.instances["extra"][:, :2] = MATERIAL, 0.0
    result.texture[:] = -1
    result.category[:], result.objtype[:] = int(Category.DECOR), int(mjtObj.mjOBJ_UNKNOWN)
    return result
