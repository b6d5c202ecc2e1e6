"""Mipmaps of small textures, averaged here: OpenGL's own are for large ones.

Mesa's renderer without a graphics card compiles code for OpenGL's first mipmaps of each kind: 50 to 85 ms of every start. To
average a texture of 512 x 512 here takes 7 ms, one of 128 x 128 takes 1 ms.
"""

from __future__ import annotations

import ctypes
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from tumble.render.gpu.context import gl_function

Light = NDArray[Any]  # float32

SMALL = 2**18  # pixels of a texture, of all faces
_RGB, _RGBA, _BYTES = 0x1907, 0x1908, 0x1401
_FLAT, _FIRST_FACE = 0x0DE1, 0x8515
_UNPACK_ALIGNMENT = 0x0CF5


def is_small(image: NDArray[np.uint8]) -> bool:
    """True if the mipmaps of a texture, or of all faces of a cube, are made here."""
    return image.shape[0] * image.shape[1] <= SMALL


def build(texture: moderngl.Texture | moderngl.TextureCube, image: NDArray[np.uint8], layout: int, *, decoded: bool) -> None:
    """Build the mipmaps of a texture on the card. image: (height, width, 3 or 4), a cube's six faces one below the other;
    layout: OpenGL's format of its pixels; decoded: the card decodes its colours to light, and so are they averaged.
    """
    store = gl_function("glTexImage2D", *[ctypes.c_int] * 8, ctypes.c_char_p)
    pixel = _RGB if image.shape[2] == 3 else _RGBA
    is_cube = isinstance(texture, moderngl.TextureCube)
    texture.use(texture.ctx.default_texture_unit)  # where moderngl uploads too: the others hold textures in use
    gl_function("glPixelStorei", ctypes.c_int, ctypes.c_int)(_UNPACK_ALIGNMENT, 1)
    for at, face in enumerate(np.split(image, 6) if is_cube else [image]):
        target = _FIRST_FACE + at if is_cube else _FLAT
        for level, half in enumerate(halves(face, decoded=decoded), 1):
            height, width = half.shape[:2]
            store(target, level, layout, width, height, 0, pixel, _BYTES, half.tobytes())


def halves(image: NDArray[np.uint8], *, decoded: bool) -> list[NDArray[np.uint8]]:
    """(height, width, 3 or 4) pictures, each of half the height and width of the one before, rounded down, to a single pixel.

    Source: Guthe and Heckbert, Non-power-of-two mipmapping, 2005 (NVIDIA technical report 01838).
    """
    light = image.astype(np.float32) / 255
    if decoded:
        light[..., :3] = _light_of(light[..., :3])
    result = []
    while max(light.shape[:2]) > 1:
        light = _half(_half(light).swapaxes(0, 1)).swapaxes(0, 1)
        stored = light.copy()
        if decoded:
            stored[..., :3] = _stored_as(light[..., :3])
        result.append((stored * 255 + 0.5).astype(np.uint8))
    return result


def _half(rows: Light) -> Light:
    """Half as many rows, each the mean of those that it covers: an odd number's fall between them."""
    count = len(rows)
    if count == 1:
        return rows
    if count % 2 == 0:
        return (rows[0::2] + rows[1::2]) / 2
    half = count // 2
    at = np.arange(half, dtype=np.float32).reshape(-1, *[1] * (rows.ndim - 1))
    return ((half - at) * rows[:-1:2] + half * rows[1::2] + (at + 1) * rows[2::2]) / np.float32(count)


def _light_of(stored: Light) -> Light:
    """Linear light by the standard sRGB, IEC 61966-2-1."""
    return np.where(stored <= 0.04045, stored / 12.92, ((stored + 0.055) / 1.055) ** 2.4)


def _stored_as(light: Light) -> Light:
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
