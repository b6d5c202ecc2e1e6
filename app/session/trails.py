"""Paths of bodies: trails of points in the last seconds, sampled at every step; ghosts of past poses.

Samples are kept in simulated time, also those after the present moment: going back along the timeline shows the trail as it was
then, without the future. They end where the state jumps: at a reset, and where another course of events begins.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.base import settings
from tumble.app.session.panel_stream import PanelStream, Preparation
from tumble.physics.observe.sample import SignalTap, sample_signals
from tumble.render.frame import Trail
from tumble.render.scene.motion import PastPoses, moments_before
from tumble.render.scene.strokes import INKS

if TYPE_CHECKING:
    from tumble.app.session.session import Session
    from tumble.physics import MjData
    from tumble.physics.observe.sample import Samples
    from tumble.render.frame import Frame

Floats = NDArray[np.float64]

MOST_BODIES = 12
POINTS = 600  # of a trail, about
KEPT, KEPT_BYTES = 20_000, 4 * 2**20  # samples, and what their poses may take: they are copied with every snapshot
GAP = 0.15  # samples further apart than this are not joined [s]: sampling begins again when other bodies are chosen
_COLUMNS = 7  # of a body: position and orientation
_ROWS = 8192  # steps that wait for the window


class TrailPoint(Enum):
    """Point of a body that leaves a trail."""

    ORIGIN = "origin"
    CENTRE = "centre"
    PICKED = "picked"


class TrailBody(Struct, frozen=True):
    """A body that leaves a trail; picked: the point of it that was selected, in its frame [m]; ink: which of INKS."""

    body: int
    picked: tuple[float, float, float]
    ink: int


class TrailSamples:
    """Poses of some bodies over time: time (n,) [s], rising; poses (n, bodies, 7): position [m] and orientation."""

    def __init__(self, bodies: int) -> None:
        self.time, self.poses = np.zeros(0), np.zeros((0, bodies, _COLUMNS))

    def feed(self, time: Floats, poses: Floats, spacing: float) -> None:
        """Insert samples, in order of time, replacing those in the same span; spacing: least time between two [s]."""
        if not len(time):
            return
        bucket = np.floor(time / spacing + 1e-6)
        before, after = np.searchsorted(self.time, time[0]), np.searchsorted(self.time, time[-1], side="right")
        first = np.diff(bucket, prepend=np.floor(self.time[before - 1] / spacing + 1e-6) if before else -np.inf) > 0
        chosen = np.flatnonzero(first)
        kept = max(2 * POINTS, min(KEPT, KEPT_BYTES // max(8 * poses[0].size, 1)))
        self.time = np.concatenate([self.time[:before], time[chosen], self.time[after:]])[-kept:]
        self.poses = np.concatenate([self.poses[:before], poses[chosen], self.poses[after:]])[-kept:]

    def cut(self, time: float) -> None:
        """Discard samples after a time [s]."""
        count = int(np.searchsorted(self.time, time + 1e-9))
        self.time, self.poses = self.time[:count], self.poses[:count]

    def choose(self, source: list[int]) -> None:
        """Change the bodies: each is a previous one, by its index, or -1 for a new one without samples."""
        poses = np.full((len(self.time), len(source), _COLUMNS), np.nan)
        for k, i in enumerate(source):
            if i >= 0:
                poses[:, k] = self.poses[:, i]
        self.poses = poses

    def line(self, k: int, local: Floats, now: float, seconds: float, gap: float) -> tuple[Floats, Floats]:
        """Recent positions (n, 3) of a point (3,) of body k, and their ages, 0 now to 1; nan at gaps."""
        first, last = np.searchsorted(self.time, (now - seconds, now + 1e-9))
        time, pose = self.time[first:last], self.poses[first:last, k]
        points = pose[:, :3] + _turned(pose[:, 3:], local)
        jumps = np.flatnonzero(np.diff(time) > gap)
        points = np.insert(points, jumps + 1, np.nan, axis=0)
        age = np.insert((now - time) / seconds, jumps + 1, 1.0)
        return points, age


def _turned(quat: Floats, vector: Floats) -> Floats:
    """(n, 3) a vector (3,) turned by unit quaternions (n, 4)."""
    w, axis = quat[:, :1], quat[:, 1:]
    once = np.cross(axis, vector)
    return np.asarray(vector + 2.0 * (w * once + np.cross(axis, once)))


class Trails(QObject):
    """changed: other bodies leave trails, or they look different."""

    changed = pyqtSignal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.bodies: list[TrailBody] = []
        self._samples = TrailSamples(0)
        self._resets = self._course = -1
        self._begin = 0  # position on the tape before which nothing is known
        kernels = Preparation((sample_signals,), session.status.emit, self)
        self._stream: PanelStream[Samples] = PanelStream(session, self._tap, kernels)
        self.seconds = session.store.get(settings.TRAIL_SECONDS)
        self.point = TrailPoint(session.store.get(settings.TRAIL_POINT))
        session.model_loaded.connect(self._follow_model)
        session.advanced.connect(self._advance)
        session.forces_changed.connect(self.show)  # another frame of the same snapshot
        session.history.returned.connect(self._forget)

    # ---- sources of trails

    def has(self, body: int) -> bool:
        """True if a body leaves a trail."""
        return any(entry.body == body for entry in self.bodies)

    def toggle(self, body: int, picked: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> None:
        """Turn the trail of a body on or off; picked: the selected point on it, in its frame [m]."""
        if self.has(body):
            self._choose([entry for entry in self.bodies if entry.body != body])
        elif len(self.bodies) >= MOST_BODIES:
            self._session.status.emit(f"At most {MOST_BODIES} bodies leave trails: remove one first")
        elif body > 0:
            ink = next(k for k in range(MOST_BODIES) if all(entry.ink != k for entry in self.bodies))
            self._choose([*self.bodies, TrailBody(body, picked, ink)])

    def remove_all(self) -> None:
        """Remove the trails of all bodies."""
        self._choose([])

    def set_point(self, point: TrailPoint) -> None:
        """Draw the trails of another point of the bodies, also those that have been left."""
        self.point = point
        self._session.store.put(settings.TRAIL_POINT, point.value)
        self._redraw()

    def set_seconds(self, seconds: float) -> None:
        """Set the length of trails [s]."""
        self.seconds = seconds
        self._redraw()

    def _choose(self, bodies: list[TrailBody]) -> None:
        before = {entry.body: k for k, entry in enumerate(self.bodies)}
        self._take()
        self.bodies = bodies
        self._samples.choose([before.get(entry.body, -1) for entry in bodies])
        self._restart()
        self._redraw()

    def _restart(self) -> None:
        """Restart sampling for the present bodies."""
        self._stream.want(False)
        self._stream.want(bool(self.bodies))

    def _tap(self, data: MjData) -> SignalTap:
        signals = []
        for entry in self.bodies:
            signals += [("xpos", 3 * entry.body + k) for k in range(3)] + [("xquat", 4 * entry.body + k) for k in range(4)]
        return SignalTap(data, signals, _ROWS)

    # ---- simulation results

    def _follow_model(self) -> None:
        kept = self._session.kept
        if kept is None:
            self.bodies = []
        else:
            places = [(kept.element("body", entry.body), entry) for entry in self.bodies]
            self.bodies = [TrailBody(body, entry.picked, entry.ink) for body, entry in places if body > 0]
        self._samples = TrailSamples(len(self.bodies))
        self._resets = self._course = -1
        self._begin = 0
        self._restart()
        self._redraw()

    def _forget(self) -> None:
        """Another branch is active."""
        self._samples = TrailSamples(len(self.bodies))
        self._redraw()

    def _advance(self) -> None:
        snapshot = self._session.snapshot
        if not self.bodies or snapshot is None:
            return
        if snapshot.position.course != self._course:
            self._course = snapshot.position.course
            self._samples.cut(snapshot.time)
        self._take()
        self.show()

    @property
    def _spacing(self) -> float:
        timestep = float(self._session.loaded_model.opt.timestep) if self._session.model is not None else 0.0
        return max(self.seconds / POINTS, timestep, 1e-9)

    def _take(self) -> None:
        """Add new samples; after a reset, earlier ones are discarded."""
        snapshot = self._session.snapshot
        for seen in self._stream.take():
            for resets in np.unique(seen.resets):
                if resets != self._resets:
                    self._samples = TrailSamples(len(self.bodies))
                    self._resets = int(resets)
                    self._begin = 0 if snapshot is None else snapshot.position.now - len(seen.time)
                of = seen.resets == resets
                poses = seen.values[of].reshape(-1, len(self.bodies), _COLUMNS)
                rises = np.append(np.flatnonzero(np.diff(seen.time[of]) <= 0) + 1, len(poses))  # it was taken back in between
                start = 0
                for end in rises:
                    self._samples.feed(seen.time[of][start:end], poses[start:end], self._spacing)
                    start = end

    # ---- drawing

    def _redraw(self) -> None:
        self.show()
        self._session.forces_changed.emit()
        self.changed.emit()

    def show(self) -> None:
        """Draw the trails up to the frame that is drawn."""
        frame, snapshot, trails = self._session.frame, self._session.snapshot, []
        if frame is not None and snapshot is not None and len(frame.xpos) == self._session.loaded_model.nbody:
            known = snapshot.position.now >= self._begin
            trails = [self._trail(k, entry, frame, known=known) for k, entry in enumerate(self.bodies)]
        self._session.extras.trails = tuple(trails)

    def _trail(self, k: int, entry: TrailBody, frame: Frame, *, known: bool) -> Trail:
        b, local = entry.body, np.asarray(self._local(entry))
        points, age, gap = np.zeros((0, 3)), np.zeros(0), max(4.0 * self._spacing, GAP)
        if known:
            points, age = self._samples.line(k, local, frame.time, self.seconds, gap)
        if len(points) and age[-1] * self.seconds <= gap:  # to where it is now
            points = np.vstack([points, frame.xpos[b] + frame.xmat[b].reshape(3, 3) @ local])
            age = np.append(age, 0.0)
        return Trail(points, age, INKS[entry.ink % len(INKS)])

    def _local(self, entry: TrailBody) -> tuple[float, float, float]:
        """The point of a body that leaves the trail, in its frame [m]."""
        if self.point is TrailPoint.CENTRE:
            x, y, z = (float(v) for v in self._session.loaded_model.body_ipos[entry.body])
            return x, y, z
        return entry.picked if self.point is TrailPoint.PICKED else (0.0, 0.0, 0.0)

    def places(self) -> tuple[tuple[int, tuple[float, float, float]], ...]:
        """The bodies that leave trails, and which points of them."""
        return tuple((entry.body, self._local(entry)) for entry in self.bodies)

    def close(self) -> bool:
        """End the sampling."""
        self._stream.want(False)
        return True


BEFORE, MARKS = "before", "marks"  # which moments


class PastGhosts(QObject):
    """Keeps poses as the simulation runs, and draws ghosts of some while it is on. changed: it was switched."""

    changed = pyqtSignal(bool)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._poses = PastPoses()
        self._course, self._time = -1, -1.0
        self._marks: tuple[int, ...] = ()  # positions of the bookmarks
        self.on = session.store.get(settings.GHOSTS)
        session.model_loaded.connect(self._forget)
        session.history.returned.connect(self._forget)
        session.history.changed.connect(self._follow_marks)
        session.advanced.connect(self._advance)

    @property
    def number(self) -> int:
        """Number of ghosts."""
        return self._session.store.get(settings.GHOST_NUMBER)

    @property
    def interval(self) -> float:
        """Time between two of them [s]."""
        return self._session.store.get(settings.GHOST_INTERVAL)

    def set_on(self, on: bool) -> None:
        """Draw them, or not."""
        self.on = on
        self._session.store.put(settings.GHOSTS, on)
        self.refresh()
        self.changed.emit(on)

    def refresh(self) -> None:
        """Draw according to the settings."""
        self._show()
        self._session.forces_changed.emit()

    def _forget(self) -> None:
        self._poses.clear()
        self._time = -1.0
        self._show()

    def _advance(self) -> None:
        snapshot, history = self._session.snapshot, self._session.history
        if snapshot is None:
            return
        if snapshot.position.course != self._course:
            self._course = snapshot.position.course
            self._poses.cut(history.time)
        if snapshot.time < self._time and history.now == history.end:  # a reset: earlier poses belong to another run
            self._poses.clear()
        self._time = snapshot.time
        self._poses.note(history.time, snapshot.frame)
        self._show()

    def _follow_marks(self) -> None:
        marks = tuple(mark.step for mark in self._session.history.bookmarks)
        if marks != self._marks:
            self._marks = marks
            if self.on:
                self.refresh()

    def _times(self) -> list[float]:
        history = self._session.history
        if self._session.store.get(settings.GHOST_RANGE) == MARKS and len(history.bookmarks) > 1:
            first, last = (mark.step * history.timestep for mark in (history.bookmarks[0], history.bookmarks[-1]))
            return [float(time) for time in np.linspace(first, last, self.number)]
        return moments_before(history.time, self.number, self.interval)

    def _show(self) -> None:
        self._session.extras.past = self._poses.ghosts(self._times()) if self.on and self._session.model is not None else ()
