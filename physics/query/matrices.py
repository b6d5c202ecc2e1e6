"""A quadratic program with bounds, under MuJoCo's name.

Newton's method on the dimensions that no bound holds, with the steps projected into the bounds. Source: Tassa, Mansard and
Todorov 2014, Control-limited differential dynamic programming, section III.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.physics.errors import ModelError, ShapeError
from tumble.physics.query.argument_checks import Array, any_output, flat_output, line, numbers, output, vector
from tumble.physics.state.arguments import checked
from tumble.physics.state.constants import mjMINVAL

_STEPS = 100  # more than any problem takes that has a solution
_ENOUGH = 1e-16  # square of the gradient over the free dimensions below which they are solved
_DECREASE = 0.1  # part of the decrease that the slope promises, with which a step is taken
_SHORTER = 0.6  # factor by which a step that is not is made shorter
_SHORTEST = 1e-22
_EXTRA = 7  # numbers a dimension that R has besides the factor, as the reference asks for


class _Problem:
    """Minimize x' H x / 2 + g' x between two bounds."""

    def __init__(self, H: Array, g: Array, lower: Array, upper: Array) -> None:
        self.H, self.g, self.lower, self.upper = H, g, lower, upper

    def cost(self, x: Array) -> float:
        return float(x @ (0.5 * self.H @ x + self.g))

    def clip(self, x: Array) -> Array:
        return np.clip(x, self.lower, self.upper)

    def free(self, x: Array, gradient: Array) -> NDArray[np.bool_]:
        """The dimensions that are not at a bound to which the cost falls."""
        return ~(((x <= self.lower) & (gradient > 0)) | ((x >= self.upper) & (gradient < 0)))

    def moved(self, x: Array, gradient: Array, step: Array) -> Array | None:
        """x after as much of a step as makes the cost fall enough; None if none does."""
        length, before = 1.0, self.cost(x)
        while length > _SHORTEST:
            new = self.clip(x + length * step)
            promised = float(gradient @ (x - new))
            if promised <= 0.0 or before - self.cost(new) >= _DECREASE * promised:
                return new if promised > 0.0 else None
            length *= _SHORTER
        return None


def mju_boxQP(
    res: Array, R: Array, index: NDArray[np.int32] | None, H: Any, g: Any, lower: Any | None, upper: Any | None
) -> int:
    """Write to res (n,) the x that minimizes x' H x / 2 + g' x, lower <= x <= upper; returns how many dimensions are free, or -1.

    res holds the x to start from. H: (n, n), positive definite, of which the lower triangle is read. g, lower, upper: (n,);
    None: no bound. R: n (n + 7) numbers, of which the first nfree * nfree get the Cholesky factor of H over the free
    dimensions, its lower triangle by rows; index: (n,) int32 or None, gets their numbers. -1: H is not positive definite.
    Raises ModelError where a lower bound is not below the upper one.
    """
    problem = _checked(res, R, index, H, g, lower, upper)
    x = problem.clip(res)
    free = np.zeros(len(x), bool)
    factor: NDArray[Any] = np.zeros((0, 0))
    for step in range(_STEPS):
        gradient = problem.H @ x + problem.g
        now = problem.free(x, gradient)
        if step == 0 or (now != free).any():
            free = now
            try:
                factor = np.linalg.cholesky(problem.H[np.ix_(free, free)])
            except np.linalg.LinAlgError:
                return -1
        if gradient[free] @ gradient[free] < _ENOUGH:
            break
        newton = np.zeros(len(x))
        newton[free] = -np.linalg.solve(factor.T, np.linalg.solve(factor, gradient[free]))
        new = problem.moved(x, gradient, newton)
        if new is None:
            break
        x = new
    return _written(res, R, index, x, free, factor)


def _checked(res: Array, R: Array, index: NDArray[np.int32] | None, H: Any, g: Any, lower: Any, upper: Any) -> _Problem:
    full = square(H, "H")
    n = len(full)
    res = output(res, "res", (n,), "(n,)")
    flat_output(R, "R", n * (n + _EXTRA))
    if index is not None:
        index = output(index, "index", (n,), "(n,)", np.int32)
    low = np.full(n, -math.inf) if lower is None else vector(lower, "lower", n, "n")
    high = np.full(n, math.inf) if upper is None else vector(upper, "upper", n, "n")
    if not (low < high).all():
        raise ModelError("every lower bound must be below its upper bound")
    return _Problem(np.tril(full) + np.tril(full, -1).T, vector(g, "g", n, "n"), low, high)


def _written(
    res: Array, R: Array, index: NDArray[np.int32] | None, x: Array, free: NDArray[np.bool_], factor: NDArray[Any]
) -> int:
    """Write the results; returns the number of free dimensions."""
    res[...] = x
    count = int(free.sum())
    below = np.tril_indices(count)
    R.reshape(-1)[: count * count].reshape(count, count)[below] = factor[below]
    if index is not None:
        index[:count] = np.flatnonzero(free)
    return count


def _size(ntotal: int, nband: int, ndense: int) -> int:
    """Number of values of a banded matrix. Raises ModelError for an invalid shape."""
    if not (0 <= ndense <= ntotal and 0 <= nband <= ntotal and (nband or ndense == ntotal)):
        raise ModelError(f"no band matrix has ntotal={ntotal}, nband={nband}, ndense={ndense}")
    return (ntotal - ndense) * nband + ndense * ntotal


@checked
def mju_bandDiag(i: int, ntotal: int, nband: int, ndense: int) -> int:
    """Index of row i's diagonal in the array. Raises ModelError if there is no such row."""
    _size(ntotal, nband, ndense)
    if not 0 <= i < ntotal:
        raise ModelError(f"row {i} does not exist; valid are 0 to {ntotal - 1}")
    narrow = ntotal - ndense
    return i * nband + nband - 1 if i < narrow else narrow * nband + (i - narrow) * ntotal + i


def _first(i: int, ntotal: int, nband: int, ndense: int) -> int:
    """First column of row i that is stored."""
    return max(0, i - nband + 1) if i < ntotal - ndense else 0


def _row(mat: Array, i: int, ntotal: int, nband: int, ndense: int) -> Array:
    """The numbers of row i, from its first column to its diagonal: a view."""
    last = mju_bandDiag(i, ntotal, nband, ndense)
    return mat[last - (i - _first(i, ntotal, nband, ndense)) : last + 1]


def _lower(mat: Array, ntotal: int, nband: int, ndense: int) -> Array:
    """The lower triangle (ntotal, ntotal)."""
    full = np.zeros((ntotal, ntotal))
    for i in range(ntotal):
        full[i, _first(i, ntotal, nband, ndense) : i + 1] = _row(mat, i, ntotal, nband, ndense)
    return full


def _whole(mat: Any, ntotal: int, nband: int, ndense: int, symmetric: int) -> Array:
    """All of the matrix, or, where it is not to be symmetric, its lower triangle."""
    full = _lower(vector(mat, "mat", _size(ntotal, nband, ndense)), ntotal, nband, ndense)
    return full + np.tril(full, -1).T if symmetric else full


@checked
def mju_dense2Band(res: Array, mat: Any, ntotal: int, nband: int, ndense: int) -> None:
    """Write to res the band and the dense rows of mat (ntotal, ntotal); zero where a row has nothing to store."""
    res = output(res, "res", (_size(ntotal, nband, ndense),))
    full = square(mat)
    if len(full) != ntotal:
        raise ShapeError(f"mat should be ({ntotal}, {ntotal}); it has shape {full.shape}")
    res[...] = 0.0
    for i in range(ntotal):
        _row(res, i, ntotal, nband, ndense)[...] = full[i, _first(i, ntotal, nband, ndense) : i + 1]


@checked
def mju_band2Dense(res: Array, mat: Any, ntotal: int, nband: int, ndense: int, flg_sym: int) -> None:
    """Write to res (ntotal, ntotal) the matrix: with flg_sym all of it, otherwise its lower triangle."""
    output(res, "res", (ntotal, ntotal))[...] = _whole(mat, ntotal, nband, ndense, flg_sym)


@checked
def mju_bandMulMatVec(
    res: Array, mat: Any, vec: Any, ntotal: int, nband: int, ndense: int, nvec: int, flg_sym: int
) -> None:
    """Write res <- mat vec for nvec vectors, (ntotal,) if that is 1, else the columns of (ntotal, nvec).

    flg_sym: whether mat is symmetric; otherwise its upper triangle is zero. mat: of any shape.
    """
    x = numbers(vec, "vec")
    if x.shape != (ntotal, nvec) and not (nvec == 1 and x.shape == (ntotal,)):
        raise ShapeError(f"vec should be ({ntotal}, {nvec}), one vector a column; it has shape {x.shape}")
    product = _whole(np.ravel(numbers(mat, "mat")), ntotal, nband, ndense, flg_sym) @ x
    written = output(res, "res", (ntotal,) if nvec == 1 else (ntotal, nvec))
    written[...] = product.reshape(written.shape)


@checked
def mju_cholFactorBand(mat: Array, ntotal: int, nband: int, ndense: int, diagadd: float, diagmul: float) -> float:
    """Replace mat by its factor L, L L' = mat, in place; nothing fills in. Returns the smallest pivot.

    A pivot is the square of a number on the diagonal of L. diagadd + diagmul mat[i, i] is added to the diagonal first. Returns 0,
    mat half done, where a pivot is below mjMINVAL.
    """
    mat = output(mat, "mat", (_size(ntotal, nband, ndense),))
    least = math.inf
    for i in range(ntotal):
        row, begin = _row(mat, i, ntotal, nband, ndense), _first(i, ntotal, nband, ndense)
        for j in range(begin, i):
            other, start = _row(mat, j, ntotal, nband, ndense), max(begin, _first(j, ntotal, nband, ndense))
            before = other[start - _first(j, ntotal, nband, ndense) : -1]
            row[j - begin] = (row[j - begin] - row[start - begin : j - begin] @ before) / other[-1]
        pivot = float(row[-1] + diagadd + diagmul * row[-1] - row[:-1] @ row[:-1])
        if not pivot >= mjMINVAL:
            return 0.0
        row[-1] = math.sqrt(pivot)
        least = min(least, pivot)
    return least


@checked
def mju_cholSolveBand(res: Array, mat: Any, vec: Any, ntotal: int, nband: int, ndense: int) -> None:
    """Write res (ntotal,) <- (L L')^-1 vec (ntotal,), where mat holds L as mju_cholFactorBand leaves it."""
    factor = vector(mat, "mat", _size(ntotal, nband, ndense))
    x = vector(vec, "vec", ntotal, "ntotal").copy()
    res = output(res, "res", (ntotal,))
    rows = [(_first(i, ntotal, nband, ndense), _row(factor, i, ntotal, nband, ndense)) for i in range(ntotal)]
    for i, (begin, row) in enumerate(rows):
        x[i] = (x[i] - row[:-1] @ x[begin:i]) / row[-1]
    for i, (begin, row) in reversed(list(enumerate(rows))):
        x[i] /= row[-1]
        x[begin:i] -= x[i] * row[:-1]
    res[...] = x


def square(mat: Any, name: str = "mat", *, written: bool = False) -> Array:
    """The array itself (written in place), or what it holds as numbers; raises ShapeError for one that is not square."""
    array = mat if isinstance(mat, np.ndarray) else numbers(mat, name)
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise ShapeError(f"{name} should be a square matrix, (n, n); it has shape {array.shape}")
    return output(mat, name, array.shape) if written else numbers(array, name)


@checked
def mju_cholFactor(mat: Array, mindiag: float) -> int:
    """Replace the lower triangle of a symmetric mat (n, n) by its factor L, in place; returns the rank.

    mindiag: a pivot below it is replaced by it, its column becomes zero, and the rank is one less.
    """
    a = square(mat, written=True)
    rank = len(a)
    for j in range(len(a)):
        pivot = float(a[j, j] - a[j, :j] @ a[j, :j])
        full = pivot >= mindiag
        rank -= not full
        a[j, j] = math.sqrt(pivot if full else mindiag)
        a[j + 1 :, j] = (a[j + 1 :, j] - a[j + 1 :, :j] @ a[j, :j]) / a[j, j] if full else 0.0
    return rank


def mju_cholSolve(res: Array, mat: Any, vec: Any) -> None:
    """Write res (n,) <- (L L')^-1 vec (n,), where the lower triangle of mat (n, n) holds L."""
    a = square(mat)
    x = vector(vec, "vec", len(a), "n").copy()
    res = output(res, "res", (len(a),), "(n,)")
    for i in range(len(a)):
        x[i] = (x[i] - a[i, :i] @ x[:i]) / a[i, i]
    for i in range(len(a) - 1, -1, -1):
        x[i] = (x[i] - a[i + 1 :, i] @ x[i + 1 :]) / a[i, i]
    res[...] = x


@checked
def mju_cholUpdate(mat: Array, x: Array, flg_plus: int) -> int:
    """Make the factor L in mat (n, n) that of L L' + x x', or, without flg_plus, of L L' - x x'; returns the rank.

    x (n,) is used up. A pivot below mjMINVAL is raised to it, and the rank is one less. Source: Golub and Van Loan, Matrix
    Computations, section 6.5.4.
    """
    a = square(mat, written=True)
    v, sign, rank = output(x, "x", (len(a),), "(n,)"), 1.0 if flg_plus else -1.0, len(a)
    for k in range(len(a)):
        if v[k] == 0.0:
            continue
        pivot = float(a[k, k] * a[k, k] + sign * v[k] * v[k])
        rank -= pivot < mjMINVAL
        root = math.sqrt(max(pivot, mjMINVAL))
        cosine, sine = root / a[k, k], v[k] / a[k, k]
        a[k, k] = root
        a[k + 1 :, k] = (a[k + 1 :, k] + sign * sine * v[k + 1 :]) / cosine
        v[k + 1 :] = cosine * v[k + 1 :] - sine * a[k + 1 :, k]
    return rank


Ints = NDArray[np.int32]


def entries(rownnz: Any, rowadr: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of each stored number, row by row, its row and its place in the array."""
    count, start = line(rownnz, "rownnz", np.int64), line(rowadr, "rowadr", np.int64)
    if count.shape != start.shape or not ((count >= 0).all() and (start >= 0).all()):
        raise ShapeError("rownnz and rowadr should have a number each row, none of them negative")
    rows = np.repeat(np.arange(len(count)), count)
    return rows, np.repeat(start - (np.cumsum(count) - count), count) + np.arange(len(rows))


def triplets(mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> tuple[NDArray[np.int64], NDArray[np.int64], Array]:
    """Row, column and value of each stored number, row by row. Raises ShapeError where the addresses lead out of the arrays."""
    rows, places = entries(rownnz, rowadr)
    values, columns = line(mat, "mat"), line(colind, "colind", np.int64)
    if len(places) and places.max() >= min(len(values), len(columns)):
        raise ShapeError(f"rownnz and rowadr lead out of mat, of {len(values)} numbers, or of colind, of {len(columns)}")
    return rows, columns[places], values[places]


def mju_dense2sparse(res: Array, mat: Any, rownnz: Ints, rowadr: Ints, colind: Ints) -> int:
    """Write to res and colind, as far as they reach, what mat (n, k) holds but zeros.

    rownnz, rowadr: (n,) int32. Returns 1 if there is too little room: what does not fit is left out, and rows after the first
    that does not fit are not written; else 0.
    """
    full = numbers(mat, "mat")
    if full.ndim != 2:
        raise ShapeError(f"mat should be a matrix; its shape is {full.shape}")
    res = output(res, "res", (res.size if isinstance(res, np.ndarray) else 0,), "(nnz,)")
    colind = output(colind, "colind", res.shape, "of res", np.int32)
    rownnz, rowadr = (
        output(array, name, full.shape[:1], "(n,)", np.int32) for array, name in ((rownnz, "rownnz"), (rowadr, "rowadr"))
    )
    if not len(res):
        return 1  # whatever mat holds, and nothing is written, as in the reference
    rows, columns = np.nonzero(full)
    kept = min(len(rows), len(res))
    res[:kept], colind[:kept] = full[rows[:kept], columns[:kept]], columns[:kept]
    count, end = np.bincount(rows[:kept], minlength=len(full)), rows[kept] + 1 if kept < len(rows) else len(full)
    rownnz[:end], rowadr[:end] = count[:end], (np.cumsum(count) - count)[:end]
    return int(kept < len(rows))


@checked
def mju_sparse2dense(res: Array, mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> None:
    """Write to res (n, k) the sparse matrix of numbers mat in columns colind; zero elsewhere."""
    rows, columns, values = triplets(mat, rownnz, rowadr, colind)
    res = any_output(res, "res")
    if res.ndim != 2 or len(res) != np.size(rownnz):
        raise ShapeError(f"res should have {np.size(rownnz)} rows, as rownnz has numbers; its shape is {res.shape}")
    if len(columns) and not (columns.min() >= 0 and columns.max() < res.shape[1]):
        raise ShapeError(f"colind has columns from {columns.min()} to {columns.max()}; res has {res.shape[1]}")
    res[...] = 0.0
    res[rows, columns] = values


def mju_sqrMatTD(res: Array, mat: Any, diag: Any | None) -> None:
    """Write res (k, k) <- mat' diag mat for mat (n, k) and diag (n,); diag None: mat' mat."""
    full = numbers(mat, "mat")
    if full.ndim != 2:
        raise ShapeError(f"mat should be a matrix, (n, k); it has shape {full.shape}")
    weighted = full if diag is None else vector(diag, "diag", len(full), "n")[:, None] * full
    output(res, "res", (full.shape[1], full.shape[1]), "(k, k)")[...] = full.T @ weighted
