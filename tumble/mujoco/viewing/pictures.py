"""Texts, pictures and figures over the view, from what a script gives to what is sent to the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.app.remote.lines import Message
from tumble.physics.state.enums import mjtFont, mjtGridPos

Rect = Any  # an MjrRect
TextItem = tuple[int | None, int | None, str | None, str | None]


def listed(items: Any, size: int) -> list[Any]:  # noqa: ANN401 - one tuple, or several
    """One item, or several, as a list of tuples of this size. Raises ValueError."""
    several = [items] if isinstance(items, tuple) and not (items and all(isinstance(i, tuple) for i in items)) else list(items)
    for item in several:
        if not isinstance(item, tuple) or len(item) != size:
            raise ValueError(f"expected a tuple of {size}, or a list of such tuples; got {item!r:.80}")
    return several


def texts_of(texts: TextItem | Sequence[TextItem]) -> list[list[Any]]:
    """Texts as (font, place, left column, right column)."""
    made = []
    for font, place, left, right in listed(texts, 4):
        kind = int(mjtFont.mjFONT_NORMAL if font is None else font)
        where = int(mjtGridPos.mjGRID_TOPLEFT if place is None else place)
        made.append([kind, where, "" if left is None else str(left), "" if right is None else str(right)])
    return made


def images_of(
    images: tuple[Rect, NDArray[np.uint8]] | Sequence[tuple[Rect, NDArray[np.uint8]]], leave: Callable[[bytes], str]
) -> list[list[Any]]:
    """Pictures as (rectangle, size, a file with the pixels, which `leave` writes).

    Raises ValueError for one that does not fill its rectangle.
    """
    several = listed(images, 2)
    for rect, image in several:
        wanted = (int(rect.height), int(rect.width))
        if np.ndim(image) != 3 or image.shape[2] != 3:
            raise ValueError(f"an image has the shape (height, width, 3), and this {np.shape(image)}")
        if image.shape[:2] != wanted:
            raise ValueError(f"Image shape {image.shape[:2]} does not match target shape {wanted}")
        if image.dtype != np.uint8:
            raise ValueError(f"an image is of type uint8, and this of {image.dtype}")
    return [[_rect(rect), list(image.shape[:2]), leave(np.ascontiguousarray(image).tobytes())] for rect, image in several]


def figures_of(figures: Any) -> list[list[Any]]:  # noqa: ANN401 - (MjrRect, MjvFigure), or several
    """Figures as (rectangle, what is in them)."""
    return [[_rect(rect), _figure(figure)] for rect, figure in listed(figures, 2)]


def _rect(rect: Rect) -> list[int]:
    return [int(rect.left), int(rect.bottom), int(rect.width), int(rect.height)]


def _figure(figure: Any) -> Message:  # noqa: ANN401 - an MjvFigure
    lines, colours, names = [], [], []
    for k, count in enumerate(np.asarray(figure.linepnt)):
        if count > 0:
            points = np.asarray(figure.linedata[k], float)[: 2 * int(count)].reshape(-1, 2)
            lines.append(points[np.isfinite(points).all(axis=1)].tolist())
            colours.append([float(v) for v in figure.linergb[k]])
            names.append(_text(figure.linename[k]))
    return {
        "title": _text(figure.title), "xlabel": _text(figure.xlabel), "lines": lines, "rgb": colours, "names": names,
        "range": np.asarray(figure.range, float).tolist(), "grid": [int(n) for n in figure.gridsize],
        "rgba": [float(v) for v in figure.figurergba],
    }  # fmt: skip


def _text(value: Any) -> str:  # noqa: ANN401 - bytes or text
    return value.decode(errors="replace").rstrip("\0") if isinstance(value, bytes) else str(value)
