"""Commands to the simulation thread: small immutable objects in a queue, applied between steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe import islands
from tumble.app.describe.islands import held_trees
from tumble.app.replay.state import ReplayError
from tumble.app.replay.tape import Tape
from tumble.app.replay.timeline import Timeline
from tumble.app.simulation.changes import Change
from tumble.app.simulation.correspondence import Correspondence
from tumble.app.simulation.fork_runner import Track
from tumble.app.simulation.hooks import DriverSlot, InputDriver, Probe, StepMonitor, StepStream
from tumble.app.simulation.perturbation import Grip
from tumble.app.simulation.snapshot import Exchange

if TYPE_CHECKING:
    from tumble.app.simulation.simulation import Simulation
    from tumble.physics import MjData, MjModel


StateNumbers = tuple[tuple[str, tuple[float, ...]], ...]  # fields of the state, each with all its numbers


class Command(Protocol):
    """A command that the simulation thread executes between two batches of steps."""

    def apply(self, sim: Simulation) -> None:
        """Carry it out; runs in the simulation thread."""


class Adopt(Struct, frozen=True):
    """Exchange the model that runs; the caller has let go of `data`. kept: how the state of the one before continues.

    tape: of the data; None: it begins now.
    """

    model: MjModel
    data: MjData
    exchange: Exchange
    kept: Correspondence | None = None
    tape: Tape | None = None

    def apply(self, sim: Simulation) -> None:
        sim.adopt(self.model, self.data, self.exchange, self.kept, self.tape)


class SetPaused(Struct, frozen=True):
    """Stop or continue."""

    paused: bool

    def apply(self, sim: Simulation) -> None:
        sim.set_paused(self.paused)


class Step(Struct, frozen=True):
    """Pause, then take this number of steps; report: called in the simulation thread with the error that ended them, or ""."""

    count: int = 1
    report: Callable[[str], None] = lambda why: None

    def apply(self, sim: Simulation) -> None:
        sim.set_paused(True)
        try:
            sim.step(self.count)
        except BaseException as error:
            self.report(f"no step: {error}" if isinstance(error, physics.PhysicsError) else f"{type(error).__name__}: {error}")
            raise
        self.report("")


class Reset(Struct, frozen=True):
    """Back to the initial state, or to a keyframe of the model; state: then take these numbers, by field."""

    key: int | None = None
    state: StateNumbers = ()

    def apply(self, sim: Simulation) -> None:
        sim.reset(self.key)
        for name, values in self.state:
            _put(sim.data, name, 0, values)
        if self.state:
            physics.mj_forward(sim.model, sim.data)
        if sim.tape is not None:
            sim.tape.note()  # now, though time may stand: recorded steps after this position no longer follow


def _put(data: MjData, field: str, start: int, values: tuple[float, ...]) -> None:
    """Set numbers of a field of the state, from one on."""
    if field == "time":
        data.time = values[0]
    else:
        getattr(data, field).reshape(-1)[start : start + len(values)] = values


class SetRate(Struct, frozen=True):
    """Simulated seconds a wall second."""

    rate: float

    def apply(self, sim: Simulation) -> None:
        sim.clock.rate = self.rate


class SetCtrl(Struct, frozen=True):
    """The control of one actuator."""

    index: int
    value: float

    def apply(self, sim: Simulation) -> None:
        sim.data.ctrl[self.index] = self.value


class ClearCtrl(Struct, frozen=True):
    """All controls to zero."""

    def apply(self, sim: Simulation) -> None:
        sim.data.ctrl[:] = 0.0


class SetEquality(Struct, frozen=True):
    """Switch an equality constraint on or off; off, the sleepers that it holds wake."""

    index: int
    active: bool

    def apply(self, sim: Simulation) -> None:
        sim.data.eq_active[self.index] = self.active
        if not self.active:
            islands.wake(sim.model, sim.data, held_trees(sim.model, self.index))


class SetState(Struct, frozen=True):
    """Numbers of the state, from one on: of qpos, qvel, time and the like; refused while time runs, when the dynamics own them.

    Sleepers that it moves wake. running: not refused.
    """

    field: str
    start: int
    values: tuple[float, ...]
    running: bool = False

    def apply(self, sim: Simulation) -> None:
        if sim.paused or self.running:
            _put(sim.data, self.field, self.start, self.values)
            physics.mj_forward(sim.model, sim.data)


class Hold(Struct, frozen=True):
    """The mouse holds a body, or lets go (None)."""

    grip: Grip | None

    def apply(self, sim: Simulation) -> None:
        sim.hold(self.grip)


class WatchProbe(Struct, frozen=True):
    """Turn a probe at every publication on or off."""

    probe: Probe[Any]
    wanted: bool

    def apply(self, sim: Simulation) -> None:
        sim.watch(self.probe, self.wanted)


class StreamSteps(Struct, frozen=True):
    """Turn watching of every step by a stream on or off."""

    stream: StepStream[Any]
    wanted: bool

    def apply(self, sim: Simulation) -> None:
        (sim.open_stream if self.wanted else sim.close_stream)(self.stream)


class MonitorSteps(Struct, frozen=True):
    """Set the monitor of every step; None removes it."""

    monitor: StepMonitor | None

    def apply(self, sim: Simulation) -> None:
        sim.monitor_steps(self.monitor)


class SetDriver(Struct, frozen=True):
    """Set the driver that writes inputs before every step, or remove it."""

    slot: DriverSlot
    driver: InputDriver | None

    def apply(self, sim: Simulation) -> None:
        sim.set_driver(self.slot, self.driver)


class RecordSolves(Struct, frozen=True):
    """Turn recording of every solve on or off, for this model and later ones."""

    wanted: bool

    def apply(self, sim: Simulation) -> None:
        sim.record(self.wanted)


class SolveAgain(Struct, frozen=True):
    """Solve the last step again with other settings; answer is called, in the simulation thread, with the result or why not."""

    settings: physics.SolveSettings
    answer: Callable[[physics.Solved | str], None]

    def apply(self, sim: Simulation) -> None:
        try:
            solved: physics.Solved | str = sim.solve_again(self.settings)
        except physics.PhysicsError as error:
            solved = str(error)
        self.answer(solved)


class Inquire(Struct, frozen=True, eq=False):
    """Read something of model and data; answer is called in the simulation thread with the result or an error message."""

    read: Callable[[MjModel, MjData], Any]
    answer: Callable[[Any, str], None]

    def apply(self, sim: Simulation) -> None:
        result, why = None, "internal error, see the log"  # unless it is known better
        try:
            result, why = self.read(sim.model, sim.data), ""
        except physics.PhysicsError as error:
            why = str(error)
        finally:
            self.answer(result, why)


def copy_state(answer: Callable[[tuple[MjModel, MjData] | str], None]) -> Inquire:
    """Copy model and data; answer is called in the simulation thread with the copies, or an error message."""
    return Inquire(physics.fork, lambda copy, why: answer(why if copy is None else copy))


class SetModel(Struct, frozen=True):
    """Numbers of the model or its options; dependent values are updated."""

    change: Change

    def apply(self, sim: Simulation) -> None:
        sim.touch(model=True)
        derived = self.change.make(sim.model, sim.data)
        if self.change.field.startswith(("opt.", "tumble.")):
            sim.require_kernels(sim.model)
        if derived or sim.paused:
            physics.mj_forward(sim.model, sim.data)


class SetNumbers(Struct, frozen=True):
    """Numbers of the model by field, their places in memory's order and values, as the compiler gives them together.

    derive: constants are derived from them, as they are not all that was changed.
    """

    numbers: tuple[tuple[str, NDArray[Any], NDArray[Any]], ...]
    derive: bool = False

    def apply(self, sim: Simulation) -> None:
        from tumble.physics.compiler.hierarchies import refit_geom_trees

        sim.touch(model=True)
        for name, index, values in self.numbers:
            target = getattr(sim.model, name)
            if np.ndim(target) == 0:
                setattr(sim.model, name, type(target)(values[-1]))
            else:
                target.reshape(-1)[index] = values
        refit_geom_trees(sim.model, range(sim.model.nbody))
        sim.data.wake_all(sim.model)
        if self.derive:
            Change("body_mass", 0, (float(sim.model.body_mass[0]),)).make(sim.model, sim.data)
        physics.mj_forward(sim.model, sim.data)


class AddFork(Struct, frozen=True):
    """Fork the present state, or give the fork of this key other settings: see `ForkRunner.add`.

    answer: called in the simulation thread, with "" or why it cannot be.
    """

    key: int
    settings: physics.ForkSettings
    changes: tuple[Change, ...]
    track: Track
    answer: Callable[[str], None]

    def apply(self, sim: Simulation) -> None:
        wrong = "internal error, see the log"  # unless it is known better
        try:
            sim.forks.add(sim.model, sim.data, self.key, self.settings, self.changes, self.track)
            sim.clock.forget_cost()  # a step is dearer from now on: as many as before would be too many at once
            wrong = ""
        except physics.PhysicsError as error:
            wrong = str(error)
        finally:
            self.answer(wrong)


class DropFork(Struct, frozen=True):
    """Run a fork no more."""

    key: int

    def apply(self, sim: Simulation) -> None:
        sim.forks.drop(self.key)


class RunForks(Struct, frozen=True):
    """Restart all forks from the present state, or suspend them."""

    running: bool

    def apply(self, sim: Simulation) -> None:
        sim.run_forks(self.running)


class WakeTrees(Struct, frozen=True):
    """Wake sleeping trees, and those that fell asleep with them."""

    trees: tuple[int, ...]

    def apply(self, sim: Simulation) -> None:
        islands.wake(sim.model, sim.data, self.trees)
        if sim.paused:
            physics.mj_forward(sim.model, sim.data)


class SettleTrees(Struct, frozen=True):
    """Stop trees, so that the next step puts them to sleep."""

    trees: tuple[int, ...]

    def apply(self, sim: Simulation) -> None:
        islands.settle(sim.model, sim.data, self.trees)


class Back(Struct, frozen=True):
    """Pause, and go back a number of steps, as far as they are kept."""

    count: int = 1

    def apply(self, sim: Simulation) -> None:
        sim.back(self.count)


class StepBackwards(Struct, frozen=True):
    """Pause, and compute steps into the past. answer: called in the simulation thread with what was in the way, or ""."""

    count: int
    answer: Callable[[str], None]

    def apply(self, sim: Simulation) -> None:
        self.answer(sim.step_backwards(self.count).obstacle)


class Go(Struct, frozen=True):
    """Pause, and go to another position on the tape, as far as it reaches; it may take time."""

    position: int

    def apply(self, sim: Simulation) -> None:
        sim.go(self.position)


class LeaveFuture(Struct, frozen=True):
    """Turn everything after the present position on the tape into a branch."""

    def apply(self, sim: Simulation) -> None:
        if sim.tape is not None:
            sim.tape.note()
            sim.tape.leave_future()


class ReturnTo(Struct, frozen=True):
    """Pause, and return to the end of a branch."""

    number: int

    def apply(self, sim: Simulation) -> None:
        sim.return_to(self.number)


class DropBranch(Struct, frozen=True):
    """Discard a branch."""

    number: int

    def apply(self, sim: Simulation) -> None:
        if sim.tape is not None:
            sim.tape.drop_branch(self.number)


class TapePart(Struct, frozen=True):
    """A part of the tape. begin: the position where it begins; seconds: simulated time in it [s]."""

    begin: int
    seconds: float
    timeline: Timeline


class CutTape(Struct, frozen=True):
    """Cut the last seconds [s] out of the tape, None: all of it; answer is called with the part, or an error message."""

    answer: Callable[[TapePart | str], None]
    seconds: float | None = None

    def apply(self, sim: Simulation) -> None:
        tape = sim.tape
        if tape is None:
            self.answer("there is no model")
            return
        timestep = float(sim.model.opt.timestep)
        steps = tape.end if self.seconds is None else round(self.seconds / timestep)
        try:
            line = tape.timeline(tape.end - steps)
            cut: TapePart | str = TapePart(tape.key_before(tape.end - steps), line.steps * timestep, line)
        except ReplayError as error:
            cut = str(error)
        self.answer(cut)


class LimitHistory(Struct, frozen=True):
    """Limit the memory of the tape [bytes]."""

    most_bytes: int

    def apply(self, sim: Simulation) -> None:
        sim.limit_history(self.most_bytes)
