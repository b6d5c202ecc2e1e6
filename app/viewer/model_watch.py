"""Changes that a script has made in its model since the last look: found by comparing bytes, within a bounded time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tumble.physics.state.fields import MODEL
from tumble.physics.state.fields.asset_fields import ASSET
from tumble.physics.state.fields.internal import MODEL_INTERNAL

if TYPE_CHECKING:
    from tumble.physics import MjModel

# Number of fields, and bytes of them, compared per call: some now, the others in later calls.
FIELDS, BUDGET = 64, 128 * 1024
_SKIPPED = {f.name for f in (*ASSET, *MODEL_INTERNAL)}
_SCALARS = tuple(f.name for f in MODEL if f.shape == () and f.name not in _SKIPPED and not f.name.startswith("n"))
_ARRAYS = tuple(f.name for f in MODEL if f.shape != () and f.name not in _SKIPPED)


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
