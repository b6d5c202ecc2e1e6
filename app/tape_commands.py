"""What the window asks of the simulation thread about the past: as `commands`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.replay.state import ReplayError
from app.replay.timeline import Timeline

if TYPE_CHECKING:
    from app.simulation import Simulation


@dataclass(frozen=True, slots=True)
class Back:
    """Pause, and go back so many steps, as far as they are kept."""

    count: int = 1

    def apply(self, sim: Simulation) -> None:
        sim.back(self.count)


@dataclass(frozen=True, slots=True)
class Go:
    """Pause, and go to another position on the tape, as far as it reaches; it may take a while."""

    position: int

    def apply(self, sim: Simulation) -> None:
        sim.go(self.position)


@dataclass(frozen=True, slots=True)
class ForgetFuture:
    """What comes after the present position on the tape shall not come again."""

    def apply(self, sim: Simulation) -> None:
        if sim.tape is not None:
            sim.tape.note()
            sim.tape.forget_future()


@dataclass(frozen=True, slots=True)
class CutTape:
    """What happened in the last seconds [s] on the tape, None: in all of it; answer is called with it, or why there is none."""

    answer: Callable[[Timeline | str], None]
    seconds: float | None = None

    def apply(self, sim: Simulation) -> None:
        if sim.tape is None:
            self.answer("there is no model")
            return
        steps = sim.tape.end if self.seconds is None else round(self.seconds / float(sim.model.opt.timestep))
        try:
            cut: Timeline | str = sim.tape.timeline(sim.tape.end - steps)
        except ReplayError as error:
            cut = str(error)
        self.answer(cut)


@dataclass(frozen=True, slots=True)
class LimitHistory:
    """Let the tape take so many bytes at the most."""

    most_bytes: int

    def apply(self, sim: Simulation) -> None:
        sim.limit_history(self.most_bytes)
