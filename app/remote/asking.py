"""Questions to the simulation thread, answered between two steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tumble import physics

if TYPE_CHECKING:
    from tumble.app.simulation.simulation import Simulation
    from tumble.physics import MjData, MjModel


@dataclass(frozen=True, slots=True, eq=False)
class Inquire:
    """Read something of model and data; answer is called in the simulation thread with what was read, or why it cannot be."""

    read: Callable[[MjModel, MjData], Any]
    answer: Callable[[Any, str], None]

    def apply(self, sim: Simulation) -> None:
        found, why = None, "internal error, see the log"  # unless it is known better
        try:
            found, why = self.read(sim.model, sim.data), ""
        except physics.PhysicsError as error:
            why = str(error)
        finally:
            self.answer(found, why)
