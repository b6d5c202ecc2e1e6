"""Textures: builtin patterns, image files, and how six faces make a cube or a sky.

A texture is a stack of rows of pixels, top row first. The faces of a cube lie one below the other, in
the order right, left, up, down, front, back; a cube with one image has the same on every face.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct

from tumble.physics.compiler.assets.asset_files import file_name, open_file
from tumble.physics.compiler.assets.image import Pixels, is_png, read_png
from tumble.physics.compiler.assets.random64 import random_dots
from tumble.physics.compiler.fill import lay_out
from tumble.physics.compiler.progress import ask
from tumble.physics.mjcf import faults
from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.enums import mjtColorSpace, mjtTexture
from tumble.physics.state.model import Model

_FACES = ("right", "left", "up", "down", "front", "back")
_LETTERS = "RLUDFB"
_WIDEST = 16384  # pixels along a side: what graphics hardware takes
_LARGEST = 2**29  # bytes of all textures together
_LINEAR = int(mjtColorSpace.mjCOLORSPACE_LINEAR)
_CUSTOM = "image/vnd.mujoco.texture"
_KTX, _KTX_TYPE = b"\xabKTX", "image/ktx"
_MOST_CHANNELS = 4
_MOST_DRAWN = 2**26  # pixels of a builtin texture: 8192 x 8192
_BLOCK = 2**20  # pixels that are drawn at a time


class Texture(Struct):
    """One texture as the model stores it; path: the file it came from, or ""."""

    element: Element
    pixels: Pixels
    colorspace: int
    path: str


def read_texture(document: Document, element: Element) -> Texture:
    """A texture from a builtin pattern or from files. Raises MjcfError if it cannot be made."""
    _check(element)
    colorspace = [c.name[13:].lower() for c in mjtColorSpace].index(element.get("colorspace").lower())
    if element.get("builtin") != "none":
        return Texture(element, _builtin(element), colorspace, file_name(element))
    if element.has("data"):
        return Texture(element, _buffer(element), colorspace, "")
    files = {face: file_name(element, f"file{face}") for face in _FACES}
    path = file_name(element)
    if path:
        pixels, found = _load(document, element, path)
        pixels = _from_grid(element, pixels) if _is_gridded(element) else _single(element, pixels)
    elif any(files.values()) and element.get("type") != "2d":
        pixels, found = _from_faces(document, element, files)
    else:
        faces = "" if element.get("type") == "2d" else ", file" + ", file".join(_FACES)
        raise element.error(f"has no content: give it one of builtin, file{faces}")
    return Texture(element, np.ascontiguousarray(pixels), colorspace or found, path)


def _buffer(element: Element) -> Pixels:
    """The bytes that a program gives for a texture: row by row, top row first, nchannel for each pixel."""
    data, width, height = element.get("data"), element.get("width"), element.get("height")
    if width < 1 or height < 1 or len(data) != width * height * _channel_number(element):
        channels = _channel_number(element)
        raise element.error(f"data has {len(data)} bytes, but width {width}, height {height} and nchannel {channels} "
                            f"ask for {width * height * channels}")  # fmt: skip
    return np.frombuffer(data, np.uint8).reshape(height, width, -1).copy()


def _check(element: Element) -> None:
    """Raise MjcfError at settings that do not fit together."""
    number, drawn = element.get("nchannel"), element.get("builtin") != "none"
    if number < 1 or (number > _MOST_CHANNELS and not drawn):
        raise element.error(f"nchannel must be 1 to {_MOST_CHANNELS}, is {number}")
    if number > _MOST_CHANNELS:
        element.warn(f"nchannel {number} is understood as {_MOST_CHANNELS}, the most that there are")
    fields = int(np.prod(element.get("gridsize")))
    if element.has("gridlayout") and fields != 1 and len(element.get("gridlayout")) != fields:
        raise element.error(f"gridlayout must have as many letters as gridsize has fields, {fields}, has "
                            f"{len(element.get('gridlayout'))}")  # fmt: skip


def _channel_number(element: Element) -> int:
    return min(_MOST_CHANNELS, int(element.get("nchannel")))


def _is_gridded(element: Element) -> bool:
    """True if one image shows several faces; a flat texture has no faces."""
    return bool(element.get("type") != "2d" and (element.get("gridsize") != 1).any())


def _color(element: Element, name: str) -> np.ndarray:
    return (np.clip(element.get(name), 0, 1) * 255).astype(np.uint8)


def _channels(element: Element, rgb: Pixels) -> Pixels:
    """Three channels converted to one to four channels: the first ones, or with full opacity."""
    n = _channel_number(element)
    if n <= 3:
        return rgb[..., :n]
    return np.concatenate([rgb, np.full((*rgb.shape[:2], 1), 255, np.uint8)], axis=2)


# ---------------------------------------------------------------- builtin patterns


def _builtin(element: Element) -> Pixels:
    width, height = element.get("width"), element.get("height")
    flat = element.get("type") == "2d"
    for name, size in (("width", width), ("height", height if flat else 1)):
        if size < 1:
            raise element.error(f"{name} of a builtin texture must be 1 or more, is {size}")
    pixels_needed = width * (height if flat else 6 * width)
    if pixels_needed > _MOST_DRAWN:
        raise element.error(f"would have {pixels_needed} pixels; {_MOST_DRAWN} are the most of a builtin texture")
    shapes = [(height, width)] if flat else [(width, width)] * 6
    if element.get("builtin") == "gradient":
        faces = [_radial(element, height, width)] if flat else _sky(element, width)
    else:
        faces = [_tiles(element, *shape, face) for face, shape in enumerate(shapes)]
    pixels = np.stack(faces) if len(faces) > 1 else np.ascontiguousarray(faces[0])[None]
    _mark(element, pixels)
    return _channels(element, pixels.reshape(-1, width, 3))


def _tiles(element: Element, height: int, width: int, face: int) -> Pixels:
    """One colour, another below; or two by two fields, the other way round in front and behind, where they meet the sides."""
    one, other = _color(element, "rgb1"), _color(element, "rgb2")
    pixels = np.empty((height, width, 3), np.uint8)
    if element.get("builtin") == "flat":
        pixels[...] = np.tile(other if _FACES[face] == "down" else one, (width, 1))  # row by row: colour by colour takes long
        return pixels
    if _FACES[face] in ("front", "back"):
        one, other = other, one
    pixels[...] = one
    pixels[: height // 2, width // 2 :] = other
    pixels[height // 2 :, : width // 2] = other
    return pixels


def _blend(element: Element, position: np.ndarray) -> Pixels:
    """rgb1 where the position is 1, rgb2 where it is -1, and a soft step between."""
    weight = np.clip(0.5 * (1 + position / np.sqrt(1 + position**2) * np.sqrt(2)), 0, 1)[..., None]
    rgb = weight * np.clip(element.get("rgb1"), 0, 1) + (1 - weight) * np.clip(element.get("rgb2"), 0, 1)
    return (255 * rgb).astype(np.uint8)


def _axes(height: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates of the columns and of the rows, from -1 to 1, x to the right and y up."""
    return 2 * np.arange(width) / max(1, width - 1) - 1, 1 - 2 * np.arange(height) / max(1, height - 1)


def _radial(element: Element, height: int, width: int) -> Pixels:
    """rgb1 in the middle, towards rgb2 with the distance from it."""
    across, down = _axes(height, width)
    pixels = np.empty((height, width, 3), np.uint8)
    step = max(1, _BLOCK // width)
    for row in range(0, height, step):
        ask()
        x, y = np.meshgrid(across, down[row : row + step])
        pixels[row : row + step] = _blend(element, 1 - 2 * np.hypot(x, y))
    return pixels


def _sky(element: Element, width: int) -> list[Pixels]:
    """By elevation: rgb1 above, rgb2 below, halfway at the horizon."""
    x, y = np.meshgrid(*_axes(width, width))
    away = np.sqrt(1 + x**2 + y**2)
    side = _blend(element, np.arcsin(y / away) / (np.pi / 2))
    steep = 1 - np.arccos(1 / away) / (np.pi / 2)
    return [side, side, _blend(element, steep), _blend(element, -steep), side, side]


def _mark(element: Element, faces: np.ndarray) -> None:
    """Draw the mark on every face; faces: (n, height, width, 3)."""
    height, width = faces.shape[1:3]
    color = _color(element, "markrgb")
    match element.get("mark"):
        case "edge":
            faces[:, [0, -1]] = faces[:, :, [0, -1]] = color
        case "cross":
            faces[:, height // 2] = faces[:, :, width // 2] = color
        case "random":
            random_dots(faces.reshape(-1, 3), element.get("random"), color)


# ---------------------------------------------------------------- image files


def _load(document: Document, element: Element, file: str) -> tuple[Pixels, int]:
    """The pixels of an image file, flipped as asked, and the colour space that it declares."""
    data = open_file(document, element, file, element.settings.texturedir)
    channels = _channel_number(element)
    if _is_ktx(element, file, data):
        return _undecoded(element, file, data, channels), _LINEAR
    if is_png(element, file, data):
        pixels, colorspace = read_png(element, file, data, channels)
        _require_room(element, pixels.size)
    else:
        pixels, colorspace = _binary(element, file, data, channels), _LINEAR
    if max(pixels.shape[:2]) > _WIDEST:
        element.warn(f'file "{file}" has {pixels.shape[1]} x {pixels.shape[0]} pixels; most graphics cards show {_WIDEST} a side')
    if element.get("hflip"):
        pixels = pixels[:, ::-1]
    return (pixels[::-1] if element.get("vflip") else pixels), colorspace


def _is_ktx(element: Element, file: str, data: bytes) -> bool:
    """True if the element says that the file is a KTX image. Raises the error for one of which it does not say so."""
    kind = str(element.get("content_type") or "").lower()
    if kind == _KTX_TYPE:
        return True
    if not kind and (file.lower().endswith((".ktx", ".ktx2")) or data.startswith(_KTX)):
        raise element.error(f'file "{file}" is a KTX image, which is not decoded: convert it to PNG')
    if "/" in kind and kind not in ("image/png", _CUSTOM):
        raise element.error(f'content_type "{kind}" is not read; valid: image/png, {_KTX_TYPE}, {_CUSTOM}')
    return False


def _undecoded(element: Element, file: str, data: bytes, channels: int) -> Pixels:
    """The bytes of a KTX image in a row, one for each pixel, then zeros: as programs find them that decode it themselves."""
    if element.get("type") != "2d" or element.get("hflip") or element.get("vflip"):
        raise element.error(f'file "{file}" is a KTX image: only of type 2d, not flipped; or convert it to PNG')
    if not data:
        raise element.error(f'file "{file}" is empty')
    _require_room(element, len(data) * channels)
    element.warn(f'file "{file}" is a KTX image: its bytes are kept, but it is shown as noise: convert it to PNG')
    pixels = np.zeros(len(data) * channels, np.uint8)
    pixels[: len(data)] = np.frombuffer(data, np.uint8)
    return pixels.reshape(1, len(data), channels)


def _binary(element: Element, file: str, data: bytes, channels: int) -> Pixels:
    """Two integers, width and height, then three bytes a pixel, from which the requested channels are taken in turn."""
    if len(data) < 8:
        raise element.error(f'file "{file}" is neither a PNG image nor in the binary format: it has {len(data)} bytes')
    width, height = struct.unpack_from("<ii", data)
    if width < 1 or height < 1 or len(data) != 8 + 3 * width * height:
        raise element.error(f'file "{file}" is not a PNG image; in the binary format it would be {width} x {height} pixels, '
                            f"of 3 bytes each, but it has {len(data)} bytes")  # fmt: skip
    if channels > 3:
        raise element.error(f'file "{file}" has 3 channels, nchannel asks for {channels}')
    count = width * height * channels
    return np.frombuffer(data, np.uint8, count, 8).reshape(height, width, channels)


def _single(element: Element, pixels: Pixels) -> Pixels:
    if element.get("type") != "2d" and pixels.shape[0] != pixels.shape[1]:
        raise element.error(f"needs a square image for a cube, this one has {pixels.shape[1]} x {pixels.shape[0]} pixels; "
                            "an image with all faces needs gridsize and gridlayout")  # fmt: skip
    return pixels


def _from_grid(element: Element, pixels: Pixels) -> Pixels:
    """The six faces out of one image that shows them side by side."""
    rows, columns = (int(n) for n in element.get("gridsize"))
    layout = element.get("gridlayout")
    if rows < 1 or columns < 1 or rows * columns > 12:
        raise element.error(f"gridsize must be at least 1 1 and have at most 12 fields, is {rows} {columns}")
    size = pixels.shape[1] // columns
    if size < 1 or pixels.shape[0] != rows * size or pixels.shape[1] != columns * size:
        found = f"{pixels.shape[1]} x {pixels.shape[0]} pixels"
        raise element.error(f"needs an image of {columns} x {rows} squares, this one has {found}")
    faces = _blank(element, size)
    for field, letter in enumerate(layout[: rows * columns]):
        if letter in _LETTERS:
            row, column = divmod(field, columns)
            faces[_LETTERS.index(letter)] = pixels[row * size : (row + 1) * size, column * size : (column + 1) * size]
    return faces.reshape(6 * size, size, -1)


def _from_faces(document: Document, element: Element, files: dict[str, str]) -> tuple[Pixels, int]:
    """The six faces out of six images; those that are not written stay in rgb1."""
    loaded = {face: _load(document, element, file) for face, file in files.items() if file}
    sizes = {pixels.shape[:2] for pixels, _ in loaded.values()}
    if len(sizes) > 1 or any(height != width for height, width in sizes):
        raise element.error("needs square images of the same size for its faces")
    size = sizes.pop()[0]
    faces = _blank(element, size)
    for face, (pixels, _) in loaded.items():
        faces[_FACES.index(face)] = pixels
    return faces.reshape(6 * size, size, -1), next(space for _, space in loaded.values())


def _blank(element: Element, size: int) -> np.ndarray:
    rgb = np.empty((1, 1, 3), np.uint8)
    rgb[...] = _color(element, "rgb1")
    return np.tile(_channels(element, rgb), (6, size, size, 1))


# ---------------------------------------------------------------- into the model


def read_textures(document: Document, elements: Iterable[Element]) -> list[Texture]:
    """All textures of a model. Raises MjcfError if they outgrow memory."""
    textures, total = [], 0
    for element in elements:
        with faults.tolerated():
            textures.append(_read_named(document, element))
            total += textures[-1].pixels.size
            _require_room(element, total)
    return textures


def _read_named(document: Document, element: Element) -> Texture:
    if not element.get("name") and element.get("type") != "skybox":
        raise element.error("needs a name, by which materials refer to it; only a skybox does without")
    return read_texture(document, element)


def _require_room(element: Element, total: int) -> None:
    """Raise MjcfError if textures of this many bytes are too much."""
    if total > _LARGEST:
        raise element.error(f"brings the textures to {total} bytes; {_LARGEST} are the most")


def fill_textures(textures: Sequence[Texture], m: Model) -> None:
    """Write the textures of a model."""
    for i, texture in enumerate(textures):
        m.tex_type[i] = mjtTexture[f"mjTEXTURE_{texture.element.get('type').upper()}"]
        m.tex_colorspace[i] = texture.colorspace
        m.tex_height[i], m.tex_width[i], m.tex_nchannel[i] = texture.pixels.shape
    lay_out(m, [t.pixels.size for t in textures], "tex_adr", tex_data=[t.pixels.ravel() for t in textures])
