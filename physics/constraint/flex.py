"""Rows of equality constraints on flexes: edges that keep their length, and the strains of a cloth at its vertices."""

from tumble.physics.algebra.part import part
from tumble.physics.constraint.impedance import DEFAULT_REF, damping, impedance, load_imp, load_ref, regularizer, stiffness
from tumble.physics.constraint.row import clear_row, has_room, pattern_rows, put_response, put_row
from tumble.physics.dynamics.flex.edges import edges_matter, holds_strains
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
