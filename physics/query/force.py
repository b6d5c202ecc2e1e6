"""Forces: that of a contact, and the joint forces of a force at a point."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
from msgspec import Struct

from tumble.physics.collision.contact import set_parameters
from tumble.physics.dynamics.contact_force import PYRAMIDAL, edge_friction, edge_speed
from tumble.physics.query.argument_checks import Array, address, index, output, vector
from tumble.physics.query.compiled import force_of_contact
from tumble.physics.query.jacobian import mj_jac
from tumble.physics.state.arguments import checked
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model


def contact_forces(force: Array, address: Any, dim: Any, friction: Any, kind: Any, out: Array | None = None) -> Array:
    """Force [N] and torque [N m] (ncon, 6) of contacts on their second geoms, in their frames: normal first.

    force, kind: efc_force or what stands for it, and efc_type; address, dim, friction: those of d.contact, efc_address
    for the first; out: where the forces are written, None: new. Zeros for a contact without constraint rows.
    """
    out = _zeros(len(address), out)
    for n, which, rows, pyramid in _by_dimension(force, address, dim, kind):
        if not pyramid:
            out[which, :n] = rows
            continue
        out[which, 0] = _sum_of_edges(rows)
        out[which, 1:n] = edge_friction(rows[:, ::2], rows[:, 1::2], np.asarray(friction)[which, : n - 1])
    return out


def contact_velocities(velocity: Array, address: Any, dim: Any, friction: Any, kind: Any) -> Array:
    """Velocity [m/s] and angular velocity [rad/s] (ncon, 6) of contacts' second geoms relative to the first, in their frames.

    velocity: efc_vel; the others as for contact_forces. Zeros beyond a contact's dimensions, or without constraint rows.
    """
    out = _zeros(len(address), None)
    for n, which, rows, pyramid in _by_dimension(velocity, address, dim, kind):
        if not pyramid:
            out[which, :n] = rows
            continue
        out[which, 0] = _mean_of_edges(rows)
        out[which, 1:n] = edge_speed(rows[:, ::2], rows[:, 1::2], np.asarray(friction)[which, : n - 1])
    return out


def normal_forces(force: Array, address: Any, dim: Any, kind: Any) -> Array:
    """The normal forces (ncon,) [N] alone of contact_forces."""
    return _normals(force, address, dim, kind, _sum_of_edges)


def normal_velocities(velocity: Array, address: Any, dim: Any, kind: Any) -> Array:
    """The velocities (ncon,) [m/s] along the normals alone of contact_velocities."""
    return _normals(velocity, address, dim, kind, _mean_of_edges)


def separations(d: Data) -> Array:
    """Accelerations (ncon,) with which the surfaces of contacts leave each other, J qacc = aref - R f [m/s^2]; about 0 at rest.

    Of a pyramid the mean over its edges, in which what is tangential cancels.
    """
    acceleration = np.asarray(d.efc_aref) - np.asarray(d.efc_R) * np.asarray(d.efc_force)
    return _normals(acceleration, d.contact_efc_address, d.contact_dim, d.efc_type, lambda rows: rows.mean(axis=1))


def _normals(values: Array, address: Any, dim: Any, kind: Any, of_edges: Callable[[Array], Array]) -> Array:
    out = np.zeros(len(address))
    for _, which, rows, pyramid in _by_dimension(values, address, dim, kind):
        out[which] = of_edges(rows) if pyramid else rows[:, 0]
    return out


def _sum_of_edges(rows: Array) -> Array:
    """Normal forces (n,) of pyramids from their edges' (n, edges), in the order in which the kernel adds them."""
    normal = rows[:, 0].copy()
    for k in range(1, rows.shape[1]):
        normal += rows[:, k]
    return normal


def _mean_of_edges(rows: Array) -> Array:
    """Normal velocities (n,) of pyramids: two opposite edges have it plus and minus the same."""
    return 0.5 * (rows[:, 0] + rows[:, 1])


def _zeros(count: int, out: Array | None) -> Array:
    if out is None:
        return np.zeros((count, 6))
    out[:] = 0.0
    return out


def _by_dimension(values: Array, address: Any, dim: Any, kind: Any) -> Iterator[tuple[int, Any, Array, bool]]:
    """Contacts by their dimensions: how many, which contacts, the values (n, rows) of their rows, whether those are edges."""
    address, dim = np.asarray(address), np.asarray(dim)
    there = address >= 0
    for n in np.flatnonzero(np.bincount(dim)).tolist():
        which = np.flatnonzero(there & (dim == n))
        if len(which):
            first = address[which]
            pyramid = bool(kind[first[0]] == PYRAMIDAL)  # of all: the cone is one option for a model
            yield n, which, values[first[:, None] + np.arange(2 * (n - 1) if pyramid else n)], pyramid


def forces_of(d: Data, out: Array | None = None) -> Array:
    """contact_forces of all contacts of the data now; out: (ncon, 6) where they are written, None: new."""
    return contact_forces(d.efc_force, d.contact_efc_address, d.contact_dim, d.contact_friction, d.efc_type, out)


@checked
def mj_contactForce(m: Model, d: Data, id: int, result: Array) -> None:
    """Write the force [N] and torque [N m] of a contact on its second geom, in the contact's frame: normal first.

    Zeros for a contact without constraint rows.
    """
    result = output(result, "result", (6,))
    c = index(id, "contact", d.ncon)
    force_of_contact.call(d.address, c, address(result))


@checked
def mj_applyFT(m: Model, d: Data, force: Any, torque: Any, point: Any, body: int, qfrc_target: Array) -> None:
    """Add to qfrc_target (nv,) the joint forces of a force [N] at a world point [m] and a torque [N m] on a body, (3,) each."""
    qfrc_target = output(qfrc_target, "qfrc_target", (m.nv,), "(nv,)")
    jacp, jacr = np.empty((3, m.nv)), np.empty((3, m.nv))
    mj_jac(m, d, jacp, jacr, point, body)
    qfrc_target += jacp.T @ vector(force, "force", 3) + jacr.T @ vector(torque, "torque", 3)


class ContactParameters(Struct, frozen=True):
    """As in d.contact: condim; friction: two sliding, torsion, two rolling; solref, solreffriction: two each; solimp: five."""

    condim: int
    friction: tuple[float, ...]
    solref: tuple[float, ...]
    solreffriction: tuple[float, ...]
    solimp: tuple[float, ...]


def contact_parameters(m: Any, geom1: int, geom2: int, pair: int = -1) -> ContactParameters:
    """Parameters of a contact of two geoms, or of an explicit pair (-1: none), as collision detection writes them.

    m: a model, or whatever has the fields geom_..., pair_..., opt_... of one under their names: what would be with others.
    """
    dim: dict[int, float] = {}
    numbers: list[dict[tuple[int, int], float]] = [{}, {}, {}, {}]
    friction, solref, solreffriction, solimp = numbers
    made = SimpleNamespace(
        contact_dim=dim, contact_friction=friction, contact_solref=solref, contact_solreffriction=solreffriction,
        contact_solimp=solimp,
    )  # fmt: skip
    set_parameters(m, made, 0, geom1, geom2, pair)
    return ContactParameters(int(dim[0]), *(tuple(map(float, x.values())) for x in numbers))


def explicit_pair(m: Model, geom1: int, geom2: int) -> int:
    """The explicit pair of two geoms, in either order; -1 if there is none."""
    if m.npair == 0:
        return -1
    first, second = m.pair_geom1, m.pair_geom2
    found = np.flatnonzero(((first == geom1) & (second == geom2)) | ((first == geom2) & (second == geom1)))
    return int(found[0]) if len(found) else -1
