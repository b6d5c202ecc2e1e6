"""Conjugate gradients on the primal problem."""

from tumble.physics.kernel import stage
from tumble.physics.solver.primal.minimize import primal


@stage
def cg(m, d):
    """The constrained acceleration by conjugate gradients, preconditioned with M: many cheap iterations."""
    primal(m, d, False)
