"""The background: the model's skybox, or a plain bright day if it has none."""

from __future__ import annotations

import moderngl

from tumble.render.gpu.shaders import UNITS, Shaders, WholePicture
from tumble.render.gpu.textures import Textures


class Skybox:
    """One triangle over the whole picture, at the far end of the depth range."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._triangle = WholePicture(ctx)

    def render(self, shaders: Shaders, textures: Textures, texture: int, *, classic: bool) -> None:
        """Fill the pixels that are not covered yet; texture: the sky's index, or -1 for the built-in day."""
        program = shaders.get("sky", CUBE=int(texture >= 0), CLASSIC=int(classic))
        if texture >= 0:
            textures.get(texture).use(UNITS["u_sky"])
        self._ctx.enable_only(moderngl.DEPTH_TEST)
        self._ctx.depth_func = "<="
        self._triangle.render(program)
        self._ctx.depth_func = "<"

    def forget(self) -> None:
        """Keep nothing that was made for a program."""
        self._triangle.forget()

    def release(self) -> None:
        """Release the triangle."""
        self._triangle.release()
