"""Readings of a matrix from the live data, with what its rows and columns are."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.constraint_rows import ConstraintKeys, constraint_keys
from tumble.physics.query.system_matrices import (
    SparseMatrix,
    actuator_moments,
    constraint_jacobian,
    inertia_factor,
    inertia_matrix,
    tendon_jacobian,
    velocity_derivative,
)

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Integers = NDArray[Any]
READ_INTERVAL = 0.25  # wall time between two readings while time runs [s]
MOST_CELLS = 4096 * 4096  # of a picture: 128 MB of numbers


class MatrixAxis(Enum):
    """Kinds of rows and columns."""

    DOF = "dof"
    ROW = "constraint row"
    ACTUATOR = "actuator"
    TENDON = "tendon"


class MatrixKind(Enum):
    """The matrices: label, what it is, rows and columns."""

    INERTIA = ("M, inertia", "Joint-space inertia matrix", MatrixAxis.DOF, MatrixAxis.DOF)
    FACTOR = ("L'DL of M", "Factor of the inertia: L below the diagonal, where it is 1, D on it", MatrixAxis.DOF, MatrixAxis.DOF)
    JACOBIAN = ("J, constraints", "Jacobian of the constraint rows: efc_J", MatrixAxis.ROW, MatrixAxis.DOF)
    DUAL = ("A = J M\u207b\u00b9 J'", "Accelerations of all rows from a force on each", MatrixAxis.ROW, MatrixAxis.ROW)
    REGULARIZED = ("A + R", "The matrix of the dual problem: A and the regularization", MatrixAxis.ROW, MatrixAxis.ROW)
    REGULARIZATION = ("R, softness", "Regularization of the rows: efc_R, a diagonal", MatrixAxis.ROW, MatrixAxis.ROW)
    DERIVATIVE = ("qDeriv", "Derivative of smooth forces by velocity, of implicit integrators", MatrixAxis.DOF, MatrixAxis.DOF)
    MOMENTS = ("Actuator moments", "Moment arms of the actuators: actuator_moment", MatrixAxis.ACTUATOR, MatrixAxis.DOF)
    TENDONS = ("Tendon Jacobian", "Moment arms of the tendons: ten_J", MatrixAxis.TENDON, MatrixAxis.DOF)

    @property
    def label(self) -> str:
        """Text of the choice."""
        return str(self.value[0])

    @property
    def tip(self) -> str:
        """Meaning, for the tip of the choice."""
        return str(self.value[1])

    @property
    def axes(self) -> tuple[MatrixAxis, MatrixAxis]:
        """Kinds of the rows and of the columns."""
        return self.value[2], self.value[3]


DUALS = (MatrixKind.DUAL, MatrixKind.REGULARIZED)
_SIMPLE = {
    MatrixKind.INERTIA: inertia_matrix, MatrixKind.FACTOR: inertia_factor, MatrixKind.JACOBIAN: constraint_jacobian,
    MatrixKind.DERIVATIVE: velocity_derivative, MatrixKind.MOMENTS: actuator_moments, MatrixKind.TENDONS: tendon_jacobian,
}  # fmt: skip
_IMPLICIT = (int(physics.mjtIntegrator.mjINT_IMPLICIT), int(physics.mjtIntegrator.mjINT_IMPLICITFAST))


class MatrixReading(Struct, frozen=True, eq=False):
    """A matrix of one moment. matrix: None where there is none, and `why`; inertia, trees, R: what A is computed from.

    rows: of the constraints; dof_island (nv,): -1 for none; time [s]; number: of the reading.
    """

    kind: MatrixKind
    number: int
    time: float
    matrix: SparseMatrix | None
    why: str = ""
    inertia: SparseMatrix | None = None
    trees: Integers | None = None
    R: Integers | None = None
    rows: ConstraintKeys | None = None
    dof_island: Integers | None = None


class ShownMatrix(Struct):
    """The newest reading in a snapshot."""

    reading: MatrixReading | None = None


class MatrixProbe:
    """Copies the matrix `kind` a few times a second, each time while `eager`."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self.kind = MatrixKind.INERTIA
        self.eager = True
        self.taken = 0  # readings so far
        self._now = now
        self._read_at = -READ_INTERVAL
        self._last: MatrixReading | None = None

    def room(self, model: MjModel, data: MjData) -> ShownMatrix:
        return ShownMatrix()

    def take(self, model: MjModel, data: MjData, into: ShownMatrix) -> None:
        now = self._now()
        if self._last is None or self.eager or self._last.kind is not self.kind or now - self._read_at >= READ_INTERVAL:
            self._read_at = now
            self.taken += 1
            self._last = read_matrix(model, data, self.kind, self.taken)
        into.reading = self._last


def read_matrix(model: MjModel, data: MjData, kind: MatrixKind, number: int = 0) -> MatrixReading:
    """Copies of what a matrix needs."""
    time = float(data.time)
    why = _missing(model, data, kind)
    if why:
        return MatrixReading(kind, number, time, None, why)
    rows = constraint_keys(data) if MatrixAxis.ROW in kind.axes else None
    island = np.array(data.dof_island) if data.nisland else None
    if kind in _SIMPLE:
        return MatrixReading(kind, number, time, _SIMPLE[kind](model, data), rows=rows, dof_island=island)
    R, n = np.array(data.efc_R), np.arange(int(data.nefc))
    if kind is MatrixKind.REGULARIZATION:
        return MatrixReading(kind, number, time, SparseMatrix(n, n, R, (len(n), len(n))), rows=rows)
    parts = constraint_jacobian(model, data), "", inertia_matrix(model, data), np.array(model.dof_treeid), R, rows, island
    return MatrixReading(kind, number, time, *parts)


def _missing(model: MjModel, data: MjData, kind: MatrixKind) -> str:
    """Why there is no such matrix; "" if there is one."""
    counts = int(model.nv), int(data.nefc), int(model.nu), int(model.ntendon)
    sizes = dict(zip(MatrixAxis, counts, strict=True))
    for axis in kind.axes:
        if not sizes[axis]:
            return f"There is no {axis.value} now" if axis is MatrixAxis.ROW else f"This model has no {axis.value}"
    if sizes[kind.axes[0]] * sizes[kind.axes[1]] > MOST_CELLS:
        return f"It has {sizes[kind.axes[0]]} rows and {sizes[kind.axes[1]]} columns: too many for a picture"
    if kind is MatrixKind.DERIVATIVE and int(model.opt.integrator) not in _IMPLICIT:
        return "Only the integrators implicit and implicitfast compute it: choose one of them in Options"
    return ""
