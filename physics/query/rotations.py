"""Quaternions (w, x, y, z), rotation matrices of nine numbers by rows, and poses, under MuJoCo's names.

Results are written into the first argument. Quaternions are taken to have length 1.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tumble.physics.algebra.mat3 import closest_rotation
from tumble.physics.algebra.quat import quat_axis_angle, quat_integrate, quat_inv, quat_mat, quat_mul, quat_rot, quat_vel
from tumble.physics.errors import ModelError
from tumble.physics.query.argument_checks import Array, flat_output, output, vector
from tumble.physics.query.vectors import mju_normalize
from tumble.physics.state.arguments import checked
from tumble.physics.state.constants import mjMINVAL


def _quat(value: Any) -> Array:
    return vector(value, "the quaternion", 4)


def _point(value: Any) -> Array:
    return vector(value, "the vector", 3)


def _settled(angle: float) -> float:
    """An angle that has a sine: not a number instead of infinity, for which Python raises ValueError."""
    return angle if math.isfinite(angle) else math.nan


def mju_normalize4(vec: Array) -> float:
    """Scale a quaternion (4,) to length 1, in place, and return its former length; one that is too short becomes the identity."""
    return mju_normalize(output(vec, "vec", (4,)))


def mju_unit4(res: Array) -> None:
    """Write the identity quaternion to res (4,)."""
    output(res, "res", (4,))[...] = (1.0, 0.0, 0.0, 0.0)


def mju_copy4(res: Array, data: Any) -> None:
    """Copy a quaternion: res (4,) <- data (4,)."""
    output(res, "res", (4,))[...] = _quat(data)


def mju_zero4(res: Array) -> None:
    """Set res (4,) to zero."""
    output(res, "res", (4,))[...] = 0.0


def mju_rotVecQuat(res: Array, vec: Any, quat: Any) -> None:
    """Write to res (3,) the vector vec (3,) rotated by quat (4,)."""
    output(res, "res", (3,))[...] = np.array(quat_rot(_quat(quat), _point(vec)))


def mju_negQuat(res: Array, quat: Any) -> None:
    """Write to res (4,) the inverse rotation of quat (4,)."""
    output(res, "res", (4,))[...] = quat_inv(_quat(quat))


def mju_mulQuat(res: Array, quat1: Any, quat2: Any) -> None:
    """Write res (4,) <- quat1 quat2: the rotation quat2 followed by quat1, (4,) each."""
    output(res, "res", (4,))[...] = quat_mul(_quat(quat1), _quat(quat2))


def mju_mulQuatAxis(res: Array, quat: Any, axis: Any) -> None:
    """Write res (4,) <- quat (4,) times the quaternion (0, axis), axis: (3,)."""
    output(res, "res", (4,))[...] = quat_mul(_quat(quat), (0.0, *_point(axis)))


@checked
def mju_axisAngle2Quat(res: Array, axis: Any, angle: float) -> None:
    """Write to res (4,) the rotation about a unit axis (3,) by an angle [rad]."""
    output(res, "res", (4,))[...] = quat_axis_angle(_point(axis), _settled(angle))


@checked
def mju_quat2Vel(res: Array, quat: Any, dt: float) -> None:
    """Write to res (3,) the angular velocity [rad/s] that rotates the identity to quat (4,) in a time dt [s], the short way."""
    output(res, "res", (3,))[...] = quat_vel(_quat(quat), dt)


def mju_subQuat(res: Array, qa: Any, qb: Any) -> None:
    """Write to res (3,) the rotation vector [rad], in the frame of qb (4,), that rotates qb to qa (4,)."""
    output(res, "res", (3,))[...] = quat_vel(quat_mul(quat_inv(_quat(qb)), _quat(qa)), 1.0)


def mju_quat2Mat(res: Array, quat: Any) -> None:
    """Write to res (9,) the rotation matrix of quat (4,), by rows."""
    output(res, "res", (9,))[...] = quat_mat(_quat(quat))


def mju_mat2Quat(quat: Array, mat: Any) -> None:
    """Write to quat (4,) the quaternion of a rotation matrix (9,), by rows."""
    r = vector(mat, "mat", 9).reshape(3, 3)
    q = np.empty(4)
    # A number that is not small is found from the diagonal, and the others from it: no difference of like numbers.
    if np.trace(r) > 0.0:
        q[:] = 1.0 + np.trace(r), r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]
    else:
        i = int(np.argmax(np.diag(r)))
        j, n = (i + 1) % 3, (i + 2) % 3
        q[0] = r[n, j] - r[j, n]
        q[1 + i] = 1.0 + r[i, i] - r[j, j] - r[n, n]
        q[1 + j], q[1 + n] = r[i, j] + r[j, i], r[i, n] + r[n, i]
    output(quat, "quat", (4,))[...] = q / np.linalg.norm(q)


def mju_mat2Rot(quat: Array, mat: Any) -> int:
    """Turn quat (4,), in place, to the rotation closest to a matrix (9,) by rows; returns how many turns it took, at most 500."""
    written = output(quat, "quat", (4,))
    found, turns = closest_rotation(tuple(vector(mat, "mat", 9).tolist()), tuple(written.tolist()))
    written[...] = found
    return int(turns)


def mju_derivQuat(res: Array, quat: Any, vel: Any) -> None:
    """Write to res (4,) the rate [1/s] of quat (4,) that rotates with vel (3,) [rad/s], given in the frame quat rotates into."""
    output(res, "res", (4,))[...] = 0.5 * np.array(quat_mul((0.0, *_point(vel)), _quat(quat)))


@checked
def mju_quatIntegrate(quat: Array, vel: Any, scale: float) -> None:
    """Rotate quat (4,), in place, for a time `scale` [s] with vel (3,) [rad/s] in its own frame."""
    v, turned = _point(vel), output(quat, "quat", (4,))
    turned[...] = quat_integrate(_quat(quat), v, scale) if math.isfinite(float(np.linalg.norm(v)) * scale) else math.nan


def mju_quatZ2Vec(quat: Array, vec: Any) -> None:
    """Write to quat (4,) the shortest rotation from the z axis to the direction of vec (3,)."""
    v = _point(vec)
    length = float(np.linalg.norm(v))
    unit = v / length if length >= mjMINVAL else np.array([0.0, 0.0, 1.0])
    axis = np.array([-unit[1], unit[0], 0.0])
    sine = float(np.linalg.norm(axis))
    angle = math.atan2(sine, unit[2])
    axis = axis / sine if sine >= mjMINVAL else np.array([1.0, 0.0, 0.0])
    output(quat, "quat", (4,))[...] = quat_axis_angle(axis, angle)


@checked
def mju_euler2Quat(quat: Array, euler: Any, seq: str) -> None:
    """Write to quat (4,) three rotations euler (3,) [rad], one after the other.

    seq: three letters for their axes: "xyz" if axes rotate along, "XYZ" if they are fixed. Raises ModelError for other letters.
    """
    if len(seq) != 3:
        raise ModelError("mju_euler2Quat: seq must contain exactly 3 characters")
    for k, c in enumerate(seq):
        if c not in "xyzXYZ":
            raise ModelError(f"mju_euler2Quat: seq[{k}] is {c!r}, should be one of x, y, z, X, Y, Z")
    total = (1.0, 0.0, 0.0, 0.0)
    for letter, angle in zip(seq, _point(euler), strict=True):
        turn = quat_axis_angle(np.eye(3)["xyz".index(letter.lower())], _settled(float(angle)))
        total = quat_mul(total, turn) if letter.islower() else quat_mul(turn, total)
    output(quat, "quat", (4,))[...] = total


def mju_mulPose(posres: Array, quatres: Array, pos1: Any, quat1: Any, pos2: Any, quat2: Any) -> None:
    """Write pose 2, given in the frame of pose 1, in the frame in which pose 1 is given: positions (3,), quaternions (4,)."""
    posres = output(posres, "posres", (3,))
    position, turn = _point(pos1) + np.array(quat_rot(_quat(quat1), _point(pos2))), quat_mul(_quat(quat1), _quat(quat2))
    output(quatres, "quatres", (4,))[...] = turn
    posres[...] = position


def mju_negPose(posres: Array, quatres: Array, pos: Any, quat: Any) -> None:
    """Write the inverse of a pose: position (3,), quaternion (4,)."""
    opposite = quat_inv(_quat(quat))
    quatres = output(quatres, "quatres", (4,))
    output(posres, "posres", (3,))[...] = -np.array(quat_rot(opposite, _point(pos)))
    quatres[...] = opposite


def mju_trnVecPose(res: Array, pos: Any, quat: Any, vec: Any) -> None:
    """Write to res (3,) a point vec (3,) given in the frame of a pose, in the frame in which the pose is given."""
    output(res, "res", (3,))[...] = _point(pos) + np.array(quat_rot(_quat(quat), _point(vec)))


@checked
def mju_transformSpatial(res: Array, vec: Any, flg_force: int, newpos: Any, oldpos: Any, rotnew2old: Any) -> None:
    """Write to res (6,) a spatial motion, or a force if flg_force, about another point and in other axes.

    vec: (6,), rotation before translation. newpos, oldpos: (3,) [m]. rotnew2old: (9,), or None for the same axes.
    """
    v, arm = vector(vec, "vec", 6).copy(), _point(newpos) - _point(oldpos)
    if flg_force:
        v[:3] -= np.cross(arm, v[3:])
    else:
        v[3:] -= np.cross(arm, v[:3])
    if rotnew2old is not None:
        turn = vector(rotnew2old, "rotnew2old", 9).reshape(3, 3).T
        v[:3], v[3:] = turn @ v[:3], turn @ v[3:]
    output(res, "res", (6,))[...] = v


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
    cross, angle = _cross(w), _settled(float(np.linalg.norm(w)))
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
