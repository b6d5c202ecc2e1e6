"""Products with the constraint Jacobian, and of vectors."""

from tumble.physics.algebra.part import part
from tumble.physics.constraint.row import row_dot
from tumble.physics.kernel import kernel


@kernel
def mul_jac(m, d, x, y):
    """Write y <- J x, from nv joint velocities to nefc row velocities."""
    if d.flg_sparse == 0:
        for r in range(d.nefc):
            y[r] = row_dot(m, d, r, x)
        return
    r = 0
    while r < d.nefc:
        if d.efc_J_rowsuper[r] >= 3:  # four rows of one pattern, as the edges of a pyramid: its columns are looked up once
            a, b, c, e = four_rows(d, r)
            columns = part(d.efc_J_colind, d.efc_J_rowadr[r], a.shape[0])
            s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
            for k in range(a.shape[0]):
                xk = x[columns[k]]
                s0 += a[k] * xk
                s1 += b[k] * xk
                s2 += c[k] * xk
                s3 += e[k] * xk
            y[r], y[r + 1], y[r + 2], y[r + 3] = s0, s1, s2, s3
            r += 4
        else:
            at, n = d.efc_J_rowadr[r], d.efc_J_rownnz[r]
            y[r] = dot_triples(part(d.efc_J, at, n), part(d.efc_J_colind, at, n), x)
            r += 1


@kernel
def dot_triples(row, columns, x):
    """A sparse row times x. Dofs of vertices and of free bodies come in threes: their columns are looked up once."""
    n, k, s = columns.shape[0], 0, 0.0
    while k + 3 <= n:
        c = columns[k]
        if columns[k + 2] == c + 2:
            s += (row[k] * x[c] + row[k + 1] * x[c + 1]) + row[k + 2] * x[c + 2]
        else:
            s += (row[k] * x[c] + row[k + 1] * x[columns[k + 1]]) + row[k + 2] * x[columns[k + 2]]
        k += 3
    while k < n:
        s += row[k] * x[columns[k]]
        k += 1
    return s


@kernel
def add_triples(row, columns, f, y):
    """y <- y + f times a sparse row."""
    n, k = columns.shape[0], 0
    while k + 3 <= n:
        c, e = columns[k], columns[k + 2]
        if e == c + 2:
            a, b, g = y[c] + f * row[k], y[c + 1] + f * row[k + 1], y[c + 2] + f * row[k + 2]
            y[c], y[c + 1], y[c + 2] = a, b, g
        else:
            y[c] += f * row[k]
            y[columns[k + 1]] += f * row[k + 1]
            y[e] += f * row[k + 2]
        k += 3
    while k < n:
        y[columns[k]] += f * row[k]
        k += 1


@kernel
def four_rows(d, r):
    """The numbers of the sparse rows r to r + 3, which have the same columns."""
    n, at = d.efc_J_rownnz[r], d.efc_J_rowadr[r]
    jac = d.efc_J
    return part(jac, at, n), part(jac, at + n, n), part(jac, at + 2 * n, n), part(jac, at + 3 * n, n)


@kernel
def mul_jac_t(m, d, f, y):
    """Write y <- J' f, from nefc row forces to nv joint forces."""
    for k in range(m.nv):
        y[k] = 0.0
    r = 0
    while r < d.nefc:
        if d.flg_sparse == 0:
            if f[r] != 0.0:
                add_dense_row(m, d, r, f[r], y)
            r += 1
        elif d.efc_J_rowsuper[r] >= 3:
            a, b, c, e = four_rows(d, r)
            f0, f1, f2, f3 = f[r], f[r + 1], f[r + 2], f[r + 3]
            if f0 != 0.0 or f1 != 0.0 or f2 != 0.0 or f3 != 0.0:
                columns = part(d.efc_J_colind, d.efc_J_rowadr[r], a.shape[0])
                for k in range(a.shape[0]):
                    y[columns[k]] += (f0 * a[k] + f1 * b[k]) + (f2 * c[k] + f3 * e[k])
            r += 4
        else:
            if f[r] != 0.0:
                at, n = d.efc_J_rowadr[r], d.efc_J_rownnz[r]
                add_triples(part(d.efc_J, at, n), part(d.efc_J_colind, at, n), f[r], y)
            r += 1


@kernel
def add_dense_row(m, d, r, s, y):
    """Write y <- y + s J_r, with y of nv numbers."""
    a, b = d.efc_first[r], d.efc_end[r]
    row, to = part(d.efc_J, r * m.nv + a, b - a), part(y, a, b - a)
    for k in range(b - a):
        to[k] += s * row[k]


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
