"""Finite differences: steps, or the inverse dynamics, from a state in which one number is nudged after the other.

Only what depends on the number that is nudged is computed: controls and activations leave everything of position and velocity
as it is, velocities everything of position. So the order is fixed: nothing, controls, activations, velocities, positions.
A stage that runs out of room is run again from its start.
"""

from tumble.physics.algebra.quat import quat_sub
from tumble.physics.dynamics.position import integrate_joints
from tumble.physics.kernel import kernel, run, stage
from tumble.physics.solver.product import copy
from tumble.physics.state.enums import mjtJoint
from tumble.physics.state.memory import f8_table_at
from tumble.physics.state.stages import Entry
from tumble.physics.step.forward import (
    ACCELERATION_SENSORS,
    CONTACTS,
    INERTIA,
    POSES,
    POSITION_SENSORS,
    ROWS,
    VELOCITY_SENSORS,
    acceleration_stages,
    ask_control,
    forward_stages,
    is_short,
    position_stages,
    run_phase,
    velocity_stages,
)
from tumble.physics.step.inverse import inverse_forces

FREE, BALL = int(mjtJoint.mjJNT_FREE), int(mjtJoint.mjJNT_BALL)
INTEGRATE, ACTUATION = int(Entry.INTEGRATE), int(Entry.ACTUATION)
NOTHING, CTRL, ACT, QACC, QVEL, QPOS = range(6)  # what is nudged


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
    nudge(m, d, NOTHING, 0, 0.0)


@kernel
def nudge(m, d, kind, i, eps):
    """The kept state, with one number moved by eps; a position along the dof."""
    d.time = d.nudge_time
    copy(d.nudge_qpos, d.qpos, m.nq)
    copy(d.nudge_qvel, d.qvel, m.nv)
    copy(d.nudge_qacc, d.qacc, m.nv)
    copy(d.nudge_warmstart, d.qacc_warmstart, m.nv)
    copy(d.nudge_act, d.act, m.na)
    copy(d.nudge_ctrl, d.ctrl, m.nu)
    copy(d.nudge_history, d.history, m.nhistory)
    if kind == CTRL:
        d.ctrl[i] += eps
    elif kind == ACT:
        d.act[i] += eps
    elif kind == QACC:
        d.qacc[i] += eps
    elif kind == QVEL:
        d.qvel[i] += eps
    elif kind == QPOS:
        nudge_position(m, d, i, eps)


@kernel
def nudge_position(m, d, i, eps):
    """qpos <- moved by eps along dof i."""
    j = m.dof_jntid[i]
    first = m.jnt_dofadr[j]
    for k in range(first, min(first + 6, m.nv)):
        d.work_dof[k] = 0.0
    d.work_dof[i] = 1.0
    integrate_joints(m, j, j + 1, d.qpos, d.work_dof, eps)


@kernel
def evaluate(m, d, kind, solve):
    """All that depends on position and velocity, where the nudge has changed it; false if it ran out of room.

    solve: with islands and what else only the solver needs.
    """
    if kind == NOTHING or kind == QPOS:
        if not (position_stages(m, d) if solve else rows_stages(m, d)):
            return False
        if d.nudge_sensors:
            run_phase(m, d, POSITION_SENSORS)
    if kind == NOTHING or kind == QPOS or kind == QVEL:
        velocity_stages(m, d)
        if d.nudge_sensors:
            run_phase(m, d, VELOCITY_SENSORS)
    return True


@kernel
def rows_stages(m, d):
    """Everything that depends on position up to the constraint rows; false if it ran out of room."""
    run_phase(m, d, POSES)
    run_phase(m, d, INERTIA)
    run_phase(m, d, CONTACTS)
    if is_short(d):
        return False
    run_phase(m, d, ROWS)
    return not is_short(d)


@kernel
def step_nudged(m, d, kind, i, eps):
    """A step from the state with a nudge; false if it ran out of room."""
    nudge(m, d, kind, i, eps)
    if not evaluate(m, d, kind, True):
        return False
    ask_control(m, d)
    acceleration_stages(m, d)
    if d.nudge_sensors:
        run_phase(m, d, ACCELERATION_SENSORS)
    if is_short(d):
        return False
    run(m.stage[INTEGRATE], m, d)
    return not is_short(d)


@stage
def transition(m, d):
    """Writes the matrices A, B, C and D of mjd_transitionFD; returns early if it runs out of room.

    The rest of the data is then that of the state without a nudge.
    """
    if step_nudged(m, d, NOTHING, 0, 0.0):
        copy(d.qpos, d.next_qpos, m.nq)
        copy(d.qvel, d.next_qvel, m.nv)
        copy(d.act, d.next_act, m.na)
        copy(d.sensordata, d.next_sensor, m.nsensordata)
        if control_columns(m, d) and state_columns(m, d):
            nudge(m, d, NOTHING, 0, 0.0)
            forward_stages(m, d, True)


@kernel
def control_columns(m, d):
    """B and D, if they are wanted; false if it ran out of room."""
    out = d.nudge_out
    if out[1] != 0 or out[3] != 0:
        for i in range(m.nu):
            ahead, back = control_sides(m, d, i)
            if not column(m, d, CTRL, i, ahead, back, out[1], out[3], i, m.nu):
                return False
    return True


@kernel
def state_columns(m, d):
    """A and C, if they are wanted; false if it ran out of room."""
    nv, na, out, back = m.nv, m.na, d.nudge_out, d.nudge_centered != 0
    if out[0] != 0 or out[2] != 0:
        width = 2 * nv + na
        for i in range(na):
            if not column(m, d, ACT, i, True, back, out[0], out[2], 2 * nv + i, width):
                return False
        for i in range(nv):
            if not column(m, d, QVEL, i, True, back, out[0], out[2], nv + i, width):
                return False
        for i in range(nv):
            if not column(m, d, QPOS, i, True, back, out[0], out[2], i, width):
                return False
    return True


@kernel
def control_sides(m, d, i):
    """True if control i may be nudged forwards and, if that is wanted or needed, backwards: both within its range."""
    u, eps, centered = d.nudge_ctrl[i], d.nudge_eps, d.nudge_centered != 0
    if not m.actuator_ctrllimited[i]:
        return True, centered
    low, high = m.actuator_ctrlrange[i, 0], m.actuator_ctrlrange[i, 1]
    inside = low <= u <= high
    ahead = inside and u + eps <= high
    return ahead, inside and low <= u - eps and (centered or not ahead)


@kernel
def column(m, d, kind, i, ahead, back, state, sensor, place, width):
    """A column of the state's and of the sensors' matrix, at these addresses, of so many columns; zeros if neither way is open.

    False if it ran out of room.
    """
    copy(d.next_qpos, d.ahead_qpos, m.nq)
    copy(d.next_qvel, d.ahead_qvel, m.nv)
    copy(d.next_act, d.ahead_act, m.na)
    copy(d.next_sensor, d.ahead_sensor, m.nsensordata)
    span = 0.0
    if ahead:
        if not step_nudged(m, d, kind, i, d.nudge_eps):
            return False
        span += d.nudge_eps
        copy(d.qpos, d.ahead_qpos, m.nq)
        copy(d.qvel, d.ahead_qvel, m.nv)
        copy(d.act, d.ahead_act, m.na)
        copy(d.sensordata, d.ahead_sensor, m.nsensordata)
    if back:
        if not step_nudged(m, d, kind, i, -d.nudge_eps):
            return False
        span += d.nudge_eps
    else:
        copy(d.next_qpos, d.qpos, m.nq)
        copy(d.next_qvel, d.qvel, m.nv)
        copy(d.next_act, d.act, m.na)
        copy(d.next_sensor, d.sensordata, m.nsensordata)
    scale = 1.0 / span if span != 0.0 else 0.0
    if state != 0:
        out = f8_table_at(state, 2 * m.nv + m.na, width)
        position_quotient(m, d, scale, out, place)
        quotient(d.ahead_qvel, d.qvel, scale, m.nv, out, m.nv, place)
        quotient(d.ahead_act, d.act, scale, m.na, out, 2 * m.nv, place)
    if sensor != 0:
        quotient(d.ahead_sensor, d.sensordata, scale, m.nsensordata, f8_table_at(sensor, m.nsensordata, width), 0, place)
    return True


@kernel
def quotient(x, y, scale, n, out, row, place):
    """Column `place` of out, from a row on <- scale (x - y)."""
    for k in range(n):
        out[row + k, place] = scale * (x[k] - y[k])


@kernel
def position_quotient(m, d, scale, out, place):
    """Column `place` of out, its first nv rows <- scale times the motion along the dofs from qpos to ahead_qpos."""
    x, y = d.ahead_qpos, d.qpos
    for j in range(m.njnt):
        q, i, kind = m.jnt_qposadr[j], m.jnt_dofadr[j], m.jnt_type[j]
        if kind == FREE:
            for k in range(3):
                out[i + k, place] = scale * (x[q + k] - y[q + k])
            q += 3
            i += 3
        if kind == FREE or kind == BALL:
            turn = quat_sub((x[q], x[q + 1], x[q + 2], x[q + 3]), (y[q], y[q + 1], y[q + 2], y[q + 3]))
            out[i, place], out[i + 1, place], out[i + 2, place] = scale * turn[0], scale * turn[1], scale * turn[2]
        else:
            out[i, place] = scale * (x[q] - y[q])


@kernel
def inverse_nudged(m, d, kind, i, eps):
    """The inverse dynamics of the state and acceleration with a nudge; false if it ran out of room."""
    nudge(m, d, kind, i, eps)
    if not evaluate(m, d, kind, False):
        return False
    inverse_forces(m, d)
    d.flg_rnepost = 0
    if d.nudge_actuation:  # before the sensors, some of which show it
        run(m.stage[ACTUATION], m, d)
    if d.nudge_sensors:
        run_phase(m, d, ACCELERATION_SENSORS)
    if d.nudge_actuation:
        for k in range(m.nv):
            d.qfrc_inverse[k] -= d.qfrc_actuator[k]
    return not is_short(d)


@stage
def inverse_transition(m, d):
    """Writes the matrices of mjd_inverseFD, in its order; returns early if it runs out of room.

    The rest of the data is then that of the state and the acceleration without a nudge.
    """
    out = d.nudge_out
    if not inverse_nudged(m, d, NOTHING, 0, 0.0):
        return
    copy(d.qfrc_inverse, d.next_qvel, m.nv)
    copy(d.sensordata, d.next_sensor, m.nsensordata)
    copy(d.qM, d.next_M, m.nM)
    if (
        inverse_rows(m, d, QACC, out[2], out[5], 0)
        and inverse_rows(m, d, QVEL, out[1], out[4], 0)
        and inverse_rows(m, d, QPOS, out[0], out[3], out[6])
    ):
        d.nudge_sensors = 1
        nudge(m, d, NOTHING, 0, 0.0)
        if evaluate(m, d, NOTHING, True):
            inverse_forces(m, d)
            run_phase(m, d, ACCELERATION_SENSORS)


@kernel
def inverse_rows(m, d, kind, force, sensor, inertia):
    """The matrices of force, sensors and inertia at these addresses, a row a dof; false if it ran out of room."""
    if force == 0 and sensor == 0 and inertia == 0:
        return True
    scale = 1.0 / d.nudge_eps
    for i in range(m.nv):
        if not inverse_nudged(m, d, kind, i, d.nudge_eps):
            return False
        difference_row(d.qfrc_inverse, d.next_qvel, scale, m.nv, force, m.nv, i)
        difference_row(d.sensordata, d.next_sensor, scale, m.nsensordata, sensor, m.nv, i)
        difference_row(d.qM, d.next_M, scale, m.nM, inertia, m.nv, i)
    return True


@kernel
def difference_row(x, y, scale, n, address, rows, i):
    """Row i of the matrix at an address <- scale (x - y); 0: none."""
    if address != 0:
        out = f8_table_at(address, rows, n)
        for k in range(n):
            out[i, k] = scale * (x[k] - y[k])
