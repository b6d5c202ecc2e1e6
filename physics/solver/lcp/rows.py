"""The rows of the linear complementarity problem: half of its matrix, and the bounds of its impulses.

A step changes the velocity from u to u + h N^-1 f + N^-1 J' lambda, where f are the smooth forces and N is M
less h times their derivative by velocity, as far as the integrator takes that into account: Euler that of joint dampers,
the implicit ones that of all dampers and actuators. So the velocities of the rows are

    w = A lambda + b,   A = J N^-1 J',   b = J (u + h N^-1 f)

and A is never made: with N = L' D L its entries are products of the rows of X = J L^-1 D^-1/2. Such a row has
nonzeros at the ancestors of the dofs of its row of J only, where a row of J N^-1 would fill the whole tree; and one
matrix serves where the textbook needs two, J and N^-1 J'. What the sweeps keep up to date is y = X' lambda, which
is N^-1 J' lambda in the coordinates in which N is the identity.
Source: seed document on contact as a linear complementarity problem (tazz); the factor: Featherstone, section 6.5.
"""

import math

from tumble.physics.algebra.sparse import factor_ld, factor_part
from tumble.physics.constraint.row import spread_row
from tumble.physics.dynamics.derivative.pattern import symmetric_matrix
from tumble.physics.kernel import kernel, run, stage
from tumble.physics.state.enums import mjtCone, mjtConstraint, mjtDisableBit
from tumble.physics.state.stages import Entry, Phase, span

ELLIPTIC = int(mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC)
DISC = int(mjtCone.mjCONE_ELLIPTIC)
NO_EULERDAMP, NO_DAMPER = int(mjtDisableBit.mjDSBL_EULERDAMP), int(mjtDisableBit.mjDSBL_DAMPER)
DERIVED, DERIVATIVES = int(Entry.DERIV_SMOOTH), span(Phase.DERIVATIVES)
BLOCK = 3  # rows of a contact that are solved together: normal and two tangents


@stage
def lcp_rows(m, d):
    """Reads efc_J, M, qLD; writes qH and lcp_half, lcp_diag, lcp_cross, lcp_low, lcp_high, lcp_base, lcp_size.

    If there is no room, needL becomes the number of entries that lcp_half needs and no row is ready.
    """
    damped_inertia(m, d)
    make_rows(m, d)


@kernel
def implicit_rows(m, d):
    """The rows again where N has derivatives that are known only after velocities and actuators; False: no room.

    The derivative is that of implicitfast, for `implicit` too: without that of the Coriolis forces N is symmetric.
    """
    if m.stage[DERIVED] == 0:
        return True
    for k in range(DERIVATIVES[0], DERIVATIVES[1] + 1):
        if m.stage[k] != 0:
            run(m.stage[k], m, d)
    copy_factor(m, d)
    for k in range(d.awake_nrun):
        first, end = d.awake_dof[k, 0], d.awake_dof[k, 1]
        symmetric_matrix(m, d, first, end)
        factor_part(m.M_rownnz, m.M_rowadr, m.M_colind, d.qH, d.qHDiagInv, first, end)
    make_rows(m, d)
    return d.nlcp == d.nefc


@kernel
def make_rows(m, d):
    """The rows for the factor of N in qH; see lcp_rows."""
    d.nlcp = 0
    count = 0
    for r in range(d.nefc):
        count = half_row(m, d, r, count)
    if count > d.maxL:
        d.needL = count
        return
    d.nlcp = d.nefc
    bounds(m, d)
    for r in range(d.nefc):
        d.lcp_diag[r] = product(d, r, r)
        d.lcp_cross[r, 0], d.lcp_cross[r, 1], d.lcp_cross[r, 2] = 0.0, 0.0, 0.0
        if d.lcp_size[r] == BLOCK:
            d.lcp_cross[r, 0] = product(d, r, r + 1)
            d.lcp_cross[r, 1] = product(d, r, r + 2)
            d.lcp_cross[r, 2] = product(d, r + 1, r + 2)


@kernel
def damped_inertia(m, d):
    """qH, qHDiagInv <- the factor of M, plus the damping that the Euler integrator makes implicit."""
    implicit = False
    if not m.opt_disableflags & (NO_EULERDAMP | NO_DAMPER):
        for i in range(m.nv):
            implicit = implicit or m.dof_damping[i] > 0.0
    if implicit:
        for a in range(m.nC):
            d.qH[a] = d.M[a]
        for i in range(m.nv):
            d.qH[m.M_rowadr[i] + m.M_rownnz[i] - 1] += m.opt_timestep * m.dof_damping[i]
        factor_ld(m.M_rownnz, m.M_rowadr, m.M_colind, d.qH, d.qHDiagInv)
    else:
        copy_factor(m, d)


@kernel
def copy_factor(m, d):
    """qH, qHDiagInv <- the factor of M."""
    for a in range(m.nC):
        d.qH[a] = d.qLD[a]
    for i in range(m.nv):
        d.qHDiagInv[i] = d.qLDiagInv[i]


@kernel
def half_row(m, d, r, start):
    """Row r of lcp_half, its entries from `start` on; returns where the next begins. Past the room it only counts."""
    x, end = d.work_dof, d.efc_end[r]
    spread_row(m, d, r, x)
    rowadr, colind, ld, at = m.M_rowadr, m.M_colind, d.qH, start
    d.lcp_rowadr[r] = start
    for i in range(end - 1, -1, -1):
        xi = x[i]
        if xi != 0.0:
            for a in range(rowadr[i], rowadr[i] + m.M_rownnz[i] - 1):
                x[colind[a]] -= ld[a] * xi
            if at < d.maxL:
                d.lcp_half[at] = xi * math.sqrt(d.qHDiagInv[i])
                d.lcp_colind[at] = i
            at += 1
    d.lcp_rownnz[r] = at - start
    return at


@kernel
def product(d, r, s):
    """Entry (r, s) of A: both rows list their columns in falling order."""
    a, a_end = d.lcp_rowadr[r], d.lcp_rowadr[r] + d.lcp_rownnz[r]
    b, b_end = d.lcp_rowadr[s], d.lcp_rowadr[s] + d.lcp_rownnz[s]
    total = 0.0
    while a < a_end and b < b_end:
        i, j = d.lcp_colind[a], d.lcp_colind[b]
        if i == j:
            total += d.lcp_half[a] * d.lcp_half[b]
        a += i >= j
        b += j >= i
    return total


@kernel
def bounds(m, d):
    """Bounds of each row's impulse: none, those of dry friction, or a push; for contacts see contact_bounds."""
    h, r = m.opt_timestep, 0
    while r < d.nefc:
        low, high, size = 0.0, math.inf, 1
        if r < d.ne:
            low = -math.inf
        elif r < d.ne + d.nf:
            high = h * d.efc_frictionloss[r]
            low = -high
        elif d.efc_type[r] == ELLIPTIC:
            size = d.contact_dim[d.efc_id[r]]
            contact_bounds(d, d.efc_id[r], r, size)
        d.lcp_low[r], d.lcp_high[r], d.lcp_base[r], d.lcp_disc[r] = low, high, -1, 0
        d.lcp_size[r] = BLOCK if size >= BLOCK else 1
        if size >= BLOCK and m.opt_cone == DISC:
            d.lcp_disc[r + 1] = size - 1
            d.lcp_size[r] = BLOCK if size == BLOCK else 1
        r += size


@kernel
def contact_bounds(d, c, r, dim):
    """The friction of contact c: at most its coefficient times the impulse of the normal, row r, in each direction.

    With elliptic cones all of it together: the sum of (impulse / coefficient)^2 is at most the square of the normal's.
    """
    for j in range(1, dim):
        d.lcp_low[r + j] = 0.0
        d.lcp_high[r + j] = d.contact_friction[c, j - 1]
        d.lcp_base[r + j] = r
        d.lcp_size[r + j] = 1
        d.lcp_disc[r + j] = 0
