"""Small vector and matrix functions under MuJoCo's names, for scripts; results are written into the first argument."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from physics.dynamics.contact_force import edge_friction
from physics.query.check import Array, output, vector
from physics.state.constants import mjMINVAL


def _into(res: Array, value: Any) -> None:
    """Write a result of the same shape."""
    output(res, "res", np.shape(value))
    res[...] = value


def _numbers(value: Any, size: int | None = None) -> Array:
    """The value as numbers, `size` of them."""
    return np.asarray(value, np.float64) if size is None else vector(value, "the argument", size)


def mju_zero(res: Array) -> None:
    """res <- 0"""
    res[...] = 0.0


def mju_fill(res: Array, val: float) -> None:
    """res <- val"""
    res[...] = val


def mju_copy(res: Array, vec: Any) -> None:
    """res <- vec"""
    _into(res, _numbers(vec))


def mju_add(res: Array, vec1: Any, vec2: Any) -> None:
    """res <- vec1 + vec2"""
    _into(res, _numbers(vec1) + _numbers(vec2))


def mju_sub(res: Array, vec1: Any, vec2: Any) -> None:
    """res <- vec1 - vec2"""
    _into(res, _numbers(vec1) - _numbers(vec2))


def mju_addTo(res: Array, vec: Any) -> None:
    """res <- res + vec"""
    _into(res, res + _numbers(vec))


def mju_subFrom(res: Array, vec: Any) -> None:
    """res <- res - vec"""
    _into(res, res - _numbers(vec))


def mju_scl(res: Array, vec: Any, scl: float) -> None:
    """res <- scl vec"""
    _into(res, scl * _numbers(vec))


def mju_addScl(res: Array, vec1: Any, vec2: Any, scl: float) -> None:
    """res <- vec1 + scl vec2"""
    _into(res, _numbers(vec1) + scl * _numbers(vec2))


def mju_addToScl(res: Array, vec: Any, scl: float) -> None:
    """res <- res + scl vec"""
    _into(res, res + scl * _numbers(vec))


def mju_dot(vec1: Any, vec2: Any) -> float:
    """vec1' vec2"""
    return float(_numbers(vec1) @ _numbers(vec2))


def mju_sum(vec: Any) -> float:
    """The sum of the numbers."""
    return float(_numbers(vec).sum())


def mju_L1(vec: Any) -> float:
    """The sum of the magnitudes."""
    return float(np.abs(_numbers(vec)).sum())


def mju_norm(res: Any) -> float:
    """Length."""
    return float(np.linalg.norm(_numbers(res)))


def mju_normalize(res: Array) -> float:
    """Give a vector length 1, in place, and return the length it had; too short ones become the first axis."""
    length = mju_norm(res)
    if length < mjMINVAL:
        res[...] = 0.0
        res.flat[0] = 1.0
    else:
        res /= length
    return length


def mju_cross(res: Array, a: Any, b: Any) -> None:
    """res <- a x b"""
    _into(res, np.cross(_numbers(a, 3), _numbers(b, 3)))


def mju_zero3(res: Array) -> None:
    """The three numbers <- 0"""
    _into(res, np.zeros(3))


def mju_copy3(res: Array, data: Any) -> None:
    """mju_copy of three numbers."""
    _into(res, _numbers(data, 3))


def mju_add3(res: Array, vec1: Any, vec2: Any) -> None:
    """mju_add of three numbers."""
    _into(res, _numbers(vec1, 3) + _numbers(vec2, 3))


def mju_sub3(res: Array, vec1: Any, vec2: Any) -> None:
    """mju_sub of three numbers."""
    _into(res, _numbers(vec1, 3) - _numbers(vec2, 3))


def mju_addTo3(res: Array, vec: Any) -> None:
    """mju_addTo of three numbers."""
    _into(res, res + _numbers(vec, 3))


def mju_subFrom3(res: Array, vec: Any) -> None:
    """mju_subFrom of three numbers."""
    _into(res, res - _numbers(vec, 3))


def mju_scl3(res: Array, vec: Any, scl: float) -> None:
    """mju_scl of three numbers."""
    _into(res, scl * _numbers(vec, 3))


def mju_addScl3(res: Array, vec1: Any, vec2: Any, scl: float) -> None:
    """mju_addScl of three numbers."""
    _into(res, _numbers(vec1, 3) + scl * _numbers(vec2, 3))


def mju_addToScl3(res: Array, vec: Any, scl: float) -> None:
    """mju_addToScl of three numbers."""
    _into(res, res + scl * _numbers(vec, 3))


def mju_dot3(vec1: Any, vec2: Any) -> float:
    """mju_dot of three numbers."""
    return float(_numbers(vec1, 3) @ _numbers(vec2, 3))


def mju_dist3(pos1: Any, pos2: Any) -> float:
    """Distance of two points."""
    return float(np.linalg.norm(_numbers(pos1, 3) - _numbers(pos2, 3)))


def mju_norm3(vec: Any) -> float:
    """mju_norm of three numbers."""
    return float(np.linalg.norm(_numbers(vec, 3)))


def mju_normalize3(vec: Array) -> float:
    """mju_normalize of three numbers."""
    return mju_normalize(output(vec, "vec", (3,)))


def mju_mulMatVec(res: Array, mat: Any, vec: Any) -> None:
    """res <- mat vec"""
    _into(res, _numbers(mat) @ _numbers(vec))


def mju_mulMatTVec(res: Array, mat: Any, vec: Any) -> None:
    """res <- mat' vec"""
    _into(res, _numbers(mat).T @ _numbers(vec))


def mju_mulMatVec3(res: Array, mat: Any, vec: Any) -> None:
    """res <- mat vec, for the nine numbers of a matrix by rows."""
    _into(res, _numbers(mat, 9).reshape(3, 3) @ _numbers(vec, 3))


def mju_mulMatTVec3(res: Array, mat: Any, vec: Any) -> None:
    """res <- mat' vec, for the nine numbers of a matrix by rows."""
    _into(res, _numbers(mat, 9).reshape(3, 3).T @ _numbers(vec, 3))


def mju_mulVecMatVec(vec1: Any, mat: Any, vec2: Any) -> float:
    """vec1' mat vec2"""
    return float(_numbers(vec1) @ _numbers(mat) @ _numbers(vec2))


def mju_mulMatMat(res: Array, mat1: Any, mat2: Any) -> None:
    """res <- mat1 mat2"""
    _into(res, _numbers(mat1) @ _numbers(mat2))


def mju_mulMatMatT(res: Array, mat1: Any, mat2: Any) -> None:
    """res <- mat1 mat2'"""
    _into(res, _numbers(mat1) @ _numbers(mat2).T)


def mju_mulMatTMat(res: Array, mat1: Any, mat2: Any) -> None:
    """res <- mat1' mat2"""
    _into(res, _numbers(mat1).T @ _numbers(mat2))


def mju_transpose(res: Array, mat: Any) -> None:
    """res <- mat'"""
    _into(res, _numbers(mat).T)


def mju_symmetrize(res: Array, mat: Any) -> None:
    """res <- (mat + mat') / 2"""
    _into(res, 0.5 * (_numbers(mat) + _numbers(mat).T))


def mju_eye(mat: Array) -> None:
    """mat <- the identity"""
    mat[...] = np.eye(*mat.shape)


def mju_clip(x: float, min: float, max: float) -> float:
    """x, or the bound that it is beyond."""
    return float(np.clip(x, min, max))


def mju_min(a: float, b: float) -> float:
    """The smaller of two numbers."""
    return float(min(a, b))


def mju_max(a: float, b: float) -> float:
    """The larger of two numbers."""
    return float(max(a, b))


def mju_sign(x: float) -> float:
    """1, 0 or -1."""
    return float(np.sign(x))


def mju_round(x: float) -> int:
    """The nearest whole number; of two, the greater."""
    return math.floor(x + 0.5)


def mju_encodePyramid(pyramid: Array, force: Any, mu: Any) -> None:
    """Forces of a pyramid's edges, two for each tangent, that make a contact's force: normal, then tangents."""
    f, friction = _numbers(force), _numbers(mu)
    count = len(f) - 1
    normal, tangent = f[0] / (2 * count), f[1:] / friction[:count] / 2
    _into(pyramid, np.ravel(np.stack([normal + tangent, normal - tangent], axis=1)))


def mju_decodePyramid(force: Array, pyramid: Any, mu: Any) -> None:
    """The force of a contact, normal and tangents, that the forces of its pyramid's edges make."""
    edges = _numbers(pyramid).reshape(-1, 2)
    tangents = edge_friction(edges[:, 0], edges[:, 1], _numbers(mu)[: len(edges)])
    _into(force, np.concatenate([[edges.sum()], tangents]))
