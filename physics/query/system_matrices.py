"""The matrices of the equation of motion as they stand: copies, by their nonzeros, with their patterns.

    inertia, jacobian = inertia_matrix(m, d), constraint_jacobian(m, d)
    A = dual_matrix(jacobian, inertia, m.dof_treeid)
    np.linalg.cond(inertia.dense())

They are of the results that the data hold: those of mj_forward, or of the last step.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.query.jacobian import row_entries
from tumble.physics.query.matrices import triplets
from tumble.physics.state.arguments import checked
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model

Numbers = NDArray[np.float64]
Integers = NDArray[Any]


class SparseMatrix(Struct, frozen=True, eq=False):
    """A matrix by its entries. row, column (k,); value (k,); shape: rows and columns.

    Entries that the engine stores are there, zeros too; each place is there once.
    """

    row: Integers
    column: Integers
    value: Numbers
    shape: tuple[int, int]

    def dense(self) -> Numbers:
        """The whole matrix (rows, columns)."""
        out = np.zeros(self.shape)
        out[self.row, self.column] = self.value
        return out

    @property
    def fill(self) -> float:
        """Share of places that are stored [1]; 0 for an empty matrix."""
        size = self.shape[0] * self.shape[1]
        return len(self.value) / size if size else 0.0


@checked
def inertia_matrix(m: Model, d: Data) -> SparseMatrix:
    """The inertia matrix M (nv, nv) [kg or kg m^2], both triangles."""
    row, column, value = _lower(m, d.M)
    off = row != column
    rows, columns = np.concatenate([row, column[off]]), np.concatenate([column, row[off]])
    return SparseMatrix(rows, columns, np.concatenate([value, value[off]]), (int(m.nv), int(m.nv)))


@checked
def inertia_factor(m: Model, d: Data) -> SparseMatrix:
    """The factor of M = L' D L (nv, nv): L below the diagonal [1 or m], where L is 1, and there D [kg or kg m^2]."""
    row, column, value = _lower(m, d.qLD)
    on = row == column
    value[on] = 1.0 / np.asarray(d.qLDiagInv)[row[on]]
    return SparseMatrix(row, column, value, (int(m.nv), int(m.nv)))


@checked
def constraint_jacobian(m: Model, d: Data) -> SparseMatrix:
    """The Jacobian J of the constraint rows, efc_J (nefc, nv) [1 or m]; of one that is stored in full, its nonzeros."""
    row, column, value = row_entries(m, d)
    there = slice(None) if d.flg_sparse else np.flatnonzero(value)
    return SparseMatrix(row[there], column[there], np.array(value[there]), (int(d.nefc), int(m.nv)))


@checked
def velocity_derivative(m: Model, d: Data) -> SparseMatrix:
    """Derivative of smooth forces by velocity, qDeriv (nv, nv) [N s/m or N m s]; computed by implicit integrators alone."""
    row, column, value = triplets(np.array(d.qDeriv), m.D_rownnz, m.D_rowadr, m.D_colind)
    return SparseMatrix(row, column, value, (int(m.nv), int(m.nv)))


@checked
def actuator_moments(m: Model, d: Data) -> SparseMatrix:
    """Moment arms of the actuators, actuator_moment (nu, nv) [1 or m]."""
    row, column, value = triplets(np.array(d.actuator_moment), d.moment_rownnz, d.moment_rowadr, d.moment_colind)
    return SparseMatrix(row, column, value, (int(m.nu), int(m.nv)))


@checked
def tendon_jacobian(m: Model, d: Data) -> SparseMatrix:
    """Moment arms of the tendons, ten_J (ntendon, nv) [1 or m]."""
    row, place = np.nonzero(np.arange(m.nv) < np.asarray(d.ten_J_rownnz)[:, None])
    column = np.asarray(d.ten_J_colind)[row, place]
    return SparseMatrix(row, column, np.array(np.asarray(d.ten_J)[row, column]), (int(m.ntendon), int(m.nv)))


def dual_matrix(jacobian: SparseMatrix, inertia: SparseMatrix, dof_treeid: Integers) -> Numbers:
    """A = J M^-1 J' (nefc, nefc) [1/kg or 1/(kg m^2)]: what a force on each row makes of the acceleration of all.

    dof_treeid (nv,): trees, whose blocks of M are solved one by one. Raises LinAlgError where M is not positive definite.
    """
    J, M = jacobian.dense(), inertia.dense()
    A = np.zeros((len(J), len(J)))
    for tree in np.unique(dof_treeid):
        dofs = np.flatnonzero(dof_treeid == tree)
        rows = np.flatnonzero((J[:, dofs] != 0).any(axis=1))
        if len(rows):
            half = np.linalg.solve(np.linalg.cholesky(M[np.ix_(dofs, dofs)]), J[np.ix_(rows, dofs)].T)
            A[np.ix_(rows, rows)] += half.T @ half
    return A


def _lower(m: Model, values: Any) -> tuple[Integers, Integers, Numbers]:
    """Row, column and value in the pattern of the inertia matrix's lower triangle."""
    return np.repeat(np.arange(m.nv), m.M_rownnz), np.array(m.M_colind), np.array(values)
