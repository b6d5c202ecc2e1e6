"""What writes inputs before every single step, in the simulation thread."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from physics import MjData, MjModel


class Slot(IntEnum):
    """Who drives, in the order of their turns: the later sees what the earlier wrote, and has the last word."""

    GENERATORS = 0
    CONTROLLER = 1


class Driver(Protocol):
    """Writes controls or applied forces; while there is one, steps are taken one at a time. It never raises."""

    def begin(self, model: MjModel, data: MjData) -> None:
        """It is put in charge, perhaps while time stands."""

    def drive(self, model: MjModel, data: MjData) -> None:
        """A step is about to be taken."""
