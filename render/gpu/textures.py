"""The model's textures on the graphics card: flat, cube and sky."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import moderngl
import numpy as np
from numpy.typing import NDArray

from tumble.physics.state.enums import mjtColorSpace, mjtTexture
from tumble.render.constants import LAYERED
from tumble.render.gpu import mipmaps
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

    def _upload(self, index: int) -> Image:
        image = pixels(self._model, index)
        # Grey, grey-alpha and colour become RGB or RGBA: one layout, rows aligned to 4 bytes or not.
        if image.shape[2] == 2:
            image = np.concatenate([np.repeat(image[:, :, :1], 3, axis=2), image[:, :, 1:]], axis=2)
        elif image.shape[2] == 1:
            image = np.repeat(image, 3, axis=2)
        height, width, channels = image.shape
        data = np.ascontiguousarray(image).tobytes()
        if self.is_cube(index):
            if height == width:
                image, data, height = np.concatenate([image] * 6), data * 6, 6 * width
            cube = self._ctx.texture_cube((width, height // 6), channels, data, alignment=1)
            if self._is_magnified(index, width):
                cube.filter = (moderngl.LINEAR, moderngl.LINEAR)
            else:
                _shrink(cube, image, _STORED[channels], decoded=False)
                cube.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
            return cube
        decoded = self.is_decoded(index)
        layout = (_DECODED if decoded else _STORED)[channels]
        flat = self._ctx.texture((width, height), channels, data, alignment=1, internal_format=layout)
        _shrink(flat, image, layout, decoded=decoded)
        flat.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        flat.repeat_x = flat.repeat_y = True
        flat.anisotropy = ANISOTROPY if self._anisotropic else 1.0
        return flat


def _shrink(texture: Image, image: NDArray[np.uint8], layout: int, *, decoded: bool) -> None:
    """Build a texture's mipmaps, by the fastest method for its size."""
    if mipmaps.is_small(image):
        mipmaps.build(texture, image, layout, decoded=decoded)
    else:
        texture.build_mipmaps()


class Releasable(Protocol):
    """A resource on the graphics card."""

    def release(self) -> None:
        """Free it."""


T = TypeVar("T", bound=Releasable)


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
