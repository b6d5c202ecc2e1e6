"""Commands to the simulation thread about the history: as in `commands`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from tumble.app.replay.state import ReplayError
from tumble.app.replay.timeline import Timeline

if TYPE_CHECKING:
    from tumble.app.simulation.simulation import Simulation


class Back(Struct, frozen=True):
    """Pause, and go back a number of steps, as far as they are kept."""

    count: int = 1

    def apply(self, sim: Simulation) -> None:
        sim.back(self.count)


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
