"""Ambient occlusion: how much of the light from around reaches each place of a picture, from its depths."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np

from render.camera import View
from render.gpu.shaders import UNITS, Shaders
from render.passes.geom import Batch, Geometry

REACH = 0.07  # how far around a place is looked, in the model's extent


class Occlusion:
    """The pictures of depth and of openness, kept at the size asked for last. scale: of openness, in the picture's size."""

    def __init__(self, ctx: moderngl.Context, scale: float) -> None:
        self._ctx, self._scale = ctx, scale
        self._corners = ctx.buffer(np.array([-1, -1, 3, -1, -1, 3], np.float32).tobytes())
        self._arrays: dict[int, moderngl.VertexArray] = {}
        self._size = (0, 0)
        self._pictures: list[moderngl.Texture] = []  # depth, open, open and smooth
        self._framebuffers: list[moderngl.Framebuffer] = []

    def draw(
        self, batches: list[Batch], geometry: Geometry, shaders: Shaders, view: View, size: tuple[int, int], extent: float
    ) -> None:
        """Make the picture of openness from batches of opaque instances, and bind it. extent: of the model [m]."""
        self._room(size)
        depth, first, second = self._framebuffers
        self._draw_depths(depth, batches, geometry, shaders, view)
        self._ctx.enable_only(0)
        small = first.size
        near = 1.0 if view.orthographic else view.near
        corner = tuple(v / near for v in (view.left_side, view.bottom, view.right_side - view.left_side, view.top - view.bottom))
        for blur, target in ((0, first), (1, second)):
            target.use()
            program = shaders.get("occlusion", BLUR=blur)
            self._pictures[0].use(UNITS["u_depth"])
            if blur:
                self._pictures[1].use(UNITS["u_open"])
            self._set(program, "u_corner", corner)
            self._set(program, "u_clip", (view.near, view.far, float(view.orthographic), REACH * extent))
            self._set(program, "u_pixel", (1.0 / small[0], 1.0 / small[1]))
            if program.glo not in self._arrays:
                self._arrays[program.glo] = self._ctx.vertex_array(program, [(self._corners, "2f", "in_corner")])
            self._arrays[program.glo].render()
        self._pictures[2].use(UNITS["u_open"])

    def _draw_depths(
        self, target: moderngl.Framebuffer, batches: list[Batch], geometry: Geometry, shaders: Shaders, view: View
    ) -> None:
        target.use()
        target.clear(depth=1.0)
        self._ctx.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        matrix = np.asarray((view.projection_matrix() @ view.view_matrix()).T, np.float32).tobytes()
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

    def _room(self, size: tuple[int, int]) -> None:
        if size == self._size:
            return
        self._release_pictures()
        self._size = size
        small = tuple(max(1, round(side * self._scale)) for side in size)
        depth = self._ctx.depth_texture(size)
        depth.compare_func = ""
        depth.filter = (moderngl.NEAREST, moderngl.NEAREST)
        opens = [self._ctx.texture(small, 1) for _ in range(2)]
        self._pictures = [depth, *opens]
        for picture in self._pictures:
            picture.repeat_x = picture.repeat_y = False
        self._framebuffers = [self._ctx.framebuffer(depth_attachment=depth), *(self._ctx.framebuffer([one]) for one in opens)]

    def forget(self) -> None:
        """Keep nothing that was made for a program."""
        for array in self._arrays.values():
            array.release()
        self._arrays.clear()

    def _release_pictures(self) -> None:
        for resource in (*self._framebuffers, *self._pictures):
            resource.release()
        self._framebuffers, self._pictures = [], []

    def release(self) -> None:
        """Release textures, framebuffers and the triangle."""
        self.forget()
        self._release_pictures()
        self._corners.release()
