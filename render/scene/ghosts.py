"""Ghosts, drawn as glass of one colour, and trails: polylines through where points have been, which fade with age."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tumble.physics.state.enums import mjtObj
from tumble.render.camera import View
from tumble.render.constants import Category
from tumble.render.drawlist import DrawList
from tumble.render.frame import Ghost, Trail
from tumble.render.scene.contacts.scale import height_at
from tumble.render.scene.strokes import strokes

Floats = NDArray[np.float64]

ALPHA = 0.55
LEAST_ALPHA = 0.02
# While a ghost coincides with its original, the two would fight for each pixel: it appears as they separate, and is
# all there at this share of the model's extent.
PARTED = 0.004
# A box that has sunk in has its sides in one plane with its ghost's: those of the ghost go inside, out of the fight.
SHRUNK = 0.995
MATERIAL = (0.3, 0.2, 16.0, 0.0)  # glows a little, so that it is visible in shadows

_WIDTH = 0.0022  # half a line's, in heights of the picture
_NEWEST = 0.95  # alpha
# Inks of several bodies, Okabe and Ito's, which differ for every kind of colour vision.
INKS = ((0.95, 0.60, 0.0), (0.34, 0.71, 0.91), (0.0, 0.62, 0.45), (0.94, 0.89, 0.26), (0.80, 0.47, 0.65), (0.84, 0.37, 0.0))


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


def draw_trails(trails: Sequence[Trail], view: View) -> list[DrawList]:
    """The lines of all trails; one with a number that is not finite is interrupted there."""
    parts = []
    for trail in trails:
        start, end = trail.points[:-1], trail.points[1:]
        with np.errstate(invalid="ignore"):
            middle = 0.5 * (start + end)
            alpha = _NEWEST * np.clip(1.0 - 0.5 * (trail.age[:-1] + trail.age[1:]), 0.0, 1.0)
            rgba = np.column_stack([np.tile(trail.rgb, (len(alpha), 1)), alpha])
            parts.append(strokes(start, end, _WIDTH * height_at(view, middle), rgba, view))
    return parts
