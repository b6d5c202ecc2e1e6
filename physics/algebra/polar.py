"""The rotation that is closest to a matrix: the orthogonal part of its polar decomposition."""

from tumble.physics.algebra.mat3 import column
from tumble.physics.algebra.quat import quat_axis_angle, quat_mat, quat_mul, quat_unit
from tumble.physics.algebra.vec3 import cross3, dot3, norm3
from tumble.physics.kernel import kernel

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
