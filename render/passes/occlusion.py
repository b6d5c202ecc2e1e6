"""Ambient occlusion: how much of the light from around reaches each place of a picture, from its depths."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
from msgspec import Struct

from tumble.render.camera import View
from tumble.render.gpu.context import DepthTarget, Recent
from tumble.render.gpu.shaders import UNITS, Shaders
from tumble.render.passes.geom import Batch, Geometry

REACH = 0.07  # how far around a place is looked, in the model's extent


class _OpennessBuffers(Struct, frozen=True):
    """Pictures of depth; of openness; and of that, smooth. framebuffers: of openness."""

    pictures: list[moderngl.Texture]
    depths: DepthTarget
    framebuffers: list[moderngl.Framebuffer]

    def release(self) -> None:
        self.depths.release()
        for framebuffer in self.framebuffers:
            framebuffer.release()
        for picture in self.pictures:
            picture.release()


class Occlusion:
    """The pictures of depth and of openness. scale: of openness, in the picture's size."""

    def __init__(self, ctx: moderngl.Context, scale: float) -> None:
        self._ctx, self._scale = ctx, scale
        self._buffers = Recent(self._make)

    def draw(
        self, batches: list[Batch], geometry: Geometry, shaders: Shaders, view: View, size: tuple[int, int], extent: float
    ) -> None:
        """Make the picture of openness from batches of opaque instances, and bind it. extent: of the model [m]."""
        buffers = self._buffers.get(*size)
        first, second = buffers.framebuffers
        self._draw_depths(buffers.depths, batches, geometry, shaders, view)
        self._ctx.enable_only(0)
        small = first.size
        near = 1.0 if view.orthographic else view.near
        corner = tuple(v / near for v in (view.left_side, view.bottom, view.right_side - view.left_side, view.top - view.bottom))
        for blur, target in ((0, first), (1, second)):
            target.use()
            program = shaders.get("occlusion", BLUR=blur)
            buffers.pictures[0].use(UNITS["u_depth"])
            if blur:
                buffers.pictures[1].use(UNITS["u_open"])
            self._set(program, "u_corner", corner)
            self._set(program, "u_clip", (view.near, view.far, float(view.orthographic), REACH * extent))
            self._set(program, "u_pixel", (1.0 / small[0], 1.0 / small[1]))
            shaders.cover(program)
        buffers.pictures[2].use(UNITS["u_open"])

    def _draw_depths(
        self, target: DepthTarget, batches: list[Batch], geometry: Geometry, shaders: Shaders, view: View
    ) -> None:
        target.begin()
        self._ctx.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        matrix = np.asarray(view.matrix.T, np.float32).tobytes()
        for batch in batches:
            program = shaders.get("shadow", SKIN=int(batch.skinned), SOFT=batch.soft)
            eye: Any = program["u_light"]
            eye.write(matrix)
            geometry.render(batch, program)

    @staticmethod
    def _set(program: moderngl.Program, name: str, value: tuple[float, ...]) -> None:
        if name in program:
            uniform: Any = program[name]
            uniform.value = value

    def _make(self, width: int, height: int) -> _OpennessBuffers:
        small = max(1, round(width * self._scale)), max(1, round(height * self._scale))
        depth = self._ctx.depth_texture((width, height))
        depth.compare_func = ""
        depth.filter = (moderngl.NEAREST, moderngl.NEAREST)
        opens = [self._ctx.texture(small, 1) for _ in range(2)]
        pictures = [depth, *opens]
        for picture in pictures:
            picture.repeat_x = picture.repeat_y = False
        framebuffers = [self._ctx.framebuffer([one]) for one in opens]
        return _OpennessBuffers(pictures, DepthTarget(depth), framebuffers)  # which is in use

    def release(self) -> None:
        """Release textures and framebuffers."""
        self._buffers.release()
