"""A matrix made ready to be seen: its numbers in order, their picture at several sizes, and its properties. No Qt here."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tumble.app.describe.numbers import short
from tumble.app.panels.matrices.matrix_readings import DUALS, MatrixKind, MatrixReading
from tumble.app.widgets.cell_image import Image, bytes_of, pyramid
from tumble.physics.query.system_matrices import dual_matrix

Numbers = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST_CONDITION = 300  # rows or columns up to which the condition number is computed with every picture: 0.05 s
MOST_REFINED = 1000  # ... up to which it follows while time stands: a second; beyond, it takes too long to be stopped
NEARLY_SYMMETRIC = 1e-12  # of the largest number


class MatrixPicture(Struct, frozen=True, eq=False):
    """A matrix ready to be seen. values (n, m); row, column: which row and column of the matrix is at each place.

    levels: images (h, w) of the whole, each side of half as many cells as that of the one before; marks: places of rows and of
    columns at which another island begins; stored: numbers that are stored; about: its properties in a line;
    condition: nan if it was not computed.
    """

    reading: MatrixReading
    values: Numbers
    row: Integers
    column: Integers
    levels: tuple[Image, ...]
    marks: tuple[list[int], list[int]]
    stored: int
    by_island: bool
    about: str
    condition: float = np.nan

    @property
    def kind(self) -> MatrixKind:
        """The matrix that it is of."""
        return self.reading.kind

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.values.shape[0], self.values.shape[1]


def make_picture(reading: MatrixReading, *, by_island: bool, wanted: Callable[[], None] = lambda: None) -> MatrixPicture:
    """Make a picture of a reading, in a background thread.

    wanted: called between the parts, raises when the picture is no longer wanted. Raises LinAlgError where A cannot be computed.
    """
    assert reading.matrix is not None
    values = reading.matrix.dense()
    stored = len(reading.matrix.value)
    if reading.kind in DUALS:
        assert reading.inertia is not None
        assert reading.trees is not None
        assert reading.R is not None
        values = dual_matrix(reading.matrix, reading.inertia, reading.trees)
        stored = int(np.count_nonzero(values))
        if reading.kind is MatrixKind.REGULARIZED:
            values += np.diag(reading.R)
    wanted()
    row, column, marks = _order(reading, values.shape, by_island=by_island)
    values = values[np.ix_(row, column)] if by_island else values
    levels = pyramid(bytes_of(values))
    wanted()
    picture = MatrixPicture(reading, values, row, column, levels, marks, stored, by_island, properties(values, stored))
    return refined(picture) if max(values.shape) <= MOST_CONDITION and has_condition(picture) else picture


def has_condition(picture: MatrixPicture) -> bool:
    """True for a matrix with a condition number: finite, and not two factors in one."""
    return picture.reading.kind is not MatrixKind.FACTOR and bool(np.isfinite(picture.values).all())


def refined(picture: MatrixPicture) -> MatrixPicture:
    """The picture with condition number and rank, which take longest."""
    condition, rank = condition_and_rank(picture.values)
    least = min(picture.shape)
    words = f"condition number {short(condition, figures=3)}" if np.isfinite(condition) else f"rank {rank} of {least}: singular"
    return replace(picture, condition=condition, about=f"{picture.about}, {words}")


def _order(
    reading: MatrixReading, shape: tuple[int, ...], *, by_island: bool
) -> tuple[Integers, Integers, tuple[list[int], list[int]]]:
    """Rows and columns in order, and where islands begin."""
    rows, columns = np.arange(shape[0]), np.arange(shape[1])
    if not by_island or reading.rows is None or not (reading.rows.island >= 0).any():
        return rows, columns, ([], [])
    of_rows = _islands_last(reading.rows.island)
    rows = np.argsort(of_rows, kind="stable")
    if reading.kind.axes[0] is reading.kind.axes[1]:
        return rows, rows, (_starts(of_rows[rows]), _starts(of_rows[rows]))
    of_columns = _islands_last(np.asarray(reading.dof_island))
    columns = np.argsort(of_columns, kind="stable")
    return rows, columns, (_starts(of_rows[rows]), _starts(of_columns[columns]))


def _islands_last(island: Integers) -> Integers:
    """Islands, and a number above them for what is in none."""
    return np.where(island < 0, island.max(initial=0) + 1, island)


def _starts(island: Integers) -> list[int]:
    return [int(k) + 1 for k in np.flatnonzero(np.diff(island))]


def condition_and_rank(values: Numbers) -> tuple[float, int]:
    """Ratio of the largest singular value to the smallest, infinite for a singular matrix; and the rank, to rounding."""
    if is_symmetric(values):
        sizes = np.sort(abs(np.linalg.eigvalsh(values)))[::-1]
    else:
        sizes = np.linalg.svd(values, compute_uv=False)
    rank = int((sizes > max(values.shape) * np.finfo(float).eps * sizes[0]).sum())
    return float(sizes[0] / sizes[-1]) if rank == len(sizes) else np.inf, rank


def is_symmetric(values: Numbers) -> bool:
    """True if a matrix is symmetric but for rounding."""
    n, m = values.shape
    return n == m and bool(abs(values - values.T).max(initial=0.0) <= NEARLY_SYMMETRIC * abs(values).max(initial=0.0))


def properties(values: Numbers, stored: int) -> str:
    """Size, fill, symmetry and range of sizes in a line."""
    n, m = values.shape
    share = stored / max(1, n * m)
    parts = [f"{n} \N{MULTIPLICATION SIGN} {m}", f"{stored} stored, {short(100 * share, figures=3)} % of it"]
    if is_symmetric(values):
        parts.append("symmetric")
    size = abs(values[values != 0])
    if len(size):
        parts.append(f"sizes from {short(float(size.min()), 0.0, 3)} to {short(float(size.max()), 0.0, 3)}")
    return ", ".join(parts)
