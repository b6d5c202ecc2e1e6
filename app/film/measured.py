"""Pictures as numbers in files: depths in millimetres or metres, and the object that each pixel shows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tumble.app.base import files
from tumble.render.passes.identity import SeenObjects

PNG, NPY = ".png", ".npy"


def millimetres(seen: SeenObjects) -> NDArray[np.uint16]:
    """(height, width) depths along the view [mm], rounded: 0 where nothing is seen, 65535 for all that is farther."""
    return np.asarray(np.clip(np.rint(1000.0 * seen.depth.astype(np.float64)), 0, 65535), np.uint16)


def objects(seen: SeenObjects) -> NDArray[np.int32]:
    """(height, width, 2) id and mjtObj of what each pixel shows, as of the package's Renderer; -1 where that is nothing."""
    return np.stack([seen.objid, seen.objtype], axis=2).astype(np.int32)


def save_depth(seen: SeenObjects, path: Path) -> None:
    """Write depths along the view: *.png has 16 bits and millimetres, *.npy float32 and metres, 0 where nothing is seen.

    Raises FileError.
    """
    if path.suffix.lower() == NPY:
        _save_array(path, seen.depth)
        return
    with files.replacing(path) as made:
        Image.fromarray(millimetres(seen)).save(made, "PNG")


def save_objects(seen: SeenObjects, path: Path) -> None:
    """Write what each pixel shows as an array (*.npy). Raises FileError."""
    _save_array(path, objects(seen))


def _save_array(path: Path, array: NDArray[np.generic]) -> None:
    with files.replacing(path) as made, made.open("wb") as file:
        np.save(file, array)
