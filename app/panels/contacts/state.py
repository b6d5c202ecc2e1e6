"""Contacts and constraint rows in the words of mechanics: utilisation of the friction cone, stick or slip, creep.

All functions take and return numpy arrays, with one row a contact (n) or a constraint row (nefc). Forces are in the contact's
frame: normal, two tangents, torsion, two rolling; so are velocities, of the second geom relative to the first.

physics/dynamics/contact_force.py defines sticking, slipping and the used share of the friction cone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.physics.dynamics.contact_force import cone_share, contact_mode
from tumble.physics.observe.friction_cone import cone_section
from tumble.physics.query.motion import point_velocities

Array = NDArray[Any]
Kind, Zone = physics.mjtConstraint, physics.mjtConstraintState


class ContactState(Struct, frozen=True):
    """All contacts of one moment.

    geom (n,2); soft (n,2,3): flex, element and vertex of each side, -1 where missing; pos (n,3) [m]; frame (n,3,3), its
    rows normal and tangents; dist (n,) [m]; dim (n,); friction (n,5); force (n,6) [N, N m]; velocity (n,3) [m/s]; normal,
    tangential: (n,) forces [N]; used (n,): utilisation; creep (n,): sliding speed [m/s]; mode (n,): ContactMode; sunk (n,): depth
    as a share of the thickness of the thinner side; elliptic: whether the cone is, rather than a pyramid.
    """

    geom: Array
    soft: Array
    pos: Array
    frame: Array
    dist: Array
    dim: Array
    friction: Array
    force: Array
    velocity: Array
    normal: Array
    tangential: Array
    used: Array
    creep: Array
    mode: Array
    sunk: Array
    elliptic: bool

    def __len__(self) -> int:
        return len(self.dist)


def contact_state(
    geom: Array,
    soft: Array,
    pos: Array,
    frame: Array,
    dist: Array,
    dim: Array,
    friction: Array,
    force: Array,
    velocity: Array,
    thickness: Array,
    *,
    elliptic: bool,
) -> ContactState:
    """The state of all contacts; velocity: (n,3) in the world, frame: (n,9), thickness: (n,) of the thinner side
    [m], the others as in ContactState."""
    axes = np.asarray(frame).reshape(-1, 3, 3)
    local = np.einsum("nij,nj->ni", axes, velocity)
    normal = force[:, 0].copy()
    tangential = np.hypot(force[:, 1], force[:, 2])
    used = utilisation(force, friction, dim, elliptic=elliptic)
    creep = np.hypot(local[:, 1], local[:, 2])
    mode = contact_mode(normal, used, np.asarray(dim))
    sunk = np.maximum(-dist, 0.0) / thickness
    return ContactState(
        geom, soft, pos, axes, dist, dim, friction, force, local, normal, tangential, used, creep, mode, sunk, elliptic
    )


def utilisation(force: Array, friction: Array, dim: Array, *, elliptic: bool) -> Array:
    """Share (n,) of the friction cone in use, 0 to 1; 0 for a contact without friction or without force."""
    there = np.arange(6) < np.asarray(dim)[:, None]
    share: Array = cone_share(np.where(there, force, 0.0).T, np.asarray(friction).T, elliptic)
    return share


def relative_velocity(pos: Array, body: Array, cvel: Array, com: Array) -> Array:
    """Velocity (n,3) [m/s] in the world of the second body's point at pos (n,3) relative to the first's.

    body: (n,2); cvel: (nbody,6), rotation and motion of each body at its tree's centre of mass com: (nbody,3).
    """
    first, second = (point_velocities(cvel[b], com[b], pos) for b in (body[:, 0], body[:, 1]))
    return second - first


def section_of(state: ContactState, k: int) -> tuple[float, float, float]:
    """The cone of contact k cut at its normal force, as `cone_section` says."""
    return cone_section(state.force[k], state.friction[k], int(state.dim[k]), elliptic=state.elliptic)


# ---- constraint rows


class RowState(Struct, frozen=True):
    """All constraint rows of one moment: columns (nefc,) named as in MjData without efc_.

    geom (ncon,2), soft (ncon,2,3) and address (ncon,): of the contacts that rows belong to; the residual is that of
    physics/observe/residual.py, not a number where the contact model has no force law of its own to compare with.
    """

    type: Array
    id: Array
    pos: Array
    vel: Array
    aref: Array
    R: Array
    D: Array
    force: Array
    state: Array
    residual: Array
    geom: Array
    soft: Array
    address: Array

    def __len__(self) -> int:
        return len(self.type)
