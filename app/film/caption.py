"""Text written into pictures that no window shows."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from render.labels import Label

Picture = NDArray[np.uint8]
_INK, _BACK = (240, 243, 247), (20, 24, 30)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def write_caption(pixels: Picture, text: str) -> None:
    """Write a line into the upper left corner of a picture (height, width, 4), on a dark ground."""
    size = max(10, len(pixels) // 36)
    _write(pixels, text, size // 2, size // 2, size)


def write_labels(pixels: Picture, labels: Iterable[Label]) -> None:
    """Write each label above its place."""
    size = max(9, len(pixels) // 50)
    for label in labels:
        _write(pixels, label.text, round(label.x), round(label.y) - 2 * size, size)


def _write(pixels: Picture, text: str, x: int, y: int, size: int) -> None:
    """Write a line with its upper left corner at a pixel; what is outside of the picture is cut."""
    font, margin = _font(size), max(2, size // 4)
    left, top, right, bottom = font.getbbox(text)
    width, height = round(right - left) + 2 * margin, round(bottom - top) + 2 * margin
    x, y = max(x, 0), max(y, 0)
    pixels[y : y + height, x : x + width, 3] = 255  # also if there is no background
    part = pixels[y : y + height, x : x + width, :3]
    if part.size == 0:
        return
    image = Image.fromarray(np.ascontiguousarray(part // 3 + np.array(_BACK, np.uint8) * 2 // 3))
    ImageDraw.Draw(image).text((margin - left, margin - top), text, fill=_INK, font=font)
    part[:] = np.asarray(image)
