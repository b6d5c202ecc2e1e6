"""What lies around a scene, for the physical look: how much light comes from above and from below, in which colours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Of the built-in day, as resources/shaders/sky.frag.glsl paints it.
_ZENITH, _GROUND = (0.29, 0.42, 0.58), (0.36, 0.39, 0.43)
# A sky without light, as many models have around a room, would leave metal black.
_LEAST = 0.02
_TINT = 0.25  # how much of the sky's colour the light from around has: it falls on walls and floors as well before it arrives
_FROM_ABOVE, _FROM_BELOW = 1.15, 0.75  # of that light; the ground throws back most of it


def to_light(shown: ArrayLike) -> NDArray[np.float64]:
    """The light that colours of a picture (sRGB, of any shape) stand for; beyond 1 the curve goes on."""
    shown = np.asarray(shown, float)
    return np.where(shown <= 0.04045, shown / 12.92, ((np.maximum(shown, 0.0) + 0.055) / 1.055) ** 2.4)


@dataclass(frozen=True)
class Surroundings:
    """(3,) light from above and from below, 1 is white."""

    sky: NDArray[np.float64]
    ground: NDArray[np.float64]

    @staticmethod
    def day(horizon: ArrayLike) -> Surroundings:
        """Those of the built-in day, with its colour at the horizon (3,)."""
        above, below = (0.5 * (to_light(colour) + to_light(horizon)) for colour in (_ZENITH, _GROUND))
        return Surroundings(above, below)

    @staticmethod
    def plain(colour: ArrayLike) -> Surroundings:
        """Those of one colour (3,)."""
        light = np.maximum(to_light(colour), _LEAST)
        return Surroundings(light, light)

    @staticmethod
    def of_cube(faces: NDArray[np.uint8]) -> Surroundings:
        """Those of a sky's six square pictures (6, side, side, 3): right, left, above, below, front, back."""
        light = to_light(faces[:, :: max(faces.shape[1] // 32, 1), :: max(faces.shape[1] // 32, 1)] / 255.0)
        sides = light[[0, 1, 4, 5]]
        half = max(sides.shape[1] // 2, 1)
        around = [sides[:, :half].reshape(-1, 3), sides[:, -half:].reshape(-1, 3)]
        faces_too = zip(around, (light[2], light[3]), strict=True)
        above, below = (np.concatenate([part, face.reshape(-1, 3)]).mean(axis=0) for part, face in faces_too)
        return Surroundings(np.maximum(above, _LEAST), np.maximum(below, _LEAST))

    @cached_property
    def scattered(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What falls on a matte surface from above and below, as factors of about 1: less coloured than what a mirror shows."""
        above, below = (1.0 + _TINT * (part / part.mean() - 1.0) for part in (self.sky, self.ground))
        return _FROM_ABOVE * above, _FROM_BELOW * below
