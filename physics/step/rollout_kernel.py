"""Rollouts: runs of so many steps each, from given states under given controls, many of them in one kernel call.

What is to be done stands in a table of words, which physics/run/rollout.py fills: addresses of what is read and written, how
far it is from one run to the next [numbers; 0: all runs share it], and how far the work is. A run begins as after a reset:
with a copy of what data hold then. The call ends early where Python has to help, as that of `simulate` does, and after so
many steps that an interrupt need not wait; the next call goes on where it stopped.
"""

from collections.abc import Callable
from typing import Any

from tumble.physics.kernel import Compiled, kernel, run
from tumble.physics.kernel.function import INT, D, M
from tumble.physics.parallel.atomic import address_of
from tumble.physics.state.layout import DATA_LAYOUT
from tumble.physics.state.memory import f8_at, i8_at, u1_at

# The words: the present run, the one after the last, its next step (-1: it has not begun), steps left in this call; the stage
# `simulate`; what a run begins with: rows of PLACE, their number, the words copied there.
RUN, END, AT, BUDGET, SIMULATE, PLACES, NPLACE, IMAGE = range(8)
# Steps of a run; where its initial state is, and the next run's; the warm start (0: none), and the next run's; controls (0:
# none), the next run's and the next step's; states and readings to write (0: not wanted); rows of PART of states and controls.
NSTEP, INITIAL, INITIAL_BY, WARM, WARM_BY, CONTROL, CONTROL_BY, CONTROL_STEP, STATE, SENSOR = range(8, 18)
STATE_PARTS, NSTATE_PART, STATE_SIZE, CONTROL_PARTS, NCONTROL_PART, CONTROL_SIZE = range(18, 24)
NWORD = 24

# A place that a reset writes: its slot; how many words lie at the address there, 0: the slot is meant; where they are copied
# from in IMAGE, -1: they are zeros. A part of a state: slot; how many numbers, or SCALAR, the slot itself; bytes in each.
PLACE, PART = 3, 3
SCALAR = -1
NSLOT = DATA_LAYOUT.nslot


def _rolling(function: Callable[..., Any]) -> Compiled:
    return Compiled(function, (M, D, INT))


@kernel
def begin(d, job):
    """The data as after a reset."""
    slots, places, image = i8_at(address_of(d), NSLOT), i8_at(job[PLACES], PLACE * job[NPLACE]), job[IMAGE]
    for k in range(job[NPLACE]):
        slot, count, at = places[PLACE * k], places[PLACE * k + 1], places[PLACE * k + 2]
        if count == 0:
            slots[slot] = i8_at(image, at + 1)[at]
        elif at < 0:
            clear(i8_at(slots[slot], count), count)
        else:
            copy_words(i8_at(image + 8 * at, count), i8_at(slots[slot], count), count)


@kernel
def clear(to, count):
    """Zeros."""
    for i in range(count):
        to[i] = 0


@kernel
def copy_words(what, to, count):
    """The words themselves."""
    for i in range(count):
        to[i] = what[i]


@kernel
def put(d, rows, nrow, address):
    """Give the data the components of a state that these parts describe."""
    slots, parts = i8_at(address_of(d), NSLOT), i8_at(rows, PART * nrow)
    for k in range(nrow):
        slot, count, size = parts[PART * k], parts[PART * k + 1], parts[PART * k + 2]
        if count == SCALAR:
            slots[slot] = i8_at(address, 1)[0]
            count = 1
        elif size == 1:
            values, flags = f8_at(address, count), u1_at(slots[slot], count)
            for i in range(count):
                flags[i] = int(values[i])
        else:
            copy_words(i8_at(address, count), i8_at(slots[slot], count), count)
        address += 8 * count


@kernel
def get(d, rows, nrow, address):
    """Write the components of the state that these parts describe."""
    slots, parts = i8_at(address_of(d), NSLOT), i8_at(rows, PART * nrow)
    for k in range(nrow):
        slot, count, size = parts[PART * k], parts[PART * k + 1], parts[PART * k + 2]
        if count == SCALAR:
            i8_at(address, 1)[0] = slots[slot]
            count = 1
        elif size == 1:
            values, flags = f8_at(address, count), u1_at(slots[slot], count)
            for i in range(count):
                values[i] = flags[i]
        else:
            copy_words(i8_at(slots[slot], count), i8_at(address, count), count)
        address += 8 * count


@kernel
def start_run(m, d, job):
    """The data at the beginning of the present run."""
    begin(d, job)
    index = job[RUN]
    put(d, job[STATE_PARTS], job[NSTATE_PART], job[INITIAL] + 8 * index * job[INITIAL_BY])
    if job[WARM] != 0:
        warm = f8_at(job[WARM] + 8 * index * job[WARM_BY], m.nv)
        for i in range(m.nv):
            d.qacc_warmstart[i] = warm[i]


@kernel
def row(job, output, size, step):
    """The address of what the present run writes at a step."""
    return job[output] + 8 * size * (job[RUN] * job[NSTEP] + step)


@kernel
def write_step(m, d, job, step):
    """State and readings after a step."""
    if job[STATE] != 0:
        get(d, job[STATE_PARTS], job[NSTATE_PART], row(job, STATE, job[STATE_SIZE], step))
    if job[SENSOR] != 0:
        readings = f8_at(row(job, SENSOR, m.nsensordata, step), m.nsensordata)
        for i in range(m.nsensordata):
            readings[i] = d.sensordata[i]


@kernel
def repeat_step(m, job, step):
    """Copy the previous step's output."""
    if job[STATE] != 0:
        n = job[STATE_SIZE]
        copy_words(i8_at(row(job, STATE, n, step - 1), n), i8_at(row(job, STATE, n, step), n), n)
    if job[SENSOR] != 0:
        n = m.nsensordata
        copy_words(i8_at(row(job, SENSOR, n, step - 1), n), i8_at(row(job, SENSOR, n, step), n), n)


@kernel
def has_warning(d):
    """True if anything was odd since the run began: its steps mean nothing from then on."""
    count = 0
    for k in range(d.warning_number.shape[0]):
        count += d.warning_number[k]
    return count != 0


@kernel
def finish(m, d, job):
    """After a warning the rest of a run is as its last step; as the state is now where not even the first could be done."""
    if job[AT] == 0:
        write_step(m, d, job, 0)
        job[AT] = 1
    for step in range(job[AT], job[NSTEP]):
        repeat_step(m, job, step)
    job[AT] = job[NSTEP]


@kernel
def start_step(d, job):
    """The inputs of the next step of the present run."""
    if job[CONTROL] != 0:
        at = job[CONTROL] + 8 * (job[RUN] * job[CONTROL_BY] + job[AT] * job[CONTROL_STEP])
        put(d, job[CONTROL_PARTS], job[NCONTROL_PART], at)
    d.steps = 1


@_rolling
def roll(m, d, table):
    """Does the runs from RUN to END. Ends early with d.steps = 1 where Python has to help, or when BUDGET is used up."""
    job = i8_at(table, NWORD)
    while job[RUN] < job[END]:
        if job[AT] < 0:
            start_run(m, d, job)
            job[AT] = 0
        while job[AT] < job[NSTEP]:
            if d.steps == 0:
                if has_warning(d):
                    finish(m, d, job)
                    continue
                if job[BUDGET] <= 0:
                    return
                job[BUDGET] -= 1
                start_step(d, job)
            run(job[SIMULATE], m, d)
            if d.steps > 0:
                return
            write_step(m, d, job, job[AT])
            job[AT] += 1
        job[AT] = -1
        job[RUN] += 1
