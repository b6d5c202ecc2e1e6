"""Spatial algebra (Featherstone): motions and forces as tuples of six numbers, rotation before translation.

Everything is expressed in world axes about the centre of mass of the kinematic tree, the frame of
the c... fields: nearby origins keep the numbers small.
"""

from tumble.physics.algebra.vec3 import cross3
from tumble.physics.kernel import kernel


@kernel
def load6(a, i):
    """Row i of an (n, 6) array."""
    return a[i, 0], a[i, 1], a[i, 2], a[i, 3], a[i, 4], a[i, 5]


@kernel
def store6(a, i, v):
    """Write row i of an (n, 6) array."""
    a[i, 0], a[i, 1], a[i, 2], a[i, 3], a[i, 4], a[i, 5] = v


@kernel
def load10(a, i):
    """Row i of an (n, 10) array."""
    return a[i, 0], a[i, 1], a[i, 2], a[i, 3], a[i, 4], a[i, 5], a[i, 6], a[i, 7], a[i, 8], a[i, 9]


@kernel
def add6(u, v):
    """The sum u + v of two spatial vectors, (6,)."""
    return u[0] + v[0], u[1] + v[1], u[2] + v[2], u[3] + v[3], u[4] + v[4], u[5] + v[5]


@kernel
def add_scaled6(u, s, v):
    """The sum u + s v of two spatial vectors, (6,)."""
    return u[0] + s * v[0], u[1] + s * v[1], u[2] + s * v[2], u[3] + s * v[3], u[4] + s * v[4], u[5] + s * v[5]


@kernel
def dot6(u, v):
    """The dot product u' v of two (6,) vectors: the power [W] of a force [N m, N] on a motion [rad/s, m/s]."""
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2] + u[3] * v[3] + u[4] * v[4] + u[5] * v[5]


@kernel
def cross_motion(v, w):
    """Rate (6,) of a motion w that is carried along by the motion v: crm(v) w.

    Source: Featherstone, Rigid Body Dynamics Algorithms, 2.9.
    """
    rot, lin, w_rot, w_lin = (v[0], v[1], v[2]), (v[3], v[4], v[5]), (w[0], w[1], w[2]), (w[3], w[4], w[5])
    a, b, c = cross3(rot, w_rot), cross3(rot, w_lin), cross3(lin, w_rot)
    return a[0], a[1], a[2], b[0] + c[0], b[1] + c[1], b[2] + c[2]


@kernel
def cross_force(v, f):
    """Rate (6,) of a force f that is carried along by the motion v: crf(v) f.

    Source: Featherstone, Rigid Body Dynamics Algorithms, 2.9.
    """
    rot, lin, f_rot, f_lin = (v[0], v[1], v[2]), (v[3], v[4], v[5]), (f[0], f[1], f[2]), (f[3], f[4], f[5])
    a, b, c = cross3(rot, f_rot), cross3(lin, f_lin), cross3(rot, f_lin)
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], c[0], c[1], c[2]


@kernel
def inertia_mul(i, v):
    """Momentum (6,) of the motion v of a spatial inertia i.

    i: ten numbers: xx yy zz xy xz yz of the rotational part [kg m^2], mass times centre offset [kg m], mass [kg].
    """
    return (
        i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5],
        i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5],
        i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4],
        i[8] * v[1] - i[7] * v[2] + i[9] * v[3],
        i[6] * v[2] - i[8] * v[0] + i[9] * v[4],
        i[7] * v[0] - i[6] * v[1] + i[9] * v[5],
    )
