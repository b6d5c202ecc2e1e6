"""Newton's method on the primal problem."""

from tumble.physics.kernel import stage
from tumble.physics.solver.primal.minimize import primal
from tumble.physics.solver.primal.pattern import make_pattern


@stage
def newton_room(m, d):
    """Sets needH where there are constraints and the Hessian has no room yet: it is large, and many scenes never need it."""
    if d.nefc > 0:
        need = m.nv * m.nv if d.flg_sparse == 0 else make_pattern(m, d)
        if d.maxH < need:
            d.needH = need


@stage
def newton(m, d):
    """The constrained acceleration by Newton's method: the default; a few iterations, each with a factorization.

    Does nothing while the Hessian has no room.
    """
    if d.nefc == 0 or d.flg_sparse != 0 or d.maxH >= m.nv * m.nv:
        primal(m, d, True)


@stage
def cg(m, d):
    """The constrained acceleration by conjugate gradients, preconditioned with M: many cheap iterations."""
    primal(m, d, False)
