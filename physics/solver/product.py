"""Products with the constraint Jacobian, and of vectors."""

from physics.constraint.row import row_dot
from physics.kernel import kernel


@kernel
def mul_jac(m, d, x, y):
    """y <- J x"""
    for r in range(d.nefc):
        y[r] = row_dot(m, d, r, x)


@kernel
def mul_jac_t(m, d, f, y):
    """y <- J' f"""
    nv, jac, first, end = m.nv, d.efc_J, d.efc_first, d.efc_end
    for k in range(nv):
        y[k] = 0.0
    for r in range(d.nefc):
        fr = f[r]
        if fr != 0.0 and d.flg_sparse != 0:
            at = d.efc_J_rowadr[r]
            for k in range(at, at + d.efc_J_rownnz[r]):
                y[d.efc_J_colind[k]] += fr * jac[k]
        elif fr != 0.0:
            a, b = first[r], end[r]
            row, part = jac[r * nv + a : r * nv + b], y[a:b]
            for k in range(b - a):
                part[k] += fr * row[k]


@kernel
def dot(x, y, n):
    """x' y of the first n numbers."""
    s = 0.0
    for k in range(n):
        s += x[k] * y[k]
    return s


@kernel
def copy(x, y, n):
    """y <- x, the first n numbers."""
    for k in range(n):
        y[k] = x[k]


@kernel
def add_scaled(y, s, x, n):
    """y <- y + s x, the first n numbers."""
    for k in range(n):
        y[k] += s * x[k]
