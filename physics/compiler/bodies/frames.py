"""Positions and orientations as MJCF writes them: quat, axisangle, xyaxes, zaxis, euler and fromto."""

from __future__ import annotations

import math
from typing import Any

from tumble.physics.algebra.quat import quat_mat
from tumble.physics.compiler import pose
from tumble.physics.compiler.pose import IDENTITY, Mat, Quat, Vec, vec3
from tumble.physics.mjcf.spec import CompilerSettings, Element
from tumble.physics.query.argument_checks import Array, output, vector

_FORMS = ("axisangle", "xyaxes", "zaxis", "euler")
_SMALL = 1e-8  # a direction shorter than this is none


def read_pose(element: Element) -> tuple[Vec, Quat]:
    """Position and unit quaternion of an element in its parent's frame."""
    return vec3(element.get("pos", pose.ZERO)), read_orientation(element)


def read_orientation(element: Element) -> Quat:
    """The orientation of an element, whichever way it is written; the reader has seen that it is but one way.

    Any other form goes before `quat`, even one that is inherited. Raises MjcfError if a direction has no length.
    """
    form = next((name for name in _FORMS if element.has(name)), None)
    if form is None:
        return _quat(element, element.get("quat", IDENTITY))
    value = element.get(form)
    match form:
        case "axisangle":
            return pose.axis_angle(_direction(element, "axisangle", value[:3]), element.settings.angle(float(value[3])))
        case "xyaxes":
            return _xyaxes(element, value)
        case "zaxis":
            return pose.z_to(_direction(element, "zaxis", value))
        case _:
            return euler_quat(value, element.settings)


def euler_quat(angles: Any, settings: CompilerSettings) -> Quat:
    """The rotation of three successive turns; angles: (3,) in the file's unit, axes from `eulerseq`."""
    quat = IDENTITY
    for angle, letter in zip(angles, settings.eulerseq, strict=True):
        k = "xyz".index(letter.lower())
        turn = pose.axis_angle(vec3(float(i == k) for i in range(3)), settings.angle(float(angle)))
        # small letters turn about axes that move along, capital letters about axes that stay
        quat = pose.quat_mul(quat, turn) if letter.islower() else pose.quat_mul(turn, quat)
    return pose.quat_unit(quat)


def read_segment(element: Element) -> tuple[Vec, Quat, float] | None:
    """Middle, orientation and half length of `fromto`, whose z axis points from the end to the start; None without it."""
    if not element.has("fromto"):
        return None
    value = element.get("fromto")
    start, end = vec3(value[:3]), vec3(value[3:])
    along = pose.sub(start, end)
    if pose.norm(along) < _SMALL:
        raise element.error("fromto needs two different points")
    return pose.scale(0.5, pose.add(start, end)), pose.z_to(along), 0.5 * pose.norm(along)


def _quat(element: Element, value: Any) -> Quat:
    if pose.norm([float(v) for v in value]) < _SMALL:
        raise element.error("quat must not be all zeros")
    return pose.quat_unit(value)


def _direction(element: Element, name: str, value: Any) -> Vec:
    axis = vec3(value)
    if pose.norm(axis) < _SMALL:
        raise element.error(f"{name} needs a direction, is all zeros")
    return pose.unit(axis)


def _xyaxes(element: Element, value: Any) -> Quat:
    x = _direction(element, "xyaxes", value[:3])
    y = vec3(value[3:])
    y = pose.sub(y, pose.scale(pose.dot(x, y), x))  # only the part across x counts
    if pose.norm(y) < _SMALL:
        raise element.error("xyaxes needs two different directions")
    y = pose.unit(y)
    return pose.from_axes(x, y, pose.unit(pose.cross(x, y)))


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
