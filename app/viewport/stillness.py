"""Detects a still view, so that it can be drawn in full detail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import Qt, QTimer

from tumble.render.camera import View
from tumble.render.frame import Frame

if TYPE_CHECKING:
    from tumble.physics import MjModel

SETTLED = 0.12  # time without motion after which it is still [s]: full detail is there within 0.3 s
AGAIN = 140  # then another picture is drawn, if none comes of itself [ms]
# Threshold of motion meanwhile, in the model's extent or rad: a tenth of a pixel or so. What is still begins to move at more,
# lest something slow be drawn with many triangles and few in turn.
LEAST, START = 2e-4, 1e-3


class Stillness:
    """Compares the poses of successive pictures. redraw: requests another picture."""

    def __init__(self, redraw: Callable[[], None], clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self._pose: NDArray[np.float64] | None = None
        self._since = 0.0
        self._still = True
        self._timer = QTimer()
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(AGAIN)
        self._timer.timeout.connect(redraw)

    def begin(self) -> None:
        """Another model is shown, or none: still until it moves."""
        self._pose, self._still = None, True
        self._timer.stop()

    def look(self, pose: NDArray[np.float64]) -> bool:
        """True if nothing has moved since the previous picture."""
        now, before = self._clock(), self._pose
        if before is None:
            self._pose, self._since = pose, now
            return self._still
        moved = len(pose) != len(before) or bool(np.abs(pose - before).max(initial=0.0) > (START if self._still else LEAST))
        rested = now - self._since >= SETTLED
        if moved or rested:
            self._pose, self._since = pose, now
            self._still = not moved
        if moved:  # and not whenever it is looked at: pictures drawn meanwhile for another reason must not put it off
            self._timer.start()
        return self._still


def pose_of(model: MjModel, frame: Frame, views: Sequence[View]) -> NDArray[np.float64]:
    """Positions of objects and eyes in units of the model's extent, directions as unit vectors."""
    extent = max(float(model.stat.extent), 1e-9)
    eyes = [part for view in views for part in (view.eye / extent, view.forward, view.up, [(view.top - view.bottom) / view.near])]
    lengths = (frame.geom_xpos, frame.flexvert_xpos)
    parts = [*(np.ravel(part) / extent for part in lengths), np.ravel(frame.geom_xmat), *eyes]
    return np.concatenate(parts).astype(float)
