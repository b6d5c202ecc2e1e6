"""The hard contact step: impulses of a linear complementarity problem in place of soft forces.

For every row: the impulse is between its bounds and the velocity w after the step is zero, or the impulse is at
the lower bound and w >= 0, or at the upper and w <= 0. Friction has a box for a cone: each tangent has its own bound, the
coefficient times the normal impulse; with elliptic cones it has a disc, and the problem is a nonlinear one. Impacts are
inelastic, or bounce by Newton's law. Impulses start at zero in every step, so that a step depends on nothing but the state.
Source: seed document on contact as a linear complementarity problem (tazz); theory and comparison: docs/lcp.md.
"""

import math

from tumble.physics.algebra.sparse import solve_ld
from tumble.physics.kernel import kernel, stage
from tumble.physics.solver.lcp.disc import aim_disc, filled
from tumble.physics.solver.lcp.rows import implicit_rows
from tumble.physics.solver.lcp.sweep import (
    best,
    cost,
    disc_velocities,
    go_beyond,
    mark_start,
    natural_map,
    row_velocity,
    set_impulse,
    sweep_jacobi,
    sweep_sor,
)
from tumble.physics.solver.note import note, note_forces
from tumble.physics.solver.product import copy, mul_jac, mul_jac_t
from tumble.physics.state.constants import mjMINVAL, mjNSOLVER
from tumble.physics.state.enums import mjtConstraint, mjtConstraintState
from tumble.physics.state.iterates import BEGIN, END, LCP
from tumble.physics.state.own import Splitting

ELLIPTIC = int(mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC)
SATISFIED = int(mjtConstraintState.mjCNSTRSTATE_SATISFIED)
QUADRATIC = int(mjtConstraintState.mjCNSTRSTATE_QUADRATIC)
LINEARNEG = int(mjtConstraintState.mjCNSTRSTATE_LINEARNEG)
LINEARPOS = int(mjtConstraintState.mjCNSTRSTATE_LINEARPOS)
CONE = int(mjtConstraintState.mjCNSTRSTATE_CONE)
FRICTIONLESS = int(mjtConstraint.mjCNSTR_CONTACT_FRICTIONLESS)
FULL = 1.0 - 1e-9  # of a disc that is filled, but for rounding
JACOBI, SOR, CONJUGATE = int(Splitting.JACOBI), int(Splitting.SOR), int(Splitting.CONJUGATE)


@stage
def lcp(m, d):
    """Solve the linear complementarity problem of the step; does nothing while the rows are not ready.

    Reads qvel, qfrc_smooth and the rows of lcp_rows; writes lcp_impulse, lcp_velocity, lcp_residual, and efc_force,
    efc_state, qfrc_constraint and qacc, the change of velocity over the step divided by its duration.

    Statistics of a sweep: improvement is the largest change of a row's velocity by its own impulse in the sweep, gradient
    the natural map after it, both in m/s or rad/s.
    """
    d.solver_niter[0] = 0
    d.solver_nnz[0] = 0
    if d.nlcp != d.nefc or not implicit_rows(m, d):
        return
    h = max(mjMINVAL, m.opt_timestep)
    start(m, d, h)
    note(m, d, BEGIN)
    residual, count, tolerance = natural_map(d), 0, m.tumble_lcp_tolerance
    least, kept = math.inf, 0  # of the best sweep, and its number; 0: no impulses
    alone = residual
    note_sweep(m, d, h, 0, 0.0, residual)
    omega = m.tumble_lcp_omega if m.tumble_lcp_method == SOR else 1.0
    blocks, length = m.tumble_lcp_block != 0, 0.0
    mark_start(m, d)
    while count < m.tumble_lcp_sweeps and residual > tolerance:
        if m.tumble_lcp_method == JACOBI:
            moved = sweep_jacobi(m, d, blocks, tolerance)
        else:
            moved = sweep_sor(d, blocks, omega, tolerance)
        residual = natural_map(d)
        if count < mjNSOLVER:
            keep_statistics(d, count, moved, residual)
        count += 1
        note_sweep(m, d, h, count, moved, residual)
        if residual < least and cost(d) <= 0.0:  # impulses that give energy are not those of a contact
            least, kept = residual, count
            copy(d.lcp_impulse, d.lcp_best, d.nlcp)
        if moved == 0.0 or residual <= tolerance:
            break
        if m.tumble_lcp_method == CONJUGATE and count < m.tumble_lcp_sweeps:  # the last impulses are always those of a sweep
            length = go_beyond(m, d, length)
            mark_start(m, d)
    d.solver_niter[0] = count
    if kept == 0:
        least = alone
    if kept != count:
        restore(m, d)
        update_states(d)
        note_sweep(m, d, h, count, 0.0, least)
    note(m, d, END)
    d.lcp_residual = least
    update_states(d)
    finish(m, d, h)


@stage
def compare_lcp(m, d):
    """Writes solver_fwdinv: norm of the joint forces [N or N m] of impulses minus those that the law gives the velocities.

    Both numbers are the same: what the constraints lack, the applied forces would have to be. Zero in the solution.
    """
    d.solver_fwdinv[0], d.solver_fwdinv[1] = 0.0, 0.0
    if d.nlcp == 0 or d.nlcp != d.nefc:
        return
    h, r = max(mjMINVAL, m.opt_timestep), 0
    while r < d.nlcp:
        if d.lcp_disc[r] > 0:
            disc_velocities(d, r)
            aim_disc(d, r, 1.0)
            r += d.lcp_disc[r]
        else:
            d.lcp_next[r] = best(d, r, row_velocity(d, r), 1.0)
            r += 1
    for k in range(d.nlcp):
        d.lcp_next[k] = (d.lcp_impulse[k] - d.lcp_next[k]) / h
    mul_jac_t(m, d, d.lcp_next, d.work_dof)
    total = 0.0
    for i in range(m.nv):
        total += d.work_dof[i] ** 2
    d.solver_fwdinv[0] = math.sqrt(total)
    d.solver_fwdinv[1] = d.solver_fwdinv[0]


@kernel
def start(m, d, h):
    """lcp_free, lcp_b; no impulses."""
    free = d.lcp_free
    for i in range(m.nv):
        free[i] = h * d.qfrc_smooth[i]
        d.lcp_momentum[i] = 0.0
    solve_ld(m.M_rownnz, m.M_rowadr, m.M_colind, d.qH, d.qHDiagInv, free)
    for i in range(m.nv):
        free[i] += d.qvel[i]
    mul_jac(m, d, free, d.lcp_b)
    for r in range(d.nlcp):
        d.lcp_impulse[r] = 0.0
        d.lcp_best[r] = 0.0
        d.lcp_b[r] += stabilization(m, d, r, h)
        d.efc_state[r] = SATISFIED


@kernel
def stabilization(m, d, r, h):
    """The velocity to add to row r so that w = 0 corrects the wanted part of the violation.

    A one-sided row that is not violated yet (margin) may close its distance in the step, and no more. A contact that arrives in
    it bounces: it separates at its share of the speed with which it approaches.
    """
    rate, speed = m.tumble_lcp_stabilization / h, m.tumble_lcp_speed
    dist = d.efc_pos[r]
    if r < d.ne:
        return min(max(rate * dist, -speed), speed)
    if r < d.ne + d.nf or d.lcp_base[r] >= 0:
        return 0.0
    away = min(rate * max(0.0, -dist - m.tumble_lcp_slop), speed)
    if d.efc_type[r] >= FRICTIONLESS:
        arrives = -d.efc_vel[r]
        if m.tumble_lcp_restitution > 0.0 and arrives > m.tumble_lcp_rest and dist < h * arrives:
            return -max(m.tumble_lcp_restitution * arrives, away)
    return dist / h if dist >= 0.0 else -away


@kernel
def restore(m, d):
    """Back to the best impulses there were, and their velocities: a splitting that diverges must not throw bodies about."""
    for i in range(m.nv):
        d.lcp_momentum[i] = 0.0
    for r in range(d.nlcp):
        d.lcp_impulse[r] = 0.0
    for r in range(d.nlcp):
        set_impulse(d, r, d.lcp_best[r])
    natural_map(d)


@kernel
def finish(m, d, h):
    """From impulses to forces and the acceleration that the integrator makes the solved velocity of."""
    to_forces(d, h)
    mul_jac_t(m, d, d.efc_force, d.qfrc_constraint)
    for i in range(m.nv):
        d.qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i]
    solve_ld(m.M_rownnz, m.M_rowadr, m.M_colind, d.qH, d.qHDiagInv, d.qacc)


@kernel
def note_sweep(m, d, h, count, moved, residual):
    """Record the impulses of the moment as forces."""
    if d.record_stage != 0:
        to_forces(d, h)
        if count > mjNSOLVER:  # else they are up to date: statistics have counted their changes
            update_states(d)
        note_forces(m, d, LCP, count, moved, residual)


@kernel
def to_forces(d, h):
    """efc_force <- impulses over the time step."""
    for r in range(d.nlcp):
        d.efc_force[r] = d.lcp_impulse[r] / h


@kernel
def keep_statistics(d, count, moved, residual):
    """d.solver of one sweep."""
    active, changed = update_states(d)
    d.solverstat_improvement[count] = moved
    d.solverstat_gradient[count] = residual
    d.solverstat_lineslope[count] = 0.0
    d.solverstat_nactive[count] = active
    d.solverstat_nchange[count] = changed
    d.solverstat_neval[count] = 0
    d.solverstat_nupdate[count] = 0


@kernel
def update_states(d):
    """efc_state of all rows; returns how many are active and how many changed."""
    active, changed, r = 0, 0, 0
    while r < d.nlcp:
        state, dim = row_state(d, r), 1
        if d.efc_type[r] == ELLIPTIC:
            dim = d.contact_dim[d.efc_id[r]]
        for k in range(r, r + dim):
            changed += d.efc_state[k] != state
            active += state != SATISFIED
            d.efc_state[k] = state
        r += dim
    return active, changed


@kernel
def row_state(d, r):
    """By its impulse: none, within its bounds, or at one; a contact at a bound of its friction slides: cone."""
    x = d.lcp_impulse[r]
    if r < d.ne:
        return QUADRATIC
    if r < d.ne + d.nf:
        if x <= d.lcp_low[r]:
            return LINEARPOS
        return LINEARNEG if x >= d.lcp_high[r] else QUADRATIC
    if x <= 0.0:
        return SATISFIED
    if d.efc_type[r] == ELLIPTIC and d.contact_dim[d.efc_id[r]] > 1 and d.lcp_disc[r + 1] > 0:
        return CONE if filled(d, r + 1, d.lcp_impulse) >= FULL else QUADRATIC
    if d.efc_type[r] == ELLIPTIC:
        for j in range(1, d.contact_dim[d.efc_id[r]]):
            if abs(d.lcp_impulse[r + j]) >= d.lcp_high[r + j] * x:
                return CONE
    return QUADRATIC
