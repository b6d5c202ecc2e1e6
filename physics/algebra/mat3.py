"""3 x 3 matrices as row-major tuples of nine numbers."""

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
