"""The Hessian of a large problem, M + J' s'' J, by blocks of trees (pattern.py), and its factor L D L'.

As in the dense Hessian the part from quadratic rows is kept from one iteration to the next, and that of elliptic
contacts on their cone is added to the copy that is factored.
"""

from tumble.physics.algebra.part import part
from tumble.physics.kernel import kernel, stage
from tumble.physics.solver.cone import CONE, QUADRATIC, cone_hessian
from tumble.physics.solver.primal.hessian import root_of_cone
from tumble.physics.solver.primal.panels import back_substitute, factor_panels
from tumble.physics.solver.primal.pattern import make_pattern, place_of
from tumble.physics.state.enums import mjtConstraint

ELLIPTIC = int(mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC)


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
    factor_panels(m, d)
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
    """Add the rows that became quadratic, take away those that no longer are; returns how many.

    Rows of one pattern, as those of a contact, are added together: their places are looked up once.
    """
    count, r, weight = 0, 0, d.solve_DJv
    while r < d.nefc:
        end, changed = r + d.efc_J_rowsuper[r] + 1, 0
        for k in range(r, end):
            is_in = d.efc_state[k] == QUADRATIC
            weight[k] = 0.0
            if is_in != (d.solve_state[k] == QUADRATIC):
                weight[k] = d.efc_D[k] if is_in else -d.efc_D[k]
                changed += 1
        if changed > 0:
            add_rows(m, d, d.solve_H, d.efc_J, d.efc_J_rowadr[r], d.efc_J_rowadr[r], d.efc_J_rownnz[r], part(weight, r, end - r))
            count += changed
        r = end
    return count


@kernel
def add_rows(m, d, h, rows, start, pattern, n, weight):
    """h <- h + J' W J of rows that share n columns: J lies at `start` of `rows`, its columns at `pattern` of efc_J_colind."""
    columns = part(d.efc_J_colind, pattern, n)
    a = 0
    while a < n:
        t = m.dof_treeid[columns[a]]
        a_end = segment_end(m, columns, a, t)
        add_diagonal(h, d.block_adr[t], m.tree_dofnum[t], m.tree_dofadr[t], columns, a, a_end, rows, start, weight, d.solve_Mv)
        b = 0
        while b < a:
            u = m.dof_treeid[columns[b]]
            b_end = segment_end(m, columns, b, u)
            if d.block_place[t] < d.block_place[u]:  # the panel of the tree that is eliminated first holds the block
                add_block(m, d, h, t, u, columns, a, a_end, b, b_end, rows, start, weight, d.solve_Mv)
            else:
                add_block(m, d, h, u, t, columns, b, b_end, a, a_end, rows, start, weight, d.solve_Mv)
            b = b_end
        a = a_end


@kernel
def segment_end(m, columns, a, t):
    """End of tree t's columns that begin at a."""
    end = m.tree_dofadr[t] + m.tree_dofnum[t]
    while a < columns.shape[0] and columns[a] < end:
        a += 1
    return a


@kernel
def weigh_row(rows, start, n, weight, i, first, end, work):
    """work <- row i of J' W J, its columns from first to end."""
    count, r = end - first, 0
    if weight.shape[0] != 4:
        for k in range(count):
            work[k] = 0.0
    while r + 4 <= weight.shape[0]:  # the edges of a pyramid
        at = start + r * n
        a, b, c, e = part(rows, at, n), part(rows, at + n, n), part(rows, at + 2 * n, n), part(rows, at + 3 * n, n)
        x, y, z, w = weight[r] * a[i], weight[r + 1] * b[i], weight[r + 2] * c[i], weight[r + 3] * e[i]
        a, b, c, e = part(a, first, count), part(b, first, count), part(c, first, count), part(e, first, count)
        if weight.shape[0] == 4:
            for k in range(count):
                work[k] = (x * a[k] + y * b[k]) + (z * c[k] + w * e[k])
        else:
            for k in range(count):
                work[k] += (x * a[k] + y * b[k]) + (z * c[k] + w * e[k])
        r += 4
    while r < weight.shape[0]:
        row, s = part(rows, start + r * n, n), weight[r]
        s *= row[i]
        row = part(row, first, count)
        for k in range(count):
            work[k] += s * row[k]
        r += 1


@kernel
def add_diagonal(h, at, size, base, columns, a, end, rows, start, weight, work):
    """Add the products of a segment of the rows with itself to the lower triangle of a tree's diagonal block."""
    n, count = columns.shape[0], end - a
    own = part(columns, a, count)
    together = own[count - 1] - own[0] == count - 1
    for i in range(count):
        row = part(h, at + (own[i] - base) * size, size)
        weigh_row(rows, start, n, weight, a + i, a, a + i + 1, work)
        if together:
            to = part(row, own[0] - base, i + 1)
            for k in range(i + 1):
                to[k] += work[k]
        else:
            for k in range(i + 1):
                row[own[k] - base] += work[k]


@kernel
def add_block(m, d, h, t, u, columns, a, a_end, b, b_end, rows, start, weight, work):
    """Add the products of two segments, of tree t from a on and of tree u from b on, to the block of u in the panel of t."""
    n, width = m.tree_dofnum[t], d.block_width[t]
    at = d.block_adr[t] + n * n + place_of(m, d, t, u) - m.tree_dofadr[u]
    for i in range(a, a_end):
        weigh_row(rows, start, columns.shape[0], weight, i, b, b_end, work)
        to = at + (columns[i] - m.tree_dofadr[t]) * width
        for k in range(b_end - b):
            h[to + columns[b + k]] += work[k]


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
            add_cone(m, d, r, dim, d.solve_cone)
        r += dim


@kernel
def add_cone(m, d, r, dim, g):
    """Add J' G G' J of the rows from r on, for a lower triangle G."""
    at, n = d.efc_J_rowadr[r], d.efc_J_rownnz[r]
    work, one = part(d.solve_grad_old, 0, n), part(d.solve_DJv, r, 1)
    one[0] = 1.0
    for k in range(dim):
        if g[k, k] > 0.0:
            for p in range(n):
                work[p] = 0.0
                for j in range(k, dim):
                    work[p] += g[j, k] * d.efc_J[at + j * n + p]
            add_rows(m, d, d.solve_LD, work, 0, at, n, one)
