"""Text written into pictures that no window shows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from tumble.render.scene.label_layout import LabelLayout
from tumble.render.scene.labels import Label

Picture = NDArray[np.uint8]
_INK, _BACK = (240, 243, 247), (20, 24, 30)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def write_caption(pixels: Picture, text: str) -> None:
    """Write a line into the upper left corner of a picture (height, width, 4), on a dark ground."""
    size = max(10, len(pixels) // 36)
    _write(pixels, text, size // 2, size // 2, size)


def write_labels(pixels: Picture, found: Sequence[Label], layout: LabelLayout, about: object) -> None:
    """Write each label where the layout has room for it, nearest first, with a line to its point where it is away from it."""
    height, width = pixels.shape[:2]
    points = max(9, height // 50)

    def measure(text: str, size: float) -> tuple[float, float]:
        left, top, right, bottom = _font(round(points * size)).getbbox(text)
        margin = 2 * _margin(round(points * size))
        return right - left + margin + 1.0, bottom - top + margin + 1.0

    placed = layout.place(found, measure, width, height, scale=points / 12.0, about=about)
    for label in placed:
        if label.away:
            _draw_line(pixels, (label.x, label.y), label.end)
    for label in placed:
        _write(pixels, label.text, round(label.left), round(label.top), round(points * label.size))


def _margin(size: int) -> int:
    return max(2, size // 4)


def _draw_line(pixels: Picture, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A thin line between two pixels."""
    steps = round(max(abs(end[0] - start[0]), abs(end[1] - start[1]))) + 1
    x = np.clip(np.linspace(start[0], end[0], steps).round().astype(int), 0, pixels.shape[1] - 1)
    y = np.clip(np.linspace(start[1], end[1], steps).round().astype(int), 0, pixels.shape[0] - 1)
    pixels[y, x, :3], pixels[y, x, 3] = _INK, 255


def _write(pixels: Picture, text: str, x: int, y: int, size: int) -> None:
    """Write a line with its upper left corner at a pixel; clipped to the picture."""
    font, margin = _font(size), _margin(size)
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
