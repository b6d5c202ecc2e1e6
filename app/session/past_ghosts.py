"""Ghosts of the past: poses of the timeline at equal intervals, before the present or between bookmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.base import settings
from tumble.render.scene.motion import PastPoses, moments_before

if TYPE_CHECKING:
    from tumble.app.session.session import Session

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
