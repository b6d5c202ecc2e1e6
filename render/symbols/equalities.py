"""Where equality constraints hold: the two points that a connect or a weld keeps together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.physics.state.enums import mjtEq, mjtObj
from tumble.render.frame import Frame

if TYPE_CHECKING:
    from tumble.physics import MjModel

Vec = NDArray[np.float64]


def held_points(model: MjModel, frame: Frame, e: int) -> tuple[Vec, Vec] | None:
    """The points (3,) [m] of the first and the second body or site; None for constraints of other kinds."""
    kind = int(model.eq_type[e])
    if kind not in (mjtEq.mjEQ_CONNECT, mjtEq.mjEQ_WELD):
        return None
    a, b = int(model.eq_obj1id[e]), int(model.eq_obj2id[e])
    if int(model.eq_objtype[e]) == mjtObj.mjOBJ_SITE:
        return frame.site_xpos[a], frame.site_xpos[b]
    data = np.asarray(model.eq_data[e])
    # A weld keeps the point of the second body first.
    of_first, of_second = (data[0:3], data[3:6]) if kind == mjtEq.mjEQ_CONNECT else (data[3:6], data[0:3])
    one = frame.xpos[a] + frame.xmat[a].reshape(3, 3) @ of_first
    return one, frame.xpos[b] + frame.xmat[b].reshape(3, 3) @ of_second
