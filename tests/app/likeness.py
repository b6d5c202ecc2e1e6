"""How much two pictures differ, whatever their sizes."""

from __future__ import annotations

import numpy as np
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QImage


def pixels(image: QImage, aspect: float) -> np.ndarray:
    """(64, 96, 3): the middle of an image in an aspect, made small."""
    wide = min(image.width(), round(aspect * image.height()))
    cut = image.copy((image.width() - wide) // 2, 0, wide, image.height())
    small = cut.scaled(96, 64, transformMode=Qt.TransformationMode.SmoothTransformation)
    small = small.convertToFormat(QImage.Format.Format_RGB888)
    bits = small.constBits()
    bits.setsize(small.sizeInBytes())
    return np.frombuffer(bits, np.uint8).reshape(64, small.bytesPerLine())[:, : 3 * 96].reshape(64, 96, 3).astype(float)


def difference(one: QImage, other: QImage) -> float:
    """Mean difference of two pictures of the same height's view angle, of 255."""
    aspect = min(image.width() / image.height() for image in (one, other))
    return float(np.abs(pixels(one, aspect) - pixels(other, aspect)).mean())
