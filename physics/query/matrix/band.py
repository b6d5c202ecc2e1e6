"""Symmetric matrices with a band and, at the end, some dense rows, under MuJoCo's names.

Of a matrix of ntotal rows, each but the last ndense has nband numbers: those that end with its diagonal. The last ndense rows
have ntotal numbers each. The array holds them one row after the other; what lies left of the first column, or right of the
diagonal, is not looked at.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tumble.physics.errors import ModelError, ShapeError
from tumble.physics.query.check import Array, numbers, output, vector
from tumble.physics.query.matrix.cholesky import square
from tumble.physics.state.arguments import checked
from tumble.physics.state.constants import mjMINVAL


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
