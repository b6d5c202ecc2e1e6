"""Creep of sticking contacts: the speed at which soft friction gives way under the load that it carries.

At rest a friction row obeys f R = -B v (app/editing/impedance.py): dry friction is a damper. In an elliptic cone the tangent has
its own row. In a pyramid the friction is mu (f+ - f-) and the edges move with v_n +- mu v, so that it is -2 mu^2 B v / R.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.dynamics.contact_force import SLIP_AT, cone_share
from tumble.physics.query.force import contact_velocities, forces_of
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtConstraint

Numbers = NDArray[np.float64]
_ELLIPTIC = int(mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC)


def creep_rates(R: Any, B: Any, address: Any, dim: Any, friction: Any, *, elliptic: bool) -> Numbers:
    """Speed of creep for each newton of friction (ncon,) [m/(s N)]; not a number where there is no such law.

    R, B: of the rows (nefc,), efc_R and the damping in efc_KBIP [1/s]; address, dim, friction: those of d.contact.
    """
    first, dims = np.asarray(address), np.asarray(dim)
    result = np.full(len(first), np.nan)
    which = np.flatnonzero((first >= 0) & (dims >= 3))
    if len(which) == 0:
        return result
    row = first[which] + (1 if elliptic else 0)
    resistance, damping = np.asarray(R)[row], np.asarray(B)[row]
    mu = np.asarray(friction)[which, 0]
    scale = np.ones(len(which)) if elliptic else 2 * mu * mu
    good = (damping > 0) & (scale > 0)
    result[which[good]] = resistance[good] / (scale[good] * damping[good])
    return result


class Creep(Struct, frozen=True):
    """Contacts with friction as they stick, slide or creep, (ncon,) each but for the velocities, (ncon, 3) in world axes.

    normal, tangential: force [N]; used: share of the friction cone; sliding: velocity of the second side along the surface [m/s];
    law: the velocity at which soft friction gives way under the tangential force [m/s], not a number where that is no law.
    """

    normal: Numbers
    tangential: Numbers
    used: Numbers
    sliding: Numbers
    law: Numbers

    @property
    def sticks(self) -> NDArray[np.bool_]:
        """The contacts that carry a load within their cone."""
        sticks: NDArray[np.bool_] = (self.normal > 0) & np.isfinite(self.law[:, 0]) & (self.used < SLIP_AT)
        return sticks

    @property
    def speed(self) -> Numbers:
        """Speed of sliding [m/s]."""
        return np.linalg.norm(self.sliding, axis=1)


def creep_of(d: Data) -> Creep:
    """Creep of all contacts of a step."""
    address, dim, friction, kind = d.contact_efc_address, d.contact_dim, d.contact_friction, d.efc_type
    elliptic = bool(np.any(np.asarray(kind) == _ELLIPTIC))
    force = forces_of(d)
    velocity = contact_velocities(np.asarray(d.efc_vel), address, dim, friction, kind)
    rates = creep_rates(d.efc_R, np.asarray(d.efc_KBIP)[:, 1], address, dim, friction, elliptic=elliptic)
    used = np.asarray(cone_share(force.T, np.asarray(friction).T, elliptic))
    law = -rates[:, None] * _in_world(d, force)
    return Creep(force[:, 0], np.hypot(force[:, 1], force[:, 2]), used, _in_world(d, velocity), law)


def friction_forces(d: Data) -> Numbers:
    """Sliding friction on the second sides of contacts, in world axes (ncon, 3) [N]."""
    return _in_world(d, forces_of(d))


def _in_world(d: Data, rows: Numbers) -> Numbers:
    """The two tangential numbers of contacts (ncon, 6) along the tangents of their frames, (ncon, 3)."""
    frame = np.asarray(d.contact_frame).reshape(-1, 3, 3)
    result: Numbers = rows[:, 1, None] * frame[:, 1] + rows[:, 2, None] * frame[:, 2]
    return result
