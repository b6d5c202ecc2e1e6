"""Derivatives by finite differences: of a step by state and controls, and of the inverse dynamics.

Each column is one compiled call (step/nudge.py), which computes only what depends on the number that is nudged.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

from physics.dispatch.program import bind, is_hard, require_integrator
from physics.dispatch.room import lacks_room, make_room
from physics.errors import ModelError
from physics.kernel import Stage
from physics.query.check import Array, output
from physics.run.stepping import mj_forward, mj_inverse
from physics.state.data import Data
from physics.state.enums import mjtDisableBit, mjtEnableBit, mjtIntegrator
from physics.state.model import Model
from physics.step.nudge import (
    ACT,
    CTRL,
    QACC,
    QPOS,
    QVEL,
    inverse_column,
    inverse_force,
    keep_state,
    next_state,
    restore_state,
    step_column,
)


def mjd_transitionFD(
    m: Model, d: Data, eps: float, flg_centered: int, A: Array | None, B: Array | None, C: Array | None, D: Array | None
) -> None:
    """Write how the state after a step, and the sensors, depend on state x and controls u: x' = A x + B u, s = C x + D u.

    The state is (nv along the dofs, nv velocities, na activations), nx = 2 nv + na. A: (nx, nx), B: (nx, nu),
    C: (nsensordata, nx), D: (nsensordata, nu), each None if it is not wanted. eps: how far numbers are nudged, both ways
    if flg_centered. A control is nudged within its ctrlrange, and its column is zero where that leaves no room.
    The state of the data is as before, and the rest as after mj_forward; trees that sleep count as awake.
    Raises ModelError for integrator RK4 and for eps that is not positive, ShapeError for arrays that do not fit.
    """
    nx, ns = 2 * m.nv + m.na, m.nsensordata
    shapes = {"A": (nx, nx), "B": (nx, m.nu), "C": (ns, nx), "D": (ns, m.nu)}
    for (name, shape), array in zip(shapes.items(), (A, B, C, D), strict=True):
        if array is not None:
            output(array, name, shape, {"A": "(2*nv+na, 2*nv+na)", "B": "(2*nv+na, nu)"}.get(name, ""))
    _require(m, eps)
    require_integrator(m)
    centered = bool(flg_centered)
    with _nudged(m, d, eps, C is not None or D is not None):
        _evaluate(m, d, next_state)
        if B is not None or D is not None:
            _fill(m, d, B, D, ((CTRL, i, *_control_sides(m, d, i, eps, centered)) for i in range(m.nu)))
        if A is not None or C is not None:
            order = ((ACT, 2 * m.nv, m.na), (QVEL, m.nv, m.nv), (QPOS, 0, m.nv))  # positions last: they change everything
            _fill(m, d, A, C, ((kind, i, True, centered) for kind, _, count in order for i in range(count)),
                  [first + i for _, first, count in order for i in range(count)])  # fmt: skip
    mj_forward(m, d)


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
    wanted = {QACC: (DfDa, DsDa, None), QVEL: (DfDv, DsDv, None), QPOS: (DfDq, DsDq, DmDq)}
    for kind, letter in ((QPOS, "q"), (QVEL, "v"), (QACC, "a")):
        names = (f"DfD{letter}", m.nv, "nv"), (f"DsD{letter}", m.nsensordata, "nsensordata"), ("DmDq", m.nM, "nM")
        for array, (name, width, word) in zip(wanted[kind], names, strict=True):
            if array is not None:
                output(array, name, (m.nv, width), f"(nv, {word})")
    _require(m, eps)
    if m.opt.noslip_iterations > 0:
        raise ModelError("option noslip_iterations: forces of the no-slip solver have no inverse; it has to be 0")
    sensing = any(sensors is not None for _, sensors, _ in wanted.values())
    with _nudged(m, d, eps, sensing):
        d.nudge_actuation = int(bool(flg_actuation))
        _evaluate(m, d, inverse_force)
        for kind, (force, sensors, inertia) in wanted.items():
            if not (force is None and sensors is None and inertia is None):
                for i in range(m.nv):
                    d.nudge_kind, d.nudge_index = kind, i
                    _evaluate(m, d, inverse_column, inverse_force)
                    for array, source in ((force, d.slope_qvel), (sensors, d.slope_sensor), (inertia, d.slope_M)):
                        if array is not None:
                            array[i] = source
    mj_inverse(m, d)


def _require(m: Model, eps: float) -> None:
    """Raise ModelError for what cannot be differentiated."""
    if m.opt.integrator == mjtIntegrator.mjINT_RK4 and not is_hard(m):
        raise ModelError("integrator RK4: finite differences need one that evaluates the dynamics once a step")
    if not (eps > 0 and math.isfinite(eps)):
        raise ModelError(f"eps={eps}: it should be a small positive number, such as 1e-6")


@contextmanager
def _nudged(m: Model, d: Data, eps: float, sensors: bool) -> Iterator[None]:
    """Within, the state may be nudged; after it, it is as before, the trees that sleep included."""
    asleep = d.tree_asleep.copy() if m.opt.enableflags & mjtEnableBit.mjENBL_SLEEP else None
    if asleep is not None and not (asleep < 0).all():
        d.wake_all(m)
    bind(m)
    keep_state(m, d)
    d.nudge_eps = eps
    d.nudge_sensors = int(sensors and m.nsensor > 0 and not m.opt.disableflags & mjtDisableBit.mjDSBL_SENSOR)
    d.nudge_actuation = 0
    try:
        yield
    finally:
        restore_state(m, d)
        if asleep is not None:
            mj_forward(m, d)  # with all awake: poses of sleepers are not computed again
            d.tree_asleep = asleep


def _evaluate(m: Model, d: Data, column: Stage, base: Stage | None = None) -> None:
    """Run a stage until it has room. base: to be run again before it, as what it left is lost when arrays grow."""
    column(m, d)
    while lacks_room(d):
        make_room(m, d)
        if base is not None:
            kind = d.nudge_kind
            _evaluate(m, d, base)
            d.nudge_kind = kind
        column(m, d)


def _control_sides(m: Model, d: Data, i: int, eps: float, centered: bool) -> tuple[bool, bool]:
    """Whether a control may be nudged forwards and, if that is wanted or needed, backwards."""
    if not m.actuator_ctrllimited[i]:
        return True, centered
    (low, high), u = m.actuator_ctrlrange[i], d.nudge_ctrl[i]
    ahead, back = (bool(low <= u <= high and low <= v <= high) for v in (u + eps, u - eps))
    return ahead, back and (centered or not ahead)


def _fill(
    m: Model, d: Data, state: Array | None, sensors: Array | None, columns: Iterator[tuple[int, int, bool, bool]],
    places: list[int] | None = None,
) -> None:  # fmt: skip
    """Columns of the state's matrix and of the sensors', each of a kind, an index, forwards?, backwards?; places: where."""
    nv = m.nv
    parts = ((d.slope_qpos, slice(0, nv)), (d.slope_qvel, slice(nv, 2 * nv)), (d.slope_act, slice(2 * nv, 2 * nv + m.na)))
    for k, (kind, i, ahead, back) in enumerate(columns):
        d.nudge_kind, d.nudge_index, d.nudge_ahead, d.nudge_back = kind, i, int(ahead), int(back)
        _evaluate(m, d, step_column, next_state)
        column = k if places is None else places[k]
        if state is not None:
            for source, rows in parts:
                state[rows, column] = source
        if sensors is not None:
            sensors[:, column] = d.slope_sensor
