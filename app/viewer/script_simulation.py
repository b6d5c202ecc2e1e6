"""The script's simulation, as commands of its window find it, and the changes that the script makes in its model."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tumble import physics
from tumble.app.simulation.commands import Command
from tumble.app.simulation.perturbation import Grip
from tumble.app.simulation.simulation import Simulation
from tumble.physics.state.fields import MODEL
from tumble.physics.state.fields.asset_fields import ASSET
from tumble.physics.state.fields.internal import MODEL_INTERNAL

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

log = logging.getLogger(__name__)

# Number of fields, and bytes of them, compared per call: some now, the others in later calls.
FIELDS, BUDGET = 64, 128 * 1024
_SKIPPED = {f.name for f in (*ASSET, *MODEL_INTERNAL)}
_SCALARS = tuple(f.name for f in MODEL if f.shape == () and f.name not in _SKIPPED and not f.name.startswith("n"))
_ARRAYS = tuple(f.name for f in MODEL if f.shape != () and f.name not in _SKIPPED)


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


class ModelWatch:
    """Assets are omitted: the viewer's `update_hfield`, `update_mesh` and `update_texture` report them."""

    def __init__(self, model: MjModel) -> None:
        self._model = model
        self._slots = model._slots.tobytes()
        self._scalars = {name: getattr(model, name) for name in _SCALARS}
        self._arrays = [name for name in _ARRAYS if getattr(model._arrays.get(name), "size", 0)]
        self._known = {name: model._arrays[name].tobytes() for name in self._arrays}
        self._at = 0

    def changed(self) -> dict[str, NDArray[Any]]:
        """Changed fields, with all their numbers; each is reported once."""
        changes: dict[str, NDArray[Any]] = {}
        slots = self._model._slots.tobytes()
        if slots != self._slots:
            self._slots = slots
            for name in _SCALARS:
                value = getattr(self._model, name)
                if value != self._scalars[name]:
                    self._scalars[name] = value
                    changes[name] = np.array(value)
        spent = 0
        for _ in range(min(FIELDS, len(self._arrays))):
            name = self._arrays[self._at]
            self._at = (self._at + 1) % len(self._arrays)
            now = self._model._arrays[name].tobytes()
            if now != self._known[name]:
                self._known[name] = now
                changes[name] = self._model._arrays[name].copy()
            spent += len(now)
            if spent > BUDGET:
                break
        return changes

    def know(self) -> None:
        """Take the present model as known: the window has made the last change itself."""
        self._slots = self._model._slots.tobytes()
        self._scalars = {name: getattr(self._model, name) for name in _SCALARS}
        self._known = {name: self._model._arrays[name].tobytes() for name in self._arrays}
