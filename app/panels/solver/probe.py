"""Probe of the solver dock: the record of the last solve."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from tumble.physics import mjtTimer, read_record
from tumble.physics.observe.sample import iteration_limit

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel, Record

Array = NDArray[np.float64]

RECORD_INTERVAL = 0.2  # wall time between two records read while time runs [s]


class SolveReading(Struct):
    """The step that a snapshot is of. serial: identifies the step; time [s]; qacc (nv,); record: of its solve.

    limit: most iterations that the solver could have taken; dof_treeid (nv,): the tree of each dof.
    """

    serial: tuple[int, int] = (-1, -1)
    time: float = 0.0
    qacc: Array | None = None
    record: Record | None = None
    limit: int = 0
    dof_treeid: NDArray[np.int32] | None = None


class ShownSolve(Struct):
    """Newest reading in a snapshot; fresh: True if it is of the snapshot's own step."""

    reading: SolveReading = field(default_factory=SolveReading)
    fresh: bool = False


class SolverProbe:
    """Reads the record of the last solve a few times a second, each time while `eager`."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self.eager = True
        self.taken = 0  # moments so far
        self._now = now
        self._read_at = -RECORD_INTERVAL
        self._last = SolveReading()
        self._model: weakref.ref[MjModel] | None = None  # one that was closed is not kept while the panel is out of sight

    def room(self, model: MjModel, data: MjData) -> ShownSolve:
        return ShownSolve()

    def take(self, model: MjModel, data: MjData, into: ShownSolve) -> None:
        self.taken += 1
        if self._model is None or self._model() is not model:
            self._model, self._last = weakref.ref(model), SolveReading()
        serial = (int(data.timer_number[mjtTimer.mjTIMER_FORWARD]), int(data.resets))
        now = self._now()
        if serial != self._last.serial and (self.eager or now - self._read_at >= RECORD_INTERVAL):
            self._read_at = now
            record = read_record(model, data)
            if len(record) or not int(data.nefc):  # else it was solved before records were requested
                self._last = SolveReading(
                    serial, float(data.time), data.qacc.copy(), record, limit_of(model), model.dof_treeid.copy()
                )
        into.reading, into.fresh = self._last, serial == self._last.serial


def limit_of(model: MjModel) -> int:
    """Most iterations that the solver may take."""
    return int(iteration_limit(model))
