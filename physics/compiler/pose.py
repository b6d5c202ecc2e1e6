"""Rotations and poses in plain Python.

The kernels' algebra in its Python form: a model must compile without waiting for kernels to be compiled, and at a few hundred
elements plain tuples are as fast as anything. What has no direction is another matter for a file than for a step.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from tumble.physics.algebra.quat import quat_inv as inv_kernel
from tumble.physics.algebra.quat import quat_mat as mat_kernel
from tumble.physics.algebra.quat import quat_mul as mul_kernel
from tumble.physics.algebra.vec3 import add3, cross3, scale3, sub3

Vec = tuple[float, float, float]
Quat = tuple[float, float, float, float]
Mat = tuple[Vec, Vec, Vec]  # rows

ZERO: Vec = (0.0, 0.0, 0.0)
IDENTITY: Quat = (1.0, 0.0, 0.0, 0.0)

add: Callable[[Vec, Vec], Vec] = add3.function
sub: Callable[[Vec, Vec], Vec] = sub3.function
scale: Callable[[float, Vec], Vec] = scale3.function
cross: Callable[[Vec, Vec], Vec] = cross3.function
quat_mul: Callable[[Quat, Quat], Quat] = mul_kernel.function
quat_inv: Callable[[Quat], Quat] = inv_kernel.function

_TINY = 1e-14  # lengths below it have no direction


def vec3(values: Iterable[float]) -> Vec:
    """Three numbers of an array as a vector."""
    x, y, z = (float(v) for v in values)
    return x, y, z


def dot(u: Sequence[float], v: Sequence[float]) -> float:
    """The dot product u' v, of any length."""
    return sum(a * b for a, b in zip(u, v, strict=True))


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


def quat_mat(q: Quat) -> Mat:
    """Rotation matrix of q, by rows."""
    a, b, c, d, e, f, g, h, i = mat_kernel(q)
    return (a, b, c), (d, e, f), (g, h, i)


def rotate(q: Quat, v: Vec) -> Vec:
    """v rotated by q."""
    return v if q == IDENTITY else mat_vec(quat_mat(q), v)


def mat_vec(m: Mat, v: Vec) -> Vec:
    """The product m v."""
    return dot(m[0], v), dot(m[1], v), dot(m[2], v)


def axis_angle(axis: Vec, angle: float) -> Quat:
    """Rotation about a unit axis by an angle [rad]; of no number for an infinite one, which has no direction."""
    if math.isinf(angle):
        angle = math.nan  # math.sin raises for what is infinite
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
