"""Sensors with a history: readings that come later than they are computed, and those that are computed now and then.

A delayed sensor has two values at a time: what it measures, which the end of the step puts into its buffer, and what it shows.
`sensor_fresh` holds the first. The stages compute into sensordata: so the two change places before a stage and after it.
Source: MuJoCo documentation, Modeling, Delays.
"""

from tumble.physics.algebra.ring_buffer import read
from tumble.physics.kernel import kernel, run, stage
from tumble.physics.sensor.sleeping import sensor_sleeps
from tumble.physics.state.enums import mjtDisableBit
from tumble.physics.state.stages import Entry

NO_SENSOR = int(mjtDisableBit.mjDSBL_SENSOR)
EXCHANGE, LATE = int(Entry.EXCHANGE_READINGS), int(Entry.LATE_READINGS)


@kernel
def is_due(m, d, s):
    """True if a sensor measures at this time: always, or once its interval is over.

    Times are sums of steps, so an interval of whole steps may end a step late by rounding; what follows stays on schedule.
    """
    if m.sensor_interval[s, 0] <= 0.0 or m.sensor_history[s, 0] <= 0:
        return True
    return d.history[m.sensor_historyadr[s]] + m.sensor_interval[s, 0] <= d.time


@kernel
def is_delayed(m, s):
    """True if a sensor shows what it measured before."""
    return m.sensor_delay[s] > 0.0 and m.sensor_history[s, 0] > 0


@kernel
def are_off(m):
    """True if a stage of sensors has nothing to do: they are disabled, and no history goes on."""
    return m.opt_disableflags & NO_SENSOR != 0 and m.nhistory == 0


@kernel
def waits(m, d, s):
    """True if nothing is to be measured: the sensor is not due, or disabled without a buffer that has to be fed."""
    if m.nhistory == 0:
        return False
    return not is_due(m, d, s) or (m.opt_disableflags & NO_SENSOR != 0 and not is_delayed(m, s))


@kernel
def keeps_reading(m, d, s):
    """True if the stages leave a sensor out: it waits, or sleeps."""
    return waits(m, d, s) or sensor_sleeps(m, d, s)


@kernel
def before_measuring(m, d, needstage):
    """Exchange readings of a stage's delayed sensors: the last measured go to sensordata, those shown to sensor_fresh."""
    if m.stage[EXCHANGE] != 0:
        d.late_stage = needstage
        run(m.stage[EXCHANGE], m, d)


@kernel
def after_measuring(m, d, needstage):
    """Back again; then sensordata of the sensors of a stage is what their buffers say of this time, where they are read from."""
    if m.stage[EXCHANGE] != 0:
        d.late_stage = needstage
        run(m.stage[EXCHANGE], m, d)
        run(m.stage[LATE], m, d)


@stage
def exchange_readings(m, d):
    """sensordata <-> sensor_fresh of the delayed sensors of d.late_stage."""
    for s in range(m.nsensor):
        if m.sensor_needstage[s] == d.late_stage and is_delayed(m, s):
            for a in range(m.sensor_adr[s], m.sensor_adr[s] + m.sensor_dim[s]):
                d.sensordata[a], d.sensor_fresh[a] = d.sensor_fresh[a], d.sensordata[a]


@stage
def late_readings(m, d):
    """Reads history; writes sensordata of the sensors of d.late_stage that are delayed or not due."""
    if m.opt_disableflags & NO_SENSOR:
        return
    for s in range(m.nsensor):
        n = m.sensor_history[s, 0]
        if n > 0 and m.sensor_needstage[s] == d.late_stage and (is_delayed(m, s) or not is_due(m, d, s)):
            t = d.time - max(m.sensor_delay[s], 0.0)
            read(d.history, m.sensor_historyadr[s], n, m.sensor_dim[s], t, m.sensor_history[s, 1], d.sensordata, m.sensor_adr[s])
