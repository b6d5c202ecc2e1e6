"""The shortest distance between two bodies, taken in the simulation thread at every publication."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble import physics

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel


class GapProbe:
    """Nearest points of two sets of geoms. Its reading: (7,) distance [m], negative in overlap, and the two points [m].

    Pairs whose bounding spheres are farther apart than the best pair found so far are left out.
    """

    def __init__(self, first: NDArray[np.intp], second: NDArray[np.intp]) -> None:
        self._pairs = np.array([(a, b) for a in first for b in second], int).reshape(-1, 2)

    def room(self, model: MjModel, data: MjData) -> NDArray[np.float64]:
        """Storage of one snapshot."""
        return np.full(7, np.nan)

    def take(self, model: MjModel, data: MjData, into: NDArray[np.float64]) -> None:
        """Measure."""
        into[:] = np.nan
        if not len(self._pairs):
            return
        a, b = self._pairs.T
        radii = np.where(model.geom_rbound > 0, model.geom_rbound, np.inf)
        least = np.linalg.norm(data.geom_xpos[a] - data.geom_xpos[b], axis=1) - radii[a] - radii[b]
        best, ends = np.inf, np.zeros(6)
        for k in np.argsort(least):
            if least[k] >= best:
                break
            gap = physics.mj_geomDistance(model, data, int(a[k]), int(b[k]), min(best, 1e3 * float(model.stat.extent)), ends)
            if gap < best and ends.any():
                best = gap
                into[0], into[1:] = gap, ends


def geoms_of(model: MjModel, body: int) -> NDArray[np.intp]:
    """The geoms of a body that a distance can be measured to: those that collide, or all where none does."""
    own = np.flatnonzero(model.geom_bodyid == body)
    colliding = own[(model.geom_contype[own] | model.geom_conaffinity[own]) != 0]
    return colliding if len(colliding) else own
