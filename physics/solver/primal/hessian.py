"""The Hessian of the primal cost, M + J' s'' J, and its factor.

Its part from quadratic rows is kept from one iteration to the next: rows that changed their state are
added or taken away. The part of elliptic contacts on their cone changes at every point and is added
to the copy that is factored.
"""

import math

from tumble.physics.algebra.cholesky import factor_skyline
from tumble.physics.algebra.part import part
from tumble.physics.kernel import kernel
from tumble.physics.solver.cone import CONE, QUADRATIC, cone_hessian
from tumble.physics.state.enums import mjtConstraint

ELLIPTIC = int(mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC)


@kernel
def start_hessian(m, d):
    """solve_H <- M, with no rows in it."""
    h, first, n = d.solve_H, d.solve_first, m.nv
    for i in range(n):
        row = part(h, i * n, i + 1)
        for k in range(i + 1):
            row[k] = 0.0
        start = m.M_rowadr[i]
        for a in range(start, start + m.M_rownnz[i]):
            row[m.M_colind[a]] = d.M[a]
        first[0, i] = m.M_colind[start]
    for r in range(d.nefc):
        d.solve_state[r] = 0


@kernel
def update_hessian(m, d):
    """Add the rows that became quadratic, take away those that no longer are; returns how many."""
    count = 0
    for r in range(d.nefc):
        is_in = d.efc_state[r] == QUADRATIC
        if is_in != (d.solve_state[r] == QUADRATIC):
            stiff = d.efc_D[r] if is_in else -d.efc_D[r]
            a, nv = d.efc_first[r], m.nv
            row = part(d.efc_J, r * nv + a, d.efc_end[r] - a)
            add_outer(d.solve_H, nv, d.solve_first, 0, a, row, row, stiff)
            count += 1
    return count


@kernel
def add_outer(h, n, first, which, start, u, v, s):
    """h <- h + s u v', the lower triangle, where u and v belong to the columns from start on."""
    for k in range(u.shape[0]):
        su = s * u[k]
        if su != 0.0:
            at = (start + k) * n + start
            to = part(h, at, k + 1)
            for c in range(k + 1):
                to[c] += su * v[c]
            first[which, start + k] = min(first[which, start + k], start)


@kernel
def factor_hessian(m, d):
    """solve_LD, solve_LDinv <- the factor of the Hessian."""
    h, ld, n = d.solve_H, d.solve_LD, m.nv
    for i in range(n):
        source, target = part(h, i * n, i + 1), part(ld, i * n, i + 1)
        for k in range(i + 1):
            target[k] = source[k]
        d.solve_first[1, i] = d.solve_first[0, i]
    r = d.ne + d.nf + d.nl
    while r < d.nefc:
        if d.efc_type[r] == ELLIPTIC:
            c = d.efc_id[r]
            if d.efc_state[r] == CONE:
                add_cone(m, d, c, r)
            r += d.contact_dim[c]
        else:
            r += 1
    factor_skyline(ld, d.solve_first[1], d.solve_LDinv)


@kernel
def add_cone(m, d, c, i):
    """Add J' contact_H J of an elliptic contact, whose rows start at i, to solve_LD."""
    nv, dim, a, b = m.nv, d.contact_dim[c], d.efc_first[i], d.efc_end[i]
    cone_hessian(d, c, i, d.solve_jar)
    root_of_cone(d.contact_H[c], dim, d.solve_cone)
    g, work = d.solve_cone, part(d.solve_Mv, a, b - a)
    for k in range(dim):
        if g[k, k] > 0.0:
            for p in range(b - a):
                work[p] = 0.0
            for j in range(k, dim):
                row, gj = part(d.efc_J, (i + j) * nv + a, b - a), g[j, k]
                for p in range(b - a):
                    work[p] += gj * row[p]
            add_outer(d.solve_LD, nv, d.solve_first, 1, a, work, work, 1.0)


@kernel
def root_of_cone(h, dim, g):
    """g <- lower G of h = G G', so that each column of G adds one outer product; a zero column where h is singular."""
    for j in range(dim):
        for k in range(j + 1):
            s = h[j * dim + k]
            for p in range(k):
                s -= g[j, p] * g[k, p]
            if k < j:
                g[j, k] = s / g[k, k] if g[k, k] > 0.0 else 0.0
            else:
                g[j, j] = math.sqrt(s) if s > 1e-14 * h[j * dim + j] else 0.0
