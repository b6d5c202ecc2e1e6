"""Derivatives by finite differences: of a step by state and controls, and of the inverse dynamics."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tumble.physics.errors import ModelError
from tumble.physics.kernel import Stage
from tumble.physics.query.argument_checks import Array, output
from tumble.physics.run.program import is_hard, require_integrator
from tumble.physics.run.room import require, run_stage
from tumble.physics.state.arguments import checked
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtDisableBit, mjtEnableBit, mjtIntegrator
from tumble.physics.state.model import Model
from tumble.physics.step.nudge import inverse_transition, keep_state, restore_state, transition


@checked
def mjd_transitionFD(
    m: Model, d: Data, eps: float, flg_centered: int, A: Array | None, B: Array | None, C: Array | None, D: Array | None
) -> None:
    """Write how the state after a step, and the sensors, depend on state x and controls u: x' = A x + B u, s = C x + D u.

    The state is (nv along the dofs, nv velocities, na activations), nx = 2 nv + na. A: (nx, nx), B: (nx, nu),
    C: (nsensordata, nx), D: (nsensordata, nu), each None if it is not wanted. eps: how far numbers are nudged, both ways
    if flg_centered. A control is nudged within its ctrlrange, and its column is zero where that leaves no room.
    The state of the data is as before, and the rest as after mj_forward; trees that sleep count as awake.
    Raises ModelError for integrator RK4, for a model with histories, which are no part of this state, and for eps that is not
    positive, ShapeError for arrays that do not fit.
    """
    nx, ns = 2 * m.nv + m.na, m.nsensordata
    _check(A, "A", (nx, nx), "(2*nv+na, 2*nv+na)")
    _check(B, "B", (nx, m.nu), "(2*nv+na, nu)")
    _check(C, "C", (ns, nx), "(nsensordata, 2*nv+na)")
    _check(D, "D", (ns, m.nu), "(nsensordata, nu)")
    _require(m, eps)
    if m.nhistory > 0:
        raise ModelError("delays: past controls and readings are part of what a step depends on, and have no place in A, B, C, D")
    require_integrator(m)
    d.inner.nudge_centered = int(bool(flg_centered))
    _differences(m, d, eps, transition, (A, B, C, D), C is not None or D is not None)


@checked
def mjd_inverseFD(
    m: Model, d: Data, eps: float, flg_actuation: int, DfDq: Array | None, DfDv: Array | None, DfDa: Array | None,
    DsDq: Array | None, DsDv: Array | None, DsDa: Array | None, DmDq: Array | None,
) -> None:  # fmt: skip
    """Write how the force f and the sensors s of mj_inverse, and the inertia m = qM, depend on qpos, qvel and qacc: q, v, a.

    Row i belongs to dof i, which is nudged forwards by eps: DfD. (nv, nv), DsD. (nv, nsensordata), DmDq (nv, nM), each None if
    it is not wanted. flg_actuation: f without the force of the actuators. The data are as after mj_inverse.
    Raises ModelError for integrator RK4, for the no-slip solver, and for eps that is not positive, ShapeError for arrays that
    do not fit.
    """
    nv, ns = m.nv, m.nsensordata
    for array, name in ((DfDq, "DfDq"), (DfDv, "DfDv"), (DfDa, "DfDa")):
        _check(array, name, (nv, nv), "(nv, nv)")
    for array, name in ((DsDq, "DsDq"), (DsDv, "DsDv"), (DsDa, "DsDa")):
        _check(array, name, (nv, ns), "(nv, nsensordata)")
    _check(DmDq, "DmDq", (nv, m.nM), "(nv, nM)")
    _require(m, eps)
    if m.opt.noslip_iterations > 0:
        raise ModelError("option noslip_iterations: forces of the no-slip solver have no inverse; it has to be 0")
    d.inner.nudge_actuation = int(bool(flg_actuation))
    matrices = (DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq)
    _differences(m, d, eps, inverse_transition, matrices, any(matrix is not None for matrix in matrices[3:6]))


def _check(array: Array | None, name: str, shape: tuple[int, int], meaning: str) -> None:
    """Raise ShapeError unless it is None or an array of the shape, in rows, that may be written."""
    if array is not None:
        output(array, name, shape, meaning)


def _require(m: Model, eps: float) -> None:
    """Raise ModelError for what cannot be differentiated."""
    if m.opt.integrator == mjtIntegrator.mjINT_RK4 and not is_hard(m):
        raise ModelError("integrator RK4: finite differences need one that evaluates the dynamics once a step")
    if not (eps > 0 and math.isfinite(eps)):
        raise ModelError(f"eps={eps}: it should be a small positive number, such as 1e-6")


def _differences(
    m: Model, d: Data, eps: float, stage: Stage, matrices: Sequence[Array | None], sensors: bool
) -> None:
    """Run a stage of step/nudge.py, which writes the matrices; the state is as before, the trees that sleep included."""
    require(m, d)
    asleep = d.tree_asleep.copy() if m.opt.enableflags & mjtEnableBit.mjENBL_SLEEP else None
    if asleep is not None and not (asleep < 0).all():
        d.wake_all(m)
    keep_state(m, d)
    d.nudge_eps = eps
    d.inner.nudge_sensors = int(sensors and m.nsensor > 0 and not m.opt.disableflags & mjtDisableBit.mjDSBL_SENSOR)
    d.inner.nudge_out[: len(matrices)] = [0 if matrix is None else matrix.ctypes.data for matrix in matrices]
    try:
        run_stage(m, d, stage)
    finally:
        restore_state(m, d)
        if asleep is not None:
            d.inner.tree_asleep = asleep
