"""The hook that solvers call to have iterates recorded: one test of a scalar while recording is off."""

from tumble.physics.kernel import kernel, run


@kernel
def note(m, d, what):
    """Begin or end a record, if recording is on; what: BEGIN, END, ... of state/iterates.py."""
    if d.record_stage != 0:
        d.record_kind = what
        run(d.record_stage, m, d)


@kernel
def note_primal(m, d, kind, iteration, cost, gradient, improvement, alpha, slope, evaluations):
    """Record an iterate of a solver that moves qacc: reads qacc, efc_force, efc_state, qfrc_constraint, efc_b."""
    if d.record_stage != 0:
        d.record_iteration = iteration
        d.record_cost = cost
        d.record_gradient = gradient
        d.record_improvement = improvement
        d.record_alpha = alpha
        d.record_slope = slope
        d.record_evaluations = evaluations
        d.record_residual = gradient
        note(m, d, kind)


@kernel
def note_forces(m, d, kind, iteration, improvement, residual):
    """Record an iterate of a solver that moves efc_force; writes qacc, qfrc_constraint, solve_jar and solve_grad."""
    if d.record_stage != 0:
        d.record_iteration = iteration
        d.record_improvement = improvement
        d.record_alpha = 0.0
        d.record_slope = 0.0
        d.record_evaluations = 0
        d.record_residual = residual
        note(m, d, kind)
