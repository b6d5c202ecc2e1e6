"""Contacts and constraint rows in the words of mechanics: utilisation of the friction cone, stick or slip, creep, residual.

All functions take and return numpy arrays, with one row a contact (n) or a constraint row (nefc). Forces are in the contact's
frame: normal, two tangents, torsion, two rolling; so are velocities, of the second geom relative to the first.

What sticking and slipping is, and the share of the friction cone in use, physics/dynamics/contact_mode.py says for all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import physics
from physics.dynamics.contact_mode import cone_share, contact_mode

Array = NDArray[Any]
Kind, Zone = physics.mjtConstraint, physics.mjtConstraintState

@dataclass(frozen=True, slots=True)
class ContactState:
    """All contacts of one moment.

    geom (n,2); pos (n,3) [m]; frame (n,3,3), its rows normal and tangents; dist (n,) [m]; dim (n,);
    friction (n,5); force (n,6) [N, N m]; velocity (n,3) [m/s]; normal, tangential: (n,) forces [N]; used (n,): utilisation;
    creep (n,): sliding speed [m/s]; mode (n,): ContactMode; elliptic: whether the cone is, rather than a pyramid.
    """

    geom: Array
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
    elliptic: bool

    def __len__(self) -> int:
        return len(self.dist)


def contact_state(
    geom: Array,
    pos: Array,
    frame: Array,
    dist: Array,
    dim: Array,
    friction: Array,
    force: Array,
    velocity: Array,
    *,
    elliptic: bool,
) -> ContactState:
    """The state of all contacts; velocity: (n,3) in the world, frame: (n,9), the others as in ContactState."""
    axes = np.asarray(frame).reshape(-1, 3, 3)
    local = np.einsum("nij,nj->ni", axes, velocity)
    normal = force[:, 0].copy()
    tangential = np.hypot(force[:, 1], force[:, 2])
    used = utilisation(force, friction, dim, elliptic=elliptic)
    creep = np.hypot(local[:, 1], local[:, 2])
    mode = contact_mode(normal, used, np.asarray(dim))
    return ContactState(geom, pos, axes, dist, dim, friction, force, local, normal, tangential, used, creep, mode, elliptic)


def utilisation(force: Array, friction: Array, dim: Array, *, elliptic: bool) -> Array:
    """Share (n,) of the friction cone in use, 0 to 1; 0 for a contact without friction or without force."""
    there = np.arange(6) < np.asarray(dim)[:, None]
    share: Array = cone_share(np.where(there, force, 0.0).T, np.asarray(friction).T, elliptic)
    return share


def relative_velocity(pos: Array, body: Array, cvel: Array, com: Array) -> Array:
    """Velocity (n,3) [m/s] in the world of the second body's point at pos (n,3) relative to the first's.

    body: (n,2); cvel: (nbody,6), rotation and motion of each body at its tree's centre of mass com: (nbody,3).
    """
    sides = [cvel[b, 3:] + np.cross(cvel[b, :3], pos - com[b]) for b in (body[:, 0], body[:, 1])]
    result: Array = sides[1] - sides[0]
    return result


def cone_section(state: ContactState, k: int) -> tuple[float, float, float]:
    """The cone of contact k cut at its normal force: half axes along the tangents [N], and the share that torsion and
    rolling leave of them for sliding."""
    normal, dim = max(float(state.normal[k]), 0.0), int(state.dim[k])
    if dim < 3:
        return 0.0, 0.0, 1.0
    first, second = (normal * float(mu) for mu in state.friction[k, :2])
    if dim == 3 or normal == 0:
        return first, second, 1.0
    u = np.abs(state.force[k, 3:dim]) / np.maximum(state.friction[k, 2 : dim - 1], 1e-12) / normal
    left = np.sqrt(max(0.0, 1.0 - float(u @ u))) if state.elliptic else max(0.0, 1.0 - float(u.sum()))
    return first, second, float(left)


# ---- constraint rows


@dataclass(frozen=True, slots=True)
class RowState:
    """All constraint rows of one moment: columns (nefc,) named as in MjData without efc_.

    geom (ncon,2), address (ncon,) and dim (ncon,): of the contacts that rows belong to; z: J qacc - aref; the residual is
    that of `residuals`, not a number where the contact model has no force law of its own to compare with.
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
    address: Array

    def __len__(self) -> int:
        return len(self.type)


def residuals(
    kind: Array, ident: Array, z: Array, R: Array, D: Array, loss: Array, force: Array, contact: dict[str, Array]
) -> Array:
    """How far each row is from solved [m/s^2 or rad/s^2]: R times the force that is too much for the acceleration it meets.

    kind, ident: efc_type and efc_id; z: J qacc - aref; loss: efc_frictionloss; contact: mu, friction, dim, address. It is zero
    of solvers that move the acceleration (Newton, CG) but for rounding, for they take the force from it.
    """
    return R * (force - asked_force(kind, ident, z, D, loss, contact))


def asked_force(kind: Array, ident: Array, z: Array, D: Array, loss: Array, contact: dict[str, Array]) -> Array:
    """The force (nefc,) that the soft constraints answer to z = J qacc - aref.

    Source: MuJoCo documentation, Computation, Constraint model, Primal problem; mj_constraintUpdate.
    """
    force = -D * z
    friction = (kind == Kind.mjCNSTR_FRICTION_DOF) | (kind == Kind.mjCNSTR_FRICTION_TENDON)
    force[friction] = np.clip(force[friction], -loss[friction], loss[friction])
    one_sided = (kind >= Kind.mjCNSTR_LIMIT_JOINT) & (kind != Kind.mjCNSTR_CONTACT_ELLIPTIC)
    force[one_sided] = np.maximum(force[one_sided], 0.0)
    for c in np.unique(ident[kind == Kind.mjCNSTR_CONTACT_ELLIPTIC]):
        first, dim = int(contact["address"][c]), int(contact["dim"][c])
        rows = slice(first, first + dim)
        force[rows] = _cone_force(z[rows], D[rows], float(contact["mu"][c]), contact["friction"][c, : dim - 1])
    return force


def _cone_force(z: Array, D: Array, mu: float, friction: Array) -> Array:
    """The force (dim,) of an elliptic contact: none above the dual cone, quadratic below the cone, between them the nearest
    point of its surface."""
    u = friction * z[1:]
    normal, tangent = mu * float(z[0]), float(np.sqrt(u @ u))
    if normal >= mu * tangent:
        return np.zeros(len(z))
    if mu * normal + tangent <= 0:
        return -D * z
    pull = float(D[0]) / (mu * mu * (1 + mu * mu)) * (normal - mu * tangent) * mu
    return np.concatenate([[-pull], pull / tangent * friction * u])
