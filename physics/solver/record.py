"""The stage that records a solve: every iterate of every island, with the same measures for all solvers.

For an iterate given by forces f (PGS, no-slip, LCP) the acceleration is x = qacc_smooth + M^-1 J' f. Then

    cost       P(x) = 1/2 |x - qacc_smooth|^2_M + s(J x - aref)             what Newton and CG minimize
    dual       1/2 f' (A + R) f + f' b,  A = J M^-1 J'                      what PGS minimizes; P + dual >= 0
    gradient   |M (x - qacc_smooth) + J' s'(J x - aref)|, scaled            zero in the solution

For f = -s'(J x - aref), as Newton and CG have it, these are their own numbers. Forces of the no-slip pass solve
another problem, and those of the LCP are not of the cone: their cost tells how far that is from the soft solution, and
the dual of the LCP, no bound of anything, is not a number.
Source: MuJoCo documentation, Computation, Reduced primal problem and Dual problem.
"""

import math

from tumble.physics.algebra.sparse import solve_ld
from tumble.physics.kernel import kernel, stage
from tumble.physics.solver.cost import constraint_cost
from tumble.physics.solver.limits import cost_scale, model_scale
from tumble.physics.solver.product import add_scaled, copy, dot, mul_jac, mul_jac_t
from tumble.physics.state import iterates
from tumble.physics.state.iterates import BEGIN, COUNT, END, HEAD, LCP, NOSLIP, PGS
from tumble.physics.state.own import ContactModel

HARD = int(ContactModel.LCP)
KIND, ITERATION, COST, DUAL = iterates.KIND, iterates.ITERATION, iterates.COST, iterates.DUAL
GRADIENT, IMPROVEMENT, ALPHA = iterates.GRADIENT, iterates.IMPROVEMENT, iterates.ALPHA
SLOPE, EVALUATIONS, RESIDUAL, SCALE = iterates.SLOPE, iterates.EVALUATIONS, iterates.RESIDUAL, iterates.SCALE

FEW = 8  # iterations to make room for when there is none yet
RESERVE = 1  # slots that the solver leaves to the no-slip pass, so that the last iterate of each is kept


@stage
def record(m, d):
    """Does what record_kind says; all it writes is record_..., needR, and what note_forces names."""
    if d.record_kind == BEGIN:
        keep_start(m, d)
        begin(m, d)
    elif d.record_kind == END:
        d.record_made = most_made(d) if d.record_slots > 0 else FEW
        d.record_used = min(d.record_made, d.record_slots)
        if d.record_made > d.record_slots:
            ask(d, d.record_made)
    elif d.record_slots > 0:
        keep(m, d)


@kernel
def reserve(m, d):
    """Slots that an iterate of the present kind must leave free; without the dual's matrix there will be no such pass."""
    return RESERVE if m.opt_noslip_iterations > 0 and d.nA > 0 and d.record_kind < NOSLIP else 0


@kernel
def begin(m, d):
    """Lays out the slots for this problem, all of them empty."""
    split = d.nisland > 0 and d.island_whole == 0 and m.tumble_contact_model != HARD
    d.record_parts = d.nisland if split else 0
    d.record_rows = d.nefc
    d.record_width = HEAD * max(1, d.record_parts) + 2 * d.nefc + m.nv
    d.record_slots = d.maxR // d.record_width
    d.record_base = 0
    d.record_used = 0
    d.record_lost = 0
    if d.record_slots > 0:
        for k in range(max(1, d.record_parts)):
            d.record_numbers[part(d, k) + COUNT] = 0.0


@kernel
def part(d, k):
    """Start of island k's part in a slot."""
    if d.record_parts == 0:
        return 0
    return HEAD * k + 2 * d.island_iefcadr[k] + d.island_idofadr[k]


@kernel
def most_made(d):
    """The most iterates that an island had, kept or not."""
    most = 0.0
    for k in range(max(1, d.record_parts)):
        most = max(most, d.record_numbers[part(d, k) + COUNT])
    return int(most)


@kernel
def ask(d, slots):
    """needR <- slots needed; at the limit, record_lost instead."""
    need = min(slots * d.record_width, d.record_limit)
    if need > d.maxR:
        d.needR = max(d.needR, need)
    else:
        d.record_lost = 1


@kernel
def keep(m, d):
    """The present iterate into the next slot; when all are taken, into the last: the newest of its kind is always there."""
    numbers, n, nv, kind = d.record_numbers, d.nefc, m.nv, d.record_kind
    base = d.record_base
    count = int(numbers[base + COUNT])
    at = base + max(0, min(count, d.record_slots - 1 - reserve(m, d))) * d.record_width
    force = numbers[at + HEAD : at + HEAD + n]
    state = numbers[at + HEAD + n : at + HEAD + 2 * n]
    acc = numbers[at + HEAD + 2 * n : at + HEAD + 2 * n + nv]
    for r in range(n):
        force[r] = d.efc_force[r]
        state[r] = d.efc_state[r]
    if kind >= PGS:
        mul_jac_t(m, d, d.efc_force, d.qfrc_constraint)
    copy(d.qfrc_constraint, acc, nv)
    solve_ld(m.M_rownnz, m.M_rowadr, m.M_colind, d.qLD, d.qLDiagInv, acc)
    energy, scale = 0.5 * dot(acc, d.qfrc_constraint, nv), own_scale(m, d, kind)
    dual = energy
    for r in range(n):
        dual += force[r] * (0.5 * d.efc_R[r] * force[r] + d.efc_b[r])
    if kind >= PGS:
        add_scaled(acc, 1.0, d.qacc_smooth, nv)
        measure(m, d, energy, force, state, acc, scale)
    else:
        copy(d.qacc, acc, nv)
    numbers[at + KIND] = kind
    numbers[at + ITERATION] = d.record_iteration
    numbers[at + COST] = d.record_cost
    numbers[at + DUAL] = math.nan if kind == LCP else dual
    numbers[at + GRADIENT] = d.record_gradient
    numbers[at + IMPROVEMENT] = d.record_improvement
    numbers[at + ALPHA] = d.record_alpha
    numbers[at + SLOPE] = d.record_slope
    numbers[at + EVALUATIONS] = d.record_evaluations
    numbers[at + RESIDUAL] = d.record_residual
    numbers[at + SCALE] = scale
    numbers[base + COUNT] = count + 1


@kernel
def own_scale(m, d, kind):
    """The scale of the solver that an iterate is of."""
    return model_scale(m) if kind >= PGS else cost_scale(m, d)


@kernel
def measure(m, d, energy, force, state, acc, scale):
    """record_cost, record_gradient <- those of forces whose acceleration is acc; efc_force and efc_state stay."""
    n = d.nefc
    mul_jac(m, d, acc, d.solve_jar)
    add_scaled(d.solve_jar, -1.0, d.efc_aref, n)
    d.record_cost = energy + constraint_cost(d, d.solve_jar)
    for r in range(n):
        d.efc_force[r] = force[r] - d.efc_force[r]
    mul_jac_t(m, d, d.efc_force, d.solve_grad)
    d.record_gradient = scale * math.sqrt(dot(d.solve_grad, d.solve_grad, m.nv))
    for r in range(n):
        d.efc_force[r] = force[r]
        d.efc_state[r] = int(state[r])


@kernel
def keep_start(m, d):
    """record_start <- the state that is solved for, in the order of mj_getState, then tree_asleep.

    At the end of a step most of it is overwritten: this is what the same step can be solved again from.
    """
    d.record_start[0] = d.time
    at = put(d.record_start, 1, d.qpos)
    at = put(d.record_start, at, d.qvel)
    at = put(d.record_start, at, d.act)
    at = put(d.record_start, at, d.history)
    at = put(d.record_start, at, d.qacc_warmstart)
    at = put(d.record_start, at, d.ctrl)
    at = put(d.record_start, at, d.qfrc_applied)
    for b in range(m.nbody):
        at = put(d.record_start, at, d.xfrc_applied[b])
    at = put(d.record_start, at, d.eq_active)
    for k in range(m.nmocap):
        at = put(d.record_start, at, d.mocap_pos[k])
    for k in range(m.nmocap):
        at = put(d.record_start, at, d.mocap_quat[k])
    at = put(d.record_start, at, d.userdata)
    at = put(d.record_start, at, d.plugin_state)
    put(d.record_start, at, d.tree_asleep)


@kernel
def put(to, at, x):
    """Append a vector; returns where the next begins."""
    for k in range(x.shape[0]):
        to[at + k] = x[k]
    return at + x.shape[0]
