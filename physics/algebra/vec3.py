"""Vectors of three numbers as tuples: they live in registers, and arrays are read and written by row."""

import math

from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMINVAL


@kernel
def load3(a, i):
    """Row i of an (n, 3) array."""
    return a[i, 0], a[i, 1], a[i, 2]


@kernel
def store3(a, i, v):
    """Write row i of an (n, 3) array."""
    a[i, 0], a[i, 1], a[i, 2] = v


@kernel
def pick3(v, k):
    """Component k of a tuple."""
    if k == 0:
        return v[0]
    return v[1] if k == 1 else v[2]


@kernel
def add3(u, v):
    """The sum u + v, (3,)."""
    return u[0] + v[0], u[1] + v[1], u[2] + v[2]


@kernel
def sub3(u, v):
    """The difference u - v, (3,)."""
    return u[0] - v[0], u[1] - v[1], u[2] - v[2]


@kernel
def scale3(s, v):
    """The multiple s v, (3,)."""
    return s * v[0], s * v[1], s * v[2]


@kernel
def add_scaled3(u, s, v):
    """The sum u + s v, (3,)."""
    return u[0] + s * v[0], u[1] + s * v[1], u[2] + s * v[2]


@kernel
def dot3(u, v):
    """The dot product u' v."""
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


@kernel
def cross3(u, v):
    """The cross product u x v, (3,)."""
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


@kernel
def norm3(v):
    """The length of v, (3,)."""
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


@kernel
def unit3(v):
    """The vector v, (3,), scaled to length 1, and its length; the x axis if the length is below mjMINVAL."""
    n = norm3(v)
    if n < mjMINVAL:
        return (1.0, 0.0, 0.0), n
    s = 1.0 / n
    return (s * v[0], s * v[1], s * v[2]), n
