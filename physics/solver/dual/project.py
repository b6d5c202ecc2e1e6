"""The dual problem: minimize 1/2 f' (A + R) f + f' b over the forces that the constraint allows, A = J M^-1 J'.

What its solvers share: the matrix, the start, and the way back to accelerations.
Source: MuJoCo documentation, Computation, Dual problem.
"""

import math

from tumble.physics.algebra.sparse import solve_ld
from tumble.physics.constraint.row import spread_row
from tumble.physics.kernel import kernel, stage
from tumble.physics.solver.cost import constraint_cost
from tumble.physics.solver.product import add_scaled, dot, mul_jac, mul_jac_t
from tumble.physics.state.enums import mjtConstraint, mjtConstraintState, mjtDisableBit

ELLIPTIC = int(mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC)
SATISFIED = int(mjtConstraintState.mjCNSTRSTATE_SATISFIED)
QUADRATIC = int(mjtConstraintState.mjCNSTRSTATE_QUADRATIC)
LINEARNEG = int(mjtConstraintState.mjCNSTRSTATE_LINEARNEG)
LINEARPOS = int(mjtConstraintState.mjCNSTRSTATE_LINEARPOS)
CONE = int(mjtConstraintState.mjCNSTRSTATE_CONE)
NO_WARMSTART = int(mjtDisableBit.mjDSBL_WARMSTART)


@stage
def project_constraint(m, d):
    """Reads efc_J, qLD, efc_R; writes efc_AR (dense). If there is no room, needA becomes the numbers needed."""
    n, nv = d.nefc, m.nv
    d.nA = 0
    if n * max(n, nv) > d.maxA:  # dual_half has n * nv numbers
        d.needA = n * max(n, nv)
        return
    d.nA = n * n
    half, ar = d.dual_half, d.efc_AR
    for r in range(n):
        half_row(m, d, r, half[r * nv : (r + 1) * nv])
    for r in range(n):
        d.efc_AR_rownnz[r] = n
        d.efc_AR_rowadr[r] = r * n
        # Half rows are zero right of the last dof of their row; to the left, elimination fills in.
        for s in range(r + 1):
            end = min(d.efc_end[r], d.efc_end[s])
            value = dot(half[r * nv : r * nv + end], half[s * nv : s * nv + end], end)
            ar[r * n + s] = value
            ar[s * n + r] = value
        ar[r * n + r] += d.efc_R[r]
        columns = d.efc_AR_colind[r * n : (r + 1) * n]
        for s in range(n):
            columns[s] = s


@kernel
def half_row(m, d, r, x):
    """x <- D^-1/2 L'^-1 J_r: with M = L' D L, the products of two such rows are the entries of A."""
    end = d.efc_end[r]
    rownnz, rowadr, colind, ld = m.M_rownnz, m.M_rowadr, m.M_colind, d.qLD
    spread_row(m, d, r, x)
    for i in range(end - 1, -1, -1):
        xi = x[i]
        if xi != 0.0:
            start = rowadr[i]
            for a in range(start, start + rownnz[i] - 1):
                x[colind[a]] -= ld[a] * xi
            x[i] = xi * math.sqrt(d.qLDiagInv[i])


@kernel
def dual_start(m, d):
    """efc_b <- J qacc_smooth - aref; efc_force <- the forces of qacc_warmstart, or zero if that is better."""
    n = d.nefc
    mul_jac(m, d, d.qacc_smooth, d.efc_b)
    add_scaled(d.efc_b, -1.0, d.efc_aref, n)
    if not m.opt_disableflags & NO_WARMSTART:
        mul_jac(m, d, d.qacc_warmstart, d.solve_jar)
        add_scaled(d.solve_jar, -1.0, d.efc_aref, n)
        constraint_cost(d, d.solve_jar)
        residual(d)
        if 0.5 * (dot(d.efc_force, d.dual_res, n) + dot(d.efc_force, d.efc_b, n)) <= 0.0:
            return
    for r in range(n):
        d.efc_force[r] = 0.0
        d.dual_res[r] = d.efc_b[r]


@kernel
def residual(d):
    """dual_res <- AR force + b: the gradient of the dual cost."""
    n, ar, res = d.nefc, d.efc_AR, d.dual_res
    for r in range(n):
        res[r] = d.efc_b[r]
    for r in range(n):
        f = d.efc_force[r]
        if f != 0.0:
            add_scaled(res, f, ar[r * n : (r + 1) * n], n)


@kernel
def dual_finish(m, d):
    """From forces to accelerations: writes qfrc_constraint and qacc."""
    mul_jac_t(m, d, d.efc_force, d.qfrc_constraint)
    for k in range(m.nv):
        d.qacc[k] = d.qfrc_constraint[k]
    solve_ld(m.M_rownnz, m.M_rowadr, m.M_colind, d.qLD, d.qLDiagInv, d.qacc)
    add_scaled(d.qacc, 1.0, d.qacc_smooth, m.nv)


@kernel
def dual_states(d):
    """efc_state of all rows from efc_force, and the count of those that are active."""
    r, active = 0, 0
    while r < d.nefc:
        if d.efc_type[r] == ELLIPTIC:
            c = d.efc_id[r]
            state, dim = cone_state(d, c, r), d.contact_dim[c]
        else:
            state, dim = row_state(d, r), 1
        for k in range(r, r + dim):
            d.efc_state[k] = state
        if state != SATISFIED:
            active += dim
        r += dim
    d.dual_active = active


@kernel
def set_state(d, r, dim, state):
    """Rows r to r + dim take a state; counts if that is a change."""
    old = d.efc_state[r]
    if old != state:
        for k in range(r, r + dim):
            d.efc_state[k] = state
        d.dual_changed = d.dual_changed + dim
        if old == SATISFIED:
            d.dual_active = d.dual_active + dim
        elif state == SATISFIED:
            d.dual_active = d.dual_active - dim


@kernel
def row_state(d, r):
    """The state of a row, by its force: at a bound or between."""
    f = d.efc_force[r]
    if r >= d.ne + d.nf:
        return QUADRATIC if f > 0.0 else SATISFIED
    if r >= d.ne:
        if f <= -d.efc_frictionloss[r]:
            return LINEARPOS
        if f >= d.efc_frictionloss[r]:
            return LINEARNEG
    return QUADRATIC


@kernel
def cone_state(d, c, i):
    """The state of an elliptic contact, by its force: none, inside the cone or on its surface."""
    normal, tt = d.efc_force[i], 0.0
    if normal <= 0.0:
        return SATISFIED
    for j in range(1, d.contact_dim[c]):
        f = d.efc_force[i + j] / d.contact_friction[c, j - 1]
        tt += f * f
    return QUADRATIC if tt < normal * normal * (1.0 - 1e-12) else CONE
