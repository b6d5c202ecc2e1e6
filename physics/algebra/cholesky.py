"""Dense symmetric matrices with a skyline: row i of the lower triangle is zero left of column first[i].

H = L' D L is eliminated from the last row to the first. In that order the dofs of a kinematic tree fill
nothing in (Featherstone, Rigid Body Dynamics Algorithms, section 6.5), rows stay contiguous, and all
inner loops run along rows.
"""

from tumble.physics.algebra.part import part
from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMINVAL


@kernel
def factor_skyline(h, first, inv):
    """Replace the lower triangle of h by its factors L' D L: unit lower L off the diagonal; inv <- 1/D.

    h: n x n numbers by rows, where n is the length of inv; zeros left of the skyline.
    first shrinks where the factor fills in. A pivot below mjMINVAL is raised to it.
    Rows are eliminated in pairs: each row that the two meet is read and written once for both.
    """
    n = inv.shape[0]
    for k in range(n - 1, 0, -2):
        j = k - 1
        start = min(first[k], first[j])
        row_k, row_j = part(h, k * n + start, k - start + 1), part(h, j * n + start, j - start + 1)
        pivot_k = 1.0 / max(row_k[k - start], mjMINVAL)
        if row_k[j - start] != 0.0:
            x = row_k[j - start] * pivot_k
            for c in range(j - start + 1):
                row_j[c] -= x * row_k[c]
            row_k[j - start] = x
            first[j] = start
        pivot_j = 1.0 / max(row_j[j - start], mjMINVAL)
        inv[k], inv[j] = pivot_k, pivot_j
        for i in range(j - start - 1, -1, -1):
            if row_k[i] != 0.0 or row_j[i] != 0.0:
                x, y = row_k[i] * pivot_k, row_j[i] * pivot_j
                to = part(h, (start + i) * n + start, i + 1)
                for c in range(i + 1):
                    to[c] -= x * row_k[c] + y * row_j[c]
                row_k[i], row_j[i] = x, y
                first[start + i] = min(first[start + i], start)
    if n & 1:
        inv[0] = 1.0 / max(h[0], mjMINVAL)


@kernel
def solve_skyline(l, first, inv, x):
    """x <- (L' D L)^-1 x, in place."""
    n = inv.shape[0]
    for k in range(n - 1, -1, -1):
        start = first[k]
        row, before, xk = part(l, k * n + start, k - start), part(x, start, k - start), x[k]
        for c in range(k - start):
            before[c] -= xk * row[c]
    for k in range(n):
        start = first[k]
        row, before = part(l, k * n + start, k - start), part(x, start, k - start)
        s = x[k] * inv[k]
        for c in range(k - start):
            s -= row[c] * before[c]
        x[k] = s


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
