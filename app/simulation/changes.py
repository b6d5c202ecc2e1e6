"""Changes of a model's numbers: field, element and values."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel
    from tumble.physics.state.model import Model


class Change(Struct, frozen=True):
    """field (`opt.timestep`, `geom_solref`), which element (None: a scalar, or all of it), values."""

    field: str
    index: int | None
    value: tuple[float, ...]

    def make(self, model: MjModel, data: MjData) -> bool:
        """Set values of the model; returns True if derived constants have changed, so that mj_forward is due.

        Dependent values are updated as in physics.changes: derived constants, and sleepers wake.
        """
        from tumble.physics import changes  # brings the compiler, which a window without a model does not need

        self.write(model)
        return changes.follow(model, data, self.field, self.index)

    def write(self, model: Model) -> None:
        """Set values of the model, and none of what depends on them."""
        owner, _, name = self.field.rpartition(".")
        target = attrgetter(owner)(model) if owner else model
        if self.index is None and np.ndim(getattr(target, name)) == 0:
            old = getattr(target, name)
            setattr(target, name, type(old)(self.value[0]))
        elif self.index is None:
            getattr(target, name)[...] = self.value
        else:
            array = getattr(target, name)
            array[self.index] = self.value if array[self.index].ndim else self.value[0]
