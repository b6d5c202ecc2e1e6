"""Rotations and poses in plain Python.

The kernels' algebra would do, but a model must compile without waiting for kernels to be compiled,
and at a few hundred elements plain tuples are as fast as anything.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

Vec = tuple[float, float, float]
Quat = tuple[float, float, float, float]
Mat = tuple[Vec, Vec, Vec]  # rows

ZERO: Vec = (0.0, 0.0, 0.0)
IDENTITY: Quat = (1.0, 0.0, 0.0, 0.0)

_TINY = 1e-14  # lengths below it have no direction


def vec3(values: Iterable[float]) -> Vec:
    """Three numbers of an array as a vector."""
    x, y, z = (float(v) for v in values)
    return x, y, z


def add(u: Vec, v: Vec) -> Vec:
    """The sum u + v."""
    return u[0] + v[0], u[1] + v[1], u[2] + v[2]


def sub(u: Vec, v: Vec) -> Vec:
    """The difference u - v."""
    return u[0] - v[0], u[1] - v[1], u[2] - v[2]


def scale(s: float, v: Vec) -> Vec:
    """The multiple s v."""
    return s * v[0], s * v[1], s * v[2]


def dot(u: Sequence[float], v: Sequence[float]) -> float:
    """The dot product u' v, of any length."""
    return sum(a * b for a, b in zip(u, v, strict=True))


def cross(u: Vec, v: Vec) -> Vec:
    """The cross product u x v."""
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


def norm(v: Sequence[float]) -> float:
    """Length of v."""
    return math.sqrt(dot(v, v))


def unit(v: Vec) -> Vec:
    """v scaled to length 1; the z axis where v has no direction."""
    n = norm(v)
    return (0.0, 0.0, 1.0) if n < _TINY else scale(1.0 / n, v)


def quat_unit(q: Iterable[float]) -> Quat:
    """q scaled to length 1; the identity if it has no direction."""
    w, x, y, z = (float(v) for v in q)
    n = math.sqrt(w * w + x * x + y * y + z * z)
    return IDENTITY if n < _TINY else (w / n, x / n, y / n, z / n)


def quat_mul(p: Quat, q: Quat) -> Quat:
    """The rotation q followed by p."""
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )


def quat_inv(q: Quat) -> Quat:
    """The opposite rotation."""
    return q[0], -q[1], -q[2], -q[3]


def quat_mat(q: Quat) -> Mat:
    """Rotation matrix of q, by rows."""
    w, x, y, z = q
    return (
        (w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z),
    )


def rotate(q: Quat, v: Vec) -> Vec:
    """v rotated by q."""
    return v if q == IDENTITY else mat_vec(quat_mat(q), v)


def mat_vec(m: Mat, v: Vec) -> Vec:
    """The product m v."""
    return dot(m[0], v), dot(m[1], v), dot(m[2], v)


def axis_angle(axis: Vec, angle: float) -> Quat:
    """Rotation about a unit axis by an angle [rad]."""
    s = math.sin(0.5 * angle)
    return math.cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]


def z_to(v: Vec) -> Quat:
    """The shortest rotation that turns the z axis to the direction of v; about x where v points down."""
    axis = cross((0.0, 0.0, 1.0), v)
    s = norm(axis)
    axis = (1.0, 0.0, 0.0) if s < 1e-10 else scale(1.0 / s, axis)
    return axis_angle(axis, math.atan2(s, v[2]))


def from_axes(x: Vec, y: Vec, z: Vec) -> Quat:
    """The rotation whose matrix has these columns; its component of largest size is positive.

    Each branch divides by the component that is surely large, so that none loses precision.
    """
    trace = x[0] + y[1] + z[2]
    if trace > 0:
        w = 0.5 * math.sqrt(1 + trace)
        q = (w, 0.25 * (y[2] - z[1]) / w, 0.25 * (z[0] - x[2]) / w, 0.25 * (x[1] - y[0]) / w)
    elif x[0] > y[1] and x[0] > z[2]:
        a = 0.5 * math.sqrt(1 + x[0] - y[1] - z[2])
        q = (0.25 * (y[2] - z[1]) / a, a, 0.25 * (y[0] + x[1]) / a, 0.25 * (z[0] + x[2]) / a)
    elif y[1] > z[2]:
        a = 0.5 * math.sqrt(1 - x[0] + y[1] - z[2])
        q = (0.25 * (z[0] - x[2]) / a, 0.25 * (y[0] + x[1]) / a, a, 0.25 * (z[1] + y[2]) / a)
    else:
        a = 0.5 * math.sqrt(1 - x[0] - y[1] + z[2])
        q = (0.25 * (x[1] - y[0]) / a, 0.25 * (z[0] + x[2]) / a, 0.25 * (z[1] + y[2]) / a, a)
    return quat_unit(q)


def compose(pos: Vec, quat: Quat, child_pos: Vec, child_quat: Quat) -> tuple[Vec, Quat]:
    """The child's pose, given in the frame (pos, quat), in the frame around that one."""
    return add(pos, rotate(quat, child_pos)), quat_mul(quat, child_quat)


def relative(pos: Vec, quat: Quat, child_pos: Vec, child_quat: Quat) -> tuple[Vec, Quat]:
    """The inverse of `compose`: an outer pose expressed in the frame (pos, quat)."""
    back = quat_inv(quat)
    return rotate(back, sub(child_pos, pos)), quat_mul(back, child_quat)
