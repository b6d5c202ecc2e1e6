"""The colours of islands: one for each, from its lowest tree, so that an island keeps its colour from step to step."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.render.frame import Frame

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

PALETTE_SIZE = 48
# Lightness and chroma in OKLCH: equally bright to the eye, readable as a chip on a dark panel and as paint under lamps.
# Three in turn, so that neighbours on the wheel of hues differ in lightness too.
LIGHT = ((0.76, 0.13), (0.66, 0.15), (0.84, 0.10))
ASLEEP_LIGHT, ASLEEP_CHROMA = 0.52, 0.75  # factors of both while a tree sleeps
FREE = (0.66, 0.69, 0.73)  # of trees that no row touches
# Turning the hue by the golden angle keeps each colour far from those of the trees next in number.
GOLDEN, FIRST_HUE = 0.61803398875, 0.66


def leaders(tree_island: NDArray[np.int32], tree_asleep: NDArray[np.int32]) -> Ints:
    """(ntree,) the lowest tree of the island, or of the trees that fell asleep together; -1: awake, without constraint rows.

    tree_island, tree_asleep: as MjData has them.
    """
    n = len(tree_asleep)
    own = np.arange(n)
    result = np.full(n, -1, np.int64)
    asleep = (tree_asleep >= 0) & (tree_asleep < n)
    # Around each cycle in strides that double: after k rounds each knows the lowest of the 2^k trees that follow it.
    low, following = own.copy(), np.where(asleep, tree_asleep, own)
    for _ in range(int(n).bit_length() if asleep.any() else 0):
        low = np.minimum(low, low[following])
        following = following[following]
    result[asleep] = low[asleep]
    joined = np.flatnonzero(~asleep & (tree_island >= 0))
    lowest = np.full(int(tree_island.max(initial=-1)) + 1, n)
    np.minimum.at(lowest, tree_island[joined], joined)
    result[joined] = lowest[tree_island[joined]]
    return result


def colours(leader: Ints, asleep: NDArray[np.bool_]) -> Floats:
    """(n, 3) sRGB 0..1 of islands by their lowest tree (-1: of none); darker where asleep."""
    index = leader % PALETTE_SIZE
    result = np.where(asleep[:, None], _DARK[index], _BRIGHT[index])
    result[leader < 0] = FREE
    return result


def tree_colours(frame: Frame) -> Floats | None:
    """(ntree, 3) the colours of trees by their islands; None where they are not known."""
    asleep = frame.tree_asleep
    if len(asleep) == 0 or len(frame.tree_island) != len(asleep):
        return None
    return colours(leaders(frame.tree_island, asleep), asleep >= 0)


def oklch(lightness: Floats, chroma: Floats, hue: Floats) -> Floats:
    """(n, 3) sRGB 0..1 of colours in OKLCH; hue in turns.

    Source: Björn Ottosson, A perceptual color space for image processing, 2020.
    """
    a, b = chroma * np.cos(2 * np.pi * hue), chroma * np.sin(2 * np.pi * hue)
    to_cones = np.array([[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728], [1, -0.0894841775, -1.2914855480]])
    to_rgb = np.array(
        [
            [4.0767416621, -3.3077115913, 0.2309699292],
            [-1.2684380046, 2.6097574011, -0.3413193965],
            [-0.0041960863, -0.7034186147, 1.7076147010],
        ]
    )
    linear = np.clip((np.stack([lightness, a, b], axis=1) @ to_cones.T) ** 3 @ to_rgb.T, 0.0, 1.0)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


def _palette(light: float, chroma: float) -> Floats:
    index = np.arange(PALETTE_SIZE, dtype=np.float64)
    of = np.array(LIGHT)[np.arange(PALETTE_SIZE) % len(LIGHT)]
    return oklch(of[:, 0] * light, of[:, 1] * chroma, np.mod(FIRST_HUE + GOLDEN * index, 1.0))


_BRIGHT, _DARK = _palette(1.0, 1.0), _palette(ASLEEP_LIGHT, ASLEEP_CHROMA)
