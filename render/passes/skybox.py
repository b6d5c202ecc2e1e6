"""The background: the model's skybox, or a plain bright day if it has none."""

from __future__ import annotations

import moderngl
import numpy as np

from render.gpu.shaders import UNITS, Shaders
from render.gpu.textures import Textures


class Skybox:
    """One triangle over the whole picture, at the far end of the depth range."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._corners = ctx.buffer(np.array([-1, -1, 3, -1, -1, 3], np.float32).tobytes())
        self._arrays: dict[int, moderngl.VertexArray] = {}

    def render(self, shaders: Shaders, textures: Textures, texture: int, *, classic: bool) -> None:
        """Fill the pixels that are not covered yet; texture: the sky's index, or -1 for the built-in day."""
        program = shaders.get("sky", CUBE=int(texture >= 0), CLASSIC=int(classic))
        if texture >= 0:
            textures.get(texture).use(UNITS["u_sky"])
        if program.glo not in self._arrays:
            self._arrays[program.glo] = self._ctx.vertex_array(program, [(self._corners, "2f", "in_corner")])
        self._ctx.enable_only(moderngl.DEPTH_TEST)
        self._ctx.depth_func = "<="
        self._arrays[program.glo].render()
        self._ctx.depth_func = "<"

    def forget(self) -> None:
        """Keep nothing that was made for a program."""
        for array in self._arrays.values():
            array.release()
        self._arrays.clear()

    def release(self) -> None:
        """Release the triangle."""
        self.forget()
        self._corners.release()
