"""Cost of every step, sampled only while displayed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.profile.solver_history import FIRST_STAGE, Array, SolverHistory
from tumble.app.session.panel_kernels import Preparation
from tumble.app.session.panel_stream import PanelStream
from tumble.app.session.session import Session
from tumble.physics import mjtTimer
from tumble.physics.observe.sample import SolverTap, sample_solver

if TYPE_CHECKING:
    from tumble.physics import MjData

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
