"""What the solver dock takes from the simulation: the last solve's record, and samples of its history."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.traces import Traces
from physics import ContactModel, Record, mjtSolver, mjtTimer, read_record

Array = NDArray[np.float64]

RECORD_INTERVAL = 0.2  # wall time between two records read while time runs [s]
WAITING = 1024  # samples that wait for a window that does not look
KEPT, BUCKETS = 1 << 14, 1 << 12  # of the history: see Traces; 7 MB in all

# CPU time by stage: what the user reads, and the timer of it. Together they are the step, but for a rest of bookkeeping.
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
COLUMNS = ("iterations", "limit", "residual", "nefc", "ncon", "nv_awake", *(name for name, _ in STAGES))


@dataclass
class Reading:
    """The step that a snapshot is of. serial: tells steps apart; time [s]; qacc (nv,); record: of its solve.

    limit: most iterations that the solver could have taken; dof_treeid (nv,): the tree of each dof.
    """

    serial: tuple[int, int] = (-1, -1)
    time: float = 0.0
    qacc: Array | None = None
    record: Record | None = None
    limit: int = 0
    dof_treeid: NDArray[np.int32] | None = None


@dataclass
class Shown:
    """What a snapshot has of the probe: the newest reading; fresh: whether it is of the snapshot's own step."""

    reading: Reading = field(default_factory=Reading)
    fresh: bool = False


class SolverProbe:
    """Reads the record of the last solve a few times a second, each time while `eager`; a sample of every moment's step."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self.eager = True
        self.taken = 0  # moments so far
        self._now = now
        self._read_at = -RECORD_INTERVAL
        self._last = Reading()
        self._timers: tuple[int, Array] | None = None
        self._model: Any = None
        self._samples: deque[tuple[Any, float, int, Array]] = deque(maxlen=WAITING)

    def room(self, model: Any, data: Any) -> Shown:
        return Shown()

    def take(self, model: Any, data: Any, into: Shown) -> None:
        self.taken += 1
        if model is not self._model:
            self._model, self._last, self._timers = model, Reading(), None
        self._sample(model, data)
        serial = (int(data.timer_number[mjtTimer.mjTIMER_FORWARD]), int(data.resets))
        now = self._now()
        if serial != self._last.serial and (self.eager or now - self._read_at >= RECORD_INTERVAL):
            self._read_at = now
            record = read_record(model, data)
            self._last = Reading(serial, float(data.time), data.qacc.copy(), record, limit_of(model), model.dof_treeid.copy())
        into.reading, into.fresh = self._last, serial == self._last.serial

    def samples(self, model: Any) -> tuple[Array, NDArray[np.int64], Array]:
        """What has come of this model since the last call: time (n,) [s], resets (n,), values (n, columns).

        In the window's thread, which may know of another model before the simulation does.
        """
        taken = []
        while self._samples:
            taken.append(self._samples.popleft())
        taken = [sample for sample in taken if sample[0] is model]
        values = np.array([row for *_, row in taken]).reshape(-1, len(COLUMNS))
        return np.array([t for _, t, *_ in taken]), np.array([r for _, _, r, _ in taken], np.int64), values

    def _sample(self, model: Any, data: Any) -> None:
        steps, seconds = int(data.timer_number[mjtTimer.mjTIMER_STEP]), np.array(data.timer_duration)
        before, self._timers = self._timers, (steps, seconds)
        if before is not None and steps == before[0]:
            return  # no step since
        row = np.full(len(COLUMNS), np.nan)
        iterations, residual = end_of_solve(model, data)
        row[:6] = iterations, np.nan, residual, data.nefc, data.ncon, data.nv_awake
        if iterations >= limit_of(model):
            row[1] = iterations
        if before is not None and steps > before[0]:
            spent = (seconds - before[1]) / (steps - before[0])
            row[6:] = [spent[timer] for _, timer in STAGES]
        self._samples.append((model, float(data.time), int(data.resets), row))


def limit_of(model: Any) -> int:
    """Most iterations that the solver may take."""
    hard = int(model.tumble.contact_model) == ContactModel.LCP
    return int(model.tumble.lcp_sweeps if hard else model.opt.iterations)


def end_of_solve(model: Any, data: Any) -> tuple[int, float]:
    """Iterations of the island with most in the last solve, and the largest of the islands' last residuals.

    The residual is nan where no iteration was needed, and for the soft PGS the last improvement, by which it stops.
    """
    islands = len(data.solver_niter)
    count = np.asarray(data.solver_niter)[: max(1, min(islands, int(data.nisland)))]
    if data.nefc == 0 or not count.any():
        return 0, float("nan")
    soft = int(model.tumble.contact_model) == ContactModel.SOFT
    dual = soft and int(model.opt.solver) == mjtSolver.mjSOL_PGS
    table = np.asarray(data.solverstat_improvement if dual else data.solverstat_gradient).reshape(islands, -1)
    last = np.minimum(count, table.shape[1]) - 1
    worked = np.flatnonzero(count > 0)
    return int(count.max()), float(np.max(table[worked, last[worked]]))


def new_history() -> Traces:
    """Memory for samples, which does not grow."""
    return Traces(COLUMNS, KEPT, BUCKETS)
