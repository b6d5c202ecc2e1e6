"""The tree-sparse matrices of dofs: lower triangle by rows (CSR), columns ascending, the diagonal last.

The columns of a row are the dof's ancestors, so the row of an ancestor j of dof i has exactly the
leading columns of row i: rows align from their start, and no index is looked up when one is
subtracted from another (Featherstone, Rigid Body Dynamics Algorithms, section 6.5).
"""

from tumble.physics.algebra.part import part
from tumble.physics.kernel import kernel


@kernel
def factor_ld(rownnz, rowadr, colind, ld, diaginv):
    """Replace the matrix in ld by its factors L' D L: unit lower L off the diagonal, D on it, 1/D in diaginv."""
    factor_part(rownnz, rowadr, colind, ld, diaginv, 0, rownnz.shape[0])


@kernel
def factor_part(rownnz, rowadr, colind, ld, diaginv, first, end):
    """The same as factor_ld for the rows from `first` to `end`, which belong to whole trees.

    A dof and the one right above it are eliminated together: each row that the two meet is read and written once for both.
    """
    k = end - 1
    while k >= first:
        n = rownnz[k] - 1
        row, columns = part(ld, rowadr[k], n), part(colind, rowadr[k], n)
        inv = 1.0 / ld[rowadr[k] + n]
        diaginv[k] = inv
        if follows(rownnz, columns, k):
            above, scale = part(ld, rowadr[k - 1], n), row[n - 1] * inv
            for c in range(n):
                above[c] -= scale * row[c]
            row[n - 1] = scale
            diaginv[k - 1] = 1.0 / above[n - 1]
            eliminate_two(rowadr, columns, ld, row, above, (inv, diaginv[k - 1]))
            k -= 2
        else:
            eliminate(rowadr, columns, ld, row, inv)
            k -= 1


@kernel
def follows(rownnz, columns, k):
    """True if dof k is right below dof k - 1, whose row begins as its own; columns: of row k, without the diagonal."""
    n = columns.shape[0]
    return n > 0 and columns[n - 1] == k - 1 and rownnz[k - 1] == n


@kernel
def eliminate(rowadr, columns, ld, row, inv):
    """Subtract a row, without its diagonal 1/inv, from those of its columns, and scale it."""
    for a in range(row.shape[0] - 1, -1, -1):
        scale = row[a] * inv
        to = part(ld, rowadr[columns[a]], a + 1)
        for c in range(a + 1):
            to[c] -= scale * row[c]
        row[a] = scale


@kernel
def eliminate_two(rowadr, columns, ld, row, above, inv):
    """The same for a row and the one of its last column, which `above` is up to its diagonal."""
    for a in range(above.shape[0] - 2, -1, -1):
        x, y = row[a] * inv[0], above[a] * inv[1]
        to = part(ld, rowadr[columns[a]], a + 1)
        for c in range(a + 1):
            to[c] -= x * row[c] + y * above[c]
        row[a], above[a] = x, y


@kernel
def solve_ld(rownnz, rowadr, colind, ld, diaginv, x):
    """x <- (L' D L)^-1 x, in place."""
    solve_part(rownnz, rowadr, colind, ld, diaginv, x, 0, rownnz.shape[0])


@kernel
def solve_part(rownnz, rowadr, colind, ld, diaginv, x, first, end):
    """The same as solve_ld for the rows from `first` to `end`, which belong to whole trees; again two dofs at once."""
    i = end - 1
    while i >= first:
        while i > first and rownnz[i] == 1:  # no dof is above: whole flexes consist of such
            i -= 1
        n, xi = rownnz[i] - 1, x[i]
        row, columns = part(ld, rowadr[i], n), part(colind, rowadr[i], n)
        if follows(rownnz, columns, i):
            above, xj = part(ld, rowadr[i - 1], n - 1), x[i - 1] - row[n - 1] * xi
            x[i - 1] = xj
            if xi != 0.0 or xj != 0.0:
                for c in range(n - 1):
                    x[columns[c]] -= row[c] * xi + above[c] * xj
            i -= 2
        else:
            if xi != 0.0:
                for c in range(n):
                    x[columns[c]] -= row[c] * xi
            i -= 1
    while i + 1 < end:
        i += 1
        while i + 1 < end and rownnz[i] == 1 and rownnz[i + 1] == 1:
            x[i] *= diaginv[i]
            i += 1
        n, s = rownnz[i] - 1, x[i] * diaginv[i]
        row, columns = part(ld, rowadr[i], n), part(colind, rowadr[i], n)
        if i + 1 < end and follows(rownnz, part(colind, rowadr[i + 1], rownnz[i + 1] - 1), i + 1):
            below, t = part(ld, rowadr[i + 1], n + 1), x[i + 1] * diaginv[i + 1]
            for c in range(n):
                xc = x[columns[c]]
                s -= row[c] * xc
                t -= below[c] * xc
            x[i] = s
            i += 1
            x[i] = t - below[n] * s
        else:
            for c in range(n):
                s -= row[c] * x[columns[c]]
            x[i] = s


@kernel
def mul_sym(rownnz, rowadr, colind, mat, x, y):
    """y <- A x, where the lower triangle of the symmetric A is stored."""
    for i in range(rownnz.shape[0]):
        last = rowadr[i] + rownnz[i] - 1
        s = mat[last] * x[i]
        for a in range(rowadr[i], last):
            j = colind[a]
            s += mat[a] * x[j]
            y[j] += mat[a] * x[i]
        y[i] = s
