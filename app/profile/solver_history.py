"""The history of the solver: iterations, residual, sizes and CPU time of every step, in memory that does not grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.app.base.traces import Traces
from tumble.physics import mjtTimer
from tumble.physics.observe.sample import SOLVER_COLUMNS, SolverTap

if TYPE_CHECKING:
    from tumble.physics import MjData
    from tumble.physics.observe.sample import Samples

Array = NDArray[np.float64]

KEPT, BUCKETS = 1 << 14, 1 << 12  # see Traces; 7 MB in all

# CPU time by stage: text for the user, and the timer of it. Together they are the step, but for a rest of bookkeeping.
STAGES = (
    ("kinematics", mjtTimer.mjTIMER_POS_KINEMATICS),
    ("inertia", mjtTimer.mjTIMER_POS_INERTIA),
    ("collision", mjtTimer.mjTIMER_POS_COLLISION),
    ("constraint rows", mjtTimer.mjTIMER_POS_MAKE),
    ("projection", mjtTimer.mjTIMER_POS_PROJECT),
    ("velocity", mjtTimer.mjTIMER_VELOCITY),
    ("actuation", mjtTimer.mjTIMER_ACTUATION),
    ("solver", mjtTimer.mjTIMER_CONSTRAINT),
    ("integration", mjtTimer.mjTIMER_ADVANCE),
)
STAGE_NAMES = tuple(name for name, _ in STAGES)
COLUMNS = (*SOLVER_COLUMNS, *STAGE_NAMES)
LIMIT, FIRST_STAGE = COLUMNS.index("limit"), len(SOLVER_COLUMNS)


def solver_tap(data: MjData) -> SolverTap:
    """Sampler of the solver for SolverHistory.take, called at every step."""
    return SolverTap(data, [timer for _, timer in STAGES])


class SolverHistory(Traces):
    """COLUMNS of every step. hits: steps of the present run that ended at the limit of iterations; lost: steps not seen."""

    def __init__(self, stages: Sequence[str] = STAGE_NAMES) -> None:
        """stages: names of the columns of CPU time."""
        super().__init__((*SOLVER_COLUMNS, *stages), KEPT, BUCKETS)
        self.hits = self.lost = 0
        self._timers: tuple[int, Array] | None = None  # resets, and seconds of each stage so far

    def take(self, samples: Samples) -> None:
        """Add the samples of solver_tap. A stage's time is the mean over the steps that came together: one alone is noise."""
        if len(samples.time) == 0:
            return
        values, unseen = samples.values, samples.lost
        spent = np.empty((len(values), len(self.names) - FIRST_STAGE))
        if samples.count == samples.lost + len(samples.time):  # the first that this tap has sampled
            self._timers = None
        for resets in np.unique(samples.resets):
            own = samples.resets == resets
            spent[own] = self.of_stages(self._spent(int(resets), values[own, FIRST_STAGE:], unseen))
            unseen = 0
        values = np.column_stack([values[:, :FIRST_STAGE], spent])
        run = self.now
        self.lost += samples.lost
        self.hits += int(np.isfinite(values[:, LIMIT]).sum())
        self.feed(samples.time, samples.resets, values)
        if self.now is not run:  # another run has begun among them
            self.hits = int(np.isfinite(self.now.samples()[1][:, LIMIT]).sum())

    def of_stages(self, timers: Array) -> Array:
        """Seconds of each stage, of those of each timer."""
        return timers

    def clear(self) -> None:
        """Discard all samples."""
        super().clear()
        self.hits = self.lost = 0

    def _spent(self, resets: int, seconds: Array, unseen: int) -> Array:
        """Mean seconds of each stage per step, of steps that follow `unseen` others; nan for the very first one."""
        if self._timers is not None and self._timers[0] == resets:
            before, steps = self._timers[1], unseen + len(seconds)
        else:
            before, steps = seconds[0], len(seconds) - 1
        self._timers = resets, seconds[-1].copy()
        spent: Array = (seconds[-1] - before) / steps if steps else np.full(seconds.shape[1], np.nan)
        return spent
