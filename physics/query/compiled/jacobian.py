"""Jacobians of points fixed to bodies, read off the motion axes: each dof moves what is below it in the tree."""

from tumble.physics.algebra.spatial import load6
from tumble.physics.algebra.vec3 import load3, scale3, sub3
from tumble.physics.dynamics.object import velocity_at
from tumble.physics.kernel import kernel, query
from tumble.physics.kernel.function import INT, D, M
from tumble.physics.state.memory import f8_at


@kernel
def last_dof(m, body):
    """The last dof of those that move a body: its own, or of its nearest ancestor that has any; -1: it cannot move."""
    while body > 0 and m.body_dofnum[body] == 0:
        body = m.body_parentid[body]
    return m.body_dofadr[body] + m.body_dofnum[body] - 1 if body > 0 else -1


@kernel
def _clear(a):
    for k in range(a.shape[0]):
        a[k] = 0.0


@kernel
def _store_column(a, n, i, v):
    """Write column i of a matrix (3, n) by rows."""
    a[i], a[n + i], a[2 * n + i] = v


@query(M, D, INT, INT, INT, INT)
def jacobian(m, d, jacp, jacr, point, body):
    """Write the matrices (3, nv) at jacp and jacr, 0: neither, of the world point (3,) at an address that moves with a body."""
    n = m.nv
    moves, turns, at = f8_at(jacp, 3 * n if jacp else 0), f8_at(jacr, 3 * n if jacr else 0), f8_at(point, 3)
    _clear(moves)
    _clear(turns)
    offset = sub3((at[0], at[1], at[2]), load3(d.subtree_com, m.body_rootid[body]))
    i = last_dof(m, body)
    while i >= 0:
        axis = load6(d.cdof, i)
        if jacp:
            _store_column(moves, n, i, velocity_at(axis, offset))
        if jacr:
            _store_column(turns, n, i, (axis[0], axis[1], axis[2]))
        i = m.dof_parentid[i] + 0


@query(M, D, INT, INT)
def subtree_jacobian(m, d, jacp, body):
    """Write the matrix (3, nv) at an address of the centre of mass of a body and its descendants.

    A dof moves all of it from above, and from within what is below the dof, whose centre of mass is known too.
    """
    n, total = m.nv, m.body_subtreemass[body]
    moves = f8_at(jacp, 3 * n)
    _clear(moves)
    if not total > 0.0:
        return
    whole = sub3(load3(d.subtree_com, body), load3(d.subtree_com, m.body_rootid[body]))
    i = last_dof(m, body)
    while i >= 0:
        _store_column(moves, n, i, velocity_at(load6(d.cdof, i), whole))
        i = m.dof_parentid[i] + 0
    for b in range(body + 1, m.nbody):
        above = m.body_parentid[b]
        while above > body:
            above = m.body_parentid[above] + 0
        if above != body:
            break  # bodies of a subtree are next to each other
        part = sub3(load3(d.subtree_com, b), load3(d.subtree_com, m.body_rootid[b]))
        for i in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            _store_column(moves, n, i, scale3(m.body_subtreemass[b] / total, velocity_at(load6(d.cdof, i), part)))
