"""What each contact of a frame does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.physics.dynamics.contact_mode import cone_share, contact_mode
from tumble.physics.state.enums import mjtCone
from tumble.render.frame import Frame

if TYPE_CHECKING:
    from tumble.physics import MjModel


def is_elliptic(model: MjModel) -> bool:
    """Whether friction cones are ellipses, rather than pyramids."""
    return int(model.opt.cone) == mjtCone.mjCONE_ELLIPTIC


def modes(model: MjModel, frame: Frame) -> NDArray[np.int64]:
    """(ncon,) ContactMode of each contact; OPEN where it is not known."""
    count = len(frame.contact_pos)
    if not len(frame.contact_force) == len(frame.contact_friction) == len(frame.contact_dim) == count:
        return np.zeros(count, np.int64)
    force = frame.contact_force.T
    share = cone_share(force, frame.contact_friction.T, is_elliptic(model))
    return np.asarray(contact_mode(force[0], share, frame.contact_dim), np.int64)
