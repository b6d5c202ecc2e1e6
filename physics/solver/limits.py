"""When a solver stops, whatever the options ask for: no option may keep a step from ending."""

from physics.kernel import kernel
from physics.state.constants import mjMINVAL

_MOST = 10_000  # iterations of a solver in one step, and evaluations of one line search
_PATIENCE = 100  # iterations after which only progress beyond rounding justifies more; the default of opt.iterations


@kernel
def most_iterations(wanted):
    """The iterations that an option asks for, within bounds."""
    return min(wanted, _MOST)


@kernel
def is_done(m, count, improvement):
    """Whether the last of count iterations made too little progress; improvement: by how much the scaled cost fell."""
    return improvement < m.opt_tolerance or (count >= _PATIENCE and not improvement > mjMINVAL)
