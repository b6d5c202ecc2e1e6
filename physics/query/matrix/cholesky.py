"""Dense Cholesky factors under MuJoCo's names: A = L L', where the lower triangle of an (n, n) array holds L.

Above the diagonal nothing is read and nothing is written.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tumble.physics.errors import ShapeError
from tumble.physics.query.check import Array, numbers, output, vector
from tumble.physics.state.arguments import checked
from tumble.physics.state.constants import mjMINVAL


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
