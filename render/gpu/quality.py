"""Quality settings that the graphics card can afford."""

from __future__ import annotations

from dataclasses import dataclass, replace

import moderngl

_SOFTWARE = ("llvmpipe", "softpipe", "swrast", "SwiftShader")


@dataclass(frozen=True)
class Quality:
    """What the graphics card can afford. samples: multisamples a pixel; shadow_size: texels a side; taps: 1, 4 or 9.

    simplify: draw meshes with fewer triangles where they are small, once those are made.
    """

    samples: int
    shadow_size: int
    shadow_taps: int
    reflection_scale: float
    anisotropic: bool
    min_slices: int
    simplify: bool

    @staticmethod
    def of(ctx: moderngl.Context, samples: int | None = None) -> Quality:
        """The measured choice: on a software rasterizer every sample and texel costs processor time."""
        if any(name in str(ctx.info["GL_RENDERER"]) for name in _SOFTWARE):
            return replace(SOFTWARE_QUALITY, samples=min(samples or 0, ctx.max_samples))
        return replace(HARDWARE_QUALITY, samples=min(4 if samples is None else samples, ctx.max_samples))


SOFTWARE_QUALITY = Quality(0, 1024, 1, 0.5, False, 8, True)
HARDWARE_QUALITY = Quality(4, 4096, 9, 1.0, True, 48, False)
