"""Small vector and matrix functions under MuJoCo's names, for scripts; results are written into the first argument."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tumble.physics.dynamics.contact_force import edge_friction
from tumble.physics.errors import ArgumentError, ShapeError
from tumble.physics.query.argument_checks import Array, any_output, line, numbers, output, vector
from tumble.physics.query.matrices import square
from tumble.physics.state.arguments import checked
from tumble.physics.state.constants import mjMINVAL


def _into(res: Array, value: Any) -> None:
    """Write a result of the same shape."""
    output(res, "res", np.shape(value))[...] = value


def _all_of(res: Array) -> Array:
    """An array of any shape that is to be written."""
    return any_output(res, "res")


def _numbers(value: Any, name: str, size: int | None = None) -> Array:
    """The value as numbers in a line, `size` of them."""
    return line(value, name) if size is None else vector(value, name, size)


def _matrix(value: Any, name: str) -> Array:
    """The value as numbers in rows."""
    array = numbers(value, name)
    if array.ndim != 2:
        raise ShapeError(f"{name} should be a matrix; it has shape {array.shape}")
    return array


def _alike(**vectors: Any) -> list[Array]:
    """The vectors, given by their names, as numbers, all of one shape."""
    found = [_numbers(value, name) for name, value in vectors.items()]
    if len({v.shape for v in found}) > 1:
        theirs = " and ".join(str(v.shape) for v in found)
        raise ShapeError(f"{' and '.join(vectors)} should have the same shape; theirs are {theirs}")
    return found


def _times(a: Array, b: Array) -> Array:
    """The matrix product of two arrays."""
    if not a.ndim or not b.ndim or a.shape[-1] != b.shape[-2 if b.ndim > 1 else 0]:
        raise ShapeError(f"the sizes do not fit for a product: {a.shape} and {b.shape}")
    product: Array = a @ b
    return product


def mju_zero(res: Array) -> None:
    """Write res <- 0, for an array of any shape."""
    _all_of(res)[...] = 0.0


@checked
def mju_fill(res: Array, val: float) -> None:
    """Write res <- val, for an array of any shape."""
    _all_of(res)[...] = val


def mju_copy(res: Array, vec: Any) -> None:
    """Write res <- vec, (n,)."""
    _into(res, _numbers(vec, "vec"))


def mju_add(res: Array, vec1: Any, vec2: Any) -> None:
    """Write res <- vec1 + vec2, (n,)."""
    a, b = _alike(vec1=vec1, vec2=vec2)
    _into(res, a + b)


def mju_sub(res: Array, vec1: Any, vec2: Any) -> None:
    """Write res <- vec1 - vec2, (n,)."""
    a, b = _alike(vec1=vec1, vec2=vec2)
    _into(res, a - b)


def mju_addTo(res: Array, vec: Any) -> None:
    """Write res <- res + vec, (n,)."""
    a, b = _alike(res=res, vec=vec)
    _into(res, a + b)


def mju_subFrom(res: Array, vec: Any) -> None:
    """Write res <- res - vec, (n,)."""
    a, b = _alike(res=res, vec=vec)
    _into(res, a - b)


@checked
def mju_scl(res: Array, vec: Any, scl: float) -> None:
    """Write res <- scl vec, (n,)."""
    _into(res, scl * _numbers(vec, "vec"))


@checked
def mju_addScl(res: Array, vec1: Any, vec2: Any, scl: float) -> None:
    """Write res <- vec1 + scl vec2, (n,)."""
    a, b = _alike(vec1=vec1, vec2=vec2)
    _into(res, a + scl * b)


@checked
def mju_addToScl(res: Array, vec: Any, scl: float) -> None:
    """Write res <- res + scl vec, (n,)."""
    a, b = _alike(res=res, vec=vec)
    _into(res, a + scl * b)


def mju_dot(vec1: Any, vec2: Any) -> float:
    """The dot product vec1' vec2, (n,) each."""
    a, b = _alike(vec1=vec1, vec2=vec2)
    return float(a @ b)


def mju_sum(vec: Any) -> float:
    """The sum of the numbers of vec, (n,)."""
    return float(_numbers(vec, "vec").sum())


def mju_L1(vec: Any) -> float:
    """The sum of the magnitudes of vec, (n,)."""
    return float(np.abs(_numbers(vec, "vec")).sum())


def mju_norm(res: Any) -> float:
    """The length of res, (n,)."""
    return float(np.linalg.norm(_numbers(res, "res")))


@checked
def mju_normalize(res: Array) -> float:
    """Scale a vector (n,) to length 1, in place, and return its former length; one that is too short becomes the first axis."""
    v = any_output(res, "res").reshape(-1)
    length = float(np.linalg.norm(v))
    if length < mjMINVAL:
        v[:1], v[1:] = 1.0, 0.0
    else:
        v /= length
    return length


def mju_cross(res: Array, a: Any, b: Any) -> None:
    """Write res <- a x b, (3,)."""
    _into(res, np.cross(_numbers(a, "a", 3), _numbers(b, "b", 3)))


def mju_zero3(res: Array) -> None:
    """Write res <- 0, (3,)."""
    _into(res, np.zeros(3))


def mju_copy3(res: Array, data: Any) -> None:
    """Write res <- data, (3,)."""
    _into(res, _numbers(data, "data", 3))


def mju_add3(res: Array, vec1: Any, vec2: Any) -> None:
    """Write res <- vec1 + vec2, (3,)."""
    _into(res, _numbers(vec1, "vec1", 3) + _numbers(vec2, "vec2", 3))


def mju_sub3(res: Array, vec1: Any, vec2: Any) -> None:
    """Write res <- vec1 - vec2, (3,)."""
    _into(res, _numbers(vec1, "vec1", 3) - _numbers(vec2, "vec2", 3))


def mju_addTo3(res: Array, vec: Any) -> None:
    """Write res <- res + vec, (3,)."""
    _into(res, output(res, "res", (3,)) + _numbers(vec, "vec", 3))


def mju_subFrom3(res: Array, vec: Any) -> None:
    """Write res <- res - vec, (3,)."""
    _into(res, output(res, "res", (3,)) - _numbers(vec, "vec", 3))


@checked
def mju_scl3(res: Array, vec: Any, scl: float) -> None:
    """Write res <- scl vec, (3,)."""
    _into(res, scl * _numbers(vec, "vec", 3))


@checked
def mju_addScl3(res: Array, vec1: Any, vec2: Any, scl: float) -> None:
    """Write res <- vec1 + scl vec2, (3,)."""
    _into(res, _numbers(vec1, "vec1", 3) + scl * _numbers(vec2, "vec2", 3))


@checked
def mju_addToScl3(res: Array, vec: Any, scl: float) -> None:
    """Write res <- res + scl vec, (3,)."""
    _into(res, output(res, "res", (3,)) + scl * _numbers(vec, "vec", 3))


def mju_dot3(vec1: Any, vec2: Any) -> float:
    """The dot product vec1' vec2, (3,) each."""
    return float(_numbers(vec1, "vec1", 3) @ _numbers(vec2, "vec2", 3))


def mju_dist3(pos1: Any, pos2: Any) -> float:
    """The distance of two points, (3,) each."""
    return float(np.linalg.norm(_numbers(pos1, "pos1", 3) - _numbers(pos2, "pos2", 3)))


def mju_norm3(vec: Any) -> float:
    """The length of vec, (3,)."""
    return float(np.linalg.norm(_numbers(vec, "vec", 3)))


def mju_normalize3(vec: Array) -> float:
    """The same as mju_normalize for (3,)."""
    return mju_normalize(output(vec, "vec", (3,)))


def mju_mulMatVec(res: Array, mat: Any, vec: Any) -> None:
    """Write res (n,) <- mat (n, k) vec (k,)."""
    _into(res, _times(_matrix(mat, "mat"), _numbers(vec, "vec")))


def mju_mulMatTVec(res: Array, mat: Any, vec: Any) -> None:
    """Write res (k,) <- mat' vec, for mat (n, k) and vec (n,)."""
    _into(res, _times(_matrix(mat, "mat").T, _numbers(vec, "vec")))


def mju_mulMatVec3(res: Array, mat: Any, vec: Any) -> None:
    """Write res (3,) <- mat vec, for mat (9,) by rows and vec (3,)."""
    _into(res, _numbers(mat, "mat", 9).reshape(3, 3) @ _numbers(vec, "vec", 3))


def mju_mulMatTVec3(res: Array, mat: Any, vec: Any) -> None:
    """Write res (3,) <- mat' vec, for mat (9,) by rows and vec (3,)."""
    _into(res, _numbers(mat, "mat", 9).reshape(3, 3).T @ _numbers(vec, "vec", 3))


def mju_mulVecMatVec(vec1: Any, mat: Any, vec2: Any) -> float:
    """The product vec1' mat vec2, for vectors (n,) and mat (n, n)."""
    return float(_times(_times(_numbers(vec1, "vec1"), _matrix(mat, "mat")), _numbers(vec2, "vec2")))


def mju_mulMatMat(res: Array, mat1: Any, mat2: Any) -> None:
    """Write res (n, k) <- mat1 (n, p) mat2 (p, k)."""
    _into(res, _times(_matrix(mat1, "mat1"), _matrix(mat2, "mat2")))


def mju_mulMatMatT(res: Array, mat1: Any, mat2: Any) -> None:
    """Write res (n, k) <- mat1 mat2', for mat1 (n, p) and mat2 (k, p)."""
    _into(res, _times(_matrix(mat1, "mat1"), _matrix(mat2, "mat2").T))


def mju_mulMatTMat(res: Array, mat1: Any, mat2: Any) -> None:
    """Write res (n, k) <- mat1' mat2, for mat1 (p, n) and mat2 (p, k)."""
    _into(res, _times(_matrix(mat1, "mat1").T, _matrix(mat2, "mat2")))


def mju_transpose(res: Array, mat: Any) -> None:
    """Write res (k, n) <- mat', for mat (n, k)."""
    _into(res, _matrix(mat, "mat").T)


def mju_symmetrize(res: Array, mat: Any) -> None:
    """Write res <- (mat + mat') / 2, (n, n)."""
    full = square(mat)
    _into(res, 0.5 * (full + full.T))


def mju_eye(mat: Array) -> None:
    """Write the identity to mat (n, n)."""
    rows = len(mat) if isinstance(mat, np.ndarray) and mat.ndim == 2 else 0
    output(mat, "mat", (rows, rows), "(n, n)")[...] = np.eye(rows)


@checked
def mju_clip(x: float, min: float, max: float) -> float:
    """The number x, limited to min and max."""
    return float(np.clip(x, min, max))


@checked
def mju_min(a: float, b: float) -> float:
    """The smaller of two numbers."""
    return float(min(a, b))


@checked
def mju_max(a: float, b: float) -> float:
    """The larger of two numbers."""
    return float(max(a, b))


@checked
def mju_sign(x: float) -> float:
    """The sign of x: 1, 0 or -1."""
    return float(np.sign(float(x)))


@checked
def mju_round(x: float) -> int:
    """The nearest integer; the larger one if two are equally near."""
    if not math.isfinite(x):
        raise ArgumentError(f"x should be finite, not {x}")
    return math.floor(x + 0.5)


def _frictions(mu: Any, count: int) -> Array:
    """The coefficients of the tangents of a contact; there may be more, as in `contact.friction`."""
    friction = _numbers(mu, "mu")
    if not 0 < count <= len(friction):
        raise ShapeError(f"mu should have a number for each of {count} tangents; it has {len(friction)}")
    return friction[:count]


def mju_encodePyramid(pyramid: Array, force: Any, mu: Any) -> None:
    """Write to pyramid (2 n,) [N] the edge forces that make up a contact force (1 + n,): normal, then tangents.

    mu: (n,) friction coefficients. Source: MuJoCo documentation, Computation, Friction cones.
    """
    f = _numbers(force, "force")
    friction = _frictions(mu, len(f) - 1)
    normal, tangent = f[0] / (2 * len(friction)), f[1:] / friction / 2
    _into(pyramid, np.ravel(np.stack([normal + tangent, normal - tangent], axis=1)))


def mju_decodePyramid(force: Array, pyramid: Any, mu: Any) -> None:
    """Write to force (1 + n,) [N] a contact's force, normal and tangents, from its edge forces pyramid (2 n,).

    mu: (n,) friction coefficients. Source: MuJoCo documentation, Computation, Friction cones.
    """
    flat = _numbers(pyramid, "pyramid")
    edges = _numbers(flat, "pyramid", 2 * (len(flat) // 2)).reshape(-1, 2)
    tangents = edge_friction(edges[:, 0], edges[:, 1], _frictions(mu, len(edges)))
    _into(force, np.concatenate([[edges.sum()], tangents]))
