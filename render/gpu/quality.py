"""Three levels of quality, and which of them a machine can afford."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

import moderngl

from tumble.render.gpu.context import fact

_SOFTWARE = ("llvmpipe", "softpipe", "swrast", "SwiftShader")


class QualityLevel(IntEnum):
    """Plain: what a processor can draw. Fine: smooth edges and shadows, corners darker. Best: shadows as soft as their light."""

    PLAIN = 0
    FINE = 1
    BEST = 2


@dataclass(frozen=True)
class Quality:
    """What a picture may cost. samples: multisamples a pixel; shadow_size: texels a side; taps: 1, 4, 9, or more for soft edges.

    reflection_scale, occlusion: sizes of the mirrored picture and of that of ambient occlusion, in the picture's; 0: none.
    environment: mirrors show the sky itself; grazing: what is no metal mirrors a little, most at an angle.
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
        """That of a level, or of what this context is likely to afford; samples: other than the level's."""
        software = is_software(ctx)
        if level is None:
            level = QualityLevel.PLAIN if software else QualityLevel.FINE
        found = LEVELS[level]
        wanted = found.samples if samples is None else samples
        # A software rasterizer takes a hundred times as long for samples along a texture.
        anisotropic = found.anisotropic and not software
        return replace(found, samples=min(wanted, ctx.max_samples), simplify=software, anisotropic=anisotropic)


def is_software(ctx: moderngl.Context) -> bool:
    """Whether the processor draws: then every sample and texel costs its time."""
    return any(name in str(fact(ctx, "GL_RENDERER")) for name in _SOFTWARE)


LEVELS = {
    QualityLevel.PLAIN: Quality(0, 1024, 1, 0.5, False, 8, True, 0.0, False, False),
    QualityLevel.FINE: Quality(4, 2048, 9, 1.0, True, 48, False, 0.5, True, True),
    QualityLevel.BEST: Quality(4, 4096, 24, 1.0, True, 64, False, 1.0, True, True),
}
