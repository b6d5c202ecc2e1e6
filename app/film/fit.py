"""A picture in a video of another size."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Picture = NDArray[np.uint8]


def fitted(picture: Picture, width: int, height: int) -> Picture:
    """The picture (height, width, channels) scaled into this size: all of it, its shape kept, black if it does not reach."""
    high, wide, channels = picture.shape
    if (wide, high) == (width, height):
        return picture
    scale = min(width / wide, height / high)
    inner_width, inner_height = max(1, min(width, round(wide * scale))), max(1, min(height, round(high * scale)))
    scaled = Image.fromarray(np.ascontiguousarray(picture)).resize((inner_width, inner_height), Image.Resampling.BILINEAR)
    result = np.zeros((height, width, channels), np.uint8)
    x, y = (width - inner_width) // 2, (height - inner_height) // 2
    result[y : y + inner_height, x : x + inner_width] = np.asarray(scaled)
    return result
