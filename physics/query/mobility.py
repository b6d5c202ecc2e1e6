"""Moment arms of actuators, and the inverse inertia that a force along a direction moves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.physics.query.inertia import mj_solveM
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model


def moment_arms(m: Model, d: Data, actuator: int) -> NDArray[np.float64]:
    """Moment arms of an actuator (nv,) [1 or m]. Reads actuator_moment: call mj_forward first."""
    arms = np.zeros(m.nv)
    start, count = int(d.moment_rowadr[actuator]), int(d.moment_rownnz[actuator])
    arms[np.asarray(d.moment_colind)[start : start + count]] = np.asarray(d.actuator_moment)[start : start + count]
    return arms


def mobility(m: Model, d: Data, along: NDArray[Any]) -> float:
    """Inverse inertia J M^-1 J' along generalized coordinates J (nv,). Reads qLD: call mj_forward first."""
    moved = np.zeros((1, m.nv))
    mj_solveM(m, d, moved, along[None, :])
    return float(along @ moved[0])
