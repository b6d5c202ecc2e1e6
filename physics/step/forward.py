"""Forward dynamics: runs the stages in order, and keeps the time each part takes.

A stage that lacks room for contacts or constraint rows says how much it needs (needcon, needefc, needA, needH, needD,
needL, needR), one that wants threads how many (needlane), and one that lacks a compiled function says so (needcollide);
the pipeline then stops, Python helps, and the step is done again from its start.
"""

from tumble.physics.base.clock import now
from tumble.physics.kernel import kernel, run, stage
from tumble.physics.state.enums import mjtDisableBit, mjtTimer
from tumble.physics.state.stages import Entry, Phase, span

NO_ACTUATION = int(mjtDisableBit.mjDSBL_ACTUATION)
T_FORWARD, T_POSITION, T_VELOCITY = int(mjtTimer.mjTIMER_FORWARD), int(mjtTimer.mjTIMER_POSITION), int(mjtTimer.mjTIMER_VELOCITY)
T_ACTUATION, T_CONSTRAINT = int(mjtTimer.mjTIMER_ACTUATION), int(mjtTimer.mjTIMER_CONSTRAINT)
T_KINEMATICS, T_INERTIA = int(mjtTimer.mjTIMER_POS_KINEMATICS), int(mjtTimer.mjTIMER_POS_INERTIA)
T_COLLISION, T_MAKE = int(mjtTimer.mjTIMER_POS_COLLISION), int(mjtTimer.mjTIMER_POS_MAKE)
T_PROJECT = int(mjtTimer.mjTIMER_POS_PROJECT)
POSES, INERTIA, CONTACTS, ROWS = span(Phase.POSES), span(Phase.INERTIA), span(Phase.CONTACTS), span(Phase.ROWS)
ISLANDS, PROJECT, ENERGY_POS = span(Phase.ISLANDS), int(Entry.PROJECT), int(Entry.ENERGY_POS)
VELOCITY, CONTROL, FORCES, CONSTRAINT = span(Phase.VELOCITY), span(Phase.CONTROL), span(Phase.FORCES), span(Phase.CONSTRAINT)
POSITION_SENSORS, VELOCITY_SENSORS = span(Phase.POSITION_SENSORS), span(Phase.VELOCITY_SENSORS)
ACCELERATION_SENSORS = span(Phase.ACCELERATION_SENSORS)


@kernel
def run_range(m, d, first, last):
    """Runs the stages from entry `first` to entry `last` that the model needs."""
    table = m.stage
    for k in range(first, last + 1):
        if table[k] != 0:
            run(table[k], m, d)


@kernel
def run_phase(m, d, phase):
    """Runs the stages of a phase that the model needs; none once a callback has failed. phase: its first and last entry."""
    if d.failed == 0:
        run_range(m, d, phase[0], phase[1])


@kernel
def is_short(d):
    """True if a stage stopped for lack of room or of a compiled narrow phase, or a callback failed."""
    lacking = d.needcon != 0 or d.needefc != 0 or d.needA != 0 or d.needH != 0 or d.needD != 0 or d.needL != 0 or d.needR != 0
    return lacking or d.needcollide != 0 or d.needlane != 0 or d.failed != 0


@kernel
def lap(d, timer, start):
    """Adds the time since `start` to a timer; returns the time now."""
    t = now(d.clock, d.clock_id)
    d.timer_duration[timer] += t - start
    d.timer_number[timer] += 1
    return t


@kernel
def position_stages(m, d):
    """Everything that depends on position only; false if it ran out of room."""
    start = now(d.clock, d.clock_id)
    run_phase(m, d, POSES)
    t = lap(d, T_KINEMATICS, start)
    run_phase(m, d, INERTIA)
    t = lap(d, T_INERTIA, t)
    run_phase(m, d, CONTACTS)
    t = lap(d, T_COLLISION, t)
    if is_short(d):
        return False
    run_phase(m, d, ROWS)
    t = lap(d, T_MAKE, t)
    if is_short(d):
        return False
    run_phase(m, d, ISLANDS)
    if is_short(d):
        return False
    if m.stage[PROJECT] != 0:
        run(m.stage[PROJECT], m, d)
        t = lap(d, T_PROJECT, t)
    d.timer_duration[T_POSITION] += t - start
    d.timer_number[T_POSITION] += 1
    if m.stage[ENERGY_POS] == 0:
        d.energy[0], d.energy[1] = 0.0, 0.0
    d.flg_energypos = 0
    d.flg_energyvel = 0
    return not is_short(d)


@kernel
def velocity_stages(m, d):
    """Everything that depends on position and velocity."""
    start = now(d.clock, d.clock_id)
    run_phase(m, d, VELOCITY)
    d.flg_subtreevel = 0
    lap(d, T_VELOCITY, start)


@kernel
def ask_control(m, d):
    """Has the user's callback write the controls, unless actuation is disabled."""
    if not m.opt_disableflags & NO_ACTUATION:
        run_phase(m, d, CONTROL)


@kernel
def acceleration_stages(m, d):
    """Actuation, unconstrained acceleration, constraint forces."""
    t = now(d.clock, d.clock_id)
    run_phase(m, d, FORCES)
    d.flg_rnepost = 0
    t = lap(d, T_ACTUATION, t)
    run_phase(m, d, CONSTRAINT)
    lap(d, T_CONSTRAINT, t)


@kernel
def forward_stages(m, d, sensors):
    """The whole forward dynamics, with or without sensors and energies; false if it ran out of room."""
    start = now(d.clock, d.clock_id)
    if not position_stages(m, d):
        return False
    if sensors:
        run_phase(m, d, POSITION_SENSORS)
    velocity_stages(m, d)
    if sensors:
        run_phase(m, d, VELOCITY_SENSORS)
    ask_control(m, d)
    acceleration_stages(m, d)
    if sensors:
        run_phase(m, d, ACCELERATION_SENSORS)
    lap(d, T_FORWARD, start)
    return not is_short(d)  # a record of the solver may have no room


@stage
def forward(m, d):
    """From state and inputs to accelerations and sensors."""
    forward_stages(m, d, True)


@stage
def forward_quiet(m, d):
    """The same without sensors and energies: what the inner stages of Runge-Kutta need."""
    forward_stages(m, d, False)


@stage
def forward_pos_vel(m, d):
    """Stages of mj_step1: everything up to where a controller may write its controls."""
    if position_stages(m, d):
        run_phase(m, d, POSITION_SENSORS)
        velocity_stages(m, d)
        run_phase(m, d, VELOCITY_SENSORS)
        run_phase(m, d, CONTROL)  # whatever the flag actuation says, as in the reference


@stage
def forward_acc(m, d):
    """Stages after forward_pos_vel."""
    acceleration_stages(m, d)
    run_phase(m, d, ACCELERATION_SENSORS)
