"""The impedance of constraint rows at many depths: the engine's curve, drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from tumble.physics.constraint.impedance import impedance
from tumble.physics.query.check import Array


def impedances(solimp: tuple[float, float, float, float, float], depths: Any) -> Array:
    """Impedance d [1] at each of some depths [m or rad] of any shape and sign; solimp: valid, as valid_imp makes it."""
    flat = np.ravel(depths).tolist()
    law = impedance.function
    return np.array([law(solimp, x)[0] for x in flat], np.float64).reshape(np.shape(depths))
