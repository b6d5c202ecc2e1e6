"""Pictures with several samples per pixel: drawn in their own framebuffer, and resolved to their place in the target."""

from __future__ import annotations

import moderngl
from msgspec import Struct

from tumble.render.gpu.context import DrawTarget, Recent
from tumble.render.gpu.shaders import UNITS, Shaders


class _Buffers(Struct):
    """samples: multisampled target; plain: its picture with one sample per pixel, made when it goes to a part of a target."""

    samples: DrawTarget
    plain: DrawTarget | None = None

    def release(self) -> None:
        """Release both."""
        self.samples.release()
        if self.plain is not None:
            self.plain.release()


class Multisampled:
    """The multisampled picture."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._buffers = Recent(self._make)

    def begin(self, width: int, height: int, samples: int) -> moderngl.Framebuffer:
        """The framebuffer for a picture of this size, bound."""
        framebuffer = self._buffers.get(width, height, samples).samples.framebuffer
        framebuffer.use()
        return framebuffer

    def _make(self, width: int, height: int, samples: int) -> _Buffers:
        colour = self._ctx.renderbuffer((width, height), 4, samples=samples)
        buffers = _Buffers(DrawTarget(self._ctx, colour, self._ctx.depth_renderbuffer((width, height), samples=samples)))
        buffers.samples.framebuffer.use()
        return buffers

    def show(self, target: moderngl.Framebuffer, corner: tuple[int, int], shaders: Shaders) -> None:
        """Resolve the last picture to this corner of the target, with one sample per pixel."""
        buffers = self._buffers.last
        source = buffers.samples.framebuffer
        if corner == (0, 0):
            self._ctx.copy_framebuffer(target, source)
            return
        # A copy has no offset in moderngl: the part of the target is drawn.
        if buffers.plain is None:
            buffers.plain = DrawTarget(self._ctx, self._ctx.texture(source.size, 4))
        picture = buffers.plain.colour
        assert isinstance(picture, moderngl.Texture)
        picture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._ctx.copy_framebuffer(buffers.plain.framebuffer, source)
        target.use()
        target.viewport = (*corner, *source.size)
        picture.use(UNITS["u_texture2d"])
        self._ctx.enable_only(0)
        shaders.cover(shaders.get("flat", IMAGE=1))

    def release(self) -> None:
        """Release everything."""
        self._buffers.release()
