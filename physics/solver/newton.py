"""Newton's method on the primal problem."""

from physics.kernel import stage
from physics.solver.primal import primal


@stage
def newton(m, d):
    """The constrained acceleration by Newton's method: the default; a few iterations, each with a factorization."""
    primal(m, d, True)
