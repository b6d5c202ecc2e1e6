"""Input drivers: they write inputs before every step, in the simulation thread."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel


class DriverSlot(IntEnum):
    """The drivers in the order in which they write: the later one sees what the earlier one wrote, and overrides it."""

    GENERATORS = 0
    CONTROLLER = 1


class InputDriver(Protocol):
    """Writes controls or applied forces; while there is one, steps are taken one at a time. It never raises."""

    def begin(self, model: MjModel, data: MjData) -> None:
        """The driver is installed, perhaps while the simulation is paused."""

    def write_inputs(self, model: MjModel, data: MjData) -> None:
        """Write the inputs of the step that is about to be taken."""

    def end(self) -> None:
        """The driver is not installed any more: no step is under way."""
