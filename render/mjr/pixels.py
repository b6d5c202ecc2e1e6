"""Pixels from a buffer and back. Rows come from below, as OpenGL has them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.physics.errors import ShapeError
from tumble.physics.state.enums import mjtDepthMap
from tumble.render.mjr.context import MjrContext, MjrRect


def mjr_readPixels(rgb: NDArray[np.uint8] | None, depth: NDArray[np.float32] | None, viewport: MjrRect, con: MjrContext) -> None:
    """Write colours and depths of a rectangle of the buffer into arrays of any shape, rows from below.

    rgb: width * height * 3 uint8; depth: width * height float32, 0 at the near and 1 at the far plane, or the other way round
    (con.readDepthMap). Raises ShapeError for arrays of another kind or size, or that are not contiguous.
    """
    target = con.target()
    box = (viewport.left, viewport.bottom, viewport.width, viewport.height)
    count = max(viewport.width, 0) * max(viewport.height, 0)
    if rgb is not None:
        room = _flat("rgb", rgb, count * 3, np.dtype(np.uint8))
        if count:
            target.read_into(room, box, components=3, alignment=1)
    if depth is not None:
        room = _flat("depth", depth, count, np.dtype(np.float32))
        if count:
            target.read_into(room, box, components=1, attachment=-1, alignment=4, dtype="f4")
            if con.readDepthMap == int(mjtDepthMap.mjDEPTH_ZEROFAR):
                np.subtract(1.0, room, out=room)


def _flat(name: str, array: NDArray[Any], count: int, kind: np.dtype[Any]) -> NDArray[Any]:
    if not isinstance(array, np.ndarray) or array.dtype != kind or array.size != count or not array.flags.c_contiguous:
        got = f"{array.dtype} of shape {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
        raise ShapeError(f"mjr_readPixels: {name} is a contiguous array of {count} {kind}, got {got}")
    if not array.flags.writeable:
        raise ShapeError(f"mjr_readPixels: {name} cannot be written")
    return array.reshape(-1)


def mjr_drawPixels(rgb: NDArray[np.uint8] | None, depth: NDArray[np.float32] | None, viewport: MjrRect, con: MjrContext) -> None:
    """Write colours and depths into a rectangle of the buffer, as mjr_readPixels reads them."""
    target = con.target()
    box = (viewport.left, viewport.bottom, viewport.width, viewport.height)
    count = max(viewport.width, 0) * max(viewport.height, 0)
    if rgb is not None and count:
        pixels = np.full((viewport.height, viewport.width, 4), 255, np.uint8)
        pixels[:, :, :3] = _given("rgb", rgb, count * 3, np.dtype(np.uint8)).reshape(viewport.height, viewport.width, 3)
        con.flat.image(target, box, pixels[::-1])
    if depth is not None and count:
        values = _given("depth", depth, count, np.dtype(np.float32)).reshape(viewport.height, viewport.width)
        far = con.readDepthMap == int(mjtDepthMap.mjDEPTH_ZEROFAR)
        con.flat.depths(target, box, np.asarray(1.0 - values if far else values, np.float32))


def _given(name: str, array: NDArray[Any], count: int, kind: np.dtype[Any]) -> NDArray[Any]:
    values = np.asarray(array)
    if values.dtype != kind or values.size != count:
        raise ShapeError(f"mjr_drawPixels: {name} is an array of {count} {kind}, got {values.dtype} of shape {values.shape}")
    return values.reshape(-1)
