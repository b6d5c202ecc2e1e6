"""Bodies of a flex."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tumble.physics.state.model import Model


def flex_bodies(m: Model, flex: int) -> NDArray[np.int32]:
    """The bodies that move a flex, each once: those of its nodes where it is interpolated between some, else of its vertices."""
    if m.flex_interp[flex]:
        first = int(m.flex_nodeadr[flex])
        return np.unique(np.asarray(m.flex_nodebodyid)[first : first + int(m.flex_nodenum[flex])])
    first = int(m.flex_vertadr[flex])
    return np.unique(np.asarray(m.flex_vertbodyid)[first : first + int(m.flex_vertnum[flex])])


def flex_of_body(m: Model, body: int) -> int:
    """The first flex that a body moves; -1: none, the world moves none."""
    return next((flex for flex in range(int(m.nflex)) if body > 0 and body in flex_bodies(m, flex)), -1)
