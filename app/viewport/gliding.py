"""Smooth moves of the camera: the view goes to another camera in a fraction of a second."""

from __future__ import annotations

from time import perf_counter

import numpy as np
from PyQt6.QtCore import QObject, QTimer

from tumble.app.session.session import Session
from tumble.render.camera import Camera, CameraKind, View, view_of
from tumble.render.glide import blend, ease

DURATION = 0.3  # [s]
INTERVAL = 16  # between two pictures [ms]


class Gliding(QObject):
    """On the way from the view that was seen to that of the present camera; at rest nearly always."""

    def __init__(self, parent: QObject, session: Session) -> None:
        super().__init__(parent)
        self._session = session
        self._start: View | None = None
        self._begun = 0.0
        self.timer = QTimer(self)
        self.timer.setInterval(INTERVAL)

    @property
    def under_way(self) -> bool:
        """True while the view moves to its camera."""
        return self._start is not None

    def begin(self, seen: View | None) -> None:
        """Leave from this view; None: be there at once."""
        self._start, self._begun = seen, perf_counter()
        if seen is None:
            self.timer.stop()
        else:
            self.timer.start()

    def view(self, camera: Camera, aspect: float) -> View | None:
        """Interpolated view on the way to the camera; None without a model."""
        shown = self._session.shown
        if shown is None:
            return None
        goal = view_of(camera, *shown, aspect)
        if self._start is None:
            return goal
        share = ease((perf_counter() - self._begun) / DURATION)
        if share >= 1.0:
            self.begin(None)
            return goal
        return blend(self._start, goal, share, self._focus(camera, goal))

    def _focus(self, camera: Camera, goal: View) -> float:
        """Distance from the eye to the point of interest [m]."""
        if camera.kind is not CameraKind.FIXED:
            return camera.distance
        model = self._session.loaded_model
        extent = float(model.stat.extent)
        return float(np.clip((np.asarray(model.stat.center) - goal.eye) @ goal.forward, 0.3 * extent, 10.0 * extent))
