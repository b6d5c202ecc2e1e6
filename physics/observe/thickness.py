"""Thickness of geoms, to compare contact depths with: 2 mm are nothing to a crate and half of a finger's tip."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.physics.state.enums import mjtGeom
from tumble.physics.state.model import Model

DEEP = 0.1  # share of the thickness of the thinner side from which a contact is deep

_SURFACES = (mjtGeom.mjGEOM_PLANE, mjtGeom.mjGEOM_HFIELD)


def thickness_of(m: Model) -> NDArray[np.float64]:
    """The shortest way through each geom, then through the flexes in reverse, so that a side of a contact indexes it [m]; (n,).

    Of a geom twice the least half-size of its box; infinite for what has no other side: planes, height fields, flexes without
    a radius.
    """
    geoms = 2.0 * np.asarray(m.geom_aabb)[:, 3:].min(axis=1)
    surface = np.isin(m.geom_type, _SURFACES) | (geoms <= 0)
    flexes = 2.0 * np.asarray(m.flex_radius)[::-1]
    return np.append(np.where(surface, np.inf, geoms), np.where(flexes > 0, flexes, np.inf))
