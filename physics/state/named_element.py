"""One element of a model or of its data, as `m.body("torso")` gives it: the parts of arrays that are the element's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from msgspec import Struct

from tumble.physics.state.block import Block
from tumble.physics.state.fields.field import Field
from tumble.physics.state.structs.struct import Told, described, write

Arrays = dict[str, np.ndarray]


class ElementPart(Struct, frozen=True):
    """Locates an element's part of an array, from the model's arrays, the block's, the array, and the element's id."""

    cut: Callable[[Arrays, Arrays, np.ndarray, int], np.ndarray]
    stays: bool = True  # as long as the array is at the same place; else it moves from step to step


# By the short name of an attribute: the field that it is a part of, and how the part is found.
Columns = dict[str, tuple[str, ElementPart]]


def _row(model: Arrays, block: Arrays, array: np.ndarray, i: int) -> np.ndarray:
    part: np.ndarray = array[i : i + 1] if array.ndim == 1 else array[i]
    return part


ROW = ElementPart(_row)


def between(address: str) -> ElementPart:
    """The part of a packed array that starts at the element's address and ends where the next element's starts."""

    def cut(model: Arrays, block: Arrays, array: np.ndarray, i: int) -> np.ndarray:
        starts = model[address]
        return array[starts[i] : starts[i + 1] if i + 1 < len(starts) else len(array)]

    return ElementPart(cut)


def sized(address: str, *sizes: str, stays: bool = True) -> ElementPart:
    """The part of a packed array that starts at the element's address and has its sizes."""

    def cut(model: Arrays, block: Arrays, array: np.ndarray, i: int) -> np.ndarray:
        source = block if address in block else model
        shape = [int(source[n][i]) for n in sizes]
        start = source[address][i]
        return array[start : start + np.prod(shape, dtype=int)].reshape(shape)

    return ElementPart(cut, stays)


def rows(fields: Iterable[Field], size: str, part: ElementPart = ROW, strip: str = "", but: tuple[str, ...] = ()) -> Columns:
    """The fields with one row an element, under the name that is left without the prefix."""
    chosen = (f for f in fields if f.shape and f.shape[0] == size and f.name.startswith(strip) and f.name not in but)
    return {f.name.removeprefix(strip): (f.name, part) for f in chosen}


class ElementView(Told):
    """One element: its number, its name, and views into the arrays that hold what there is of it.

    It holds those arrays, not the model or the data that they are of.
    """

    __slots__ = ("_arrays", "_id", "_kept", "_model", "_name")

    def __init__(self, block: Block, model: Block, id: int, name: str) -> None:
        self._arrays, self._model = block._arrays, model._arrays
        self._id, self._name = id, name
        self._kept: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    @property
    def id(self) -> int:
        """Id among the elements of its kind."""
        return self._id

    @property
    def name(self) -> str:
        """Name; "" without one."""
        return self._name

    def __repr__(self) -> str:
        return described(type(self).__name__, self, ["id", "name", *self._names])


def view_class(title: str, columns: Columns) -> type[ElementView]:
    """The class of views of one kind of element."""
    attributes = {short: _attribute(field, part) for short, (field, part) in columns.items()}
    return type(title, (ElementView,), {"__slots__": (), "_names": tuple(columns), **attributes})


def _attribute(field: str, part: ElementPart) -> property:
    cut, stays = part.cut, part.stays

    def get(self: ElementView) -> np.ndarray:
        array = self._arrays.guarded(field)
        kept = self._kept.get(field)
        if kept is not None and kept[0] is array:
            return kept[1]
        view = cut(self._model, self._arrays, array, self._id)
        if stays and field not in self._arrays.locked:  # a copy that is kept would be looked at by every call
            self._kept[field] = array, view
        return view

    def put(self: ElementView, value: Any) -> None:
        write(get(self), value, field)

    return property(get, put, doc=f"of {field}")
