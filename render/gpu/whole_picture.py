"""One triangle that covers a picture, for passes that look at each of its pixels once."""

from __future__ import annotations

import moderngl
import numpy as np
from numpy.typing import ArrayLike


class WholePicture:
    """Its corners are the shader's in_corner; corners: three points (6,)."""

    def __init__(self, ctx: moderngl.Context, corners: ArrayLike = (-1, -1, 3, -1, -1, 3)) -> None:
        self._ctx = ctx
        self._corners = ctx.buffer(np.asarray(corners, np.float32).tobytes())
        self._arrays: dict[int, moderngl.VertexArray] = {}  # by program

    def render(self, program: moderngl.Program) -> None:
        """Draw it with a program whose uniforms and textures are set."""
        if program.glo not in self._arrays:
            self._arrays[program.glo] = self._ctx.vertex_array(program, [(self._corners, "2f", "in_corner")])
        self._arrays[program.glo].render()

    def forget(self) -> None:
        """Keep nothing that was made for a program."""
        for array in self._arrays.values():
            array.release()
        self._arrays.clear()

    def release(self) -> None:
        """Release the triangle."""
        self.forget()
        self._corners.release()
