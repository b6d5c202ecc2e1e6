"""The quality of the view's pictures: what the user wants, or what is measured to be in time, kept from one start to the next."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

import moderngl

from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.describe.pictures import MeasuredQuality, level_of
from tumble.render.gpu.context import fact
from tumble.render.gpu.quality import Pace, Quality


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
        """That of the next picture."""
        return Quality.of(ctx, self._samples, self._of(ctx).level(ctx))

    def follow(self) -> None:
        """Another level is wanted, or the measured one."""
        self._pace = None

    def begin(self) -> None:
        """Another model is shown, whose pictures may take longer, or less."""
        if self._pace is not None:
            self._pace.begin()

    @contextmanager
    def timing(self, ctx: moderngl.Context, *, steady: bool) -> Iterator[None]:
        """Time the picture that is drawn in here, if that is still to be measured. steady: leave all as it is."""
        pace = self._of(ctx)
        settled = pace.took
        if steady:
            yield
            return
        with pace.timing(ctx):
            yield
        if pace.took is not None and pace.took != settled:
            found = MeasuredQuality(str(fact(ctx, "GL_RENDERER")), pace.level(ctx), pace.took)
            self._store.put(settings.MEASURED_QUALITY, found.to_entry())


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
