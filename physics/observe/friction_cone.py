"""The friction cone of a contact, cut at its normal force: what gauges and pictures of it show."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from tumble.physics.dynamics.contact_force import cone_share


def cone_section(force: ArrayLike, friction: ArrayLike, dim: int, *, elliptic: bool) -> tuple[float, float, float]:
    """The cone of a contact cut at its normal force: half axes along the two tangents [N], and what is left of it for sliding.

    force: (6,) in the contact's frame [N, N m]; friction: (5,); dim: 1, 3, 4 or 6; elliptic: an ellipse, rather than the rhombus
    of a pyramid with its corners on the tangents. The third number, 0 to 1, is the share of both axes that torsion and rolling
    leave: a contact slides when its tangential force is on the rim that is so much smaller. Without friction: 0, 0, 1.
    """
    pressed, coefficients = np.asarray(force, float), np.asarray(friction, float)
    normal = max(float(pressed[0]), 0.0)
    if dim < 3:
        return 0.0, 0.0, 1.0
    first, second = (normal * float(mu) for mu in coefficients[:2])
    if dim == 3 or normal == 0:
        return first, second, 1.0
    turning = np.where((np.arange(6) >= 3) & (np.arange(6) < dim), pressed, 0.0)
    turning[0] = normal
    share = min(1.0, float(cone_share(turning, coefficients, elliptic)))
    return first, second, math.sqrt(1.0 - share * share) if elliptic else 1.0 - share
