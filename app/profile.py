"""Cost of every step and the history of the solver, sampled only while displayed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.base.traces import Traces
from tumble.app.session.panel_stream import PanelStream, Preparation
from tumble.app.session.session import Session
from tumble.physics import mjtTimer
from tumble.physics.observe.sample import SOLVER_COLUMNS, SolverTap, sample_solver

if TYPE_CHECKING:
    from tumble.physics import MjData
    from tumble.physics.observe.sample import Samples

RECENT = 0.5  # simulated time over which the present cost is a mean [s]
CALM = 90  # of its samples that count [%]: the slowest are those in which the computer did something else
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
        """Measure steps while there is a user."""
        self._wanted = self._wanted | {who} if wanted else self._wanted - {who}
        self._stream.want(self.is_on)

    @property
    def budget(self) -> float:
        """Wall time that a step may take, for the rate that is set [s]."""
        model = self.session.model
        return 0.0 if model is None else float(model.opt.timestep) / self.session.rate

    def recent(self) -> Array | None:
        """Mean seconds of each of STEP_STAGES over the last samples; None without samples."""
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
        """Samples since a time, with one before it, as far as stored: time (n,), values (n, columns)."""
        run = self.costs.now
        order = np.arange(max(0, run.count - len(run.time)), run.count) % len(run.time)
        time = run.time[order]
        first = max(0, int(np.searchsorted(time, start)) - 1)
        return time[first:], run.values[order[first:]]

    def bins(self, start: float, end: float, most: int) -> tuple[Array, Array]:
        """Mean seconds of each of STEP_STAGES in at most `count` equal spans between two times: times (n,), means (n, stages)."""
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
        """Clear the measurements."""
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


T = mjtTimer
TIMERS = tuple(timer for timer in mjtTimer if timer is not T.mjNTIMER)


class StepStage(Struct, frozen=True):
    """A stage: its time is that of `timers` less that of `without`. panel: key of the panel with its details."""

    name: str
    timers: tuple[mjtTimer, ...]
    without: tuple[mjtTimer, ...]
    panel: str
    what: str


_POSITION = (T.mjTIMER_POS_KINEMATICS, T.mjTIMER_POS_INERTIA, T.mjTIMER_POS_COLLISION, T.mjTIMER_POS_MAKE)
_FORWARD = (T.mjTIMER_POSITION, T.mjTIMER_VELOCITY, T.mjTIMER_ACTUATION, T.mjTIMER_CONSTRAINT)
STEP_STAGES = (
    StepStage("kinematics", (T.mjTIMER_POS_KINEMATICS,), (), "joints",
              "Poses of bodies, geoms, sites, cameras, lights and tendons, from the joint positions."),
    StepStage("inertia", (T.mjTIMER_POS_INERTIA,), (), "inspector", "The mass matrix, its factors, lengths of actuators."),
    StepStage("broad phase", (T.mjTIMER_COL_BROAD,), (), "collision",
              "Selects the pairs of geoms near enough to be tested; 0 where the pairs are few and listed."),
    StepStage("narrow phase", (T.mjTIMER_POS_COLLISION,), (T.mjTIMER_COL_BROAD,), "collision",
              "The points of contact of these pairs: Pairs shows the cost of each."),
    StepStage("constraint rows", (T.mjTIMER_POS_MAKE,), (), "contacts",
              "Rows of the constraint Jacobian, with impedance and reference acceleration, of contacts, limits and equalities."),
    StepStage("islands", (T.mjTIMER_POSITION,), _POSITION, "islands",
              "Groups of trees that the rows join, and the projected inertia that dual solvers need."),
    StepStage("velocity", (T.mjTIMER_VELOCITY,), (), "joints",
              "Velocities of bodies and tendons, springs, dampers, drag, Coriolis and centrifugal forces."),
    StepStage("actuation", (T.mjTIMER_ACTUATION,), (), "control",
              "Forces of actuators, and the acceleration without constraints."),
    StepStage("solver", (T.mjTIMER_CONSTRAINT,), (), "solver", "The constraint forces: Islands shows the cost of each."),
    StepStage("sensors", (T.mjTIMER_FORWARD,), _FORWARD, "signals", "Sensors, energies, the callback that writes controls."),
    StepStage("integrator", (T.mjTIMER_ADVANCE,), (), "options", "Velocities and positions at the end of the step."),
    StepStage("the rest", (T.mjTIMER_STEP,), (T.mjTIMER_FORWARD, T.mjTIMER_ADVANCE), "islands",
              "Checks for a blow-up, sleep, and what panels sample."),
)  # fmt: skip
_MIX = np.array([[(timer in s.timers) - (timer in s.without) for timer in TIMERS] for s in STEP_STAGES], float)


def step_tap(data: MjData) -> SolverTap:
    """Sampler for StepCosts.take, called at every step."""
    return SolverTap(data, TIMERS)


class StepCosts(SolverHistory):
    """The solver's work in every step, and the seconds of each of STEP_STAGES."""

    def __init__(self) -> None:
        super().__init__([stage.name for stage in STEP_STAGES])

    def of_stages(self, timers: Array) -> Array:
        """Differences of timers; rounding leaves none below zero."""
        return np.maximum(timers @ _MIX.T, 0.0)
