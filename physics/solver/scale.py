"""Scale of costs and gradients, so that one tolerance suits models of grams and of tons."""

from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMINVAL


@kernel
def model_scale(m):
    """One over the dofs of a problem times their mean inertia in the model at qpos0 [1/kg or 1/(kg m^2)]."""
    return 1.0 / (m.stat_meaninertia * max(1, m.nv))


@kernel
def cost_scale(m, d):
    """The same with the inertias that the dofs of an island have, the diagonal of M as it is now; without islands, `model_scale`.

    So islands of light things, as of the vertices of a cloth, are solved as precisely as they are alone.
    """
    if d.nisland == 0:
        return model_scale(m)
    total = 0.0
    for i in range(m.nv):
        total += d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1]
    return 1.0 / max(mjMINVAL, total)
