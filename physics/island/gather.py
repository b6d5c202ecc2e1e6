"""Dofs and rows in the order of islands, so that the problem of each island is contiguous; and the way back."""

from tumble.physics.kernel import kernel
from tumble.physics.state.constants import SPARSE_FROM


@kernel
def gather_position(m, d):
    """iM, iLD, iefc_J and what else the position decides."""
    gather_inertia(m, d)
    gather_rows(d)
    if d.flg_sparse != 0:
        gather_trees(m, d)
        gather_sparse(d)
        ask_for_room(d)
    else:
        gather_jacobian(m, d)


@kernel
def gather_inertia(m, d):
    """iM_rownnz, iM_rowadr, iM_colind, iM, iLD, iLDiagInv; columns count from the island's first dof."""
    at = 0
    for k in range(d.nidof):
        i = d.map_idof2dof[k]
        start, count = m.M_rowadr[i], m.M_rownnz[i]
        base = d.island_idofadr[d.dof_island[i]]
        d.iM_rownnz[k] = count
        d.iM_rowadr[k] = at
        for a in range(count):
            d.iM_colind[at + a] = d.map_dof2idof[m.M_colind[start + a]] - base
            d.iM[at + a] = d.M[start + a]
            d.iLD[at + a] = d.qLD[start + a]
        d.iLDiagInv[k] = d.qLDiagInv[i]
        at += count


@kernel
def gather_rows(d):
    """iefc_type, iefc_id, iefc_frictionloss, iefc_D, iefc_R."""
    for k in range(d.nefc):
        r = d.map_iefc2efc[k]
        d.iefc_type[k] = d.efc_type[r]
        d.iefc_id[k] = d.efc_id[r]
        d.iefc_frictionloss[k] = d.efc_frictionloss[r]
        d.iefc_D[k] = d.efc_D[r]
        d.iefc_R[k] = d.efc_R[r]


@kernel
def gather_jacobian(m, d):
    """iefc_J, island_first, island_end: a dense block for each island, that begins at its first row times nidof."""
    jac, to = d.efc_J, d.iefc_J
    for k in range(d.nefc):
        r = d.map_iefc2efc[k]
        island = d.efc_island[r]
        n, base, first_row = d.island_nv[island], d.island_idofadr[island], d.island_iefcadr[island]
        at, source = first_row * d.nidof + (k - first_row) * n, r * m.nv
        for i in range(n):
            to[at + i] = 0.0
        a, b = d.efc_first[r], d.efc_end[r]
        for i in range(a, b):
            if d.dof_island[i] == island:  # dofs between those of the row may belong to others
                to[at + d.map_dof2idof[i] - base] = jac[source + i]
        d.island_first[k] = d.map_dof2idof[a] - base
        d.island_end[k] = d.map_dof2idof[b - 1] - base + 1


@kernel
def gather_trees(m, d):
    """island_treedof, island_treenum, island_doftree."""
    for p in range(m.ntree):
        t = d.map_itree2tree[p]
        k = d.tree_island[t]
        if k >= 0:
            start = d.map_dof2idof[m.tree_dofadr[t]]
            d.island_treedof[p] = start - d.island_idofadr[k]
            d.island_treenum[p] = m.tree_dofnum[t]
            for i in range(start, start + m.tree_dofnum[t]):
                d.island_doftree[i] = p - d.island_itreeadr[k]


@kernel
def gather_sparse(d):
    """iefc_J and its pattern, rows in the order of islands, columns from the island's first dof; island_first, island_end."""
    at = 0
    for k in range(d.nefc):
        r = d.map_iefc2efc[k]
        n, source, base = d.efc_J_rownnz[r], d.efc_J_rowadr[r], d.island_idofadr[d.efc_island[r]]
        d.iefc_J_rownnz[k] = n
        d.iefc_J_rowadr[k] = at
        d.iefc_J_rowsuper[k] = d.efc_J_rowsuper[r]
        for a in range(n):
            d.iefc_J_colind[at + a] = d.map_dof2idof[d.efc_J_colind[source + a]] - base
            d.iefc_J[at + a] = d.efc_J[source + a]
        d.island_first[k] = d.map_dof2idof[d.efc_first[r]] - base
        d.island_end[k] = d.map_dof2idof[d.efc_end[r] - 1] - base + 1
        at += n


@kernel
def is_small(d, k):
    """True if the problem of island k is solved as a dense one."""
    return d.flg_sparse == 0 or d.island_nv[k] < SPARSE_FROM


@kernel
def ask_for_room(d):
    """needD <- the entries of the largest dense Jacobian of a small island, if there is no room for them."""
    most = 0
    for k in range(d.nisland):
        if is_small(d, k):
            most = max(most, d.island_nefc[k] * d.island_nv[k])
    if most > d.maxD:
        d.needD = most


@kernel
def expand_jacobian(d, k, to):
    """to <- the dense Jacobian of island k."""
    n, row, rows = d.island_nv[k], d.island_iefcadr[k], d.island_nefc[k]
    for a in range(rows * n):
        to[a] = 0.0
    for r in range(rows):
        at = d.iefc_J_rowadr[row + r]
        for a in range(at, at + d.iefc_J_rownnz[row + r]):
            to[r * n + d.iefc_J_colind[a]] = d.iefc_J[a]


@kernel
def gather_forces(m, d):
    """ifrc_smooth, iacc_smooth, island_warmstart, iefc_aref: what velocities and forces decide."""
    for k in range(d.nidof):
        i = d.map_idof2dof[k]
        d.ifrc_smooth[k] = d.qfrc_smooth[i]
        d.iacc_smooth[k] = d.qacc_smooth[i]
        d.island_warmstart[k] = d.qacc_warmstart[i]
    for k in range(d.nefc):
        d.iefc_aref[k] = d.efc_aref[d.map_iefc2efc[k]]


@kernel
def gather_dual(d, k, to):
    """to <- the block of efc_AR that belongs to island k, by rows."""
    n, start = d.island_nefc[k], d.island_iefcadr[k]
    rows = d.map_iefc2efc[start : start + n]
    for a in range(n):
        source = rows[a] * d.nefc
        for b in range(n):
            to[a * n + b] = d.efc_AR[source + rows[b]]


@kernel
def clear_dual(d):
    """efc_AR <- zeros: rows of different islands share no dof."""
    for a in range(d.nefc * d.nefc):
        d.efc_AR[a] = 0.0


@kernel
def finish_dual(d):
    """nA and the pattern of efc_AR, which the islands' own have overwritten."""
    n = d.nefc
    d.nA = n * n
    for r in range(n):
        d.efc_AR_rownnz[r] = n
        d.efc_AR_rowadr[r] = r * n
        for s in range(n):
            d.efc_AR_colind[r * n + s] = s


@kernel
def scatter_dual(d, k):
    """island_AR, of island k -> efc_AR."""
    n, start = d.island_nefc[k], d.island_iefcadr[k]
    rows = d.map_iefc2efc[start : start + n]
    for a in range(n):
        target = rows[a] * d.nefc
        for b in range(n):
            d.efc_AR[target + rows[b]] = d.island_AR[a * n + b]


@kernel
def scatter(m, d):
    """From the islands' solutions to qacc, qfrc_constraint, efc_force, efc_state, efc_b."""
    for k in range(d.nidof):
        i = d.map_idof2dof[k]
        d.qacc[i] = d.iacc[k]
        d.qfrc_constraint[i] = d.ifrc_constraint[k]
    for k in range(d.nidof, m.nv):
        i = d.map_idof2dof[k]
        d.qacc[i] = d.qacc_smooth[i]
        d.qfrc_constraint[i] = 0.0
    for k in range(d.nefc):
        r = d.map_iefc2efc[k]
        d.efc_force[r] = d.iefc_force[k]
        d.efc_state[r] = d.iefc_state[k]
        d.efc_b[r] = d.island_b[k]
