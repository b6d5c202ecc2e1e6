"""Principal axes of an inertia."""

from __future__ import annotations

import math
from typing import Any

from tumble.physics.algebra.quat import quat_mat
from tumble.physics.compiler import pose
from tumble.physics.compiler.pose import IDENTITY, Mat, Quat, Vec, vec3
from tumble.physics.query.argument_checks import Array, output, vector

_FLAT = 1e-12  # an off-diagonal element below it counts as zero
_TURNS = 500  # more rotations than the iteration ever takes
_HALF = math.sqrt(0.5)

Full = tuple[float, float, float, float, float, float]  # xx yy zz xy xz yz


def principal(full: Full) -> tuple[Vec, Quat]:
    """Principal moments, largest first, and the rotation of their axes."""
    moments, quat, _ = _diagonal(full)
    return moments, quat


def mju_eig3(eigval: Array, eigvec: Array, quat: Array, mat: Any) -> int:
    """Write the eigenvalues (3,), largest first, and the eigenvectors of a symmetric matrix (9,); returns the turns it took.

    eigvec: (9,) by rows, an eigenvector in each column, a rotation; quat: (4,), the same rotation.
    """
    eigval, eigvec, quat = output(eigval, "eigval", (3,)), output(eigvec, "eigvec", (9,)), output(quat, "quat", (4,))
    xx, xy, xz, _, yy, yz, _, _, zz = vector(mat, "mat", 9).tolist()
    eigval[:], quat[:], turns = _diagonal((xx, yy, zz, xy, xz, yz))
    eigvec[:] = quat_mat(quat)
    return turns


def _diagonal(full: Full) -> tuple[Vec, Quat, int]:
    """Eigenvalues, largest first, the rotation of their axes, and how many turns before sorting that took.

    Jacobi's method on a quaternion: each turn brings the largest off-diagonal element of the rotated
    matrix to zero. Of the many rotations that are right this finds one, and always the same one: it
    is part of what a model means, because poses in the inertial frame refer to it.
    """
    xx, yy, zz, xy, xz, yz = full
    quat = IDENTITY
    matrix = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    rotated = matrix
    turns = 0
    while turns < _TURNS:
        rotated = _congruent(pose.quat_mat(quat), matrix)
        row, column = max(((1, 2), (0, 2), (0, 1)), key=lambda rc: abs(rotated[rc[0]][rc[1]]))
        off = rotated[row][column]
        if abs(off) < _FLAT:
            break
        tau = (rotated[column][column] - rotated[row][row]) / (2 * off)
        tangent = 1 / (tau + math.copysign(math.sqrt(1 + tau * tau), tau)) if tau else 1.0
        cosine = 1 / math.sqrt(1 + tangent * tangent)
        if cosine > 1 - _FLAT:
            break
        # half the angle; about y the plane (z, x) is crossed the other way round
        sine = math.copysign(math.sqrt(0.5 - 0.5 * cosine), -tau if tau else -1.0)
        turn = [math.sqrt(1 - sine * sine), 0.0, 0.0, 0.0]
        axis = 3 - row - column
        turn[1 + axis] = -sine if axis == 1 else sine
        quat = pose.quat_unit(pose.quat_mul(quat, (turn[0], turn[1], turn[2], turn[3])))
        turns += 1
    return *_sort_axes([rotated[0][0], rotated[1][1], rotated[2][2]], quat), turns


def _sort_axes(moments: list[float], quat: Quat) -> tuple[Vec, Quat]:
    """Quarter turns that bring the moments into falling order."""
    for first in (0, 1, 0):
        if moments[first] + _FLAT < moments[first + 1]:
            moments[first], moments[first + 1] = moments[first + 1], moments[first]
            turn = [_HALF, 0.0, 0.0, 0.0]
            turn[1 + (first + 2) % 3] = _HALF
            quat = pose.quat_unit(pose.quat_mul(quat, (turn[0], turn[1], turn[2], turn[3])))
    return (moments[0], moments[1], moments[2]), quat


def _congruent(r: Mat, m: Mat) -> Mat:
    """The product r' m r."""
    columns = list(zip(*r, strict=True))
    rows = [[pose.dot(column, m_row) for m_row in m] for column in columns]  # r' m, for a symmetric m
    a, b, c = (vec3(pose.dot(row, column) for column in columns) for row in rows)
    return a, b, c
