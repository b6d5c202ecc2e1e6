"""Following a simulation that another program makes: its moments are shown as they come, and no step is taken here.

Each moment that arrives is put into the data in place of a step, all results are computed for it, and the tape notes it as a
jump, as many positions later as steps fit into the time that has passed there: the past can be looked at as that of a
simulation of our own. While time stands here, the other program goes on unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tumble import physics
from tumble.app.replay.state import Reader, State
from tumble.app.replay.tape import Tape
from tumble.physics.observe.tap import see

if TYPE_CHECKING:
    from tumble.app.simulation.simulation import Simulation
    from tumble.physics import MjData, MjModel

POLL = 0.004  # wall time between two looks for a moment [s]
MOST_STEPS = 1_000_000  # that one moment may be later than the one before: beyond, it is a jump of time


class FedMoment(Protocol):
    """A moment of the other program. heard: how many of our messages it has obeyed."""

    @property
    def state(self) -> State: ...

    @property
    def warning(self) -> NDArray[Any]: ...

    @property
    def heard(self) -> int: ...


class Feed(Protocol):
    """Where moments come from; asked in the simulation thread."""

    told: int  # messages sent to the other program so far

    def newest(self) -> FedMoment | None:
        """The newest moment; None if there is none since the last call."""


@dataclass(slots=True)
class Follower:
    """Shows the moments of a feed."""

    feed: Feed
    owed: float = 0.0  # simulated time that is no whole step yet [s]
    _begun: bool = field(default=False, init=False)

    def look(self, model: MjModel, data: MjData, tape: Tape) -> int | None:
        """Show the newest moment; how many steps later it is, None: there is none."""
        moment = self.feed.newest()
        if moment is None:
            return None
        tape.note()
        if tape.now != tape.end:
            tape.seek(tape.end)
        before, ctrl, active = float(data.time), np.array(data.ctrl), np.array(data.eq_active)
        moment.state.place(model, data)
        if moment.heard < self.feed.told:  # what the user has just set here is on its way there
            data.ctrl[:], data.eq_active[:] = ctrl, active
        tape.settle()
        data.warning_number[:], data.warning_lastinfo[:] = moment.warning
        steps = self._steps(before, float(data.time), float(model.opt.timestep))
        tape.arrived(steps)
        see(data)
        return steps

    def _steps(self, before: float, now: float, timestep: float) -> int:
        """How many steps lie between two times [s]; going back is a step, and none is where time stands."""
        begun, self._begun = self._begun, True
        passed = now - before
        if not begun or passed == 0.0 or not np.isfinite(passed):
            return 0
        if passed < 0.0 or timestep <= 0.0:
            self.owed = 0.0
            return 1
        steps = round((passed + self.owed) / timestep)
        self.owed = passed + self.owed - steps * timestep
        return max(0, min(steps, MOST_STEPS))


@dataclass(frozen=True, slots=True)
class Follow:
    """Show the moments of a feed; None: take steps again."""

    feed: Feed | None

    def apply(self, sim: Simulation) -> None:
        sim.follow(self.feed)


@dataclass(frozen=True, slots=True, eq=False)
class TakeModel:
    """Take over numbers of the model, by field as `opt_timestep`, `geom_rgba`, as they are in another program."""

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


@dataclass(frozen=True, slots=True, eq=False)
class PlaceState:
    """Be in a state of another program's simulation, and go on from there; the past begins now."""

    state: State

    def apply(self, sim: Simulation) -> None:
        self.state.place(sim.model, sim.data)
        physics.mj_forward(sim.model, sim.data)
        sim.tape = Tape(sim.model, sim.data)


@dataclass(frozen=True, slots=True, eq=False)
class ReadState:
    """Read the whole state; answer is called with it in the simulation thread, None if no model runs."""

    answer: Callable[[State | None], None]

    def apply(self, sim: Simulation) -> None:
        self.answer(Reader(sim.model, sim.data).read() if sim.tape is not None else None)
