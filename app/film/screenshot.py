"""One picture in a file, with or without a background."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tumble.app.base import files

Picture = NDArray[np.uint8]


def straight(pixels: Picture) -> Picture:
    """Colours as files hold them, from those multiplied by their alpha (height, width, 4) that a renderer leaves."""
    alpha = pixels[:, :, 3:].astype(np.float32) / 255
    colours = np.minimum(pixels[:, :, :3] / np.maximum(alpha, 1 / 255), 255).round().astype(np.uint8)
    return np.concatenate([colours, pixels[:, :, 3:]], axis=2)


def save_png(pixels: Picture, path: Path, *, transparent: bool = False) -> None:
    """Write a picture (height, width, 4), first row on top, whole or not at all. Raises FileError.

    transparent: it was drawn without a background; else alpha is left out.
    """
    with files.replacing(path) as made:
        Image.fromarray(straight(pixels) if transparent else np.ascontiguousarray(pixels[:, :, :3])).save(made, "PNG")
