"""A matrix made ready to be seen: its numbers in order, their picture at several sizes, and its properties. No Qt here."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.describe.numbers import short
from tumble.app.panels.matrices.matrix_readings import DUALS, MatrixKind, MatrixReading
from tumble.physics.query.system_matrices import dual_matrix

Numbers = NDArray[np.float64]
Integers = NDArray[np.int64]
Image = NDArray[np.uint8]

DECADES = 6.0  # of size below the largest number that colours tell apart
FAINTEST = 0.18  # colour of the smallest number that is not zero, as a share of the strongest
ZERO = 128  # the byte of zero; above it are positive numbers, below it negative ones
WIDEST = 1024  # cells of a picture along a side: of a larger one blocks of cells are one, by their largest number
MOST_CONDITION = 500  # rows or columns up to which the condition number is computed while time runs
NEARLY_SYMMETRIC = 1e-12  # of the largest number


class MatrixPicture(Struct, frozen=True, eq=False):
    """A matrix ready to be seen. values (n, m); row, column: which row and column of the matrix is at each place.

    levels: images (h, w) of the whole, each side of half as many cells as that of the one before; marks: places of rows and of
    columns at which another island begins; stored: numbers that are stored; condition: nan if it was not computed, and rank.
    """

    reading: MatrixReading
    values: Numbers
    row: Integers
    column: Integers
    levels: tuple[Image, ...]
    marks: tuple[list[int], list[int]]
    stored: int
    condition: float
    rank: int
    by_island: bool

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.values.shape[0], self.values.shape[1]


def make_picture(
    reading: MatrixReading, *, by_island: bool, condition: bool, wanted: Callable[[], None] = lambda: None
) -> MatrixPicture:
    """Make a picture of a reading, in a background thread. condition: compute the condition number however large it is.

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
    due = (condition or max(values.shape) <= MOST_CONDITION) and reading.kind is not MatrixKind.FACTOR
    number, rank = condition_and_rank(values) if due and np.isfinite(values).all() else (np.nan, 0)
    return MatrixPicture(reading, values, row, column, levels, marks, stored, number, rank, by_island)


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


def bytes_of(values: Numbers) -> Image:
    """Colours (n, m) of numbers: by sign and by the logarithm of their size below the largest; ZERO for zero."""
    size = np.abs(values)
    finite = np.isfinite(size)
    largest = float(size.max(where=finite, initial=0.0))
    if largest == 0.0:
        return np.full(values.shape, ZERO, np.uint8)
    with np.errstate(divide="ignore"):
        depth = np.log10(np.where(finite, size, largest) / largest) / DECADES
    strength = FAINTEST + (1.0 - FAINTEST) * np.clip(1.0 + depth, 0.0, 1.0)
    strength[size == 0.0] = 0.0
    return (ZERO + np.round(127.0 * np.sign(np.where(finite, values, 1.0)) * strength)).astype(np.uint8)


def pyramid(image: Image) -> tuple[Image, ...]:
    """The image, and smaller ones: each cell the strongest of up to four, so that no number is lost."""
    levels = [image]
    while max(levels[-1].shape) > WIDEST:
        last = levels[-1].astype(np.int16) - ZERO
        last = np.pad(last, [(0, n % 2) for n in last.shape])
        blocks = last.reshape(last.shape[0] // 2, 2, last.shape[1] // 2, 2)
        high, low = blocks.max(axis=(1, 3)), blocks.min(axis=(1, 3))
        levels.append((ZERO + np.where(high >= -low, high, low)).astype(np.uint8))
    return tuple(levels)


def condition_and_rank(values: Numbers) -> tuple[float, int]:
    """Ratio of the largest singular value to the smallest, infinite for a singular matrix; and the rank, to rounding."""
    sizes = np.linalg.svd(values, compute_uv=False)
    rank = int((sizes > max(values.shape) * np.finfo(float).eps * sizes[0]).sum())
    return float(sizes[0] / sizes[-1]) if rank == len(sizes) else np.inf, rank


def about(picture: MatrixPicture) -> str:
    """Size, fill, symmetry and condition number in a line."""
    n, m = picture.shape
    share = picture.stored / max(1, n * m)
    parts = [f"{n} \N{MULTIPLICATION SIGN} {m}", f"{picture.stored} stored, {short(100 * share, figures=3)} % of it"]
    values = picture.values
    if n == m and abs(values - values.T).max(initial=0.0) <= NEARLY_SYMMETRIC * abs(values).max(initial=0.0):
        parts.append("symmetric")
    size = abs(values[values != 0])
    if len(size):
        parts.append(f"sizes from {short(float(size.min()), 0.0, 3)} to {short(float(size.max()), 0.0, 3)}")
    if np.isfinite(picture.condition):
        parts.append(f"condition number {short(picture.condition, figures=3)}")
    elif np.isinf(picture.condition):
        parts.append(f"rank {picture.rank} of {min(n, m)}: singular")
    return ", ".join(parts)
