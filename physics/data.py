"""`MjData`: the data of a model, as a simulation begins."""

from __future__ import annotations

from tumble.physics.run.reset import start_asleep
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model


class MjData(Data):
    """State, inputs and everything computed from them; trees that begin asleep do so."""

    def __init__(self, model: Model) -> None:
        """Raises ModelError if that needs too much memory, or where trees are to begin asleep that cannot."""
        super().__init__(model)
        start_asleep(model, self)
