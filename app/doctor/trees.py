"""Kinematic trees: which are driven; speeds and ways of their fastest dofs, angles times dof_length, as for sleep_tolerance."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.islands import speeds
from tumble.physics import MjData, MjModel

Numbers = NDArray[np.float64]


def speeds_of(model: MjModel, velocity: NDArray[Any]) -> Numbers:
    """(ntree,) greatest speed of each tree's dofs [m/s]."""
    return speeds(velocity, np.asarray(model.dof_length), np.asarray(model.tree_dofadr))


def travelled(model: MjModel, first: NDArray[Any], last: NDArray[Any]) -> Numbers:
    """(ntree,) the longest way of each tree's dofs between two positions [m]."""
    way = np.zeros(model.nv)
    physics.mj_differentiatePos(model, way, 1.0, first, last)
    return speeds_of(model, way)


def sizes(model: MjModel) -> Numbers:
    """(ntree,) the radius of each tree's largest geom [m]; infinite without one."""
    largest = np.full(model.ntree, -np.inf)
    tree = np.asarray(model.body_treeid)[np.asarray(model.geom_bodyid)]
    moving = tree >= 0
    np.maximum.at(largest, tree[moving], np.asarray(model.geom_rbound)[moving])
    return np.where(np.isfinite(largest), largest, np.inf)


def driven(model: MjModel, data: MjData) -> frozenset[int]:
    """Trees that an actuator has a moment arm on."""
    dofs = np.asarray(data.moment_colind)[np.flatnonzero(np.asarray(data.actuator_moment))]
    return frozenset(np.asarray(model.dof_treeid)[dofs].tolist())
