"""Rows of contacts with flexes, whose sides are carried by several bodies with weights: dynamics/flex/soft_side.py."""

from tumble.physics.algebra.spatial import load6, store6
from tumble.physics.algebra.vec3 import add3, cross3, load3, scale3, sub3
from tumble.physics.constraint.contact import is_elliptic, put_contact, row_count
from tumble.physics.constraint.contact_column import contact_column
from tumble.physics.constraint.row import clear_row, has_room, pattern_rows
from tumble.physics.dynamics.chain import last_dof
from tumble.physics.dynamics.contact_bodies import contact_bodies
from tumble.physics.kernel import Query, kernel
from tumble.physics.kernel.function import INT, D, M

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
