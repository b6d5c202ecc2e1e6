"""A force as the acceleration that it causes. A module of its own: what imports it may change without its machine code."""

from physics.algebra.sparse import solve_ld
from physics.kernel import stage


@stage
def solve_work(m, d):
    """work_dof <- M^-1 work_dof; reads the factor of M."""
    solve_ld(m.M_rownnz, m.M_rowadr, m.M_colind, d.qLD, d.qLDiagInv, d.work_dof)
