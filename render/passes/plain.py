"""Pictures without light: bare colours, depth, and which instance is seen in each pixel."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from render.camera import View
from render.constants import MeshId
from render.drawlist import DrawList
from render.gpu.shaders import Shaders
from render.passes.geom import Batch, Geometry
from render.passes.identity import colours, identified, numbers

if TYPE_CHECKING:
    from physics import MjModel

# How bright the farthest thing with an end is; an endless floor behind it goes on towards black.
FAR_GREY = 0.2
_ALONE = 4.0  # what is taken as far where only an endless floor is seen, in its least distance


class Ink(IntEnum):
    """What is written into each pixel.

    COLOUR: the instance's. DEPTH: that of the depth buffer, white where nearest. GREY: bright where near, even in metres from
    the near to the far end of a span. IDENTITY: the number of the instance, from 1, and metres ahead of the eye.
    """

    COLOUR = 0
    DEPTH = 1
    GREY = 2
    IDENTITY = 3


def draw(
    ctx: moderngl.Context,
    geometry: Geometry,
    shaders: Shaders,
    batches: Iterable[Batch],
    view: View,
    ink: Ink,
    span: tuple[float, float] = (0.0, 1.0),
) -> None:
    """Draw batches, opaque, into the framebuffer in use, which is cleared; span: near and far end of GREY [m]."""
    matrix = view.projection_matrix() @ view.view_matrix()
    ctx.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
    ctx.depth_func = "<="  # of two in the same place the later is seen, as in the reference
    for batch in batches:
        program = shaders.get("plain", SKIN=int(batch.skinned), SOFT=batch.soft, INK=int(ink))
        uniforms: Any = program
        uniforms["u_light"].write(np.asarray(matrix.T, np.float32).tobytes())
        if ink in (Ink.GREY, Ink.IDENTITY):
            uniforms["u_ahead"] = (*view.forward, -float(view.forward @ view.eye))
        if ink is Ink.GREY:
            uniforms["u_span"] = (*span, FAR_GREY)
        geometry.render(batch, program)
    ctx.depth_func = "<"


@dataclass(frozen=True)
class Sight:
    """What is seen in each pixel, first row on top. row: (height, width) of the draw list, -1 for nothing.

    depth: (height, width) how far ahead of the eye it is, along the view [m]; 0 for nothing.
    """

    row: NDArray[np.int64]
    depth: NDArray[np.float32]


class SightBuffer:
    """A framebuffer of numbers and depths, as small as what is asked."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._framebuffer: moderngl.Framebuffer | None = None

    def begin(self, width: int, height: int) -> None:
        """Draw into it from now on, with Ink.IDENTITY."""
        if self._framebuffer is None or self._framebuffer.size != (width, height):
            before, self._framebuffer = self._framebuffer, None
            colour = self._ctx.renderbuffer((width, height), 2, dtype="f4")
            self._framebuffer = self._ctx.framebuffer([colour], self._ctx.depth_renderbuffer((width, height)))
            self._framebuffer.use()  # moderngl binds again what was bound last: never what is gone
            _release(before)
        self._framebuffer.use()
        self._framebuffer.viewport = (0, 0, width, height)
        self._framebuffer.clear(0.0, 0.0, 0.0, 0.0, depth=1.0)

    def read(self) -> Sight:
        """What has been drawn."""
        assert self._framebuffer is not None
        width, height = self._framebuffer.size
        pixels = np.frombuffer(self._framebuffer.read(components=2, dtype="f4"), np.float32).reshape(height, width, 2)[::-1]
        return Sight(pixels[:, :, 0].astype(np.int64) - 1, pixels[:, :, 1].copy())

    def release(self) -> None:
        """Release it."""
        _release(self._framebuffer)
        self._framebuffer = None


def _release(framebuffer: moderngl.Framebuffer | None) -> None:
    if framebuffer is not None:
        attachments = (*framebuffer.color_attachments, framebuffer.depth_attachment)
        framebuffer.release()
        for attachment in attachments:
            attachment.release()


def numbered(drawlist: DrawList) -> DrawList:
    """The instances with their numbers, from 1, in place of colours."""
    instances = drawlist.instances.copy()
    instances["rgba"][:, 0] = np.arange(1, len(drawlist) + 1)
    return replace(drawlist, instances=instances)


def segmented(drawlist: DrawList, model: MjModel) -> DrawList:
    """The instances that show an object of the model or a contact, each object in a colour of its own."""
    made = drawlist.pick(np.flatnonzero(identified(drawlist)))
    made.instances["rgba"][:, :3] = colours(numbers(model, made.objtype, made.objid))
    return made


def span_of(sight: Sight, drawlist: DrawList) -> tuple[float, float]:
    """From the nearest that is seen to the farthest that is no floor without an end [m]."""
    seen = sight.row >= 0
    if not seen.any():
        return 0.0, 1.0
    endless = np.isinf(drawlist.radius) & np.isin(drawlist.mesh, (int(MeshId.PLANE), int(MeshId.HORIZON)))
    depth, ends = sight.depth[seen], ~endless[sight.row[seen]]
    near = float(depth.min())
    far = float(depth[ends].max()) if ends.any() else _ALONE * near
    return near, max(far, near * (1.0 + 1e-3))
