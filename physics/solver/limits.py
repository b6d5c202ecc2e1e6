"""When a solver stops, regardless of the options: no option may keep a step from ending."""

from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMINVAL

_MOST = 10_000  # iterations of a solver in one step, and evaluations of one line search
_IDLE = 10  # iterations without a smaller residual that end a solve of tolerance zero
_PATIENCE = 100  # iterations after which only progress beyond rounding justifies more; the default of opt.iterations


@kernel
def most_iterations(wanted):
    """The iterations that an option asks for, within bounds."""
    return min(wanted, _MOST)


@kernel
def is_done(m, count, improvement, idle, cycle):
    """True if the last of count iterations made too little progress; improvement: by how much the scaled cost fell.

    idle: iterations since the gradient was last smaller than ever. It goes on falling long after rounding hides that the cost
    does; with a tolerance of zero it decides. cycle: in how many iterations the method may raise the gradient and still
    converge; conjugate gradients go through all directions, one for each dof, before it must be smaller.
    """
    if m.opt_tolerance <= 0.0:
        return idle >= _IDLE + cycle and not improvement > mjMINVAL
    return improvement < m.opt_tolerance or (count >= _PATIENCE and not improvement > mjMINVAL)


@kernel
def is_done_dual(m, count, improvement, idle):
    """The same for solvers that sum the improvements of rows.

    Those of scalar rows are small to the last. On the surface of a cone, though, a gain is of second order in the change of the
    force, and what rounding does to that change is of first: below a change of 1e-8 the gain is noise. So with a tolerance
    of zero it is the change that decides; idle: sweeps since it was last smaller than ever.
    """
    if m.opt_tolerance <= 0.0:
        return idle >= _IDLE and not improvement > mjMINVAL * mjMINVAL
    return improvement < m.opt_tolerance or (count >= _PATIENCE and not improvement > mjMINVAL * mjMINVAL)


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
