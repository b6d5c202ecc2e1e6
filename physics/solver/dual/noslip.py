"""The no-slip pass: friction is solved once more without its regularizer, so that what should stick does not creep.

A soft friction row gives way in proportion to its force, which shows as slow slip. Sweeps over the friction
rows alone, by PGS on the dual without R, end that; the normal forces stay as the solver left them.
Source: MuJoCo documentation, Modeling, Solver settings; XML reference, option noslip_iterations.
"""

from tumble.physics.kernel import kernel, stage
from tumble.physics.solver.dual.ellipse import NEW, OLD, RES, slice_cone
from tumble.physics.solver.dual.project import cone_state, dual_finish, dual_states, residual, row_state, set_state
from tumble.physics.solver.limits import model_scale, most_iterations
from tumble.physics.solver.note import note_forces
from tumble.physics.solver.product import add_scaled
from tumble.physics.state.constants import mjMINVAL, mjNSOLVER
from tumble.physics.state.enums import mjtConstraint
from tumble.physics.state.iterates import NOSLIP

PYRAMIDAL, ELLIPTIC = int(mjtConstraint.mjCNSTR_CONTACT_PYRAMIDAL), int(mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC)


@stage
def noslip(m, d):
    """Reads efc_AR, efc_R, efc_b, efc_force; improves the friction forces, and with them qfrc_constraint and qacc.

    Its iterations count on from the solver's, in solver_niter and the statistics. As the solver it works on a whole problem
    or on an island, and knows no difference. Does nothing while efc_AR has no room.
    """
    if d.nefc == 0 or d.nA == 0:
        return
    scale = model_scale(m)
    dual_states(d)
    residual(d)
    note_forces(m, d, NOSLIP, 0, 0.0, 0.0)
    gain = 0.0
    for r in range(d.nefc):  # the cost without R starts lower by what R had in it
        force, loss = d.efc_force[r], d.efc_R[r] * d.efc_force[r]
        d.dual_res[r] -= loss
        gain += 0.5 * force * loss
    count, most, start = 0, most_iterations(m.opt_noslip_iterations), d.solver_niter[0]
    while count < most:
        d.dual_changed = 0
        gain = scale * (gain + slip_sweep(d))
        if start + count < mjNSOLVER:
            d.solverstat_improvement[start + count] = gain
            d.solverstat_gradient[start + count] = 0.0
            d.solverstat_lineslope[start + count] = 0.0
            d.solverstat_nactive[start + count] = d.dual_active
            d.solverstat_nchange[start + count] = d.dual_changed
            d.solverstat_neval[start + count] = 0
            d.solverstat_nupdate[start + count] = 0
        count += 1
        note_forces(m, d, NOSLIP, count, gain, 0.0)
        if not gain >= m.opt_noslip_tolerance:
            break
        gain = 0.0
    d.solver_niter[0] = start + count
    dual_finish(m, d)


@kernel
def slip_sweep(d):
    """Update all friction forces once; returns how much the dual cost without R fell."""
    gain, r = 0.0, d.ne
    while r < d.ne + d.nf:
        gain += slip_row(d, r)
        r += 1
    r += d.nl
    while r < d.nefc:
        if d.efc_type[r] == ELLIPTIC:
            c = d.efc_id[r]
            gain += slip_cone(d, c, r)
            r += d.contact_dim[c]
        elif d.efc_type[r] == PYRAMIDAL:
            gain += slip_edges(d, r)
            r += 2
        else:
            r += 1
    return gain


@kernel
def slip_row(d, r):
    """The best force of a dof's or tendon's friction, within its bounds; returns the gain."""
    top, old = d.efc_frictionloss[r], d.efc_force[r]
    bend, slope = d.efc_AR[r * d.nefc + r] - d.efc_R[r], d.dual_res[r]
    new = min(max(old - slope / max(mjMINVAL, bend), -top), top)
    change_force(d, r, new)
    set_state(d, r, 1, row_state(d, r))
    change = new - old
    return -change * (0.5 * change * bend + slope)


@kernel
def change_force(d, r, new):
    """efc_force[r] <- new; keeps dual_res up to date, without R."""
    change, n = new - d.efc_force[r], d.nefc
    if change != 0.0:
        d.efc_force[r] = new
        add_scaled(d.dual_res, change, d.efc_AR[r * n : (r + 1) * n], n)
        d.dual_res[r] -= change * d.efc_R[r]


@kernel
def slip_edges(d, r):
    """The best friction in one plane of a pyramid, of edges r and r + 1; their sum, the normal force, stays; returns the gain."""
    n, ar, res = d.nefc, d.efc_AR, d.dual_res
    a, b = d.efc_force[r], d.efc_force[r + 1]
    aa, bb = ar[r * n + r] - d.efc_R[r], ar[(r + 1) * n + r + 1] - d.efc_R[r + 1]
    ab = ar[r * n + r + 1]
    middle, half = 0.5 * (a + b), 0.5 * (a - b)
    # moving x from one edge to the other changes the cost by x slope + 1/2 x^2 bend
    bend, slope = aa + bb - 2.0 * ab, res[r] - res[r + 1]
    x = -half if bend < mjMINVAL else min(max(half - slope / bend, -middle), middle) - half
    gain = -x * (slope + 0.5 * x * bend)
    if gain < -1e-10:  # rounding has the better of it: stay
        return 0.0
    change_force(d, r, middle + half + x)
    change_force(d, r + 1, middle - half - x)
    set_state(d, r, 1, row_state(d, r))
    set_state(d, r + 1, 1, row_state(d, r + 1))
    return gain


@kernel
def slip_cone(d, c, i):
    """The best friction of an elliptic contact at its normal force; returns the gain."""
    n, dim, w, ar = d.nefc, d.contact_dim[c], d.dual_small, d.efc_AR
    for j in range(dim):
        w[OLD, j] = d.efc_force[i + j]
        w[NEW, j] = w[OLD, j] if j == 0 else 0.0
        w[RES, j] = d.dual_res[i + j]
    if w[OLD, 0] >= mjMINVAL:
        slice_cone(d, c, i, dim, True)
    gain = 0.0
    for j in range(1, dim):
        change = w[NEW, j] - w[OLD, j]
        gain -= change * (w[RES, j] - 0.5 * change * d.efc_R[i + j])
        for k in range(1, dim):
            gain -= 0.5 * change * ar[(i + j) * n + i + k] * (w[NEW, k] - w[OLD, k])
    if gain < -1e-10:
        return 0.0
    for j in range(1, dim):
        change_force(d, i + j, w[NEW, j])
    set_state(d, i, dim, cone_state(d, c, i))
    return gain
