"""One row of the constraint: what every kind of row has in common, and where its part of the Jacobian lies.

The Jacobian is dense (nv numbers a row) or sparse (CSR: the dofs that a row can move, ascending), as the option
`jacobian` says; flg_sparse tells which. Rows past the capacity are counted, not written: make_constraint asks for room
and the step is redone.
"""

from tumble.physics.algebra.part import part
from tumble.physics.constraint.impedance import damping, impedance, regularizer, stiffness
from tumble.physics.kernel import exact, kernel
from tumble.physics.state.constants import SPARSE_FROM
from tumble.physics.state.enums import mjtJacobian


@kernel
def range_row(m, d, r, first, end):
    """Begin row r, whose nonzeros lie in the columns from first to end; returns the address of column first, -1: no room."""
    if d.flg_sparse == 0:
        if not has_room(m, d, r + 1):
            return -1
        clear_row(d, r, m.nv, first, end)
        return r * m.nv + first
    at = pattern_rows(d, r, 1, end - first)
    if at >= 0:
        for k in range(end - first):
            d.efc_J_colind[at + k] = first + k
        d.efc_first[r] = first
        d.efc_end[r] = end
    return at


@kernel
def pattern_rows(d, r, count, nonzeros):
    """Begin `count` sparse rows, from r on, of so many numbers each; returns the address of the first, -1: no room."""
    at = d.nJ
    d.nJ += count * nonzeros
    if r + count > d.maxefc or d.nJ > d.maxJ:
        return -1
    for k in range(count):
        d.efc_J_rownnz[r + k] = nonzeros
        d.efc_J_rowadr[r + k] = at + k * nonzeros
    return at


@kernel
def has_room(m, d, rows):
    """True if so many rows of a dense Jacobian fit; where it was sparse before, there is room for rows, but not for numbers."""
    return rows <= d.maxefc and rows * m.nv <= d.maxJ


@kernel
def clear_row(d, r, nv, first, end):
    """Zero row r of the dense Jacobian; its nonzeros will lie in the columns from first to end."""
    row = part(d.efc_J, r * nv, nv)
    for k in range(nv):
        row[k] = 0.0
    d.efc_J_rownnz[r] = nv
    d.efc_J_rowadr[r] = r * nv
    d.efc_first[r] = first
    d.efc_end[r] = end


@kernel
def row_dot(m, d, r, x):
    """The dot product of Jacobian row r with x, (nv,)."""
    s = 0.0
    if d.flg_sparse == 0:
        a, b, nv = d.efc_first[r], d.efc_end[r], m.nv
        row, there = part(d.efc_J, r * nv + a, b - a), part(x, a, b - a)
        for k in range(b - a):
            s += row[k] * there[k]
        return s
    at = d.efc_J_rowadr[r]
    for k in range(at, at + d.efc_J_rownnz[r]):
        s += d.efc_J[k] * x[d.efc_J_colind[k]]
    return s


@exact
def exact_dot(m, d, r, x):
    """J_r x, summed in the order of the dofs: zeros between change nothing, nor does it matter how the row is stored."""
    s = 0.0
    if d.flg_sparse == 0:
        for k in range(d.efc_first[r], d.efc_end[r]):
            s += d.efc_J[r * m.nv + k] * x[k]
        return s
    at = d.efc_J_rowadr[r]
    for k in range(at, at + d.efc_J_rownnz[r]):
        s += d.efc_J[k] * x[d.efc_J_colind[k]]
    return s


@kernel
def spread_row(m, d, r, x):
    """x <- J_r, as far as efc_end."""
    for k in range(d.efc_end[r]):
        x[k] = d.efc_J[r * m.nv + k] if d.flg_sparse == 0 else 0.0
    if d.flg_sparse != 0:
        at = d.efc_J_rowadr[r]
        for k in range(at, at + d.efc_J_rownnz[r]):
            x[d.efc_J_colind[k]] = d.efc_J[k]


@kernel
def mark_equal_rows(d):
    """efc_J_rowsuper <- how many rows after each have the same pattern, without a break."""
    for r in range(d.nefc - 1, -1, -1):
        d.efc_J_rowsuper[r] = 0
        if r + 1 < d.nefc and has_same_pattern(d, r, r + 1):
            d.efc_J_rowsuper[r] = d.efc_J_rowsuper[r + 1] + 1


@kernel
def has_same_pattern(d, r, s):
    """True if two sparse rows hold the same columns."""
    n = d.efc_J_rownnz[r]
    if n != d.efc_J_rownnz[s] or d.efc_first[r] != d.efc_first[s] or d.efc_end[r] != d.efc_end[s]:
        return False
    a, b = d.efc_J_rowadr[r], d.efc_J_rowadr[s]
    different = 0
    for k in range(n):
        different += d.efc_J_colind[a + k] != d.efc_J_colind[b + k]
    return different == 0


@kernel
def put_row(d, r, kind, index, pos, margin, loss):
    """Write row r's type and id, residual, margin and friction loss."""
    d.efc_type[r] = kind
    d.efc_id[r] = index
    d.efc_pos[r] = pos
    d.efc_margin[r] = margin
    d.efc_frictionloss[r] = loss


@kernel
def put_response(d, r, k, b, imp, slope, regularizer):
    """Stiffness, damping, impedance and regularizer of row r.

    diagApprox is told as the inverse inertia that gives this regularizer, which friction cones have rescaled.
    """
    d.efc_KBIP[r, 0] = k
    d.efc_KBIP[r, 1] = b
    d.efc_KBIP[r, 2] = imp
    d.efc_KBIP[r, 3] = slope
    d.efc_R[r] = regularizer
    d.efc_D[r] = 1.0 / regularizer
    d.efc_diagApprox[r] = regularizer * imp / (1.0 - imp)


@kernel
def put_scalar(d, r, solref, solimp, invweight, dry):
    """Response of a limit or (dry) friction row: friction has no position to restore."""
    imp, slope = impedance(solimp, d.efc_pos[r] - d.efc_margin[r])
    k = 0.0 if dry else stiffness(solref, solimp[1])
    put_response(d, r, k, damping(solref, solimp[1]), imp, slope, regularizer(imp, invweight))


SPARSE, AUTO = int(mjtJacobian.mjJAC_SPARSE), int(mjtJacobian.mjJAC_AUTO)


@kernel
def is_sparse(m):
    """True if the option `jacobian` selects sparse storage; auto: for large models."""
    return m.opt_jacobian == SPARSE or (m.opt_jacobian == AUTO and m.nv >= SPARSE_FROM)


@kernel
def start_rows(m, d):
    """No entries yet, in the form that the options ask for."""
    d.flg_sparse = 1 if is_sparse(m) else 0
    d.nJ = 0
