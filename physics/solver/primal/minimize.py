"""Minimization of the primal cost 1/2 |x - qacc_smooth|^2_M + s(J x - aref): the loop that Newton and CG share.

The two differ in the direction alone: Newton solves with the Hessian, CG with M, and mixes the previous
direction in (Polak, Ribiere, no negative coefficients).
"""

import math

from tumble.physics.algebra.cholesky import solve_skyline
from tumble.physics.algebra.sparse import mul_sym, solve_ld
from tumble.physics.kernel import kernel, run
from tumble.physics.solver.cost import constraint_cost
from tumble.physics.solver.limits import cost_scale, is_done, most_iterations
from tumble.physics.solver.note import note_primal
from tumble.physics.solver.primal.hessian import factor_hessian, start_hessian, update_hessian
from tumble.physics.solver.primal.linesearch import line_search
from tumble.physics.solver.product import add_scaled, copy, dot, mul_jac, mul_jac_t
from tumble.physics.state.constants import mjMINVAL, mjNSOLVER
from tumble.physics.state.enums import mjtConstraintState, mjtDisableBit
from tumble.physics.state.iterates import CG, NEWTON
from tumble.physics.state.stages import Entry

ROUNDS = 6  # CG may go through all directions so often without a smaller gradient: measured on cones of condition 1e5
SATISFIED = int(mjtConstraintState.mjCNSTRSTATE_SATISFIED)
NO_WARMSTART = int(mjtDisableBit.mjDSBL_WARMSTART)
BLOCKS = int(Entry.BLOCKS)  # called through the table, so that small models need not compile it


@kernel
def primal(m, d, second_order):
    """Writes qacc, efc_force, efc_state, qfrc_constraint and the solver's statistics.

    Reads M (and its factor for CG), qfrc_smooth, qacc_smooth, qacc_warmstart, the rows and efc_aref.
    """
    n = m.nv
    d.solver_niter[0] = 0
    if d.nefc == 0:
        no_constraint(m, d)
        return
    scale = cost_scale(m, d)
    cost = warm_start(m, d)
    gradient = scale * update_gradient(m, d)
    kind = NEWTON if second_order else CG
    note_primal(m, d, kind, 0, cost, gradient, 0.0, 0.0, 0.0, 0)
    precondition(m, d, second_order, True)
    for k in range(n):
        d.solve_search[k] = -d.solve_Mgrad[k]
    count, most = 0, most_iterations(m.opt_iterations)
    least, idle, cycle = gradient, 0, 0 if second_order else ROUNDS * n
    while count < most and gradient >= m.opt_tolerance:
        step, left, evaluations = line_search(m, d, scale)
        if step == 0.0:
            break
        add_scaled(d.qacc, step, d.solve_search, n)
        add_scaled(d.solve_Ma, step, d.solve_Mv, n)
        add_scaled(d.solve_jar, step, d.solve_Jv, d.nefc)
        old = cost
        cost = gauss_cost(m, d) + constraint_cost(d, d.solve_jar)
        copy(d.solve_grad, d.solve_grad_old, n)
        gradient, improvement = scale * update_gradient(m, d), scale * (old - cost)
        if count < mjNSOLVER:
            d.solverstat_improvement[count] = improvement
            d.solverstat_gradient[count] = gradient
            d.solverstat_lineslope[count] = left
            d.solverstat_neval[count] = evaluations
            d.solverstat_nupdate[count] = 0
            count_states(d, count)
        count += 1
        note_primal(m, d, kind, count, cost, gradient, improvement, step, left, evaluations)
        idle = 0 if gradient < least else idle + 1
        least = min(least, gradient)
        if gradient < m.opt_tolerance or is_done(m, count, improvement, idle, cycle):
            break
        copy(d.solve_Mgrad, d.solve_Mgrad_old, n)
        updates = precondition(m, d, second_order, False)
        if count <= mjNSOLVER:
            d.solverstat_nupdate[count - 1] = updates
        next_direction(m, d, second_order)
    d.solver_niter[0] = count
    if second_order:
        d.solver_nnz[0] = n * n if d.flg_sparse == 0 else d.solve_entries
    else:
        d.solver_nnz[0] = 0


@kernel
def no_constraint(m, d):
    """Without rows the acceleration is the unconstrained one."""
    d.solver_nnz[0] = 0
    for k in range(m.nv):
        d.qacc[k] = d.qacc_smooth[k]
        d.qfrc_constraint[k] = 0.0


@kernel
def warm_start(m, d):
    """Start at the better of qacc_warmstart and qacc_smooth; returns its cost. Writes solve_Ma, solve_jar, efc_b."""
    n, rows, z = m.nv, d.nefc, d.solve_jar
    mul_jac(m, d, d.qacc_smooth, d.efc_b)
    add_scaled(d.efc_b, -1.0, d.efc_aref, rows)
    cold = constraint_cost(d, d.efc_b)
    if not m.opt_disableflags & NO_WARMSTART:
        copy(d.qacc_warmstart, d.qacc, n)
        mul_sym(m.M_rownnz, m.M_rowadr, m.M_colind, d.M, d.qacc, d.solve_Ma)
        mul_jac(m, d, d.qacc, z)
        add_scaled(z, -1.0, d.efc_aref, rows)
        warm = gauss_cost(m, d) + constraint_cost(d, z)
        if warm <= cold and warm < math.inf:  # forces without bound must show in qacc, not hide behind the last one
            return warm
    copy(d.qacc_smooth, d.qacc, n)
    copy(d.qfrc_smooth, d.solve_Ma, n)
    copy(d.efc_b, z, rows)
    return constraint_cost(d, z)


@kernel
def gauss_cost(m, d):
    """The Gauss cost 1/2 |qacc - qacc_smooth|^2_M [J/s^2].

    Source: MuJoCo documentation, Computation, Constraint model.
    """
    cost = 0.0
    for k in range(m.nv):
        cost += (d.qacc[k] - d.qacc_smooth[k]) * (d.solve_Ma[k] - d.qfrc_smooth[k])
    return 0.5 * cost


@kernel
def update_gradient(m, d):
    """qfrc_constraint <- J' force; solve_grad <- the gradient; returns its length."""
    mul_jac_t(m, d, d.efc_force, d.qfrc_constraint)
    total = 0.0
    for k in range(m.nv):
        g = d.solve_Ma[k] - d.qfrc_smooth[k] - d.qfrc_constraint[k]
        d.solve_grad[k] = g
        total += g * g
    return math.sqrt(total)


@kernel
def precondition(m, d, second_order, begin):
    """solve_Mgrad <- Hessian^-1 gradient, or M^-1 gradient; returns how many rows the Hessian gained or lost."""
    updates = 0
    copy(d.solve_grad, d.solve_Mgrad, m.nv)
    if second_order and d.flg_sparse != 0:
        d.solve_begin = 1 if begin else 0
        run(m.stage[BLOCKS], m, d)
        updates = d.solve_updates
    elif second_order:
        if begin:
            start_hessian(m, d)
        updates = update_hessian(m, d)
        factor_hessian(m, d)
        solve_skyline(d.solve_LD, d.solve_first[1], d.solve_LDinv, d.solve_Mgrad)
    else:
        solve_ld(m.M_rownnz, m.M_rowadr, m.M_colind, d.qLD, d.qLDiagInv, d.solve_Mgrad)
    copy(d.efc_state, d.solve_state, d.nefc)
    return updates


@kernel
def next_direction(m, d, second_order):
    """solve_search <- the next direction, from the gradients before and after the step."""
    n, beta = m.nv, 0.0
    if not second_order:
        change = dot(d.solve_grad, d.solve_Mgrad, n) - dot(d.solve_grad, d.solve_Mgrad_old, n)
        beta = max(0.0, change / max(mjMINVAL, dot(d.solve_grad_old, d.solve_Mgrad_old, n)))
    for k in range(n):
        d.solve_search[k] = -d.solve_Mgrad[k] + beta * d.solve_search[k]


@kernel
def count_states(d, at):
    """Number of active rows, and of those that changed since the last count."""
    active, changed = 0, 0
    for r in range(d.nefc):
        active += d.efc_state[r] != SATISFIED
        changed += d.efc_state[r] != d.solve_state[r]
    d.solverstat_nactive[at] = active
    d.solverstat_nchange[at] = changed
