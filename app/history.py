"""The last seconds of a simulation as states that can be gone back to, in a ring of bounded memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import physics

SPEC = int(physics.mjtState.mjSTATE_INTEGRATION)  # all that the next step depends on
SECONDS = 5.0  # simulated time that is kept, as far as the memory reaches
MOST_BYTES = 64 * 2**20
MOST_STATES = 20_000


class History:
    """States of one model before its last steps; the present state is not among them."""

    def __init__(self, model: Any, seconds: float = SECONDS, most_bytes: int = MOST_BYTES) -> None:
        size = physics.mj_stateSize(model, SPEC)
        wanted = int(seconds / max(float(model.opt.timestep), 1e-9)) + 1
        rows = max(2, min(wanted, MOST_STATES, most_bytes // (8 * size)))
        self._states: NDArray[np.float64] = np.empty((rows, size))
        self._next = 0  # number of the next state
        self._kept = 0

    def __len__(self) -> int:
        return self._kept

    def record(self, model: Any, data: Any) -> None:
        """Keep the present state: a step is about to be taken from it."""
        physics.mj_getState(model, data, self._states[self._next % len(self._states)], SPEC)
        self._next += 1
        self._kept = min(self._kept + 1, len(self._states))

    def back(self, model: Any, data: Any, steps: int) -> int:
        """Go back so many steps, as far as they are kept, and forget what came after; how many it were.

        All results are those of the state gone back to. From there the same steps follow again, bit for bit.
        """
        steps = min(steps, self._kept)
        if steps <= 0:
            return 0
        self._next -= steps
        self._kept -= steps
        state = self._states[self._next % len(self._states)]
        physics.mj_setState(model, data, state, SPEC)
        physics.mj_forward(model, data)
        return steps

    def clear(self) -> None:
        """Forget all: the state has jumped."""
        self._next = self._kept = 0

    def component(self, model: Any, part: int) -> NDArray[np.float64]:
        """One component (mjtState) of all states kept, (states, numbers), oldest first."""
        result = np.empty((self._kept, physics.mj_stateSize(model, part)))
        for k in range(self._kept):
            row = self._states[(self._next - self._kept + k) % len(self._states)]
            physics.mj_extractState(model, row, SPEC, result[k], part)
        return result
