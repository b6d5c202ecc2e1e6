"""Dense symmetric matrices with a skyline: row i of the lower triangle is zero left of column first[i].

H = L' D L is eliminated from the last row to the first. In that order the dofs of a kinematic tree fill
nothing in (Featherstone, Rigid Body Dynamics Algorithms, section 6.5), rows stay contiguous, and all
inner loops run along rows.
"""

from physics.kernel import kernel
from physics.state.constants import mjMINVAL


@kernel
def factor_skyline(h, first, inv):
    """Replace the lower triangle of h by its factors L' D L: unit lower L off the diagonal; inv <- 1/D.

    h: n x n numbers by rows, where n is the length of inv.
    first shrinks where the factor fills in. A pivot below mjMINVAL is raised to it.
    """
    n = inv.shape[0]
    for k in range(n - 1, -1, -1):
        start = first[k]
        row = h[k * n + start : k * n + k + 1]
        pivot = 1.0 / max(row[k - start], mjMINVAL)
        inv[k] = pivot
        for i in range(k - start - 1, -1, -1):
            if row[i] != 0.0:
                scale = row[i] * pivot
                at = (start + i) * n + start
                to = h[at : at + i + 1]
                for c in range(i + 1):
                    to[c] -= scale * row[c]
                row[i] = scale
                first[start + i] = min(first[start + i], start)


@kernel
def solve_skyline(l, first, inv, x):
    """x <- (L' D L)^-1 x, in place."""
    n = inv.shape[0]
    for k in range(n - 1, -1, -1):
        start = first[k]
        row, part, xk = l[k * n + start : k * n + k], x[start:k], x[k]
        for c in range(k - start):
            part[c] -= xk * row[c]
    for k in range(n):
        start = first[k]
        row, part = l[k * n + start : k * n + k], x[start:k]
        s = x[k] * inv[k]
        for c in range(k - start):
            s -= row[c] * part[c]
        x[k] = s
