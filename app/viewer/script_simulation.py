"""The script's simulation, as commands of its window find it: model and data are the script's own, and there is no tape."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from tumble import physics
from tumble.app.simulation.commands import Command
from tumble.app.simulation.perturbation import Grip
from tumble.app.simulation.simulation import Simulation

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

log = logging.getLogger(__name__)


class ScriptSimulation(Simulation):
    """Time runs as far as commands are concerned: the script takes steps when it likes, or calls `advance`."""

    def __init__(self, model: MjModel, data: MjData) -> None:
        super().__init__()
        self._model, self._data = model, data
        self.paused = False

    def obey(self, command: Command) -> None:
        """Execute a command of the window; commands that do not fit this model are logged and ignored."""
        try:
            command.apply(self)
        except (LookupError, ValueError, TypeError, AttributeError) as error:
            log.warning("the window asked for something that this model lacks: %s (%s)", command, error)

    def step(self, count: int) -> int:
        """Take steps."""
        physics.mj_step(self.model, self.data, count)
        return count

    def pull(self, grip: Grip | None) -> None:
        """Pull a body as the mouse does, or let go of the one that was pulled; to be called between two steps."""
        if grip is not None and not 0 < grip.body < self.model.nbody:
            grip = None
        if grip is not self._grip:
            self.hold(grip)
        if not self.paused:
            self._write_inputs()
