"""Unit quaternions (w, x, y, z) as tuples of four numbers."""

import math

from tumble.physics.algebra.vec3 import cross3, norm3
from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMAXVAL, mjMINVAL


@kernel
def load4(a, i):
    """Row i of an (n, 4) array."""
    return a[i, 0], a[i, 1], a[i, 2], a[i, 3]


@kernel
def load4_at(a, i):
    """Four numbers of an array from its place i on."""
    return a[i], a[i + 1], a[i + 2], a[i + 3]


@kernel
def store4(a, i, q):
    """Write row i of an (n, 4) array."""
    a[i, 0], a[i, 1], a[i, 2], a[i, 3] = q


@kernel
def quat_mul(p, q):
    """The product p q of two (4,) quaternions: the rotation q followed by p."""
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )


@kernel
def quat_inv(q):
    """The inverse (4,) of a unit quaternion."""
    return q[0], -q[1], -q[2], -q[3]


@kernel
def quat_unit(q):
    """The quaternion q, (4,), scaled to length 1; the identity if its length is below mjMINVAL."""
    n = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if n < mjMINVAL:
        return 1.0, 0.0, 0.0, 0.0
    if abs(n - 1.0) <= mjMINVAL:
        return q
    if n > mjMAXVAL:  # its square may be beyond all numbers, and 1 / n nothing: no rotation
        most = max(max(abs(q[0]), abs(q[1])), max(abs(q[2]), abs(q[3])))
        q = (q[0] / most, q[1] / most, q[2] / most, q[3] / most)
        n = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    s = 1.0 / n
    return s * q[0], s * q[1], s * q[2], s * q[3]


@kernel
def quat_rot(q, v):
    """The vector v, (3,), rotated by the unit quaternion q, (4,)."""
    # v + 2 w (r x v) + 2 r x (r x v), where r is the vector part
    r = (q[1], q[2], q[3])
    t = cross3(r, v)
    t = (2.0 * t[0], 2.0 * t[1], 2.0 * t[2])
    u = cross3(r, t)
    return v[0] + q[0] * t[0] + u[0], v[1] + q[0] * t[1] + u[1], v[2] + q[0] * t[2] + u[2]


@kernel
def quat_axis_angle(axis, angle):
    """The quaternion (4,) of a rotation about a unit axis (3,) by an angle [rad]."""
    if angle == 0.0:
        return 1.0, 0.0, 0.0, 0.0
    s = math.sin(0.5 * angle)
    return math.cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]


@kernel
def quat_mat(q):
    """The rotation matrix (9,), by rows, of a unit quaternion (4,)."""
    w, x, y, z = q
    return (
        w * w + x * x - y * y - z * z, 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),
        2.0 * (x * y + w * z), w * w - x * x + y * y - z * z, 2.0 * (y * z - w * x),
        2.0 * (x * z - w * y), 2.0 * (y * z + w * x), w * w - x * x - y * y + z * z,
    )  # fmt: skip


@kernel
def quat_integrate(q, omega, h):
    """The quaternion q, (4,), rotated for a time h [s] with the angular velocity omega [rad/s], (3,), in its own frame."""
    speed = norm3(omega)
    if speed < mjMINVAL:
        return quat_unit(q)
    s = 1.0 / speed
    return quat_unit(quat_mul(q, quat_axis_angle((s * omega[0], s * omega[1], s * omega[2]), h * speed)))


@kernel
def quat_vel(q, h):
    """The angular velocity (3,) [rad/s] that rotates the identity to q, (4,), in a time h [s], the short way."""
    axis = (q[1], q[2], q[3])
    s = norm3(axis)
    if s < mjMINVAL:
        return 0.0, 0.0, 0.0
    speed = 2.0 * math.atan2(s, q[0])
    if speed > math.pi:
        speed -= 2.0 * math.pi
    speed /= h * s
    return speed * axis[0], speed * axis[1], speed * axis[2]


@kernel
def quat_sub(p, q):
    """The rotation vector (3,) [rad], in the frame of q, that rotates q to p, (4,)."""
    return quat_vel(quat_mul(quat_inv(q), p), 1.0)
