"""Pictures in files: PNG, and the sizes that are too much for memory."""

from __future__ import annotations

import struct
import warnings
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.physics.compiler.progress import AskingBytes
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.enums import mjtColorSpace

if TYPE_CHECKING:
    from PIL import Image

MOST_PIXELS = 2**27  # of one image: decoded, with its copies, it stays well below 2 GB
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_SIZE_AT = 16  # where an image says its width and height
_LINEAR, _SRGB = int(mjtColorSpace.mjCOLORSPACE_LINEAR), int(mjtColorSpace.mjCOLORSPACE_SRGB)

_DAMAGED = (OSError, SyntaxError, ValueError, EOFError, IndexError, struct.error)  # what Pillow raises where pixels are read

Pixels = NDArray[np.uint8]  # (height, width, channels), the top row first


def is_png(element: Element, file: str, data: bytes) -> bool:
    """True if a file is to be read as a PNG image: by content_type, else by its name, else by its first bytes."""
    kind = str(element.get("content_type") or "")
    if "/" in kind:
        return kind.lower() == "image/png"
    if kind:
        element.warn(f'content_type "{kind}" is not a media type such as image/png: the file is read as its name says')
    return file.lower().endswith(".png") or data.startswith(_SIGNATURE)


def read_png(element: Element, file: str, data: bytes, channels: int) -> tuple[Pixels, int]:
    """The pixels of a PNG image, and the colour space that it declares.

    channels: 1 takes the red one, as the reference does, 2 red and opacity. Raises MjcfError, with the file's name.
    """
    from PIL import Image, UnidentifiedImageError  # not at the start of the program: few models have images

    width, height = struct.unpack_from(">II", data, _SIZE_AT) if len(data) >= _SIZE_AT + 8 else (0, 0)
    if data.startswith(_SIGNATURE) and width * height > MOST_PIXELS:
        raise element.error(f'file "{file}" has {width} x {height} pixels; {MOST_PIXELS} in all are the most')
    try:
        with _open(data) as image:
            return _decode(image, channels), _SRGB if "srgb" in image.info else _LINEAR
    except UnidentifiedImageError:
        raise element.error(f'file "{file}" is not a PNG image: it does not begin as one') from None
    except MemoryError:
        raise element.error(f'file "{file}" needs more memory than there is') from None
    except Image.DecompressionBombError as problem:
        raise element.error(f'file "{file}" is too large: {problem}') from None
    except _DAMAGED as problem:
        raise element.error(f'file "{file}" is a damaged PNG image: {problem}') from None


def _open(data: bytes) -> Image.Image:
    """An image, its pixels not read yet. Pillow's warning of large images is left out: they have a limit of their own."""
    from PIL import Image

    with warnings.catch_warnings(action="ignore", category=Image.DecompressionBombWarning):
        return Image.open(AskingBytes(data), formats=["PNG"])


def _decode(image: Image.Image, channels: int) -> Pixels:
    from PIL import Image

    if image.mode.startswith("I"):  # sixteen bits of grey: the upper eight count
        image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    if image.mode == "L" and channels == 1:
        return np.asarray(image)[..., None]
    wanted = "RGBA" if channels in (2, 4) else "RGB"
    pixels = np.asarray(image if image.mode == wanted else image.convert(wanted))
    return pixels[..., [0, 3]] if channels == 2 else pixels[..., :channels]
