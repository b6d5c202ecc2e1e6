"""Slow motion that is smooth: where a step takes longer than a picture, poses between the last two are drawn.

So pictures are a step late. At the end of each the pose is that of the step, and nothing but the picture has the others. They
are drawn only where one step has led from one snapshot to the next: not over resets, edits, or jumps along the timeline.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, QTimer

from tumble.app.base import settings
from tumble.app.replay.tape import Position
from tumble.app.simulation.snapshot import Snapshot
from tumble.render.frame import Frame
from tumble.render.scene.motion import between

if TYPE_CHECKING:
    from tumble.app.session.session import Session

PICTURE = 16  # wall time between two pictures [ms]
SHORTEST = 0.03  # wall time of a step from which on there are pictures in it [s]


class SlowMotion(QObject):
    """Draws poses between steps while the simulation runs slowly. on: whether it is wanted."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.on = session.store.get(settings.SMOOTH_MOTION)
        self._last: tuple[Frame, Position] | None = None
        self._first: Frame | None = None
        self._began = self._lasts = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(PICTURE)
        self._timer.timeout.connect(self.draw)
        session.advanced.connect(self._advance)
        session.model_loaded.connect(self._stop)
        session.paused_changed.connect(lambda paused: self._stop())

    def set_on(self, on: bool) -> None:
        """Draw poses between steps, or the steps alone."""
        self.on = on
        self._session.store.put(settings.SMOOTH_MOTION, on)
        self._stop()

    def _stop(self) -> None:
        self._last = self._first = None
        self._timer.stop()
        if self._session.extras.between is not None:
            self._session.extras.between = None
            self._session.forces_changed.emit()

    def _advance(self) -> None:
        session, snapshot = self._session, self._session.snapshot
        if snapshot is None or not self.on or session.paused or self._step_time() / session.rate < SHORTEST:
            self._last = self._first = None
            self._timer.stop()
            return
        before, self._last = self._last, (snapshot.frame.copy(), snapshot.position)
        self._first = before[0] if before is not None and self._follows(before, snapshot) else None
        if self._first is None:
            self._timer.stop()
            return
        self._began, self._lasts = perf_counter(), self._step_time() / session.rate
        self._timer.start()
        self.draw()

    def _step_time(self) -> float:
        return float(self._session.loaded_model.opt.timestep)

    def _follows(self, before: tuple[Frame, Position], snapshot: Snapshot) -> bool:
        """True if two snapshots are exactly one step apart."""
        frame, then = before
        now = snapshot.position
        same = (now.course, now.rewritten, now.target) == (then.course, then.rewritten, None)
        step = self._step_time()
        return same and now.now == then.now + 1 and abs(snapshot.time - frame.time - step) < 0.01 * step

    def draw(self) -> None:
        """Draw the pose of now."""
        session = self._session
        if self._first is None or self._last is None:
            return
        share = (perf_counter() - self._began) / self._lasts
        if share < 1.0:
            session.extras.between = between(session.loaded_model, self._first, self._last[0], share)
        else:
            self._first = session.extras.between = None
            self._timer.stop()
        session.forces_changed.emit()
