"""Structs of which a block has many, one row each: `d.contact[2].dist`, or of all at once, `d.contact.dist`."""

from __future__ import annotations

from collections.abc import Iterator
from operator import index
from typing import Any, ClassVar, Generic, Self, TypeVar, overload

import numpy as np

from tumble.physics.state.block import Block, extent
from tumble.physics.state.fields import Field
from tumble.physics.state.guard import Arrays, guarded
from tumble.physics.state.layout import Layout
from tumble.physics.state.structs.struct import StructView, Told, described, to_dtype, whole, write


class Row(StructView):
    """Row `_index` of some arrays; made alone, the only one. Numbers read as numbers, the rest as views."""

    __slots__ = ("_arrays", "_index")
    _fields: ClassVar[tuple[Field, ...]] = ()

    _arrays: dict[str, np.ndarray]
    _index: int

    def __init_subclass__(cls, layout: Layout | None = None, prefix: str = "", **rest: Any) -> None:
        super().__init_subclass__(**rest)
        if layout is None:
            return
        cls._fields = tuple(f for f in layout.fields.values() if f.name.startswith(prefix))
        for f in cls._fields:
            setattr(cls, f.name.removeprefix(prefix), _cell(f))
        cls._names = (*(f.name.removeprefix(prefix) for f in cls._fields), *_components_of(cls))

    def __init__(self) -> None:
        """All values zero."""
        self._arrays = {f.name: np.zeros([1, *(extent(n, {}) for n in f.shape[1:])], f.dtype) for f in self._fields}
        self._index = 0


# What fills a row, without the detour by which unknown names are refused.
_hold_arrays, _hold_index = Row.__dict__["_arrays"].__set__, Row.__dict__["_index"].__set__

R = TypeVar("R", bound=Row)


class Rows(Told, Generic[R]):
    """All rows, or a slice of them: items by number, columns by name. As many as there are now, for those of a block."""

    __slots__ = ("_arrays", "_part", "_slots")
    _row: type[R]
    _count: ClassVar[int | None] = None  # slot of the number of rows that are in use; None: all are

    _arrays: dict[str, np.ndarray]
    _slots: np.ndarray
    _part: range | None  # the rows; None: all that are in use

    def __init_subclass__(cls, layout: Layout | None = None, row: type[R] | None = None, prefix: str = "", **rest: Any) -> None:
        super().__init_subclass__(**rest)
        if layout is None or row is None:
            return
        cls._row, cls._names = row, row._names
        used = row._fields[0].used
        cls._count = layout.slot[used] if used else None
        for f in row._fields:
            setattr(cls, f.name.removeprefix(prefix), _column(f))

    def __init__(self, arrays: dict[str, np.ndarray], slots: np.ndarray, part: range | None = None) -> None:
        """arrays: the columns by their names in the block; slots: of the block; part: which rows, None: all in use."""
        self._arrays, self._slots, self._part = arrays, slots, part

    @classmethod
    def of(cls, block: Block) -> Self:
        """The rows of a block."""
        return cls(block._arrays, block._slots)

    def _chosen(self) -> range:
        if self._part is not None:
            return self._part
        return range(len(self._arrays[self._row._fields[0].name]) if self._count is None else self._slots.item(self._count))

    def __len__(self) -> int:
        return len(self._chosen())

    @overload
    def __getitem__(self, key: int) -> R: ...
    @overload
    def __getitem__(self, key: slice) -> Self: ...
    def __getitem__(self, key: int | slice) -> R | Self:
        chosen = self._chosen()
        if isinstance(key, slice):
            return type(self)(self._arrays, self._slots, chosen[key])
        try:
            at = chosen[index(key)]
        except IndexError:
            raise IndexError(f"index {key} of {len(chosen)}") from None
        return self._at(at)

    def __iter__(self) -> Iterator[R]:
        return map(self._at, self._chosen())

    def _at(self, i: int) -> R:
        row = self._row.__new__(self._row)
        _hold_arrays(row, self._arrays)
        _hold_index(row, i)
        return row

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rows) or other._row is not self._row:
            return NotImplemented
        return len(self) == len(other) and all(np.array_equal(getattr(self, n), getattr(other, n)) for n in self._names)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return described(type(self).__name__, self, self._names)

    def __reduce__(self) -> tuple[Any, ...]:
        """For copy.copy, copy.deepcopy and pickle: the same rows, in memory of their own."""
        part = as_slice(self._chosen())
        columns = {f.name: self._arrays[f.name][part].copy() for f in self._row._fields}
        return type(self), (columns, np.zeros(0, np.int64), range(len(self)))


def _to_write(arrays: dict[str, np.ndarray], name: str) -> np.ndarray:
    """An array to be written; if a block keeps it, the next call that uses the block looks whether it can follow it."""
    if isinstance(arrays, Arrays) and name in arrays.locked:
        arrays.lock.written = True
    return arrays[name]


def as_slice(part: range) -> slice:
    """The slice that takes these rows of an array."""
    return slice(part.start, part.stop if part.stop >= 0 else None, part.step)


def _components_of(cls: type) -> list[str]:
    """The properties that a class of rows has besides its fields."""
    return [name for name, value in vars(cls).items() if isinstance(value, Component)]


class Component(property):
    """A number of a row that is a column of one of its arrays: `geom1` of `geom`."""


def row_column(field: str, k: int) -> Component:
    """Of a row: number k of the array `field`."""

    def get(self: Row) -> int:
        return self._arrays[field].item(self._index, k)

    def put(self: Row, value: int) -> None:
        write(_to_write(self._arrays, field)[self._index, k : k + 1], whole(value), field)

    return Component(get, put, doc=f"number {k} of {field.partition('_')[2]}")


def rows_column(field: str, k: int) -> property:
    """Of all rows: column k of the array `field`."""

    def get(self: Rows[Any]) -> np.ndarray:
        return guarded(self._arrays, field)[as_slice(self._chosen()), k]

    def put(self: Rows[Any], value: Any) -> None:
        write(_to_write(self._arrays, field)[as_slice(self._chosen()), k], value, field)

    return property(get, put, doc=f"column {k} of {field.partition('_')[2]}")


def _cell(f: Field) -> property:
    name, cast = f.name, to_dtype(f.dtype)
    if len(f.shape) > 1:

        def get(self: Row) -> Any:
            return guarded(self._arrays, name)[self._index]

        def put(self: Row, value: Any) -> None:
            write(_to_write(self._arrays, name)[self._index], value, name)

    else:

        def get(self: Row) -> Any:
            return self._arrays[name].item(self._index)

        def put(self: Row, value: Any) -> None:
            write(_to_write(self._arrays, name)[self._index : self._index + 1], cast(value), name)

    return property(get, put, doc=f"{f.doc} [{f.unit}]")


def _column(f: Field) -> property:
    name = f.name

    def get(self: Rows[Any]) -> np.ndarray:
        return guarded(self._arrays, name)[as_slice(self._chosen())]

    def put(self: Rows[Any], value: Any) -> None:
        write(_to_write(self._arrays, name)[as_slice(self._chosen())], value, name)

    return property(get, put, doc=f"{f.doc} [{f.unit}], a row each")
