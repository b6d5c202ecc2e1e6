"""The model's textures on the graphics card: flat, cube and sky."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic

import moderngl
import numpy as np
from numpy.typing import NDArray

from tumble.physics.state.enums import mjtColorSpace, mjtTexture
from tumble.render.constants import LAYERED
from tumble.render.gpu.context import T, fact, gl_function
from tumble.render.mesh.model_meshes import digest_of
from tumble.render.scene.lights import Surroundings
from tumble.render.scene.paint import base_texture, layer_textures

if TYPE_CHECKING:
    from tumble.physics import MjModel

# Mipmaps alone blur textures at a grazing angle; a few samples along it keep a floor's tiles apart.
ANISOTROPY = 16.0
# As in the reference: a flat texture that is marked as sRGB is decoded to linear light, all others are used as stored.
_STORED = {3: 0x8051, 4: 0x8058}  # RGB8, RGBA8, by the number of channels
_DECODED = {3: 0x8C41, 4: 0x8C43}  # SRGB8, SRGB8_ALPHA8

# Side of a sky's face [pixels] that fills more than as many pixels of any picture. The first mipmaps of a cube cost
# a renderer without a graphics card 85 ms, most of it to compile what makes them.
_MAGNIFIED = 512

Image = moderngl.Texture | moderngl.TextureCube


def image_bytes(image: Image) -> int:
    """Memory of a texture with its mipmaps, which take a third as much, on the card [bytes]."""
    sides = 6 if isinstance(image, moderngl.TextureCube) else 1
    return 4 * sides * image.size[0] * image.size[1] * image.components // 3


def pixels(model: MjModel, index: int) -> NDArray[np.uint8]:
    """(height, width, channels) pixels of a texture, first row on top; a cube is six squares one below the other."""
    height, width, channels = int(model.tex_height[index]), int(model.tex_width[index]), int(model.tex_nchannel[index])
    start = int(model.tex_adr[index])
    data = np.asarray(model.tex_data[start : start + height * width * channels], np.uint8)
    return data.reshape(height, width, channels)


def sky_index(model: MjModel) -> int:
    """The first skybox texture, or -1."""
    skies = np.flatnonzero(np.asarray(model.tex_type) == mjtTexture.mjTEXTURE_SKYBOX) if model.ntex else np.zeros(0, int)
    return int(skies[0]) if len(skies) else -1


def horizon_colour(model: MjModel, index: int) -> NDArray[np.float64]:
    """(3,) mean colour in [0, 1] of a sky just above its horizon: the middle rows of the four side faces."""
    image = pixels(model, index)
    side = image.shape[1]
    if image.shape[0] != 6 * side:
        return np.asarray(_rgb(image).reshape(-1, 3).mean(axis=0)) / 255.0
    faces = _rgb(image).reshape(6, side, side, 3)[[0, 1, 4, 5]]
    row = max(side // 2 - 1, 0)
    return np.asarray(faces[:, row].reshape(-1, 3).mean(axis=0)) / 255.0


def surroundings(model: MjModel, index: int) -> Surroundings:
    """The light of a sky."""
    image = _rgb(pixels(model, index))
    side = image.shape[1]
    faces = image.reshape(6, side, side, 3) if image.shape[0] == 6 * side else np.broadcast_to(image, (6, *image.shape))
    return Surroundings.of_cube(faces)


def _rgb(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.repeat(image[:, :, :1], 3, axis=2) if image.shape[2] < 3 else image[:, :, :3]


class Textures:
    """All textures of one model, uploaded when first used, unless they are on the card already."""

    def __init__(self, ctx: moderngl.Context, model: MjModel, kept: Kept[Image], *, anisotropic: bool) -> None:
        self._ctx, self._model, self._kept, self._anisotropic = ctx, model, kept, anisotropic
        self._found: dict[int, Image] = {}

    def get(self, index: int) -> Image:
        """The texture on the card: a cube for cubes and skies, else flat and repeating."""
        if index not in self._found:
            kind = f"{self.is_cube(index)} {int(self._model.tex_colorspace[index])} {self._anisotropic}"
            self._found[index] = self._kept.get(digest_of(kind, [pixels(self._model, index)]), lambda: self._upload(index))
        return self._found[index]

    def forget(self, index: int) -> None:
        """Read a texture of the model again."""
        self._found.pop(index, None)

    def of(self, texture: int) -> tuple[int, tuple[int, ...]]:
        """The colour texture and the layer textures (-1: none) of a texture number in the draw list."""
        if texture < LAYERED:
            return texture, ()
        return base_texture(self._model, texture - LAYERED), layer_textures(self._model, texture - LAYERED)

    def is_cube(self, index: int) -> bool:
        """True if the shader must look it up by direction."""
        return int(self._model.tex_type[index]) != mjtTexture.mjTEXTURE_2D

    def is_decoded(self, index: int) -> bool:
        """True if the card gives its colours as light."""
        return not self.is_cube(index) and int(self._model.tex_colorspace[index]) == mjtColorSpace.mjCOLORSPACE_SRGB

    def _is_magnified(self, index: int, side: int) -> bool:
        """True if a cube is only ever seen as a sky with fewer pixels than the picture: no mipmap of it would be read."""
        return side <= _MAGNIFIED and index == sky_index(self._model) and index not in np.asarray(self._model.mat_texid)

    @cached_property
    def _most(self) -> int:
        """Pixels along a side of the largest texture; asked for once, as the driver is asked for all its limits."""
        return int(fact(self._ctx, "GL_MAX_TEXTURE_SIZE"))

    def _upload(self, index: int) -> Image:
        image = pixels(self._model, index)
        # Grey, grey-alpha and colour become RGB or RGBA: one layout, rows aligned to 4 bytes or not.
        if image.shape[2] == 2:
            image = np.concatenate([np.repeat(image[:, :, :1], 3, axis=2), image[:, :, 1:]], axis=2)
        elif image.shape[2] == 1:
            image = np.repeat(image, 3, axis=2)
        across = -(-image.shape[1] // self._most)  # of more pixels than that, the card would show black
        image = image[:: across if self.is_cube(index) else -(-image.shape[0] // self._most), ::across]
        height, width, channels = image.shape
        data = np.ascontiguousarray(image).tobytes()
        if self.is_cube(index):
            if height == width:
                image, data, height = np.concatenate([image] * 6), data * 6, 6 * width
            cube = self._ctx.texture_cube((width, height // 6), channels, data, alignment=1)
            if self._is_magnified(index, width):
                cube.filter = (moderngl.LINEAR, moderngl.LINEAR)
            else:
                make_mipmaps(cube, image, _STORED[channels], decoded=False)
                cube.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
            return cube
        decoded = self.is_decoded(index)
        layout = (_DECODED if decoded else _STORED)[channels]
        flat = self._ctx.texture((width, height), channels, data, alignment=1, internal_format=layout)
        make_mipmaps(flat, image, layout, decoded=decoded)
        flat.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        flat.repeat_x = flat.repeat_y = True
        flat.anisotropy = ANISOTROPY if self._anisotropic else 1.0
        return flat


class Kept(Generic[T]):
    """Resources by a key of their content. Those that neither a model nor the one before it used are released."""

    def __init__(self) -> None:
        self._things: dict[str, T] = {}
        self._used: dict[str, int] = {}
        self._generation = 0
        self.made = 0  # how many were ever made: uploads

    def get(self, key: str, make: Callable[[], T]) -> T:
        """The resource of this key, created if missing."""
        if key not in self._things:
            self._things[key] = make()
            self.made += 1
        self._used[key] = self._generation
        return self._things[key]

    def total(self, size: Callable[[T], int]) -> int:
        """Sum of a size over all that are there."""
        return sum(size(thing) for thing in self._things.values())

    def next_model(self) -> None:
        """Another model's resources are requested from now on."""
        for key in [key for key, used in self._used.items() if used < self._generation]:
            del self._used[key]
            self._things.pop(key).release()
        self._generation += 1

    def release(self) -> None:
        """Release everything."""
        for thing in self._things.values():
            thing.release()
        self._things.clear()
        self._used.clear()


Light = NDArray[Any]  # float32

# Mesa's renderer without a graphics card compiles code for OpenGL's first mipmaps of each kind: 50 to 85 ms of every start. To
# average a texture of 512 x 512 here takes 7 ms, one of 128 x 128 takes 1 ms.
SMALL = 2**18  # pixels of a texture, of all faces
_RGB, _RGBA, _BYTES = 0x1907, 0x1908, 0x1401
_FLAT, _FIRST_FACE = 0x0DE1, 0x8515
_UNPACK_ALIGNMENT = 0x0CF5


def make_mipmaps(texture: Image, image: NDArray[np.uint8], layout: int, *, decoded: bool) -> None:
    """Build the mipmaps of a texture on the card: OpenGL's own of a large one, those of a small one are averaged here.

    image: (height, width, 3 or 4), a cube's six faces one below the other; layout: OpenGL's format of its pixels; decoded: the
    card decodes its colours to light, and so are they averaged.
    """
    if image.shape[0] * image.shape[1] > SMALL:
        texture.build_mipmaps()
        return
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
