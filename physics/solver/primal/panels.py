"""The factor L D L' of a matrix by blocks of trees (pattern.py), and its solution.

A tree's panel is its diagonal block, n by n, and to the right of it the blocks with the trees that are coupled with it
and eliminated later. Dofs are eliminated from the last of a tree to its first: in this order a tree alone fills nothing
in. All inner loops run along rows of a panel.
"""

from tumble.physics.algebra.part import part
from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMINVAL


@kernel
def factor_panels(m, d):
    """solve_LD <- its factor, panel by panel; solve_LDinv <- 1/D."""
    for step in range(m.ntree):
        t = d.block_order[step]
        n, width, at = m.tree_dofnum[t], d.block_width[t], d.block_adr[t]
        inv = part(d.solve_LDinv, m.tree_dofadr[t], n)
        block, right = part(d.solve_LD, at, n * n), part(d.solve_LD, at + n * n, n * width)
        eliminate(block, right, n, width, inv)
        if width == 0:
            continue
        complement(m, d, t, right, inv)
        for k in range(n):
            row = part(right, k * width, width)
            for c in range(width):
                row[c] *= inv[k]


@kernel
def eliminate(block, right, n, width, inv):
    """Factor a diagonal block, and apply it to the blocks on its right: they become D L' of the factor.

    Dofs go in pairs: each row that they meet is read and written once for both.
    """
    for k in range(n - 1, 0, -2):
        j = k - 1
        row_k, row_j = part(block, k * n, k + 1), part(block, j * n, k)
        right_k, right_j = part(right, k * width, width), part(right, j * width, width)
        pivot_k = 1.0 / max(row_k[k], mjMINVAL)
        if row_k[j] != 0.0:
            x = row_k[j] * pivot_k
            for c in range(k):
                row_j[c] -= x * row_k[c]
            for c in range(width):
                right_j[c] -= x * right_k[c]
            row_k[j] = x
        pivot_j = 1.0 / max(row_j[j], mjMINVAL)
        inv[k], inv[j] = pivot_k, pivot_j
        for i in range(j - 1, -1, -1):
            if row_k[i] != 0.0 or row_j[i] != 0.0:
                x, y = row_k[i] * pivot_k, row_j[i] * pivot_j
                to = part(block, i * n, i + 1)
                for c in range(i + 1):
                    to[c] -= x * row_k[c] + y * row_j[c]
                to = part(right, i * width, width)
                for c in range(width):
                    to[c] -= x * right_k[c] + y * right_j[c]
                row_k[i], row_j[i] = x, y
    if n & 1:
        inv[0] = 1.0 / max(block[0], mjMINVAL)


@kernel
def complement(m, d, t, right, inv):
    """Take from the panels of the neighbours what the elimination of tree t leaves there."""
    first, n, width = d.block_nbadr[t], m.tree_dofnum[t], d.block_width[t]
    last, from_v = first + d.block_nbnum[t], 0
    for a in range(first, last):
        v = d.block_nb[a]
        size = m.tree_dofnum[v]
        corner = d.block_adr[v]
        subtract(right, n, width, inv, from_v, size, from_v, size, d.solve_LD, corner, size, True)
        q, to, from_u, b = d.block_nbadr[v], corner + size * size, from_v + size, a + 1
        while b < last:
            while d.block_nb[q] != d.block_nb[b]:  # both lists ascend in the order of elimination
                to += m.tree_dofnum[d.block_nb[q]]
                q += 1
            count = m.tree_dofnum[d.block_nb[b]]
            while b + 1 < last and d.block_nb[q + 1] == d.block_nb[b + 1]:  # what is side by side in both is one block
                b += 1
                q += 1
                count += m.tree_dofnum[d.block_nb[b]]
            subtract(right, n, width, inv, from_v, size, from_u, count, d.solve_LD, to, d.block_width[v], False)
            from_u += count
            to += count
            q += 1
            b += 1
        from_v += size


@kernel
def subtract(right, n, width, inv, rows_at, nrow, columns_at, ncol, out, at, stride, lower):
    """Subtract A' D^-1 B, for blocks A and B on the right of a panel, from the block at `at` of `out`; or its lower triangle."""
    for k in range(0, n - 1, 2):
        row_k, row_j = part(right, k * width, width), part(right, (k + 1) * width, width)
        source_k, source_j = part(row_k, columns_at, ncol), part(row_j, columns_at, ncol)
        for i in range(nrow):
            x, y = row_k[rows_at + i] * inv[k], row_j[rows_at + i] * inv[k + 1]
            if x != 0.0 or y != 0.0:
                count = i + 1 if lower else ncol
                to = part(out, at + i * stride, count)
                for c in range(count):
                    to[c] -= x * source_k[c] + y * source_j[c]
    if n & 1:
        row = part(right, (n - 1) * width, width)
        source = part(row, columns_at, ncol)
        for i in range(nrow):
            x = row[rows_at + i] * inv[n - 1]
            if x != 0.0:
                count = i + 1 if lower else ncol
                to = part(out, at + i * stride, count)
                for c in range(count):
                    to[c] -= x * source[c]


@kernel
def back_substitute(m, d):
    """solve_Mgrad <- (L D L')^-1 solve_Mgrad."""
    for step in range(m.ntree):
        t = d.block_order[step]
        n, width, at = m.tree_dofnum[t], d.block_width[t], d.block_adr[t]
        own = part(d.solve_Mgrad, m.tree_dofadr[t], n)
        for k in range(n - 1, -1, -1):
            x, row = own[k], part(d.solve_LD, at + k * n, k)
            for c in range(k):
                own[c] -= x * row[c]
        column = at + n * n
        for q in range(d.block_nbadr[t], d.block_nbadr[t] + d.block_nbnum[t]):
            u = d.block_nb[q]
            size = m.tree_dofnum[u]
            other = part(d.solve_Mgrad, m.tree_dofadr[u], size)
            for k in range(n):
                x, row = own[k], part(d.solve_LD, column + k * width, size)
                for c in range(size):
                    other[c] -= x * row[c]
            column += size
    for step in range(m.ntree - 1, -1, -1):
        t = d.block_order[step]
        n, width, at = m.tree_dofnum[t], d.block_width[t], d.block_adr[t]
        own, inv = part(d.solve_Mgrad, m.tree_dofadr[t], n), part(d.solve_LDinv, m.tree_dofadr[t], n)
        for k in range(n):
            own[k] *= inv[k]
        column = at + n * n
        for q in range(d.block_nbadr[t], d.block_nbadr[t] + d.block_nbnum[t]):
            u = d.block_nb[q]
            size = m.tree_dofnum[u]
            other = part(d.solve_Mgrad, m.tree_dofadr[u], size)
            for k in range(n):
                row, s = part(d.solve_LD, column + k * width, size), 0.0
                for c in range(size):
                    s += row[c] * other[c]
                own[k] -= s
            column += size
        for k in range(n):
            row, s = part(d.solve_LD, at + k * n, k), 0.0
            for c in range(k):
                s += row[c] * own[c]
            own[k] -= s
