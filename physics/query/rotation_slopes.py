"""Derivatives of functions of rotations, by small rotations in the rotated frame.

With a rotation vector w of length a and K the matrix of w x, the exponential of w + dw is that of w followed by the rotation
J dw, where J = 1 - (1 - cos a)/a^2 K + (a - sin a)/a^3 K^2; its inverse is 1 + K/2 + (1 - (a/2) cot(a/2))/a^2 K^2.
Source: Chirikjian, Stochastic Models, Information Theory, and Lie Groups, volume 2, 10.7.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tumble.physics.algebra.quat import quat_axis_angle, quat_inv, quat_mat, quat_mul, quat_vel
from tumble.physics.query.check import Array, flat_output, vector
from tumble.physics.state.arguments import checked
from tumble.physics.state.constants import mjMINVAL

_SERIES = 1e-2  # below this angle [rad] three terms of a series are exact to rounding, and the closed form is not


def mjd_subQuat(qa: Any, qb: Any, Da: Array | None, Db: Array | None) -> None:
    """Write how mju_subQuat(qa, qb) changes when qa, or qb, is rotated a little in its own frame: 3 x 3 by rows, or None.

    qa, qb: (4,) unit quaternions. Raises ShapeError for arrays of other than 9 numbers.
    """
    outputs = _rows(Da, "Da", 9), _rows(Db, "Db", 9)
    a, b = vector(qa, "qa", 4), vector(qb, "qb", 4)
    w = np.array(quat_vel(quat_mul(quat_inv(b), a), 1.0))
    cross, angle = _cross(w), float(np.linalg.norm(w))
    slope = np.eye(3) + 0.5 * cross + _inverse_second(angle) * cross @ cross
    for out, value in zip(outputs, (slope, -slope.T), strict=True):
        if out is not None:
            out[...] = value.ravel()


@checked
def mjd_quatIntegrate(vel: Any, scale: float, Dquat: Array | None, Dvel: Array | None, Dscale: Array | None) -> None:
    """Write how the result of mju_quatIntegrate(quat, vel, scale) rotates in its own frame when an argument changes.

    vel: (3,). Dquat: 3 x 3 by rows, for small rotations of quat in its own frame; Dvel: 3 x 3 by rows, for the rotation
    vector scale * vel (times scale, it is for vel); Dscale: (3,); each None if it is not wanted. Raises ShapeError for
    arrays of other sizes.
    """
    outputs = _rows(Dquat, "Dquat", 9), _rows(Dvel, "Dvel", 9), _rows(Dscale, "Dscale", 3)
    v = vector(vel, "vel", 3)
    w = scale * v
    cross, angle = _cross(w), float(np.linalg.norm(w))
    turn = np.reshape(quat_mat(quat_axis_angle(w / max(angle, mjMINVAL), angle)), (3, 3))
    slope = np.eye(3) - _first(angle) * cross + _second(angle) * cross @ cross
    for out, value in zip(outputs, (turn.T, slope, v), strict=True):
        if out is not None:
            out[...] = value.ravel()


def _rows(array: Array | None, name: str, size: int) -> Array | None:
    """The numbers of an array to be written in place, of any shape with that many."""
    return None if array is None else flat_output(array, name, size)


def _cross(w: Array) -> Array:
    """The matrix of w x."""
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


def _first(a: float) -> float:
    """(1 - cos a)/a^2, without a difference of like numbers."""
    half = 0.5 * a
    return 0.5 * (math.sin(half) / half) ** 2 if half > 0 else 0.5


def _second(a: float) -> float:
    """(a - sin a)/a^3."""
    return (a - math.sin(a)) / a**3 if a >= _SERIES else 1 / 6 - a**2 / 120 + a**4 / 5040


def _inverse_second(a: float) -> float:
    """(1 - (a/2) cot(a/2))/a^2."""
    half = 0.5 * a
    return (1 - half * math.cos(half) / math.sin(half)) / a**2 if a >= _SERIES else 1 / 12 + a**2 / 720 + a**4 / 30240
