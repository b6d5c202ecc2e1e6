"""Matrices as images of coloured cells, at several sizes. No Qt here."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Image = NDArray[np.uint8]

DECADES = 6.0  # of size below the largest number that colours tell apart
FAINTEST = 0.18  # colour of the smallest number that is not zero, as a share of the strongest
ZERO = 128  # the byte of zero; above it are positive numbers, below it negative ones
WIDEST = 1024  # cells of a picture along a side: of a larger one blocks of cells are one, by their largest number


def bytes_of(values: Numbers) -> Image:
    """Colours (n, m) of numbers: by sign and by the logarithm of their size below the largest; ZERO for zero."""
    size = np.abs(values)
    finite = np.isfinite(size)
    largest = float(size.max(where=finite, initial=0.0))
    if largest == 0.0:
        return np.full(values.shape, ZERO, np.uint8)
    with np.errstate(divide="ignore"):
        depth = np.log10(np.where(finite, size, largest) / largest) / DECADES
    strength = FAINTEST + (1.0 - FAINTEST) * np.clip(1.0 + depth, 0.0, 1.0)
    strength[size == 0.0] = 0.0
    return (ZERO + np.round(127.0 * np.sign(np.where(finite, values, 1.0)) * strength)).astype(np.uint8)


def pyramid(image: Image) -> tuple[Image, ...]:
    """The image, and smaller ones: each cell the strongest of up to four, so that no number is lost."""
    levels = [image]
    while max(levels[-1].shape) > WIDEST:
        last = levels[-1].astype(np.int16) - ZERO
        last = np.pad(last, [(0, n % 2) for n in last.shape])
        blocks = last.reshape(last.shape[0] // 2, 2, last.shape[1] // 2, 2)
        high, low = blocks.max(axis=(1, 3)), blocks.min(axis=(1, 3))
        levels.append((ZERO + np.where(high >= -low, high, low)).astype(np.uint8))
    return tuple(levels)
