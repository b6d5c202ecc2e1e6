"""A simulation that follows one in another process: it shows its moments as they arrive, and takes no steps.

Each moment that arrives is put into the data in place of a step, all results are computed for it, and the tape notes it as a
jump, as many positions later as steps fit into the time that has passed there: the past can be looked at as that of a
simulation of our own. While time stands here, the other process continues unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.replay.state import State
from tumble.app.replay.tape import Tape
from tumble.app.simulation.commands import Command
from tumble.app.simulation.simulation import Simulation
from tumble.app.simulation.thread import ThreadWorker
from tumble.physics.observe.tap import see

if TYPE_CHECKING:
    from tumble.app.viewer.moments import MomentRing, SharedMoment

POLL = 0.004  # interval of polling for a moment [s]
MOST_STEPS = 1_000_000  # that one moment may be later than the one before: beyond, it is a jump of time


class RingFeed:
    """Moments from the memory shared with the script; it keeps the geoms of the last for the window.

    sent: commands sent to the script so far.
    """

    def __init__(self, ring: MomentRing, sent: int) -> None:
        self._ring, self.sent = ring, sent
        self.geoms: NDArray[Any] | None = None

    def newest(self) -> SharedMoment | None:
        """The newest moment; None if unchanged since the last call. Called in the simulation thread."""
        moment = self._ring.newest()
        if moment is not None:
            self.geoms = moment.geoms
        return moment


class FollowingSimulation(Simulation):
    """Shows the moments of a feed; without one, takes steps as any simulation."""

    feed: RingFeed | None = None
    _begun = False
    _owed = 0.0  # simulated time that is no whole step yet [s]

    def adopt(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as of the base
        """Run another model, with no feed."""
        self.feed = None
        super().adopt(*args, **kwargs)

    def follow(self, feed: RingFeed) -> None:
        """Show the moments of a feed from now on, and take no steps, until another model is adopted."""
        self.feed, self._begun, self._owed = feed, False, 0.0
        self.clock.stop()

    def advance(self) -> float | None:
        """Show the newest moment, or take the steps that are due; as of the base."""
        if self.feed is None or self.tape is None or self.target is not None or self.paused:
            return super().advance()
        start = self.now()
        if start - self._published < self._interval():
            return POLL
        timestep = float(self.model.opt.timestep)
        self.clock.due(start, timestep)  # so that it measures
        if self._monitor is not None:
            self._monitor.before_step(self.model, self.data)
        moment = self.feed.newest()
        if moment is not None:
            steps = self._place(moment, self.feed.sent, self.tape)
            end = self.now()
            if steps:
                self.clock.done(end, steps, timestep, end - start)
            if self._monitor is not None and self._monitor.after_step(self.model, self.data):
                self.set_paused(True)  # the picture stands; the other process continues
            self.publish()
        return POLL

    def _place(self, moment: SharedMoment, sent: int, tape: Tape) -> int:
        """Fill the data from a moment; returns the number of steps since the last one."""
        data = self.data
        tape.note()
        if tape.now != tape.end:
            tape.seek(tape.end)
        before, ctrl, active = float(data.time), np.array(data.ctrl), np.array(data.eq_active)
        moment.state.place(self.model, data)
        if moment.obeyed < sent:  # values that the user has just set here are under way
            data.ctrl[:], data.eq_active[:] = ctrl, active
        tape.settle()
        data.warning_number[:], data.warning_lastinfo[:] = moment.warning
        steps = self._steps(before, float(data.time), float(self.model.opt.timestep))
        tape.arrived(steps)
        see(data)
        return steps

    def _steps(self, before: float, now: float, timestep: float) -> int:
        """Number of steps between two times [s]; going back counts as one, the same time as none."""
        begun, self._begun = self._begun, True
        passed = now - before
        if not begun or passed == 0.0 or not np.isfinite(passed):
            return 0
        if passed < 0.0 or timestep <= 0.0:
            self._owed = 0.0
            return 1
        steps = round((passed + self._owed) / timestep)
        self._owed = passed + self._owed - steps * timestep
        return max(0, min(steps, MOST_STEPS))


class FollowingWorker(ThreadWorker):
    """passes: called with every command before it is executed, in the sending thread; True: nothing is done here."""

    passes: Callable[[Command], bool] | None = None

    def __init__(self) -> None:
        super().__init__(FollowingSimulation())

    def send(self, command: Command) -> None:
        """Queue a command, or a stand-in, which counts as executed, if it is not to be executed here."""
        super().send(PassedOn() if self.passes is not None and self.passes(command) else command)


class PassedOn(Struct, frozen=True):
    """A command that another process executes: no effect here."""

    def apply(self, sim: Simulation) -> None:
        return


class Follow(Struct, frozen=True):
    """Show the moments of a feed."""

    feed: RingFeed

    def apply(self, sim: Simulation) -> None:
        assert isinstance(sim, FollowingSimulation)
        sim.follow(self.feed)


class TakeModel(Struct, frozen=True, eq=False):
    """Set numbers of the model, by field as `opt_timestep`, `geom_rgba`, from another process."""

    fields: Mapping[str, NDArray[Any]]

    def apply(self, sim: Simulation) -> None:
        sim.touch(model=True)
        for name, values in self.fields.items():
            now = getattr(sim.model, name)
            if np.ndim(now) == 0:
                setattr(sim.model, name, type(now)(values.item()))
            else:
                now[...] = values.reshape(now.shape)
        sim.require_kernels(sim.model)
        physics.mj_forward(sim.model, sim.data)
        if sim.tape is not None:
            sim.tape.rewritten += 1


class PlaceState(Struct, frozen=True, eq=False):
    """Set the state of another process's simulation, and continue from there; the history begins now."""

    state: State

    def apply(self, sim: Simulation) -> None:
        self.state.place(sim.model, sim.data)
        physics.mj_forward(sim.model, sim.data)
        sim.tape = Tape(sim.model, sim.data)
