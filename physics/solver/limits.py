"""When a solver stops, whatever the options ask for: no option may keep a step from ending."""

from physics.kernel import kernel
from physics.state.constants import mjMINVAL

_MOST = 10_000  # iterations of a solver in one step, and evaluations of one line search
_IDLE = 10  # iterations without a smaller gradient that end a solve of tolerance zero
_PATIENCE = 100  # iterations after which only progress beyond rounding justifies more; the default of opt.iterations


@kernel
def most_iterations(wanted):
    """The iterations that an option asks for, within bounds."""
    return min(wanted, _MOST)


@kernel
def is_done(m, count, improvement, idle):
    """Whether the last of count iterations made too little progress; improvement: by how much the scaled cost fell.

    idle: iterations since the gradient was last smaller than ever. It goes on falling long after rounding hides that the cost
    does; with a tolerance of zero it decides.
    """
    if m.opt_tolerance <= 0.0:
        return idle >= _IDLE and not improvement > mjMINVAL
    return improvement < m.opt_tolerance or (count >= _PATIENCE and not improvement > mjMINVAL)


@kernel
def is_done_dual(m, count, improvement):
    """The same for solvers that sum the improvements of rows, small to the last: rounding does not hide them."""
    return improvement < m.opt_tolerance or (count >= _PATIENCE and not improvement > mjMINVAL * mjMINVAL)
