"""Islands: kinematic trees that constraint rows join, and that therefore have to be solved together.

A row joins the trees whose dofs its Jacobian holds. Islands are numbered by their lowest tree; within an
island trees, dofs and rows keep their order. Trees that no row touches belong to no island: their
acceleration is the unconstrained one.
"""

from tumble.physics.dynamics.contact_force import is_soft
from tumble.physics.island.gather import gather_position, is_small
from tumble.physics.island.lanes import plan_lanes
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.enums import mjtConstraint, mjtDisableBit

NO_ISLAND = int(mjtDisableBit.mjDSBL_ISLAND)
CONTACT = int(mjtConstraint.mjCNSTR_CONTACT_FRICTIONLESS)  # this and the kinds above are rows of contacts


@stage
def discover(m, d):
    """Reads the rows and M; writes all fields of islands that depend on position: memberships, iefc_J, iM, ..."""
    find_islands(m, d)
    plan_lanes(m, d)


@kernel
def find_islands(m, d):
    """All of discover but for the threads."""
    d.nisland = 0
    d.nidof = 0
    d.island_whole = 0
    if d.nefc == 0 or m.opt_disableflags & NO_ISLAND or not join_trees(m, d):
        no_island(m, d)
        return
    number_islands(m, d)
    order_dofs(m, d)
    order_rows(d)
    if d.nisland == 1 and d.nidof == m.nv and (d.flg_sparse == 0 or not is_small(d, 0)):
        d.island_whole = 1  # everything is in its place, and in the form in which it is solved
    else:
        gather_position(m, d)


@kernel
def no_island(m, d):
    """No dof belongs to an island."""
    for t in range(m.ntree):
        d.tree_island[t] = -1
        d.map_itree2tree[t] = t
    for i in range(m.nv):
        d.dof_island[i] = -1
        d.map_dof2idof[i] = i
        d.map_idof2dof[i] = i
    for r in range(d.nefc):
        d.efc_island[r] = -1


@kernel
def find(parent, t):
    """The lowest tree known to be joined with tree t."""
    while parent[t] != t:
        parent[t] = parent[parent[t]]
        t = parent[t]
    return t


@kernel
def join(parent, t, s):
    """Trees t and s belong together; a tree that no row has touched has the parent -1. Returns the lowest of them."""
    if parent[t] < 0:
        parent[t] = t
    if parent[s] < 0:
        parent[s] = s
    a, b = find(parent, t), find(parent, s)
    low = min(a, b)
    parent[max(a, b)] = low
    return low


@kernel
def join_trees(m, d):
    """island_parent <- which trees are joined; efc_island <- a tree of each row. False if a row has none."""
    parent, tree = d.island_parent, m.dof_treeid
    for t in range(m.ntree):
        parent[t] = -1
    for r in range(d.nefc):
        if r > 0 and d.efc_type[r] >= CONTACT and d.efc_type[r - 1] >= CONTACT and d.efc_id[r] == d.efc_id[r - 1]:
            d.efc_island[r] = d.efc_island[r - 1]
            if d.flg_sparse == 0 and is_soft(d, d.efc_id[r]):  # what one direction does not move, another may
                join_row(m, d, r, tree[d.efc_first[r]])
            continue
        a, b = d.efc_first[r], d.efc_end[r]
        if a >= b:
            return False
        first, last = tree[a], tree[b - 1]
        join(parent, first, last)
        # a contact of geoms joins two trees, not those whose columns lie between
        if last > first + 1 and (d.efc_type[r] < CONTACT or is_soft(d, d.efc_id[r])):
            join_row(m, d, r, first)
        d.efc_island[r] = first
    return True


@kernel
def join_row(m, d, r, first):
    """Join the trees of row r with the tree `first`, including those between its outer columns."""
    parent, tree = d.island_parent, m.dof_treeid
    if d.flg_sparse != 0:
        at = d.efc_J_rowadr[r]
        for k in range(at, at + d.efc_J_rownnz[r]):
            join(parent, first, tree[d.efc_J_colind[k]])
        return
    for i in range(d.efc_first[r], d.efc_end[r]):
        if d.efc_J[r * m.nv + i] != 0.0:
            join(parent, first, tree[i])


@kernel
def number_islands(m, d):
    """tree_island, island_ntree, island_itreeadr, map_itree2tree, nisland; efc_island from trees to islands."""
    parent, count = d.island_parent, 0
    for t in range(m.ntree):
        if parent[t] < 0:
            d.tree_island[t] = -1
        elif parent[t] == t:
            d.tree_island[t] = count
            d.island_ntree[count] = 0
            count += 1
        else:  # the lowest tree of its island came before
            d.tree_island[t] = d.tree_island[find(parent, t)]
        if parent[t] >= 0:
            d.island_ntree[d.tree_island[t]] += 1
    at = 0
    for k in range(count):
        d.island_itreeadr[k] = at
        at += d.island_ntree[k]
        d.island_ntree[k] = 0
    for t in range(m.ntree):
        k = d.tree_island[t]
        if k < 0:
            d.map_itree2tree[at] = t
            at += 1
        else:
            d.map_itree2tree[d.island_itreeadr[k] + d.island_ntree[k]] = t
            d.island_ntree[k] += 1
    for r in range(d.nefc):
        d.efc_island[r] = d.tree_island[d.efc_island[r]]
    d.nisland = count


@kernel
def order_dofs(m, d):
    """dof_island, island_nv, island_idofadr, island_dofadr, map_dof2idof, map_idof2dof, nidof."""
    for k in range(d.nisland):
        d.island_nv[k] = 0
    for i in range(m.nv):
        k = d.tree_island[m.dof_treeid[i]]
        d.dof_island[i] = k
        if k >= 0:
            d.island_nv[k] += 1
    at = 0
    for k in range(d.nisland):
        d.island_idofadr[k] = at
        at += d.island_nv[k]
        d.island_nv[k] = 0
    d.nidof = at
    for i in range(m.nv):
        k, to = d.dof_island[i], at
        if k < 0:
            at += 1
        else:
            to = d.island_idofadr[k] + d.island_nv[k]
            if d.island_nv[k] == 0:
                d.island_dofadr[k] = i
            d.island_nv[k] += 1
        d.map_dof2idof[i] = to
        d.map_idof2dof[to] = i


@kernel
def order_rows(d):
    """island_ne, island_nf, island_nl, island_nefc, island_iefcadr, map_efc2iefc, map_iefc2efc."""
    friction, limit = d.ne + d.nf, d.ne + d.nf + d.nl
    for k in range(d.nisland):
        d.island_ne[k] = 0
        d.island_nf[k] = 0
        d.island_nl[k] = 0
        d.island_nefc[k] = 0
    for r in range(d.nefc):
        k = d.efc_island[r]
        d.island_nefc[k] += 1
        if r < d.ne:
            d.island_ne[k] += 1
        elif r < friction:
            d.island_nf[k] += 1
        elif r < limit:
            d.island_nl[k] += 1
    at = 0
    for k in range(d.nisland):
        d.island_iefcadr[k] = at
        at += d.island_nefc[k]
        d.island_nefc[k] = 0
    for r in range(d.nefc):
        k = d.efc_island[r]
        to = d.island_iefcadr[k] + d.island_nefc[k]
        d.island_nefc[k] += 1
        d.map_efc2iefc[r] = to
        d.map_iefc2efc[to] = r
