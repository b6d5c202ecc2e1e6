"""The level of quality that a machine draws in time: found by timing pictures, one level up or down after the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter

import moderngl

from tumble.render.gpu.quality import QualityLevel, is_software

SLOW, QUICK = 0.012, 0.003  # a level is left for a lower one, or a higher one, where a picture takes longer, or less [s]
FIRST, COUNT = 4, 16  # pictures that are not timed, as shaders and meshes are made for them; and those that are


class Pace:
    """wanted: the level that the user wants, None for what is measured; known: that measured last on this machine."""

    def __init__(self, wanted: QualityLevel | None = None, known: QualityLevel | None = None) -> None:
        self.wanted = wanted
        self._level, self._most = known, QualityLevel.BEST
        self._times: list[float] = []
        self._left = FIRST
        self.took: float | None = None  # a picture of the level that was settled for [s]; None while none is

    def level(self, ctx: moderngl.Context) -> QualityLevel:
        """The level to draw with now."""
        if self.wanted is not None:
            return self.wanted
        if self._level is None:
            self._level = QualityLevel.PLAIN if is_software(ctx) else QualityLevel.FINE
        return self._level

    def begin(self) -> None:
        """Another model, size or wish: measure again, from the present level."""
        self._most, self.took = QualityLevel.BEST, None
        self._again()

    def _again(self) -> None:
        self._times.clear()
        self._left = FIRST

    @contextmanager
    def timing(self, ctx: moderngl.Context) -> Iterator[None]:
        """Time what is drawn in here, until it is known to be drawn; nothing once a level is settled for, or one is wanted."""
        if self.wanted is not None or self.took is not None:
            yield
            return
        begun = perf_counter()
        yield
        ctx.finish()
        self.note(perf_counter() - begun)

    def note(self, seconds: float) -> None:
        """A picture of the present level has taken so long."""
        if self._left > 0:
            self._left -= 1
            return
        self._times.append(seconds)
        if len(self._times) < COUNT or self._level is None:
            return
        took, level = median(self._times), self._level
        if took > SLOW and level > QualityLevel.PLAIN:
            self._level = self._most = QualityLevel(level - 1)
            self._again()
        elif took < QUICK and level < self._most:
            self._level = QualityLevel(level + 1)
            self._again()
        else:
            self.took = took
