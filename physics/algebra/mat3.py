"""3 x 3 matrices as row-major tuples of nine numbers."""

from tumble.physics.algebra.quat import quat_axis_angle, quat_mat, quat_mul, quat_unit
from tumble.physics.algebra.vec3 import cross3, dot3, norm3
from tumble.physics.kernel import kernel


@kernel
def load9(a, i):
    """Row i of an (n, 9) array."""
    return a[i, 0], a[i, 1], a[i, 2], a[i, 3], a[i, 4], a[i, 5], a[i, 6], a[i, 7], a[i, 8]


@kernel
def store9(a, i, m):
    """Write row i of an (n, 9) array."""
    a[i, 0], a[i, 1], a[i, 2], a[i, 3], a[i, 4], a[i, 5], a[i, 6], a[i, 7], a[i, 8] = m


@kernel
def mat_vec(m, v):
    """The product m v, (3,), of a (9,) matrix by rows and a (3,) vector."""
    return (
        m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
        m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
        m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
    )


@kernel
def mat_t_vec(m, v):
    """The product m' v, (3,), of the transpose of a (9,) matrix by rows and a (3,) vector."""
    return (
        m[0] * v[0] + m[3] * v[1] + m[6] * v[2],
        m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
        m[2] * v[0] + m[5] * v[1] + m[8] * v[2],
    )


@kernel
def mat_mul(m, n):
    """The product m n, (9,), of two (9,) matrices by rows."""
    return (
        m[0] * n[0] + m[1] * n[3] + m[2] * n[6],
        m[0] * n[1] + m[1] * n[4] + m[2] * n[7],
        m[0] * n[2] + m[1] * n[5] + m[2] * n[8],
        m[3] * n[0] + m[4] * n[3] + m[5] * n[6],
        m[3] * n[1] + m[4] * n[4] + m[5] * n[7],
        m[3] * n[2] + m[4] * n[5] + m[5] * n[8],
        m[6] * n[0] + m[7] * n[3] + m[8] * n[6],
        m[6] * n[1] + m[7] * n[4] + m[8] * n[7],
        m[6] * n[2] + m[7] * n[5] + m[8] * n[8],
    )


@kernel
def transpose(m):
    """The transpose m', (9,), of a (9,) matrix by rows."""
    return m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]


@kernel
def column(m, k):
    """Column k, (3,), of a (9,) matrix by rows: axis k of a frame."""
    if k == 0:
        return m[0], m[3], m[6]
    if k == 1:
        return m[1], m[4], m[7]
    return m[2], m[5], m[8]


MOST_TURNS = 500
SMALLEST = 1e-9  # angle [rad] of a turn that changes nothing any more; and what keeps the divisor from zero


@kernel
def closest_rotation(mat, quat):
    """The quaternion of the rotation closest to a matrix (9,) by rows, found from `quat` on, and how many turns that took.

    Each turn rotates all three axes towards the matrix's columns at once; it also converges where the matrix is flat or
    inverted. Source: Mueller, Bender, Chentanez and Macklin 2016, A robust method to extract the rotational part of deformations.
    """
    turns = 0
    while turns < MOST_TURNS:
        axes = quat_mat(quat)
        wx, wy, wz, along = 0.0, 0.0, 0.0, 0.0
        for k in range(3):
            axis, wanted = column(axes, k), column(mat, k)
            x, y, z = cross3(axis, wanted)
            wx, wy, wz = wx + x, wy + y, wz + z
            along += dot3(axis, wanted)
        scale = 1.0 / (abs(along) + SMALLEST)
        turn = (scale * wx, scale * wy, scale * wz)
        angle = norm3(turn)
        if angle < SMALLEST:
            break
        step = quat_axis_angle((turn[0] / angle, turn[1] / angle, turn[2] / angle), angle)
        quat = quat_unit(quat_mul(step, quat))
        turns += 1
    return quat, turns
