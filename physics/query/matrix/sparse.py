"""Sparse matrices by rows (CSR) under MuJoCo's names: rownnz (n,) numbers a row, from rowadr (n,) on, in columns colind."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.physics.errors import ShapeError
from tumble.physics.query.check import Array, any_output, line, numbers, output, vector
from tumble.physics.state.arguments import checked

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
