"""A gauge of the solver: distance of forward and inverse dynamics in the present step."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.numbers import short

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

READ_INTERVAL = 0.2  # wall time between two readings while time runs, at least [s]
SHARE = 20.0  # ... and so many times what the last one took


class ShownGap(Struct):
    """solver_fwdinv (2,): norms [N or N m] of forward minus inverse, of constraint forces and of joint forces; rows: of
    constraints."""

    gap: NDArray[np.float64]
    rows: int = 0


class FwdInvProbe:
    """Compares on a copy of the data, a few times a second; each time while `eager`."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self.eager = True
        self._now = now
        self._due_at = 0.0
        self._scratch: tuple[MjModel, MjData] | None = None
        self._last = ShownGap(np.zeros(2))

    def room(self, model: MjModel, data: MjData) -> ShownGap:
        return ShownGap(np.zeros(2))

    def take(self, model: MjModel, data: MjData, into: ShownGap) -> None:
        now = self._now()
        if self.eager or now >= self._due_at:
            self._last = self._read(model, data)
            self._due_at = now + max(READ_INTERVAL, SHARE * (self._now() - now))
        into.gap, into.rows = self._last.gap, self._last.rows

    def _read(self, model: MjModel, data: MjData) -> ShownGap:
        if not data.nefc:
            return ShownGap(np.zeros(2))
        if self._scratch is None or self._scratch[0] is not model:
            self._scratch = model, physics.MjData(model)
        copy = self._scratch[1]
        physics.mj_copyData(copy, model, data)
        physics.mj_compareFwdInv(model, copy)
        return ShownGap(np.array(copy.solver_fwdinv), int(data.nefc))


def gap_words(shown: ShownGap) -> str:
    """The gauge in a line."""
    if not shown.rows:
        return "Now: no constraints to solve"
    constraint, joint = (short(float(value), least=0.0, figures=2) for value in shown.gap)
    return f"Now, forward minus inverse: {constraint} N of constraints, {joint} N on dofs"
