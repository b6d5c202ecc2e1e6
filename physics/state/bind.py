"""Elements of a specification in a model: `m.bind(spec.geoms).pos`, `d.bind(joint).qpos`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, cast

import numpy as np

from tumble.physics.errors import ArgumentError, MisfitError, quoted
from tumble.physics.state.block import Block
from tumble.physics.state.enums import mjtObj
from tumble.physics.state.named_element import ElementView
from tumble.physics.state.structs.struct import write


class Placed(Protocol):
    """An element of a specification that knows its place in a model."""

    def place_in(self, model: Any) -> tuple[mjtObj, int]:
        """Object type and id in a model compiled from its specification. Raises ValueError for another model."""


class BoundViews:
    """Several elements: each attribute is what all of them have, one after the other; assigning writes to each its part."""

    __slots__ = ("elements",)
    elements: tuple[ElementView, ...]

    def __init__(self, elements: Sequence[ElementView]) -> None:
        object.__setattr__(self, "elements", tuple(elements))

    def __len__(self) -> int:
        return len(self.elements)

    def __getattr__(self, name: str) -> Any:
        values = [getattr(each, name) for each in self.elements]
        if name in ("id", "name"):
            return values
        return np.concatenate([value.ravel() for value in values]) if values else np.zeros(0)

    def __setattr__(self, name: str, value: Any) -> None:
        parts = [getattr(each, name) for each in self.elements]
        if not all(isinstance(part, np.ndarray) for part in parts):
            raise AttributeError(f"{name} cannot be set")
        values, total = _as_array(value, name), sum(part.size for part in parts)
        if values.ndim == 0:
            values = np.broadcast_to(values, total)
        elif len(values) == len(parts) and values.size != total:  # one for each
            values = np.concatenate([np.broadcast_to(v, part.shape).ravel() for v, part in zip(values, parts, strict=True)])
        if values.size != total:
            raise MisfitError(f"{name} of these {len(parts)} elements is {total} numbers, the value has shape {values.shape}")
        starts = np.cumsum([part.size for part in parts])[:-1]
        for part, own in zip(parts, np.split(values.ravel(), starts), strict=True):
            write(part, own.reshape(part.shape), name)


def _as_array(value: Any, name: str) -> np.ndarray:
    try:
        return np.asarray(value)
    except (TypeError, ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise MisfitError(f"{name} is set to numbers, not to {quoted(value)}: {error}") from None


def bind(block: Block, kinds: dict[int, str], model: Block, elements: Placed | Sequence[Placed]) -> ElementView | BoundViews:
    """The view of one element, or of a list or tuple of them; kinds: the name of the finder in the block of each kind."""
    if isinstance(elements, list | tuple):
        return BoundViews([_bind_one(block, kinds, model, each) for each in elements])
    return _bind_one(block, kinds, model, elements)


def _bind_one(block: Block, kinds: dict[int, str], model: Block, elements: object) -> ElementView:
    if not hasattr(elements, "place_in"):
        raise ArgumentError(f"bind takes an element of a specification, or a list of them, not {quoted(elements)}")
    kind, number = cast("Placed", elements).place_in(model)
    if kind not in kinds:
        raise ArgumentError(f"{mjtObj(kind).name} has nothing to be bound to here")
    view: ElementView = getattr(block, kinds[kind])(number)
    return view
