"""Rows of equality constraints on flexes: edges that keep their length, and the strains of a cloth at its vertices."""

from tumble.physics.algebra.part import part
from tumble.physics.algebra.spatial import load6, store6
from tumble.physics.algebra.vec3 import add3, cross3, load3, scale3, sub3
from tumble.physics.constraint.contact import contact_column, is_elliptic, put_contact, row_count
from tumble.physics.constraint.impedance import DEFAULT_REF, damping, impedance, load_imp, load_ref, regularizer, stiffness
from tumble.physics.constraint.row import clear_row, has_room, pattern_rows, put_response, put_row
from tumble.physics.dynamics.contact_force import contact_bodies
from tumble.physics.dynamics.flex.edges import edges_matter, holds_strains
from tumble.physics.dynamics.object import last_dof
from tumble.physics.kernel import Query, kernel
from tumble.physics.kernel.function import INT, D, M
from tumble.physics.state.enums import mjtConstraint, mjtEq

EQUALITY = int(mjtConstraint.mjCNSTR_EQUALITY)
FLEX = int(mjtEq.mjEQ_FLEX)
_STRAINS = 2  # of each vertex


def _hold_flex(m, d, e, r):
    """Rows from r on of equality constraint e, which is on a flex; returns the next row."""
    return hold_edges(m, d, r, e) if m.eq_type[e] == FLEX else hold_strains(m, d, r, e)


hold_flex = Query(_hold_flex, (M, D, INT, INT), INT)


@kernel
def hold_edges(m, d, r, e):
    """A row for each edge of a flex that has not both ends in one body; returns the next row.

    Of nodes there are none, nor where a constraint before this one holds the strains and nothing else needs the edges.
    """
    f = m.eq_obj1id[e]
    if not edges_matter(m, f):
        return r
    for k in range(m.flex_edgeadr[f], m.flex_edgeadr[f] + m.flex_edgenum[f]):
        if not m.flexedge_rigid[k]:
            at, count = m.flexedge_J_rowadr[k], m.flexedge_J_rownnz[k]
            to = begin(m, d, r, count)
            if to >= 0:
                for a in range(count):
                    i = m.flexedge_J_colind[at + a]
                    put_entry(m, d, r, to + a, i, a, d.flexedge_J[at + a])
                finish(m, d, r, e, d.flexedge_length[k] - m.flexedge_length0[k], m.flexedge_invweight0[k])
            r += 1
    return r


@kernel
def hold_strains(m, d, r, e):
    """Two rows for each vertex of a cloth; returns the next row. None where a constraint before this one holds the edges."""
    f = m.eq_obj1id[e]
    if not holds_strains(m, f):
        return r
    for v in range(m.flex_vertadr[f], m.flex_vertadr[f] + m.flex_vertnum[f]):
        for k in range(_STRAINS):
            at, count = m.flexvert_J_rowadr[v, k], m.flexvert_J_rownnz[v, k]
            to = begin(m, d, r, count)
            if to >= 0:
                for a in range(count):
                    p = at + a
                    put_entry(m, d, r, to + a, m.flexvert_J_colind[p // 2, p % 2], a, d.flexvert_J[p // 2, p % 2])
                finish(m, d, r, e, d.flexvert_length[v, k], m.body_invweight0[m.flex_vertbodyid[v], 0])
            r += 1
    return r


@kernel
def begin(m, d, r, count):
    """Begin row r of so many numbers; returns the address of the first if it is sparse, 0 if dense, -1: no room."""
    if d.flg_sparse != 0:
        to = pattern_rows(d, r, 1, count)
    else:
        to = 0 if has_room(m, d, r + 1) else -1
        if to == 0:
            clear_row(d, r, m.nv, 0, 0)
    if to >= 0:
        d.efc_first[r] = 0
        d.efc_end[r] = 0
    return to


@kernel
def put_entry(m, d, r, to, i, a, value):
    """Entry number `a` of row r, in the column of dof i: columns ascend. to: its address if the row is sparse."""
    if d.flg_sparse != 0:
        d.efc_J[to] = value
        d.efc_J_colind[to] = i
    else:
        part(d.efc_J, r * m.nv, m.nv)[i] = value
    if a == 0:
        d.efc_first[r] = i
    d.efc_end[r] = i + 1


@kernel
def finish(m, d, r, e, residual, weight):
    """Write row r of constraint e: residual, stiffness, damping and regularizer; weight: its inverse inertia."""
    solref, solimp = load_ref(m, m.eq_solref, e, DEFAULT_REF), load_imp(m.eq_solimp, e)
    imp, slope = impedance(solimp, residual)
    put_row(d, r, EQUALITY, e, residual, 0.0, 0.0)
    put_response(d, r, stiffness(solref, solimp[1]), damping(solref, solimp[1]), imp, slope, regularizer(imp, weight))


_NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def _add_motions(m, d, c, k, sign, n):
    """Add the motion of the contact's point with body k of the sides, times its weight, for each dof that moves the body.

    n: dofs that are known so far, the first of side_dof; returns how many are then.
    """
    b, weight = d.side_body[k] + 0, sign * d.side_weight[k]
    i = last_dof(m, b)
    arm = sub3(load3(d.contact_pos, c), load3(d.subtree_com, m.body_rootid[b]))
    while i >= 0:
        if d.side_known[i] == 0:
            d.side_known[i] = 1
            store6(d.side_motion, i, _NOTHING)
            at = n
            while at > 0 and d.side_dof[at - 1] > i:
                d.side_dof[at] = d.side_dof[at - 1]
                at -= 1
            d.side_dof[at] = i
            n += 1
        v = load6(d.cdof, i)
        rot = (v[0], v[1], v[2])
        lin = add3((v[3], v[4], v[5]), cross3(rot, arm))
        x = load6(d.side_motion, i)
        turn, move = add3((x[0], x[1], x[2]), scale3(weight, rot)), add3((x[3], x[4], x[5]), scale3(weight, lin))
        store6(d.side_motion, i, (turn[0], turn[1], turn[2], move[0], move[1], move[2]))
        i = m.dof_parentid[i]
    return n


def _soft_contact(m, d, c, r):
    """Rows from r on of contact c, on one side of which is a flex; whether a dof moves either side, else there are none."""
    elliptic, dim = is_elliptic(m), d.contact_dim[c] + 0
    count = row_count(dim, elliptic)
    first = contact_bodies(m, d, c, 0, 0)
    total = contact_bodies(m, d, c, 1, first)
    n, invweight = 0, 0.0
    for k in range(total):
        n = _add_motions(m, d, c, k, -1.0 if k < first else 1.0, n)
        invweight += abs(d.side_weight[k]) * m.body_invweight0[d.side_body[k], 0]
    for p in range(n):
        d.side_known[d.side_dof[p]] = 0
    if n == 0:
        return 0
    if _put_jacobian(m, d, c, r, count, n, elliptic):
        put_contact(m, d, c, r, count, elliptic, invweight)
    return 1


soft_contact = Query(_soft_contact, (M, D, INT, INT), INT)


@kernel
def _put_jacobian(m, d, c, r, count, n, elliptic):
    """The Jacobian of the `count` rows of contact c, the first of them r, in n columns. False: no room."""
    low, end = d.side_dof[0] + 0, d.side_dof[n - 1] + 1
    if d.flg_sparse == 0:
        if not has_room(m, d, r + count):
            return False
        for k in range(r, r + count):
            clear_row(d, k, m.nv, low, end)
        for p in range(n):
            _write(d, c, r * m.nv + d.side_dof[p], m.nv, d.side_dof[p], elliptic)
        return True
    at = pattern_rows(d, r, count, n)
    if at < 0:
        return False
    for p in range(n):
        _write(d, c, at + p, n, d.side_dof[p], elliptic)
        for k in range(count):
            d.efc_J_colind[at + k * n + p] = d.side_dof[p]
    for k in range(r, r + count):
        d.efc_first[k], d.efc_end[k] = low, end
    return True


@kernel
def _write(d, c, at, stride, i, elliptic):
    """Write the column of dof i, of which the first number lies at an address."""
    x = load6(d.side_motion, i)
    contact_column(d, c, at, stride, (x[0], x[1], x[2]), (x[3], x[4], x[5]), elliptic)
