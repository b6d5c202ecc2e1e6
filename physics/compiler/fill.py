"""From elements, and from arrays that belong to them, to the arrays of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tumble.physics.mjcf.spec import Element
from tumble.physics.state.model import Model


def fill(target: Any, prefix: str, elements: Sequence[Element], names: Sequence[str], **renamed: str) -> None:
    """Copy attributes that mean what the model's fields mean: `solref` of every geom to `geom_solref`, ...

    renamed: the attribute, if it does not have the field's name.
    """
    if elements:
        for name in names:
            getattr(target, prefix + name)[...] = [element.get(renamed.get(name, name)) for element in elements]


def fill_from(target: Any, prefix: str, items: Sequence[Any], names: Sequence[str]) -> None:
    """Copy what parts of the draft hold under the names of the model's fields: `pos` of every geom to `geom_pos`, ..."""
    if items:
        for name in names:
            getattr(target, prefix + name)[...] = [getattr(item, name) for item in items]


def fill_user(target: np.ndarray, elements: Sequence[Element]) -> None:
    """Copy the `user` numbers of every element, which may be fewer than there is room for."""
    for row, element in zip(target, elements, strict=True):
        values = np.atleast_1d(element.get("user", ()))
        row[: len(values)] = values


def lay_out(
    m: Model, lengths: Sequence[int], address: str, number: str = "", empty: int | None = None, **arrays: list[np.ndarray]
) -> np.ndarray:
    """Write parts one behind the other into arrays of the model; returns where each begins.

    lengths: of the parts, in rows. address, number: fields for where each begins and how long it is; "" for none. empty: the
    address of a part without rows, by itself that of the next. arrays: the parts of each array.
    """
    counts = np.array(lengths, np.int64)
    begins = np.cumsum(counts) - counts
    if address:
        getattr(m, address)[...] = begins if empty is None else np.where(counts > 0, begins, empty)
    if number:
        getattr(m, number)[...] = counts
    for name, parts in arrays.items():
        array = getattr(m, name)
        for begin, part in zip(begins, parts, strict=True):
            array[begin : begin + len(part)] = part
    return begins
