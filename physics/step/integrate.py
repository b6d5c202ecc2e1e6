"""Numerical integration: semi-implicit Euler with implicit joint damping, and the fourth-order Runge-Kutta method.

Source: MuJoCo documentation, Computation, Numerical integration.
"""

from tumble.physics.algebra.sparse import factor_part, solve_part
from tumble.physics.base.clock import now
from tumble.physics.dynamics.actuator.actuation import clamp_activation, is_disabled, next_activation
from tumble.physics.dynamics.asleep import ASLEEP, actuator_state, some_asleep
from tumble.physics.dynamics.position import integrate_joints
from tumble.physics.kernel import kernel, run, stage
from tumble.physics.state.enums import mjtDisableBit, mjtTimer
from tumble.physics.state.stages import Entry
from tumble.physics.step.forward import is_short, lap

NO_EULERDAMP, NO_DAMPER = int(mjtDisableBit.mjDSBL_EULERDAMP), int(mjtDisableBit.mjDSBL_DAMPER)
NO_ACTUATION = int(mjtDisableBit.mjDSBL_ACTUATION)
T_ADVANCE, FORWARD_QUIET = int(mjtTimer.mjTIMER_ADVANCE), int(Entry.FORWARD_QUIET)
KEEP_HISTORY = int(Entry.KEEP_HISTORY)


@kernel
def integrate_pos(m, d, qpos, qvel, h):
    """qpos <- qpos moved along qvel for a time h, of what is awake; quaternions stay unit."""
    for k in range(d.awake_nrun):
        integrate_joints(m, d.awake_joint[k, 0], d.awake_joint[k, 1], qpos, qvel, h)


@kernel
def advance(m, d, qacc, qvel):
    """State and time one step ahead: activations by act_dot, velocity by qacc, position by qvel; and histories of the start."""
    h, skip = m.opt_timestep, some_asleep(m, d)
    if m.stage[KEEP_HISTORY] != 0:
        run(m.stage[KEEP_HISTORY], m, d)
    if m.na > 0 and not m.opt_disableflags & NO_ACTUATION:
        for i in range(m.nu):
            if skip and actuator_state(m, d, i) == ASLEEP:
                continue
            first, moves = m.actuator_actadr[i], not is_disabled(m, i)
            for a in range(first, first + m.actuator_actnum[i]):
                d.act[a] = next_activation(m, d, i, a) if moves else clamp_activation(m, i, d.act[a])
    for k in range(d.awake_nrun):
        for i in range(d.awake_dof[k, 0], d.awake_dof[k, 1]):
            d.qvel[i] += h * qacc[i]
    integrate_pos(m, d, d.qpos, qvel, h)
    d.time += h
    for i in range(m.nv):
        d.qacc_warmstart[i] = d.qacc[i]


@stage
def euler(m, d):
    """Velocity first, then position with the new velocity; joint damping at the end of the step, so that it is stable."""
    start = now(d.clock, d.clock_id)
    implicit = False
    if not m.opt_disableflags & (NO_EULERDAMP | NO_DAMPER):
        for k in range(d.awake_nrun):
            for i in range(d.awake_dof[k, 0], d.awake_dof[k, 1]):
                implicit = implicit or m.dof_damping[i] > 0.0
    if implicit:
        for k in range(d.awake_nrun):
            implicit_acceleration(m, d, d.awake_dof[k, 0], d.awake_dof[k, 1])
        advance(m, d, d.work_dof, d.qvel)  # d.qvel is read after it is updated
    else:
        advance(m, d, d.qacc, d.qvel)
    lap(d, T_ADVANCE, start)


@kernel
def implicit_acceleration(m, d, first, end):
    """work_dof <- (M + h damping)^-1 force of the dofs from `first` to `end`, which are those of whole trees."""
    h = m.opt_timestep
    for a in range(m.M_rowadr[first], m.M_rowadr[end - 1] + m.M_rownnz[end - 1]):
        d.qH[a] = d.M[a]
    for i in range(first, end):
        d.qH[m.M_rowadr[i] + m.M_rownnz[i] - 1] += h * m.dof_damping[i]
        d.work_dof[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i]
    factor_part(m.M_rownnz, m.M_rowadr, m.M_colind, d.qH, d.qHDiagInv, first, end)
    solve_part(m.M_rownnz, m.M_rowadr, m.M_colind, d.qH, d.qHDiagInv, d.work_dof, first, end)


@stage
def runge_kutta(m, d):
    """The classic tableau; the first stage is the forward dynamics just done. Running out of room restores the state."""
    h, time = m.opt_timestep, d.time
    nv, na, nq = m.nv, m.na, m.nq
    for i in range(nq):
        d.rk_qpos[i] = d.qpos[i]
    for i in range(nv):
        d.rk_qvel0[i] = d.qvel[i]
        d.rk_qvel[i] = d.qvel[i] / 6.0
        d.rk_qacc[i] = d.qacc[i] / 6.0
    for a in range(na):
        d.rk_act0[a] = d.act[a]
        d.rk_act_dot[a] = d.act_dot[a] / 6.0
    for s in range(1, 4):
        step = h if s == 3 else 0.5 * h
        weight = 1.0 / 6.0 if s == 3 else 1.0 / 3.0
        restore_pos(m, d)
        integrate_pos(m, d, d.qpos, d.qvel, step)  # along the velocity of the stage before
        for a in range(na):
            d.act[a] = d.rk_act0[a] + step * d.act_dot[a]
        for i in range(nv):
            d.qvel[i] = d.rk_qvel0[i] + step * d.qacc[i]
        d.time = time + step
        run(m.stage[FORWARD_QUIET], m, d)
        if is_short(d):
            restore(m, d, time)
            return
        for i in range(nv):
            d.rk_qvel[i] += weight * d.qvel[i]
            d.rk_qacc[i] += weight * d.qacc[i]
        for a in range(na):
            d.rk_act_dot[a] += weight * d.act_dot[a]
    start = now(d.clock, d.clock_id)
    restore(m, d, time)
    for a in range(na):
        d.rk_act0[a], d.act_dot[a] = d.act_dot[a], d.rk_act_dot[a]
    advance(m, d, d.rk_qacc, d.rk_qvel)
    for a in range(na):  # as qacc, what the last stage has computed
        d.act_dot[a] = d.rk_act0[a]
    lap(d, T_ADVANCE, start)


@kernel
def restore_pos(m, d):
    """qpos as at the start of the step."""
    for i in range(m.nq):
        d.qpos[i] = d.rk_qpos[i]


@kernel
def restore(m, d, time):
    """The state as at the start of the step."""
    restore_pos(m, d)
    for i in range(m.nv):
        d.qvel[i] = d.rk_qvel0[i]
    for a in range(m.na):
        d.act[a] = d.rk_act0[a]
    d.time = time
