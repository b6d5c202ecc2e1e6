"""Boxes around geoms in the view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.app.session.drawing import Figure, Stroke
from tumble.render.frame import Frame

if TYPE_CHECKING:
    from tumble.physics import MjModel

MOST = 300  # geoms that are marked
# A line through all edges of a box, by its corners: bit 0 is x, bit 1 is y, bit 2 is z.
_PATH = np.array([0, 1, 3, 2, 0, 4, 5, 1, 5, 7, 3, 7, 6, 2, 6, 4])
_CORNERS = np.array([[2.0 * (k >> axis & 1) - 1 for axis in range(3)] for k in range(8)])


def boxes(model: MjModel, frame: Frame, geoms: Sequence[int], ink: str = "accent") -> list[Figure]:
    """The bounding box of each geom as it lies at a moment; none of a plane, which has no end."""
    found = []
    for geom in geoms[:MOST]:
        aabb = np.asarray(model.geom_aabb[geom]).reshape(6)
        if np.any(aabb[3:] <= 0) or np.any(aabb[3:] > 1e6):
            continue
        found.append(Figure(_box(frame, geom, aabb), Stroke.LINE, ink, 1.4))
    return found


def _box(frame: Frame, geom: int, aabb: NDArray[np.float64]) -> NDArray[np.float64]:
    corners = aabb[:3] + _CORNERS * aabb[3:]
    turn = np.asarray(frame.geom_xmat[geom]).reshape(3, 3)
    return np.asarray((corners @ turn.T + frame.geom_xpos[geom])[_PATH])


def geoms_of_bodies(model: MjModel, bodies: NDArray[np.bool_]) -> list[int]:
    """The geoms of bodies; bodies: (nbody,) whether."""
    return [int(g) for g in np.flatnonzero(bodies[np.asarray(model.geom_bodyid)])]
