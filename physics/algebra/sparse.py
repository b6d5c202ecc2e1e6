"""The tree-sparse matrices of dofs: lower triangle by rows (CSR), columns ascending, the diagonal last.

The columns of a row are the dof's ancestors, so the row of an ancestor j of dof i has exactly the
leading columns of row i: rows align from their start, and no index is looked up when one is
subtracted from another (Featherstone, Rigid Body Dynamics Algorithms, section 6.5).
"""

from physics.kernel import kernel


@kernel
def factor_ld(rownnz, rowadr, colind, ld, diaginv):
    """Replace the matrix in ld by its factors L' D L: unit lower L off the diagonal, D on it, 1/D in diaginv."""
    factor_part(rownnz, rowadr, colind, ld, diaginv, 0, rownnz.shape[0])


@kernel
def factor_part(rownnz, rowadr, colind, ld, diaginv, first, end):
    """The same as factor_ld for the rows from `first` to `end`, which belong to whole trees."""
    for k in range(end - 1, first - 1, -1):
        start = rowadr[k]
        last = start + rownnz[k] - 1
        inv = 1.0 / ld[last]
        diaginv[k] = inv
        for a in range(last - 1, start - 1, -1):
            j = colind[a]
            scale = ld[a] * inv
            to = rowadr[j]
            for c in range(a - start + 1):
                ld[to + c] -= scale * ld[start + c]
            ld[a] = scale


@kernel
def solve_ld(rownnz, rowadr, colind, ld, diaginv, x):
    """x <- (L' D L)^-1 x, in place."""
    solve_part(rownnz, rowadr, colind, ld, diaginv, x, 0, rownnz.shape[0])


@kernel
def solve_part(rownnz, rowadr, colind, ld, diaginv, x, first, end):
    """The same as solve_ld for the rows from `first` to `end`, which belong to whole trees."""
    for i in range(end - 1, first - 1, -1):
        xi = x[i]
        if xi != 0.0:
            start = rowadr[i]
            for a in range(start, start + rownnz[i] - 1):
                x[colind[a]] -= ld[a] * xi
    for i in range(first, end):
        start = rowadr[i]
        s = x[i] * diaginv[i]
        for a in range(start, start + rownnz[i] - 1):
            s -= ld[a] * x[colind[a]]
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
