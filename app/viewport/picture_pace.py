"""Quality and pace of pictures: sharpness, pictures a second, full detail while nothing moves."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

import moderngl
import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import Qt, QTimer

from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.describe.picture_quality import MeasuredQuality, level_of
from tumble.render.camera import View
from tumble.render.frame import Frame
from tumble.render.gpu.context import fact
from tumble.render.gpu.quality import Pace, Quality

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


class ViewQuality:
    """samples: a pixel, other than the level's; None for those."""

    def __init__(self, store: Settings, samples: int | None) -> None:
        self._store, self._samples = store, samples
        self._pace: Pace | None = None

    def _of(self, ctx: moderngl.Context) -> Pace:
        if self._pace is None:
            before = MeasuredQuality.read(self._store.get(settings.MEASURED_QUALITY))
            known = before.level if before is not None and before.renderer == fact(ctx, "GL_RENDERER") else None
            self._pace = Pace(level_of(self._store.get(settings.QUALITY)), known)
        return self._pace

    def now(self, ctx: moderngl.Context) -> Quality:
        """Quality of the next picture."""
        return Quality.of(ctx, self._samples, self._of(ctx).level(ctx))

    def follow(self) -> None:
        """Another quality level is set, or the measured one."""
        self._pace = None

    def begin(self) -> None:
        """Another model is shown, whose pictures may take longer or shorter."""
        if self._pace is not None:
            self._pace.begin()

    @contextmanager
    def timing(self, ctx: moderngl.Context, *, steady: bool) -> Iterator[None]:
        """Time the drawing in this block, if that is still to be measured. steady: change nothing."""
        pace = self._of(ctx)
        settled = pace.took
        if steady:
            yield
            return
        with pace.timing(ctx):
            yield
        if pace.took is not None and pace.took != settled:
            measured = MeasuredQuality(str(fact(ctx, "GL_RENDERER")), pace.level(ctx), pace.took)
            self._store.put(settings.MEASURED_QUALITY, measured.to_entry())


WINDOW = 1.0  # over which they are counted [s]


class PictureRate:
    """Counts pictures."""

    def __init__(self) -> None:
        self._painted: deque[float] = deque()

    def count(self) -> None:
        """A picture was drawn now."""
        now = perf_counter()
        self._painted.append(now)
        while now - self._painted[0] > WINDOW:
            self._painted.popleft()

    @property
    def fps(self) -> float:
        """Pictures drawn in the last second."""
        if len(self._painted) < 2:
            return 0.0
        return (len(self._painted) - 1) / max(self._painted[-1] - self._painted[0], 1e-6)
