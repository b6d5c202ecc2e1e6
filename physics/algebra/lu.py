"""LU factors of square matrices of a forest: element (i, j) is there if dof j is above dof i, or below it, or i itself.

A = (1 + U) L is eliminated from the last row to the first, where nothing fills in: what dof i is eliminated from are the rows
of the dofs above it, and all that row i still holds are columns of these. U: strictly upper, L: lower with the diagonal.
A row is the chain of dofs above, then the dof, then those below, which have the numbers that follow: no place is searched.
"""

from tumble.physics.algebra.part import part
from tumble.physics.kernel import kernel


@kernel
def factor_lu(rowadr, diag, colind, lu, first, end):
    """Replace the rows from `first` to `end`, those of whole trees, by their factors.

    rowadr, diag: place of each row, and of the diagonal in it; colind: columns.
    """
    for i in range(end - 1, first - 1, -1):
        n = diag[i]
        inv, row, columns = 1.0 / lu[rowadr[i] + n], part(lu, rowadr[i], n), part(colind, rowadr[i], n)
        for a in range(n - 1, -1, -1):
            j = columns[a]  # the dof above i that has `a` others above it
            to, below = part(lu, rowadr[j], a + 1), part(lu, rowadr[j] + a, i - j + 1)
            scale = below[i - j] * inv
            below[i - j] = scale
            for c in range(a + 1):
                to[c] -= scale * row[c]
            if columns[n - 1] - j == n - 1 - a:  # no branch between j and i has other numbers
                between, rest = part(below, 1, n - 1 - a), part(row, a + 1, n - 1 - a)
                for c in range(n - 1 - a):
                    between[c] -= scale * rest[c]
            else:
                for c in range(a + 1, n):
                    below[columns[c] - j] -= scale * row[c]


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
