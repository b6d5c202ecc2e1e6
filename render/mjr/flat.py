"""Flat parts of a picture: rectangles, texts and images."""

from __future__ import annotations

from functools import cache
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from tumble.render.gpu.shaders import UNITS, Shaders

Pixels = NDArray[np.uint8]
Box = tuple[int, int, int, int]  # left, bottom, width, height [pixels]
_HEIGHT, _BIG_HEIGHT = 13, 26  # of a line's letters at a scale of 100


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def font(scale: int, *, big: bool) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The font at a scale in percent."""
    return _font(max(8, round((_BIG_HEIGHT if big else _HEIGHT) * scale / 100)))


@cache
def _height(scale: int, big: bool) -> int:
    _, top, _, bottom = font(scale, big=big).getbbox("Ag|")
    return round(bottom + top)


def text_size(text: str, scale: int, *, big: bool) -> tuple[int, int]:
    """Width and height of lines of text [pixels]."""
    lines = text.split("\n")
    width = max(round(font(scale, big=big).getlength(line)) for line in lines)
    return width, len(lines) * _height(scale, big)


def text_image(text: str, scale: int, rgb: tuple[float, float, float], *, big: bool, shadow: bool) -> Pixels:
    """(height, width, 4) lines of text on a transparent ground, first row on top."""
    width, height = text_size(text, scale, big=big)
    drop = 1 if shadow else 0
    image = Image.new("RGBA", (max(width, 1) + 2 + drop, max(height, 1) + drop))
    draw = ImageDraw.Draw(image)
    line = _height(scale, big)
    ink = tuple(round(255 * min(max(c, 0.0), 1.0)) for c in rgb)
    for row, words in enumerate(text.split("\n")):
        if shadow:
            draw.text((1 + drop, row * line + drop), words, (0, 0, 0, 255), font(scale, big=big))
        draw.text((1, row * line), words, (*ink, 255), font(scale, big=big))
    return np.asarray(image)


class Flat:
    """Draws onto the framebuffer in use."""

    def __init__(self, gl: moderngl.Context) -> None:
        self._gl = gl
        self._shaders = Shaders(gl)

    def character_sizes(self, scale: int, *, big: bool) -> tuple[NDArray[np.int32], int]:
        """Widths of the characters from the space on, and the height of a line [pixels]."""
        widths = [round(font(scale, big=big).getlength(chr(code))) for code in range(32, 127)]
        return np.array(widths, np.int32), _height(scale, big)

    def rectangle(self, target: moderngl.Framebuffer, box: Box, rgba: tuple[float, float, float, float]) -> None:
        """Fill a rectangle."""
        program = self._shaders.get("flat", IMAGE=0)
        colour: Any = program["u_color"]
        colour.value = rgba
        self._draw(target, box, program)

    def image(self, target: moderngl.Framebuffer, box: Box, pixels: Pixels) -> None:
        """Draw (height, width, 4) pixels, first row on top, stretched over a rectangle."""
        height, width = pixels.shape[:2]
        texture = self._gl.texture((width, height), 4, np.ascontiguousarray(pixels[::-1]).tobytes(), alignment=1)
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        texture.use(UNITS["u_texture2d"])
        self._draw(target, box, self._shaders.get("flat", IMAGE=1))
        texture.release()

    def depths(self, target: moderngl.Framebuffer, box: Box, depths: NDArray[np.float32]) -> None:
        """Write (height, width) depths, first row below, and no colours."""
        height, width = depths.shape
        texture = self._gl.texture(
            (width, height), 1, np.ascontiguousarray(depths, np.float32).tobytes(), alignment=4, dtype="f4"
        )
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        texture.use(UNITS["u_texture2d"])
        target.color_mask = (False, False, False, False)
        self._gl.depth_func = "1"
        self._draw(target, box, self._shaders.get("flat", IMAGE=2), moderngl.DEPTH_TEST)
        self._gl.depth_func = "<"
        target.color_mask = (True, True, True, True)
        texture.release()

    def text(
        self, target: moderngl.Framebuffer, left: int, bottom: int, text: str, scale: int, rgb: tuple[float, float, float],
        *, big: bool = False, shadow: bool = False,
    ) -> None:  # fmt: skip
        """Write lines with their lower left corner at a pixel."""
        if text.strip():
            pixels = text_image(text, scale, rgb, big=big, shadow=shadow)
            self.image(target, (left, bottom, pixels.shape[1], pixels.shape[0]), pixels)

    def _draw(self, target: moderngl.Framebuffer, box: Box, program: moderngl.Program, state: int = moderngl.BLEND) -> None:
        target.use()
        target.viewport, target.scissor = box, None  # type: ignore[assignment]  # its stub knows rectangles only
        self._gl.enable_only(state)
        # The opacity of the background is kept.
        blend: Any = (moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA, moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
        self._gl.blend_func = blend
        self._shaders.cover(program)

    def release(self) -> None:
        """Release programs and buffers."""
        self._shaders.release()
