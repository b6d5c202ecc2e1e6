"""Three levels of quality, and which of them a machine draws in time: likely, or found by timing pictures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from time import perf_counter

import moderngl
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tumble.render.gpu.context import fact

_SOFTWARE = ("llvmpipe", "softpipe", "swrast", "SwiftShader")
SLOW, QUICK = 0.012, 0.003  # a level is left for a lower one, or a higher one, where a picture takes longer, or less [s]
FIRST, COUNT = 4, 16  # pictures that are not timed, as shaders and meshes are made for them; and those that are


class QualityLevel(IntEnum):
    """Plain: for software renderers. Fine: smooth edges and shadows, corners darker. Best: shadows as soft as their light."""

    PLAIN = 0
    FINE = 1
    BEST = 2


class Quality(Struct, frozen=True):
    """Cost of a picture. samples: multisamples a pixel; shadow_size: texels a side; taps: 1, 4, 9, or more for soft edges.

    reflection_scale, occlusion: sizes of the mirrored picture and of that of ambient occlusion, in the picture's; 0: none.
    environment: mirrors show the sky itself; grazing: nonmetals reflect a little, most at an angle.
    min_slices: of round shapes.
    simplify: draw meshes with fewer triangles where they are small, once those are made.
    """

    samples: int
    shadow_size: int
    shadow_taps: int
    reflection_scale: float
    anisotropic: bool
    min_slices: int
    simplify: bool
    occlusion: float
    environment: bool
    grazing: bool

    @staticmethod
    def of(ctx: moderngl.Context, samples: int | None = None, level: QualityLevel | None = None) -> Quality:
        """Quality of a level, or of one that this context can likely afford; samples: other than the level's."""
        software = is_software(ctx)
        if level is None:
            level = QualityLevel.PLAIN if software else QualityLevel.FINE
        preset = LEVELS[level]
        wanted = preset.samples if samples is None else samples
        # A software rasterizer takes a hundred times as long for samples along a texture.
        anisotropic = preset.anisotropic and not software
        return replace(preset, samples=min(wanted, ctx.max_samples), simplify=software, anisotropic=anisotropic)


def is_software(ctx: moderngl.Context) -> bool:
    """True if the processor draws: then every sample and texel costs its time."""
    return any(name in str(fact(ctx, "GL_RENDERER")) for name in _SOFTWARE)


LEVELS = {
    QualityLevel.PLAIN: Quality(0, 1024, 1, 0.5, False, 8, True, 0.0, False, False),
    QualityLevel.FINE: Quality(4, 2048, 9, 1.0, True, 48, False, 0.5, True, True),
    QualityLevel.BEST: Quality(4, 4096, 24, 1.0, True, 64, False, 1.0, True, True),
}


class Pace:
    """wanted: the level that the user chose, None for the measured one; known: that measured last on this machine."""

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
        """Another model, size or level: measure again, from the present level."""
        self._most, self.took = QualityLevel.BEST, None
        self._again()

    def _again(self) -> None:
        self._times.clear()
        self._left = FIRST

    @contextmanager
    def timing(self, ctx: moderngl.Context) -> Iterator[None]:
        """Time the drawing in this block, until the level is known; nothing once a level is settled, or one is chosen."""
        if self.wanted is not None or self.took is not None:
            yield
            return
        begun = perf_counter()
        yield
        ctx.finish()
        self.note(perf_counter() - begun)

    def note(self, seconds: float) -> None:
        """Note the time of a picture at the present level."""
        if self._left > 0:
            self._left -= 1
            return
        self._times.append(seconds)
        if len(self._times) < COUNT or self._level is None:
            return
        took, level = float(np.median(self._times)), self._level
        if took > SLOW and level > QualityLevel.PLAIN:
            self._level = self._most = QualityLevel(level - 1)
            self._again()
        elif took < QUICK and level < self._most:
            self._level = QualityLevel(level + 1)
            self._again()
        else:
            self.took = took
