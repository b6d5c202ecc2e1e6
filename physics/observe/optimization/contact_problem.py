"""The optimization that a contact is part of: its island's primal and dual problem.

    again.hold(d)
    solved = again.solve_held()
    problem = again.problem_of(contact)
    path = solver_path(problem, solved.record)               # a solver's iterates, as the contact sees them (sections.py)
    plane = plane_of(problem, (1, 0))                        # first tangent and normal
    costs = primal_section(problem, plane, path.qacc[-1], x, y)

The primal problem is over accelerations a, the dual over forces f of the rows:

    P(a) = 1/2 |a - qacc_smooth|^2_M + s(J a - aref)
    D(f) = 1/2 f' (A + R) f + f' b,  A = J M^-1 J',  b = J qacc_smooth - aref,  f allowed by the constraint

A contact sees of a its own w = (normal, tangents, torsion, rolling) of J a - aref, and of f its force in the same axes.
Source: MuJoCo documentation, Computation, Reduced primal problem, Dual problem.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tumble.physics.observe.record import Trace, read_record
from tumble.physics.observe.residual import ConstraintRows, asked_cost, asked_force
from tumble.physics.query.force import contact_forces, contact_velocities
from tumble.physics.query.inertia import mj_solveM
from tumble.physics.query.jacobian import row_entries
from tumble.physics.solver.cone import CONE, QUADRATIC, cone_zone
from tumble.physics.state.enums import mjtConstraint

if TYPE_CHECKING:
    from tumble.physics.state.data import Data
    from tumble.physics.state.model import Model

Numbers = NDArray[np.float64]
Integers = NDArray[Any]

MOST_ROWS = 1000  # of an island: its matrices are dense here
ELLIPTIC, PYRAMIDAL = mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC, mjtConstraint.mjCNSTR_CONTACT_PYRAMIDAL


class Zone(IntEnum):
    """Zones of a contact's penalty: above the cone, beside it, below it."""

    SEPARATED = 0
    SLIDING = 1
    STICKING = 2


class ContactProblem(Struct, frozen=True, eq=False):
    """The problem of the island that a contact is in, n rows and k dofs of it, and c rows of the contact; all arrays are copies.

    contact, dim, mu: its index, dimension and regularized friction; friction: (dim - 1,); kind: mjtConstraint of its rows.
    rows (n,), dofs (k,): of the data; own: its rows among the n. J (n, k), A (n, n), inertia (k, k), free (k,): qacc_smooth.
    b (n,); terms: the rows' constants, its z is b. to_force, to_motion: (dim, c), from its rows to force, and to w.
    """

    contact: int
    dim: int
    mu: float
    friction: Numbers
    kind: int
    rows: Integers
    dofs: Integers
    own: slice
    J: Numbers
    A: Numbers
    inertia: Numbers
    free: Numbers
    aref: Numbers
    terms: ConstraintRows
    to_force: Numbers
    to_motion: Numbers

    @property
    def b(self) -> Numbers:
        """J qacc_smooth - aref (n,)."""
        return self.terms.z

    @property
    def elliptic(self) -> bool:
        """True if the contact has an elliptic cone; False for a pyramid, and without friction."""
        return self.kind == ELLIPTIC

    def motion(self, qacc: Numbers) -> Numbers:
        """w (..., dim) of accelerations (..., k)."""
        z = qacc @ self.J[self.own].T - self.aref[self.own]
        return np.asarray(z @ self.to_motion.T)

    def force(self, force: Numbers) -> Numbers:
        """Force (..., dim) of the contact, of forces of all rows (..., n)."""
        return np.asarray(force[..., self.own] @ self.to_force.T)

    def primal(self, qacc: Numbers) -> Numbers:
        """P of accelerations (..., k)."""
        away = qacc - self.free
        constraint = asked_cost(replace(self.terms, z=qacc @ self.J.T - self.aref))
        return np.asarray(0.5 * ((away @ self.inertia) * away).sum(axis=-1) + constraint)

    def gradient(self, qacc: Numbers) -> Numbers:
        """Gradient of P at an acceleration (k,), M (a - qacc_smooth) - J' f(a): zero in the solution."""
        force = asked_force(replace(self.terms, z=self.J @ qacc - self.aref))
        return np.asarray(self.inertia @ (qacc - self.free) - self.J.T @ force)

    def dual(self, force: Numbers) -> float:
        """D of forces (n,)."""
        return float(0.5 * force @ self._slope(force) + 0.5 * force @ self.b)

    def dual_slope(self, force: Numbers) -> Numbers:
        """Gradient of D by the contact's rows (c,) at forces (n,)."""
        return self._slope(force)[self.own]

    def _slope(self, force: Numbers) -> Numbers:
        return np.asarray(self.A @ force + self.terms.R * force + self.b)

    def zones(self, w: Numbers) -> Integers:
        """Zone of each w (..., dim)."""
        if self.elliptic:
            state = cone_zone(self.mu * w[..., 0], np.sqrt(((self.friction * w[..., 1:]) ** 2).sum(axis=-1)), self.mu)
            return np.where(state == CONE, Zone.SLIDING, np.where(state == QUADRATIC, Zone.STICKING, Zone.SEPARATED))
        pushing = w @ self.to_force < 0
        return np.where(pushing.all(axis=-1), Zone.STICKING, np.where(pushing.any(axis=-1), Zone.SLIDING, Zone.SEPARATED))

    def penalty(self, w: Numbers) -> Numbers:
        """The contact's own share of s at each w (..., dim)."""
        count, terms = self.to_force.shape[1], self.terms
        alone = ConstraintRows(
            terms.kind[self.own], np.zeros(count, int), w @ self.to_force, terms.R[self.own], terms.D[self.own],
            terms.loss[self.own], np.zeros(1, int), np.array([self.dim]), np.array([self.mu]),
            np.append(self.friction, np.zeros(6 - self.dim))[None],
        )  # fmt: skip
        return asked_cost(alone)

    def room(self, rows: Numbers) -> Numbers:
        """Distance of forces of the contact's rows (..., c) to the rim of what it allows; below 0 outside."""
        if not self.elliptic:
            return np.asarray(rows.min(axis=-1))
        return np.asarray(rows[..., 0] - np.sqrt(((rows[..., 1:] / self.friction) ** 2).sum(axis=-1)))


def read_problem(m: Model, d: Data, contact: int) -> ContactProblem | str:
    """The problem of a contact's island, of data whose solve was recorded; a sentence for the user where there is none."""
    first = int(d.contact_efc_address[contact]) if 0 <= contact < d.ncon else -1
    trace = next((part for part in read_record(m, d) if first in part.rows), None)
    if first < 0 or trace is None:
        return "This contact has no force in this step: its geoms are apart, cannot move, or sleep"
    if len(trace.rows) > MOST_ROWS:
        return f"The island of this contact has {len(trace.rows)} constraint rows; up to {MOST_ROWS} are shown"
    return _read(m, d, contact, trace)


def _read(m: Model, d: Data, contact: int, trace: Trace) -> ContactProblem:
    rows, dofs = trace.rows, trace.dofs
    dim, kind = int(d.contact_dim[contact]), int(d.efc_type[d.contact_efc_address[contact]])
    place = np.full(d.nefc, -1)
    place[rows] = np.arange(len(rows))
    jacobian = _jacobian(m, d, rows, place)
    response = np.zeros_like(jacobian)
    mj_solveM(m, d, response, jacobian)
    there = np.flatnonzero(d.contact_efc_address >= 0)
    there = there[place[d.contact_efc_address[there]] >= 0]
    aref = d.efc_aref[rows].copy()
    terms = ConstraintRows(
        d.efc_type[rows].copy(), d.efc_id[rows].copy(), jacobian @ d.qacc_smooth - aref, d.efc_R[rows].copy(),
        d.efc_D[rows].copy(), d.efc_frictionloss[rows].copy(), place[d.contact_efc_address[there]],
        d.contact_dim[there].copy(), d.contact_mu[there].copy(), d.contact_friction[there].copy(),
    )  # fmt: skip
    count = 2 * (dim - 1) if kind == PYRAMIDAL else dim
    begin = int(place[d.contact_efc_address[contact]])
    friction = d.contact_friction[contact].copy()
    to_force, to_motion = (_axes(law, count, dim, friction, kind) for law in (contact_forces, contact_velocities))
    return ContactProblem(
        contact, dim, float(d.contact_mu[contact]), friction[: dim - 1], kind, rows.copy(), dofs.copy(),
        slice(begin, begin + count), jacobian[:, dofs].copy(), jacobian @ response.T, _inertia(m, d, dofs),
        d.qacc_smooth[dofs].copy(), aref, terms, to_force, to_motion,
    )  # fmt: skip


def _jacobian(m: Model, d: Data, rows: Integers, place: Integers) -> Numbers:
    """The rows of J (n, nv); place (nefc,): of each row of the data among them, -1: not one of them."""
    at, columns, values = row_entries(m, d)
    found = place[at] >= 0
    out = np.zeros((len(rows), m.nv))
    out[place[at[found]], columns[found]] = values[found]
    return out


def _axes(law: Any, count: int, dim: int, friction: Numbers, kind: int) -> Numbers:
    """A linear law of one contact's rows as a matrix (dim, count)."""
    one = [law(unit, [0], [dim], friction[None], np.full(count, kind))[0, :dim] for unit in np.eye(count)]
    return np.array(one).T


def _inertia(m: Model, d: Data, dofs: Integers) -> Numbers:
    """M of some dofs, of whole trees (k, k)."""
    place = np.full(m.nv, -1)
    place[dofs] = np.arange(len(dofs))
    rows, columns = place[np.repeat(np.arange(m.nv), m.M_rownnz)], place[m.M_colind]
    out = np.zeros((len(dofs), len(dofs)))
    there = (rows >= 0) & (columns >= 0)
    out[rows[there], columns[there]] = out[columns[there], rows[there]] = d.M[there]
    return out
