"""Making room for what a stage could not store, and running a stage until it fits."""

from __future__ import annotations

from tumble.physics.callback.table import settle
from tumble.physics.kernel import Query, Stage, run, stage
from tumble.physics.kernel.function import INT, D
from tumble.physics.parallel.pool import POOL
from tumble.physics.run.program import bind, unbind
from tumble.physics.state.data import Data, not_a_pair
from tumble.physics.state.fields.buffers import BUFFERS
from tumble.physics.state.model import Model
from tumble.physics.state.stages import Entry, Phase, span
from tumble.physics.step.forward import ISLANDS, ROWS, forward, forward_pos_vel, is_short, run_phase
from tumble.physics.step.inverse import inverse_pos, inverse_pos_vel

PROJECTION, REFERENCE = span(Phase.PROJECTION), int(Entry.REFERENCE)

# What a stage asks for in vain, and what grows then.
_ROOM = tuple((buffer.need, buffer.capacity) for buffer in BUFFERS if buffer.need)


def _asks(d):
    return 1 if is_short(d) else 0


asks_for_room = Query(_asks, (D,), INT)


def lacks_room(d: Data) -> bool:
    """True if a stage stopped for lack of room or of a compiled narrow phase, or a callback failed."""
    return bool(asks_for_room.call(d.address))


def make_room(m: Model, d: Data) -> None:
    """Grow what was too small, find threads, compile what was missing.

    Raises what a callback raised, and ModelError if there is no memory.
    """
    asked = {capacity: getattr(d, need) for need, capacity in _ROOM}
    for need, _ in _ROOM:  # before growing, which raises when memory is short: the next call starts from the beginning
        d.put_number(need, 0)
    if d.failed:
        settle(d)
    for capacity, need in asked.items():
        if need:
            d.grow(capacity, need)
    if asked["maxlane"]:
        POOL.require(m, d.maxlane)
    if d.needcollide:
        unbind(m)
        bind(m)
        d.inner.needcollide = 0


def require(m: Model, d: Data) -> None:
    """Raise ArgumentError unless these are a model and data, ModelError for data of a model of other sizes."""
    if not isinstance(d, Data):
        raise not_a_pair(m, d)
    d.require(m)


def take(m: Model, d: Data) -> None:
    """Let no other thread run kernels on data until `d.give()`. Raises ArgumentError as `require`, ModelError as `Data.take`."""
    if not isinstance(d, Data):
        raise not_a_pair(m, d)
    d.take(m)


def run_stage(m: Model, d: Data, stage: Stage) -> None:
    """Run a stage of the pipeline, making room until it fits. Raises as `take`."""
    take(m, d)
    try:
        binding = bind(m)
        while True:
            run = m.bound or m  # held until the call returns, whatever is bound meanwhile
            stage.call(run.address, d.address)
            if not asks_for_room.call(d.address):
                if d.repeated:
                    d.repeated = 0
                if stage in MAKE_ROWS:
                    d.form = binding.form
                return
            make_room(m, d)
    finally:
        d.give()


def run_on_rows(m: Model, d: Data, stage: Stage) -> None:
    """Run a stage that solves for the rows which one before it has made, as `run_stage` does.

    If an option that they depend on has changed since then, they are made again: a solver would take them for what they are not.
    """
    take(m, d)
    try:
        if d.form != bind(m).form and d.form is not None and d.nefc:
            run_stage(m, d, rows_again)
        run_stage(m, d, stage)
    finally:
        d.give()


@stage
def rows_again(m, d):
    """Constraint rows, islands and what solvers prepare, for the positions and velocities that are known."""
    run_phase(m, d, ROWS)
    if is_short(d):
        return
    run_phase(m, d, ISLANDS)
    if is_short(d):
        return
    run_phase(m, d, PROJECTION)
    if m.stage[REFERENCE] != 0:
        run(m.stage[REFERENCE], m, d)


# The stages that make rows and all that goes with them.
MAKE_ROWS = {forward, forward_pos_vel, inverse_pos, inverse_pos_vel, rows_again}
