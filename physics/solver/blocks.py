"""The Hessian of a large problem, M + J' s'' J, by blocks of trees (pattern.py), and its factor L D L'.

As in the dense Hessian the part from quadratic rows is kept from one iteration to the next, and that of elliptic
contacts on their cone is added to the copy that is factored.
"""

from physics.kernel import kernel, stage
from physics.solver.cone import CONE, QUADRATIC, cone_hessian
from physics.solver.pattern import make_pattern
from physics.solver.root import root_of_cone
from physics.state.constants import mjMINVAL
from physics.state.enums import mjtConstraint

ELLIPTIC = int(mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC)
ENTRY = 40  # of the stage table: newton calls this stage through it, so that small models need not compile it


@stage
def solve_blocks(m, d):
    """solve_Mgrad <- Hessian^-1 solve_Mgrad; solve_updates counts rows that entered or left. solve_begin: a new problem."""
    if d.solve_begin != 0:
        d.solve_entries = make_pattern(m, d)
        start_blocks(m, d)
    d.solve_updates = update_blocks(m, d)
    for k in range(d.solve_entries):
        d.solve_LD[k] = d.solve_H[k]
    add_cones(m, d)
    factor_blocks(m, d)
    back_substitute(m, d)


@kernel
def start_blocks(m, d):
    """solve_H <- M, with no rows in it."""
    h = d.solve_H
    for k in range(d.solve_entries):
        h[k] = 0.0
    for i in range(m.nv):
        t = m.dof_treeid[i]
        base, n = m.tree_dofadr[t], m.tree_dofnum[t]
        to = d.block_adr[t] + (i - base) * n - base
        start = m.M_rowadr[i]
        for a in range(start, start + m.M_rownnz[i]):
            h[to + m.M_colind[a]] = d.M[a]
    for r in range(d.nefc):
        d.solve_state[r] = 0


@kernel
def update_blocks(m, d):
    """Add the rows that became quadratic, take away those that no longer are; returns how many."""
    count = 0
    for r in range(d.nefc):
        is_in = d.efc_state[r] == QUADRATIC
        if is_in != (d.solve_state[r] == QUADRATIC):
            stiff = d.efc_D[r] if is_in else -d.efc_D[r]
            at, n = d.efc_J_rowadr[r], d.efc_J_rownnz[r]
            add_row(m, d, d.solve_H, d.efc_J_colind[at : at + n], d.efc_J[at : at + n], stiff)
            count += 1
    return count


@kernel
def add_row(m, d, h, columns, row, s):
    """h <- h + s row' row, where the row's numbers belong to ascending columns."""
    n, a = columns.shape[0], 0
    while a < n:
        t = m.dof_treeid[columns[a]]
        a_end = segment_end(m, columns, a, t)
        add_block(h, d.block_adr[t], m.tree_dofnum[t], columns, row, a, a_end, m.tree_dofadr[t], a, a_end, m.tree_dofadr[t], s)
        b = 0
        while b < a:
            u = m.dof_treeid[columns[b]]
            b_end = segment_end(m, columns, b, u)
            if d.block_place[t] < d.block_place[u]:  # the panel of the tree that is eliminated first holds the block
                at, size = find_block(m, d, t, u), m.tree_dofnum[t]
                add_block(h, at, size, columns, row, b, b_end, m.tree_dofadr[u], a, a_end, m.tree_dofadr[t], s)
            else:
                at, size = find_block(m, d, u, t), m.tree_dofnum[u]
                add_block(h, at, size, columns, row, a, a_end, m.tree_dofadr[t], b, b_end, m.tree_dofadr[u], s)
            b = b_end
        a = a_end


@kernel
def segment_end(m, columns, a, t):
    """Where the columns of tree t end that begin at a."""
    end = m.tree_dofadr[t] + m.tree_dofnum[t]
    while a < columns.shape[0] and columns[a] < end:
        a += 1
    return a


@kernel
def add_block(h, at, size, columns, row, a, a_end, base_a, b, b_end, base_b, s):
    """Add the products of two segments of a row to the block at address `at`, of `size` columns: a by rows, b by columns."""
    for i in range(a, a_end):
        si = s * row[i]
        to = at + (columns[i] - base_a) * size - base_b
        for j in range(b, b_end):
            h[to + columns[j]] += si * row[j]


@kernel
def find_block(m, d, t, u):
    """The address of the block of tree u in the panel of tree t."""
    n = m.tree_dofnum[t]
    at, k = d.block_adr[t] + n * n, d.block_nbadr[t]
    while d.block_nb[k] != u:
        at += n * m.tree_dofnum[d.block_nb[k]]
        k += 1
    return at


@kernel
def add_cones(m, d):
    """Add J' contact_H J of the elliptic contacts on their cone to solve_LD."""
    r = d.ne + d.nf + d.nl
    while r < d.nefc:
        if d.efc_type[r] != ELLIPTIC:
            r += 1
            continue
        c = d.efc_id[r]
        dim = d.contact_dim[c]
        if d.efc_state[r] == CONE:
            cone_hessian(d, c, r, d.solve_jar)
            root_of_cone(d.contact_H[c], dim, d.solve_cone)
            at, n, g = d.efc_J_rowadr[r], d.efc_J_rownnz[r], d.solve_cone
            work = d.solve_Mv[0:n]
            for k in range(dim):
                if g[k, k] > 0.0:
                    for p in range(n):
                        work[p] = 0.0
                        for j in range(k, dim):
                            work[p] += g[j, k] * d.efc_J[at + j * n + p]
                    add_row(m, d, d.solve_LD, d.efc_J_colind[at : at + n], work, 1.0)
        r += dim


@kernel
def factor_blocks(m, d):
    """solve_LD <- its factor, panel by panel; solve_LDinv <- 1/D."""
    ld = d.solve_LD
    for step in range(m.ntree):
        t = d.block_order[step]
        n, rows, first = m.tree_dofnum[t], m.tree_dofnum[t], d.block_nbadr[t]
        last = first + d.block_nbnum[t]
        for k in range(first, last):
            rows += m.tree_dofnum[d.block_nb[k]]
        panel, inv = ld[d.block_adr[t] : d.block_adr[t] + rows * n], d.solve_LDinv[m.tree_dofadr[t] : m.tree_dofadr[t] + n]
        factor_panel(panel, n, rows, inv)
        at = n * n
        for k in range(first, last):
            complement(m, d, panel, n, inv, k, last, at)
            at += n * m.tree_dofnum[d.block_nb[k]]


@kernel
def factor_panel(panel, n, rows, inv):
    """Eliminate the dofs of a panel from the last to the first: in this order a tree alone fills nothing in."""
    for k in range(n - 1, -1, -1):
        row = panel[k * n : k * n + k + 1]
        pivot = 1.0 / max(row[k], mjMINVAL)
        inv[k] = pivot
        for i in range(n, rows):
            x = panel[i * n + k] * pivot
            panel[i * n + k] = x
            if x != 0.0:
                to = panel[i * n : i * n + k]
                for c in range(k):
                    to[c] -= x * row[c]
        for i in range(k - 1, -1, -1):
            if row[i] != 0.0:
                x = row[i] * pivot
                to = panel[i * n : i * n + i + 1]
                for c in range(i + 1):
                    to[c] -= x * row[c]
                row[i] = x


@kernel
def complement(m, d, panel, n, inv, k, last, at):
    """Take from the blocks of neighbour k with itself and with the later ones what the elimination of a panel leaves there.

    at: where the rows of neighbour k begin in the panel.
    """
    v = d.block_nb[k]
    nv, source, base = m.tree_dofnum[v], at, d.block_adr[v]
    subtract_product(panel, n, inv, source, nv, at, nv, d.solve_LD[base : base + nv * nv], nv)
    q, to = d.block_nbadr[v], base + nv * nv
    for j in range(k + 1, last):
        source += n * m.tree_dofnum[d.block_nb[j - 1]]
        u = d.block_nb[j]
        while d.block_nb[q] != u:  # both lists ascend in the order of elimination
            to += nv * m.tree_dofnum[d.block_nb[q]]
            q += 1
        nu = m.tree_dofnum[u]
        subtract_product(panel, n, inv, source, nu, at, nv, d.solve_LD[to : to + nu * nv], nv)


@kernel
def subtract_product(panel, n, inv, rows_at, nrow, cols_at, ncol, out, stride):
    """out <- out - A D B' for blocks A and B of a panel, D = 1 / inv."""
    for k in range(n):
        scale = 1.0 / inv[k]
        for i in range(nrow):
            x = panel[rows_at + i * n + k] * scale
            if x != 0.0:
                to = out[i * stride : i * stride + ncol]
                for j in range(ncol):
                    to[j] -= x * panel[cols_at + j * n + k]


@kernel
def back_substitute(m, d):
    """solve_Mgrad <- (L D L')^-1 solve_Mgrad."""
    ld, x = d.solve_LD, d.solve_Mgrad
    for step in range(m.ntree):
        t = d.block_order[step]
        n, base, at = m.tree_dofnum[t], m.tree_dofadr[t], d.block_adr[t]
        for k in range(n - 1, -1, -1):
            xk = x[base + k]
            for c in range(k):
                x[base + c] -= xk * ld[at + k * n + c]
        at += n * n
        for q in range(d.block_nbadr[t], d.block_nbadr[t] + d.block_nbnum[t]):
            u = d.block_nb[q]
            for i in range(m.tree_dofadr[u], m.tree_dofadr[u] + m.tree_dofnum[u]):
                for k in range(n):
                    x[i] -= ld[at + k] * x[base + k]
                at += n
    for step in range(m.ntree - 1, -1, -1):
        t = d.block_order[step]
        n, base, at = m.tree_dofnum[t], m.tree_dofadr[t], d.block_adr[t]
        for k in range(n):
            x[base + k] *= d.solve_LDinv[base + k]
        at += n * n
        for q in range(d.block_nbadr[t], d.block_nbadr[t] + d.block_nbnum[t]):
            u = d.block_nb[q]
            for i in range(m.tree_dofadr[u], m.tree_dofadr[u] + m.tree_dofnum[u]):
                for k in range(n):
                    x[base + k] -= ld[at + k] * x[i]
                at += n
        at = d.block_adr[t]
        for k in range(n):
            for c in range(k):
                x[base + k] -= ld[at + k * n + c] * x[base + c]
