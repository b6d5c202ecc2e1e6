"""Projected Gauss-Seidel on the dual problem: one row, or one elliptic contact, after the other.

Each row takes the force that is best while all others stand still, projected to what it may be. The
gradient AR f + b of all rows is kept up to date, so that a row whose force stays costs nothing.
"""

import math

from tumble.physics.kernel import kernel, stage
from tumble.physics.solver.dual.ellipse import update_cone
from tumble.physics.solver.dual.project import cone_state, dual_finish, dual_start, dual_states, row_state, set_state
from tumble.physics.solver.limits import is_done_dual, model_scale, most_iterations
from tumble.physics.solver.note import note_forces
from tumble.physics.solver.primal.minimize import no_constraint
from tumble.physics.solver.product import add_scaled
from tumble.physics.state.constants import mjMINVAL, mjNSOLVER
from tumble.physics.state.enums import mjtConstraint
from tumble.physics.state.iterates import PGS

ELLIPTIC = int(mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC)


@stage
def pgs(m, d):
    """The constrained acceleration by PGS; reads efc_AR (project_constraint), does nothing while that has no room."""
    d.solver_niter[0] = 0
    if d.nefc == 0:
        no_constraint(m, d)
        return
    if d.nA == 0:
        return
    scale = model_scale(m)
    dual_start(m, d)
    dual_states(d)
    note_forces(m, d, PGS, 0, 0.0, 0.0)
    for r in range(d.nefc):
        d.dual_inv[r] = 1.0 / max(mjMINVAL, d.efc_AR[r * d.nefc + r])
    count, most = 0, most_iterations(m.opt_iterations)
    least, idle = math.inf, 0
    while count < most:
        d.dual_changed, d.dual_moved = 0, 0.0
        improvement = scale * sweep(d)
        if count < mjNSOLVER:
            d.solverstat_improvement[count] = improvement
            d.solverstat_gradient[count] = 0.0
            d.solverstat_lineslope[count] = 0.0
            d.solverstat_nactive[count] = d.dual_active
            d.solverstat_nchange[count] = d.dual_changed
            d.solverstat_neval[count] = 0
            d.solverstat_nupdate[count] = 0
        count += 1
        note_forces(m, d, PGS, count, improvement, 0.0)
        idle = 0 if d.dual_moved < least else idle + 1
        least = min(least, d.dual_moved)
        if is_done_dual(m, count, improvement, idle):
            break
    d.solver_niter[0] = count
    d.solver_nnz[0] = d.nefc * d.nefc
    dual_finish(m, d)


@kernel
def sweep(d):
    """Update all forces once, in the order of the rows; returns how much the dual cost fell."""
    gain, r, n = 0.0, 0, d.nefc
    while r < n:
        if d.efc_type[r] == ELLIPTIC:
            c = d.efc_id[r]
            gain += update_cone(d, c, r)
            set_state(d, r, d.contact_dim[c], cone_state(d, c, r))
            r += d.contact_dim[c]
        else:
            gain += update_scalar(d, r)
            r += 1
    return gain


@kernel
def update_scalar(d, r):
    """The best force of one row, within its bounds; returns how much the dual cost fell."""
    n, res = d.nefc, d.dual_res
    row = d.efc_AR[r * n : (r + 1) * n]
    old = d.efc_force[r]
    new = old - res[r] * d.dual_inv[r]
    if r >= d.ne:
        if r < d.ne + d.nf:
            top = d.efc_frictionloss[r]
            new = min(max(new, -top), top)
        else:
            new = max(new, 0.0)
    change = new - old
    if change == 0.0:
        return 0.0
    gain = -change * (0.5 * change * row[r] + res[r])
    if gain < -1e-10:  # rounding has the better of it: stay
        return 0.0
    d.efc_force[r] = new
    d.dual_moved += change * change * row[r]
    add_scaled(res, change, row, n)
    set_state(d, r, 1, row_state(d, r))
    return gain
