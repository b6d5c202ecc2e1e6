"""The force and the cost that the acceleration of constraint rows asks for, and the residual of another force.

The solver's cost and cones (physics/solver/cost.py, cone.py), on arrays: for copies of the rows, without the data.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.solver.cone import CONE, QUADRATIC, cone_friction, cone_pull, cone_zone
from tumble.physics.solver.cost import dry_force, dry_zone, push_force
from tumble.physics.state.enums import mjtConstraint as Kind

Numbers = NDArray[np.float64]
Integers = NDArray[Any]


class ConstraintRows(Struct, frozen=True):
    """Constraint rows. kind, ident, R, D, loss: efc_type, efc_id, efc_R, efc_D, efc_frictionloss (nefc,).

    z: J qacc - aref (nefc,), or those of many accelerations (..., nefc).

    address, dim, mu (ncon,), friction (ncon, 5): of the contacts, as in d.contact, efc_address for the first.
    """

    kind: Integers
    ident: Integers
    z: Numbers
    R: Numbers
    D: Numbers
    loss: Numbers
    address: Integers
    dim: Integers
    mu: Numbers
    friction: Numbers


def asked_force(rows: ConstraintRows) -> Numbers:
    """The force that the soft constraints answer to z, in its shape.

    Source: MuJoCo documentation, Computation, Constraint model, Primal problem; mj_constraintUpdate.
    """
    kind, z, D = rows.kind, rows.z, rows.D
    force = -D * z
    # Equalities come first, then dry friction; after that come rows that only push, and elliptic contacts.
    first, last = np.searchsorted(kind, (Kind.mjCNSTR_FRICTION_DOF, Kind.mjCNSTR_LIMIT_JOINT))
    if first < last:
        dry = slice(first, last)
        slips = z[..., dry]
        force[..., dry] = dry_force(dry_zone(slips, rows.R[dry] * rows.loss[dry]), D[dry], rows.loss[dry], slips)
    force[..., last:] = push_force(D[last:], z[..., last:])
    contacts = np.flatnonzero(rows.address >= 0)
    contacts = contacts[kind[rows.address[contacts]] == Kind.mjCNSTR_CONTACT_ELLIPTIC]
    for dim in np.flatnonzero(np.bincount(rows.dim[contacts])).tolist():
        _answer_cones(rows, contacts[rows.dim[contacts] == dim], dim, force)
    return force


def asked_cost(rows: ConstraintRows) -> Numbers:
    """The constraint's cost s(z) of each acceleration.

    The inverse problem is the largest -f'z - 1/2 f'R f over the forces that the constraint allows, and its value is s(z).
    So the cost follows from the force, in every zone of every kind of row.
    Source: MuJoCo documentation, Computation, Dual problem.
    """
    force = asked_force(rows)
    return np.asarray(-(force * (rows.z + 0.5 * rows.R * force)).sum(axis=-1))


def residuals(rows: ConstraintRows, force: Numbers) -> Numbers:
    """Residual of each row [m/s^2 or rad/s^2]: R times its excess force at the current acceleration.

    Zero but for rounding of solvers that move the acceleration (Newton, CG), for they take the force from it.
    """
    return rows.R * (force - asked_force(rows))


def _answer_cones(rows: ConstraintRows, contacts: Integers, dim: int, force: Numbers) -> None:
    """Write the forces of elliptic contacts of so many dimensions."""
    at = rows.address[contacts, None] + np.arange(dim)
    z, friction = rows.z[..., at], rows.friction[contacts, : dim - 1]
    normal, tangent = rows.mu[contacts] * z[..., 0], np.sqrt(((friction * z[..., 1:]) ** 2).sum(axis=-1))
    zone = cone_zone(normal, tangent, rows.mu[contacts])
    answer = np.where((zone == QUADRATIC)[..., None], -rows.D[at] * z, 0.0)
    slips = np.nonzero(zone == CONE)
    which = slips[-1]  # of the contacts
    pull = cone_pull(rows.D[at[which, 0]], rows.mu[contacts[which]], normal[slips], tangent[slips])
    answer[..., 0][slips] = -pull
    answer[..., 1:][slips] = cone_friction(pull[:, None], friction[which], z[slips][:, 1:], tangent[slips][:, None])
    force[..., at] = answer
