"""Pictures with several samples per pixel: drawn in their own framebuffer, and resolved to their place in the target."""

from __future__ import annotations

import moderngl
from msgspec import Struct, field

from tumble.render.gpu.shaders import UNITS, Shaders, WholePicture

_KEPT = 2  # sizes of pictures that take turns


class _Buffers(Struct):
    """samples: multisampled target; plain: its picture with one sample per pixel, made when it goes to a part of a target."""

    samples: moderngl.Framebuffer
    plain: moderngl.Framebuffer | None = None
    owned: list[moderngl.Framebuffer | moderngl.Renderbuffer | moderngl.Texture] = field(default_factory=list)


class Multisampled:
    """Framebuffers of the most recently requested sizes."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._buffers: dict[tuple[int, int, int], _Buffers] = {}  # by size and samples, the one used last at the end
        self._triangle = WholePicture(ctx, (0, 0, 2, 0, 0, 2))

    def begin(self, width: int, height: int, samples: int) -> moderngl.Framebuffer:
        """The framebuffer for a picture of this size, bound."""
        key = width, height, samples
        buffers = self._buffers.pop(key, None) or self._make(*key)
        self._buffers[key] = buffers
        buffers.samples.use()
        return buffers.samples

    def _make(self, width: int, height: int, samples: int) -> _Buffers:
        colour = self._ctx.renderbuffer((width, height), 4, samples=samples)
        depth = self._ctx.depth_renderbuffer((width, height), samples=samples)
        framebuffer = self._ctx.framebuffer([colour], depth)
        framebuffer.use()  # moderngl rebinds the last framebuffer, which must still exist
        while len(self._buffers) >= _KEPT:
            _release(self._buffers.pop(next(iter(self._buffers))))
        return _Buffers(framebuffer, owned=[framebuffer, colour, depth])

    def show(self, target: moderngl.Framebuffer, corner: tuple[int, int], shaders: Shaders) -> None:
        """Resolve the last picture to this corner of the target, with one sample per pixel."""
        buffers = next(reversed(self._buffers.values()))
        width, height = buffers.samples.size
        if corner == (0, 0):
            self._ctx.copy_framebuffer(target, buffers.samples)
            return
        # A copy has no offset in moderngl: the part of the target is drawn.
        if buffers.plain is None:
            texture = self._ctx.texture((width, height), 4)
            texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
            buffers.plain = self._ctx.framebuffer([texture])
            buffers.owned += [buffers.plain, texture]
        self._ctx.copy_framebuffer(buffers.plain, buffers.samples)
        target.use()
        target.viewport = (*corner, width, height)
        picture = buffers.plain.color_attachments[0]
        assert isinstance(picture, moderngl.Texture)
        picture.use(UNITS["u_texture2d"])
        self._ctx.enable_only(0)
        self._triangle.render(shaders.get("flat", IMAGE=1))

    def forget(self) -> None:
        """Release everything made for a program."""
        self._triangle.forget()

    def release(self) -> None:
        """Release everything."""
        for buffers in self._buffers.values():
            _release(buffers)
        self._buffers.clear()
        self._triangle.release()


def _release(buffers: _Buffers) -> None:
    for resource in buffers.owned:
        resource.release()
