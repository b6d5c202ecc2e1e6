"""A simulation thread whose commands another program hears first: those that concern its simulation are its own to obey."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tumble.app.simulation.commands import Command
from tumble.app.simulation.thread import ThreadWorker

if TYPE_CHECKING:
    from tumble.app.simulation.simulation import Simulation


class Leader(Protocol):
    """Hears of every command before it is carried out, in the thread that sends it."""

    def takes(self, command: Command) -> bool:
        """Pass a command on; whether it is not to be carried out here."""


@dataclass(frozen=True, slots=True)
class PassedOn:
    """A command that another program has been told: nothing is done here, but it counts as obeyed."""

    def apply(self, sim: Simulation) -> None:
        return


class LedWorker(ThreadWorker):
    """leader: hears commands first; None: all are carried out here."""

    leader: Leader | None = None

    def send(self, command: Command) -> None:
        """Queue a command, unless the leader takes it."""
        super().send(PassedOn() if self.leader is not None and self.leader.takes(command) else command)
