"""Integration implicit in velocity: the forces are those of the velocity at the end of the step, to first order.

    (M - h D) qacc = qfrc_smooth + qfrc_constraint,   D = d qfrc_smooth / d qvel (qDeriv)

`implicit` takes D whole, so that M - h D is not symmetric: it is factored as LU. `implicitfast` leaves out the derivative of
the Coriolis and gyroscopic forces. What is left is symmetric but for rounding, and is factored as M itself is.
Interpolated flexes have equations of their own: flex.py.
Source: MuJoCo documentation, Computation, Numerical integration.
"""

from tumble.physics.algebra.cholesky import factor_lu, solve_lu
from tumble.physics.algebra.sparse import factor_part, solve_part
from tumble.physics.base.clock import now
from tumble.physics.dynamics.derivative.pattern import symmetric_matrix
from tumble.physics.kernel import kernel, run, stage
from tumble.physics.state.stages import Entry, Phase, span
from tumble.physics.step.forward import lap, run_phase
from tumble.physics.step.integrate import T_ADVANCE, advance

DERIVATIVES = span(Phase.DERIVATIVES)
IMPLICIT_FLEX = int(Entry.IMPLICIT_FLEX)


@stage
def implicit(m, d):
    """Reads what the derivatives read, qfrc_smooth, qfrc_constraint; writes qDeriv, qLU and the state."""
    start = now(d.clock, d.clock_id)
    run_phase(m, d, DERIVATIVES)
    for k in range(d.awake_nrun):
        first, end = d.awake_dof[k, 0], d.awake_dof[k, 1]
        all_forces(d, first, end)
        square_matrix(m, d, first, end)
        factor_lu(m.D_rowadr, m.D_diag, m.D_colind, d.qLU, first, end)
        solve_lu(m.D_rowadr, m.D_rownnz, m.D_diag, m.D_colind, d.qLU, d.work_dof, first, end)
    if m.stage[IMPLICIT_FLEX] != 0:
        run(m.stage[IMPLICIT_FLEX], m, d)
    advance(m, d, d.work_dof, d.qvel)  # d.qvel is read after it is updated
    lap(d, T_ADVANCE, start)


@stage
def implicit_fast(m, d):
    """Reads what the derivatives read, qfrc_smooth, qfrc_constraint; writes qDeriv, qH, qHDiagInv and the state."""
    start = now(d.clock, d.clock_id)
    run_phase(m, d, DERIVATIVES)
    for k in range(d.awake_nrun):
        first, end = d.awake_dof[k, 0], d.awake_dof[k, 1]
        all_forces(d, first, end)
        symmetric_matrix(m, d, first, end)
        factor_part(m.M_rownnz, m.M_rowadr, m.M_colind, d.qH, d.qHDiagInv, first, end)
        solve_part(m.M_rownnz, m.M_rowadr, m.M_colind, d.qH, d.qHDiagInv, d.work_dof, first, end)
    if m.stage[IMPLICIT_FLEX] != 0:
        run(m.stage[IMPLICIT_FLEX], m, d)
    advance(m, d, d.work_dof, d.qvel)
    lap(d, T_ADVANCE, start)


@kernel
def all_forces(d, first, end):
    """work_dof <- the forces on the dofs from `first` to `end`."""
    for i in range(first, end):
        d.work_dof[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i]


@kernel
def square_matrix(m, d, first, end):
    """qLU <- M - h qDeriv, rows `first` to `end`; M has no place for elements that are always zero (mapM2D is -1)."""
    h = m.opt_timestep
    for a in range(m.D_rowadr[first], m.D_rowadr[end - 1] + m.D_rownnz[end - 1]):
        at = m.mapM2D[a]
        d.qLU[a] = (d.M[at] if at >= 0 else 0.0) - h * d.qDeriv[a]
