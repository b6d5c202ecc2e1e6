"""Forks of the running simulation, stepped in the simulation thread, and their errors relative to it.

A step leaves poses and forces that belong to the moment at which it began. So a fork is compared where one of its steps
and one of the model's begin at the same time: positions, velocities and forces are then of one moment, whatever the two
time steps are. Between such moments nothing is compared, and so nothing is interpolated.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.warnings import bad_state
from tumble.app.simulation.autopsy import BAD
from tumble.app.simulation.changes import Change

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Array = NDArray[np.float64]

WAITING = 1024  # deliveries of samples that wait for a window that does not look


class ErrorMeasure(Struct, frozen=True):
    """A way to measure how far two states are apart; its value is the largest over bodies or dofs."""

    name: str
    unit: str
    tip: str


MEASURES = (
    ErrorMeasure("Position", "m", "Largest distance between a body and its copy in the fork"),
    ErrorMeasure("Angle", "rad", "Largest angle between a body and its copy in the fork"),
    ErrorMeasure("Velocity", "m/s, rad/s", "Largest difference of a dof's velocity"),
    ErrorMeasure("Constraint force", "N, N m", "Largest difference of the constraint force on a dof"),
    ErrorMeasure("Energy", "J", "Difference of potential and kinetic energy, while the flag energy of the model is on (Options)"),
)


class Compared:
    """The compared fields of a data, as views: they stay valid while the data live, and need no look-up.

    xpos (nbody, 3), xquat (nbody, 4), qvel and qfrc_constraint (nv,), energy (2,).
    """

    __slots__ = ("energy", "qfrc_constraint", "qvel", "xpos", "xquat")
    energy: Array
    qfrc_constraint: Array
    qvel: Array
    xpos: Array
    xquat: Array

    def __init__(self, data: MjData) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(data, name))


@np.errstate(invalid="ignore", over="ignore")  # a simulation that blows up is reported elsewhere
def errors(ours: MjData | Compared, theirs: MjData | Compared, our_qvel: Array, their_qvel: Array) -> Array:
    """(measures,) distances of two data (or Compared) whose steps began at one time, with these velocities.

    The energy is nan if it is not computed.
    """
    apart = theirs.xpos - ours.xpos
    turned = np.minimum(_squares(theirs.xquat - ours.xquat), _squares(theirs.xquat + ours.xquat))  # q and -q are one
    return np.array(
        [
            np.sqrt(_squares(apart).max()),
            4.0 * np.arcsin(min(1.0, 0.5 * np.sqrt(turned.max()))),
            np.abs(their_qvel - our_qvel).max(initial=0.0),
            np.abs(theirs.qfrc_constraint - ours.qfrc_constraint).max(initial=0.0),
            abs(theirs.energy.sum() - ours.energy.sum()) if ours.energy.any() or theirs.energy.any() else np.nan,
        ]
    )


def _squares(rows: Array) -> Array:
    return np.asarray(np.einsum("ij,ij->i", rows, rows))


class Track:
    """Errors of one fork on their way to the window: none may be lost with a snapshot."""

    def __init__(self) -> None:
        self._rows: list[tuple[float, int, Array]] = []
        self._chunks: deque[list[tuple[float, int, Array]]] = deque(maxlen=WAITING)

    def append(self, time: float, run: int, error: Array) -> None:
        """A sample, in the simulation thread: time [s], which run of the fork it belongs to, (measures,)."""
        self._rows.append((time, run, error))

    def collect(self) -> None:
        """Deliver new samples, in the simulation thread."""
        if self._rows:
            self._chunks.append(self._rows)
            self._rows = []

    def take(self) -> tuple[Array, NDArray[np.int64], Array]:
        """The values since the last call: time (n,) [s], run (n,), errors (n, measures); in the window's thread."""
        rows = []
        while self._chunks:
            rows.extend(self._chunks.popleft())
        values = np.array([error for _, _, error in rows]).reshape(-1, len(MEASURES))
        return np.array([time for time, _, _ in rows]), np.array([run for _, run, _ in rows], np.int64), values


class Moment(Struct, frozen=True):
    """A fork in a snapshot.

    error, peak: (measures,) when it was last compared, and the largest since it began, nan before; steps: taken so far;
    seconds: wall time of one of them; stopped: why it runs no more; geom_xpos, geom_xmat,
    flexvert_xpos: (ngeom, 3), (ngeom, 9), (nflexvert, 3).
    """

    key: int
    error: Array
    peak: Array
    steps: int
    seconds: float
    stopped: str
    geom_xpos: Array
    geom_xmat: Array
    flexvert_xpos: Array


# External inputs of a simulation (mjSTATE_USER).
INPUTS = ("ctrl", "qfrc_applied", "xfrc_applied", "eq_active", "mocap_pos", "mocap_quat", "userdata")
DIVERGED = list(BAD)
ENERGY = int(physics.mjtEnableBit.mjENBL_ENERGY)
NO_AUTORESET = int(physics.mjtDisableBit.mjDSBL_AUTORESET)
# Steps that a fork may take in one of the model's: with more, the window would wait for it.
MOST_STEPS = 1000
# Times that differ by less than this part of a time step are one moment.
SLACK = 1e-6


class Ticks(Struct):
    """Time as a count of steps, which does not gather rounding as a sum would. step [s]."""

    step: float
    base: float = 0.0
    count: int = 0

    @property
    def time(self) -> float:
        """Time since the beginning [s]."""
        return self.base + self.count * self.step

    def tick(self, step: float) -> None:
        """A step of this length was taken."""
        if step != self.step:
            self.base, self.count, self.step = self.time, 0, step
        self.count += 1


class Fork(Struct):
    """A simulation that has left the main one, with its own model and data.

    origin: the main model as it was when the fork was made, to which other settings of the fork apply; run: how many runs the
    fork had before, with other settings.
    """

    key: int
    origin: MjModel
    model: MjModel
    data: MjData
    track: Track
    run: int = 0
    stopped: str = ""
    seconds: float = 0.0
    _main: Ticks = field(default_factory=lambda: Ticks(1.0))
    _own: Ticks = field(default_factory=lambda: Ticks(1.0))
    _steps: int = 0
    _inputs: list[tuple[NDArray[Any], NDArray[Any]]] = field(default_factory=list)  # ours, those of the main simulation
    _compared: tuple[Compared, Compared] | None = None  # likewise
    _warnings: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    _error: Array = field(default_factory=lambda: np.full(len(MEASURES), np.nan))
    _peak: Array = field(default_factory=lambda: np.full(len(MEASURES), np.nan))

    def begin(self, data: MjData) -> None:
        """Go on from another state, with the fork's own settings; earlier measurements belong to another run."""
        physics.mj_copyData(self.data, self.model, data)
        self._warnings = self.data.warning_number
        self._warnings[:] = 0
        pairs = ((getattr(self.data, name), getattr(data, name)) for name in INPUTS)
        self._inputs = [(mine, source) for mine, source in pairs if mine.size]
        self._compared = Compared(self.data), Compared(data)
        self.stopped, self._steps = "", 0
        self.run += 1
        step = float(self.model.opt.timestep)
        self._main, self._own = Ticks(step), Ticks(step)
        self._error, self._peak = np.full((2, len(MEASURES)), np.nan)

    def compute_energy(self, on: bool) -> None:
        """Turn the computation of energy on or off: an output, not one of the fork's settings."""
        flags = int(self.model.opt.enableflags)
        self.model.opt.enableflags = flags | ENERGY if on else flags & ~ENERGY

    def follow(self, timestep: float, time: float, qvel: Array) -> None:
        """Take the steps that begin within the last step of the main simulation.

        timestep [s]: of that step; time [s] and qvel (nv,): when it began.
        """
        begin = self._main.time
        self._main.tick(timestep)
        if self.stopped:
            return
        slack = SLACK * min(timestep, self._own.step)
        end = self._main.time - slack
        for mine, source in self._inputs:
            np.copyto(mine, source)
        assert self._compared is not None
        ours, theirs = self._compared
        for _ in range(MOST_STEPS):
            start = self._own.time
            if start >= end:
                return
            meets = abs(start - begin) <= slack
            own_qvel = ours.qvel.copy() if meets else qvel
            self._step(start)
            if self.stopped:
                return
            if meets:
                self._measure(errors(theirs, ours, qvel, own_qvel), time)
        self.stopped = f"stopped: it would take more than {MOST_STEPS} steps for one of the model's"

    def _step(self, began: float) -> None:
        start = perf_counter()
        try:
            physics.mj_step(self.model, self.data)
        except physics.PhysicsError as error:
            self.stopped = f"stopped: {error}"
            return
        seconds = perf_counter() - start
        self.seconds = 0.98 * self.seconds + 0.02 * seconds if self._steps else seconds
        self._own.tick(self._own.step)
        self._steps += 1
        if self._warnings[DIVERGED].any():
            kind = next(kind for kind in BAD if self._warnings[kind])
            what = bad_state(self.model, kind, int(self.data.warning_lastinfo[kind]))
            self.stopped = f"blew up {began:.4g} s after it began: {what}"

    def _measure(self, error: Array, time: float) -> None:
        self._error, self._peak = error, np.fmax(self._peak, error)
        self.track.append(time, self.run, error)

    def moment(self) -> Moment:
        """The fork as it is now."""
        poses = self.data.geom_xpos.copy(), self.data.geom_xmat.copy(), self.data.flexvert_xpos.copy()
        return Moment(self.key, self._error, self._peak, self._steps, self.seconds, self.stopped, *poses)


class ForkRunner:
    """All forks of one model; belongs to the simulation thread.

    They restart when the model's state jumps: reset, keyframe, a step back, a body moved by the user.
    """

    def __init__(self) -> None:
        self.forks: dict[int, Fork] = {}
        self._running = True
        self._resets = -1
        self._time = self._next = 0.0  # when the present step began, and the next one should [s]
        self._energy = False
        # Of the main simulation: its state as views, and as it was where its next step should begin.
        self._views: tuple[NDArray[Any], ...] = ()
        self._state: tuple[NDArray[Any], ...] = ()

    def __bool__(self) -> bool:
        """True if there are forks to step."""
        return self._running and bool(self.forks)

    def add(
        self, model: MjModel, data: MjData, key: int, settings: physics.ForkSettings, changes: Sequence[Change], track: Track
    ) -> None:
        """Fork the present state with other settings, and with these changes of the model.

        A fork of this key that runs already restarts from the present state with these settings instead of its own; it keeps the
        model of the moment at which it was made. Raises PhysicsError for settings that are not valid and where memory is short;
        then there is no fork of this key.
        """
        if self:
            self._catch_up(data)
        before = self.forks.pop(key, None)
        origin = physics.variant(model) if before is None else before.origin
        copied, own = physics.fork(origin, data, **settings)
        for change in changes:
            change.make(copied, own)
        copied.opt.disableflags = int(copied.opt.disableflags) | NO_AUTORESET  # a fork that blows up is shown as it is
        copied.tumble.threads = 1  # results are the same, and the others are at work for the main simulation
        fork = Fork(key, origin, copied, own, track, 0 if before is None else before.run)
        fork.begin(data)
        fork.compute_energy(self._energy)
        self.forks[key] = fork
        self._remember(data)

    def drop(self, key: int) -> None:
        """Run a fork no more."""
        self.forks.pop(key, None)

    def clear(self) -> None:
        """Another model: remove the forks."""
        self.forks.clear()

    def run(self, data: MjData | None, running: bool) -> None:
        """Restart from the present state, or suspend. data: None if there is no model, and so no fork."""
        self._running = running
        if self and data is not None:
            self.restart(data)

    def restart(self, data: MjData) -> None:
        """Restart all forks from the present state."""
        for fork in self.forks.values():
            fork.begin(data)
        self._remember(data)

    def before_step(self, data: MjData) -> None:
        """The main simulation is about to take a step."""
        self._catch_up(data)
        self._time = float(data.time)

    def after_step(self, model: MjModel, data: MjData) -> None:
        """The main simulation has taken a step."""
        if int(data.resets) != self._resets:
            self.restart(data)
            return
        energy = bool(model.opt_enableflags & ENERGY)
        if energy != self._energy:
            self._energy = energy
            for fork in self.forks.values():
                fork.compute_energy(energy)
        timestep = float(model.opt_timestep)
        for fork in self.forks.values():
            fork.follow(timestep, self._time, self._state[1])
        self._remember(data)

    def publish(self, data: MjData) -> tuple[Moment, ...]:
        """All forks as they are now; their samples are handed over."""
        if not self:
            return ()
        self._catch_up(data)
        for fork in self.forks.values():
            fork.track.collect()
        return tuple(fork.moment() for fork in self.forks.values())

    def _remember(self, data: MjData) -> None:
        self._resets, self._next = int(data.resets), float(data.time)
        if not self._views or self._views[0] is not data.qpos:
            self._views = (data.qpos, data.qvel, data.act)
            self._state = tuple(view.copy() for view in self._views)
        else:
            for kept, view in zip(self._state, self._views, strict=True):
                np.copyto(kept, view)

    def _catch_up(self, data: MjData) -> None:
        """Begin again if the main simulation is not where its last step left it."""
        moved = any(kept.tobytes() != view.tobytes() for kept, view in zip(self._state, self._views, strict=True))
        if moved or int(data.resets) != self._resets or float(data.time) != self._next:
            self.restart(data)
