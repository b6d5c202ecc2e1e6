"""LU factors of square matrices of a forest: element (i, j) is there if dof j is above dof i, or below it, or i itself.

A = (1 + U) L is eliminated from the last row to the first, where nothing fills in: what dof i is eliminated from are the rows
of the dofs above it, and all that row i still holds are columns of these. U: strictly upper, L: lower with the diagonal.
A row is the chain of dofs above, then the dof, then those below, which have the numbers that follow: no place is searched.
"""

from physics.algebra.part import part
from physics.kernel import kernel


@kernel
def factor_lu(rowadr, diag, colind, lu, first, end):
    """Replace the rows from `first` to `end`, those of whole trees, by their factors.

    rowadr, diag: place of each row, and of the diagonal in it; colind: columns.
    """
    for i in range(end - 1, first - 1, -1):
        start, n = rowadr[i], diag[i]
        inv = 1.0 / lu[start + n]
        row = part(lu, start, n)
        for a in range(n - 1, -1, -1):
            j = colind[start + a]  # the dof above i that has `a` others above it
            scale = lu[rowadr[j] + a + i - j] * inv
            lu[rowadr[j] + a + i - j] = scale
            to = part(lu, rowadr[j], a + 1)
            for c in range(a + 1):
                to[c] -= scale * row[c]
            shift = rowadr[j] + a - j
            for c in range(a + 1, n):
                lu[shift + colind[start + c]] -= scale * row[c]


@kernel
def solve_lu(rowadr, rownnz, diag, colind, lu, x, first, end):
    """x <- ((1 + U) L)^-1 x of the rows from `first` to `end`, in place."""
    for i in range(end - 1, first - 1, -1):
        s, at = x[i], rowadr[i] + diag[i] - i
        for k in range(i + 1, i + rownnz[i] - diag[i]):
            s -= lu[at + k] * x[k]
        x[i] = s
    for i in range(first, end):
        s, start, n = x[i], rowadr[i], diag[i]
        for a in range(start, start + n):
            s -= lu[a] * x[colind[a]]
        x[i] = s / lu[start + n]
