"""Cost of every step, sampled only while something shows it."""

from __future__ import annotations

import numpy as np
from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.profile.history import FIRST_STAGE, Array
from tumble.app.profile.stages import StepCosts, step_tap
from tumble.app.session.panel_kernels import Preparation
from tumble.app.session.panel_stream import PanelStream
from tumble.app.session.session import Session
from tumble.physics.observe.sample import sample_solver

RECENT = 0.5  # simulated time over which the present cost is a mean [s]
CALM = 90  # of its samples that count [%]: the slowest are those in which the computer did something else


class Profiler(QObject):
    """Costs of every step, for all that show them: a panel, the plots over the view.

    advanced: there are newer samples, or another model has none yet.
    """

    advanced = pyqtSignal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.session = session
        self.costs = StepCosts()
        self.kernels = Preparation((sample_solver,), session.status.emit, self)
        self._stream = PanelStream(session, step_tap, self.kernels)
        self._wanted: set[str] = set()
        session.advanced.connect(self._take)
        session.model_loaded.connect(self._renew)

    @property
    def is_on(self) -> bool:
        """True while steps are measured."""
        return bool(self._wanted)

    def want(self, who: str, wanted: bool) -> None:
        """Have steps measured while anybody wants it."""
        self._wanted = self._wanted | {who} if wanted else self._wanted - {who}
        self._stream.want(self.is_on)

    @property
    def budget(self) -> float:
        """Wall time that a step may take, for the rate that is set [s]."""
        model = self.session.model
        return 0.0 if model is None else float(model.opt.timestep) / self.session.rate

    def recent(self) -> Array | None:
        """Mean seconds of each of STEP_STAGES over the last samples; None: there are none."""
        run = self.costs.now
        if run.count == 0:
            return None
        end = run.span[1]
        kept = min(run.count, len(run.time))
        newest = (run.count - 1 - np.arange(min(kept, 256))) % len(run.time)
        rows = newest[run.time[newest] >= end - RECENT]
        spent = run.values[rows][:, FIRST_STAGE:]
        spent = spent[np.isfinite(spent).all(axis=1)]
        calm = np.argsort(spent.sum(axis=1))[: -(-CALM * len(spent) // 100)]
        return np.asarray(spent[calm].mean(axis=0)) if len(spent) else None

    def samples(self, start: float) -> tuple[Array, Array]:
        """Samples from a time on, with one before it, as far as they are kept: time (n,), values (n, columns)."""
        run = self.costs.now
        order = np.arange(max(0, run.count - len(run.time)), run.count) % len(run.time)
        time = run.time[order]
        first = max(0, int(np.searchsorted(time, start)) - 1)
        return time[first:], run.values[order[first:]]

    def bins(self, start: float, end: float, most: int) -> tuple[Array, Array]:
        """Mean seconds of each of STEP_STAGES in at most so many equal spans between two times: times (n,), means (n, stages)."""
        time, values = self.samples(start)
        shown = (time >= start) & (time <= end) & np.isfinite(values[:, FIRST_STAGE:]).all(axis=1)
        time, spent = time[shown], values[shown][:, FIRST_STAGE:]
        if not len(time):
            return time, spent
        place = np.floor((time - start) / max(end - start, 1e-12) * most)
        first = np.flatnonzero(np.diff(place, prepend=-1.0))
        counts = np.diff(first, append=len(time))
        return time[first], np.add.reduceat(spent, first, axis=0) / counts[:, None]

    def clear(self) -> None:
        """Forget what was measured."""
        self.costs.clear()
        self.advanced.emit()

    def _take(self) -> None:
        if not self._wanted:
            return
        for samples in self._stream.take():
            self.costs.take(samples)
        self.advanced.emit()

    def _renew(self) -> None:
        self.costs = StepCosts()
        self._stream.renew()
        self.advanced.emit()
