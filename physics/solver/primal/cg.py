"""Conjugate gradients on the primal problem."""

from physics.kernel import stage
from physics.solver.primal.minimize import primal


@stage
def cg(m, d):
    """The constrained acceleration by conjugate gradients, preconditioned with M: many cheap iterations."""
    primal(m, d, False)
