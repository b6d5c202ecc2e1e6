"""The inertia matrix times a vector, and solved with."""

from tumble.physics.algebra.sparse import mul_sym, solve_ld
from tumble.physics.kernel import query
from tumble.physics.kernel.function import INT, D, M
from tumble.physics.state.memory import f8_at


@query(M, D, INT, INT)
def times_inertia(m, d, res, vec):
    """res <- M vec: addresses of nv numbers each."""
    mul_sym(m.M_rownnz, m.M_rowadr, m.M_colind, d.M, f8_at(vec, m.nv), f8_at(res, m.nv))


@query(M, D, INT, INT)
def solve_inertia(m, d, x, rows):
    """x <- M^-1 x, in place, of each of so many rows of nv numbers from an address on."""
    for k in range(rows):
        solve_ld(m.M_rownnz, m.M_rowadr, m.M_colind, d.qLD, d.qLDiagInv, f8_at(x + 8 * m.nv * k, m.nv))
