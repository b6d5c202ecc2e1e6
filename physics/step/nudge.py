"""Finite differences: a step, or the inverse dynamics, after one number of the state has been nudged, and the difference.

A stage does one column: it restores the state, nudges, computes what depends on what was nudged, and stores the difference
quotients. Controls and activations leave all that depends on position and velocity as it is, velocities what depends on
position: so columns must come in the order of mjd_transitionFD, positions last, after one with nothing nudged.
"""

from physics.algebra.quat import quat_sub
from physics.kernel import kernel, run, stage
from physics.solver.product import copy
from physics.state.enums import mjtJoint
from physics.state.stages import Entry
from physics.step.forward import (
    ACCELERATION_SENSORS,
    FORCES,
    POSITION_SENSORS,
    VELOCITY_SENSORS,
    acceleration_stages,
    is_short,
    position_stages,
    run_phase,
    velocity_stages,
)
from physics.step.integrate import integrate_joints
from physics.step.inverse import inverse_forces

FREE, BALL = int(mjtJoint.mjJNT_FREE), int(mjtJoint.mjJNT_BALL)
INTEGRATE = int(Entry.INTEGRATE)
NOTHING, CTRL, ACT, QVEL, QPOS, QACC = range(6)  # kinds of nudges


@stage
def keep_state(m, d):
    """The state that is nudged from now on."""
    d.nudge_time = d.time
    copy(d.qpos, d.nudge_qpos, m.nq)
    copy(d.qvel, d.nudge_qvel, m.nv)
    copy(d.qacc, d.nudge_qacc, m.nv)
    copy(d.qacc_warmstart, d.nudge_warmstart, m.nv)
    copy(d.act, d.nudge_act, m.na)
    copy(d.ctrl, d.nudge_ctrl, m.nu)
    copy(d.history, d.nudge_history, m.nhistory)


@stage
def restore_state(m, d):
    """The state as it was kept."""
    restore(m, d)


@kernel
def restore(m, d):
    """The state as it was kept."""
    d.time = d.nudge_time
    copy(d.nudge_qpos, d.qpos, m.nq)
    copy(d.nudge_qvel, d.qvel, m.nv)
    copy(d.nudge_qacc, d.qacc, m.nv)
    copy(d.nudge_warmstart, d.qacc_warmstart, m.nv)
    copy(d.nudge_act, d.act, m.na)
    copy(d.nudge_ctrl, d.ctrl, m.nu)
    copy(d.nudge_history, d.history, m.nhistory)


@kernel
def nudge(m, d, eps):
    """The kept state, with one number moved by eps; a position along the dof."""
    restore(m, d)
    kind, i = d.nudge_kind, d.nudge_index
    if kind == CTRL:
        d.ctrl[i] += eps
    elif kind == ACT:
        d.act[i] += eps
    elif kind == QVEL:
        d.qvel[i] += eps
    elif kind == QACC:
        d.qacc[i] += eps
    elif kind == QPOS:
        j = m.dof_jntid[i]
        for k in range(m.jnt_dofadr[j], min(m.jnt_dofadr[j] + 6, m.nv)):
            d.work_dof[k] = 0.0
        d.work_dof[i] = 1.0
        integrate_joints(m, j, j + 1, d.qpos, d.work_dof, eps)


@kernel
def evaluate(m, d):
    """All that depends on position and velocity, where the nudge has changed it; false if it ran out of room."""
    if d.nudge_kind == NOTHING or d.nudge_kind == QPOS:
        if not position_stages(m, d):
            return False
        if d.nudge_sensors:
            run_phase(m, d, POSITION_SENSORS)
    if d.nudge_kind == NOTHING or d.nudge_kind == QPOS or d.nudge_kind == QVEL:
        velocity_stages(m, d)
        if d.nudge_sensors:
            run_phase(m, d, VELOCITY_SENSORS)
    return True


@kernel
def step_nudged(m, d, eps):
    """A step from the state with a nudge; false if it ran out of room."""
    nudge(m, d, eps)
    if not evaluate(m, d):
        return False
    acceleration_stages(m, d)
    if d.nudge_sensors:
        run_phase(m, d, ACCELERATION_SENSORS)
    if is_short(d):
        return False
    run(m.stage[INTEGRATE], m, d)
    return not is_short(d)


@stage
def next_state(m, d):
    """The step without a nudge: next_*."""
    d.nudge_kind = NOTHING
    if step_nudged(m, d, 0.0):
        copy(d.qpos, d.next_qpos, m.nq)
        copy(d.qvel, d.next_qvel, m.nv)
        copy(d.act, d.next_act, m.na)
        copy(d.sensordata, d.next_sensor, m.nsensordata)
    restore(m, d)


@stage
def step_column(m, d):
    """A column: slope_* of the next state, forwards, backwards or centred; zeros if neither way is possible."""
    eps, span = d.nudge_eps, 0.0
    copy(d.next_qpos, d.side_qpos, m.nq)
    copy(d.next_qvel, d.side_qvel, m.nv)
    copy(d.next_act, d.side_act, m.na)
    copy(d.next_sensor, d.side_sensor, m.nsensordata)
    if d.nudge_ahead:
        if not step_nudged(m, d, eps):
            return
        span += eps
        copy(d.qpos, d.side_qpos, m.nq)
        copy(d.qvel, d.side_qvel, m.nv)
        copy(d.act, d.side_act, m.na)
        copy(d.sensordata, d.side_sensor, m.nsensordata)
    if d.nudge_back:
        if not step_nudged(m, d, -eps):
            return
        state_quotient(m, d, d.qpos, d.qvel, d.act, d.sensordata, span + eps)
    else:
        state_quotient(m, d, d.next_qpos, d.next_qvel, d.next_act, d.next_sensor, span)
    restore(m, d)


@kernel
def state_quotient(m, d, qpos, qvel, act, sensor, span):
    """slope_* <- (side_* minus these) / span; 0 where the span is."""
    scale = 1.0 / span if span != 0.0 else 0.0
    position_difference(m, d.side_qpos, qpos, scale, d.slope_qpos)
    quotient(d.side_qvel, qvel, scale, d.slope_qvel, m.nv)
    quotient(d.side_act, act, scale, d.slope_act, m.na)
    quotient(d.side_sensor, sensor, scale, d.slope_sensor, m.nsensordata)


@kernel
def quotient(x, y, scale, out, n):
    """out <- scale (x - y)."""
    for k in range(n):
        out[k] = scale * (x[k] - y[k])


@kernel
def position_difference(m, qpos, start, scale, out):
    """out <- scale times the motion along the dofs that leads from start to qpos."""
    for j in range(m.njnt):
        q, i, kind = m.jnt_qposadr[j], m.jnt_dofadr[j], m.jnt_type[j]
        if kind == FREE:
            for k in range(3):
                out[i + k] = scale * (qpos[q + k] - start[q + k])
            q += 3
            i += 3
        if kind == FREE or kind == BALL:
            before = (start[q], start[q + 1], start[q + 2], start[q + 3])
            turn = quat_sub((qpos[q], qpos[q + 1], qpos[q + 2], qpos[q + 3]), before)
            out[i], out[i + 1], out[i + 2] = scale * turn[0], scale * turn[1], scale * turn[2]
        else:
            out[i] = scale * (qpos[q] - start[q])


@kernel
def inverse_nudged(m, d, eps):
    """The inverse dynamics of the state and acceleration with a nudge; false if it ran out of room."""
    nudge(m, d, eps)
    if not evaluate(m, d):
        return False
    inverse_forces(m, d)
    d.flg_rnepost = 0
    if d.nudge_sensors:
        run_phase(m, d, ACCELERATION_SENSORS)
    if d.nudge_actuation:
        run_phase(m, d, FORCES)
        for i in range(m.nv):
            d.qfrc_inverse[i] -= d.qfrc_actuator[i]
    return not is_short(d)


@stage
def inverse_force(m, d):
    """The inverse dynamics without a nudge: next_*."""
    d.nudge_kind = NOTHING
    if inverse_nudged(m, d, 0.0):
        copy(d.qfrc_inverse, d.next_qvel, m.nv)
        copy(d.sensordata, d.next_sensor, m.nsensordata)
        copy(d.qM, d.next_M, m.nM)
    restore(m, d)


@stage
def inverse_column(m, d):
    """A column: slope_* of the force, the sensors and the inertia matrix, forwards."""
    if inverse_nudged(m, d, d.nudge_eps):
        scale = 1.0 / d.nudge_eps
        quotient(d.qfrc_inverse, d.next_qvel, scale, d.slope_qvel, m.nv)
        quotient(d.sensordata, d.next_sensor, scale, d.slope_sensor, m.nsensordata)
        quotient(d.qM, d.next_M, scale, d.slope_M, m.nM)
    restore(m, d)
