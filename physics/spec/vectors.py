"""Lists in the fields of a spec: what is written into them stays there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

import numpy as np

from tumble.physics.errors import ArgumentError, UnknownIndexError, quoted

T = TypeVar("T")


class MjsVec(Generic[T]):
    """A list of values: read and written by a number from 0, iterated, converted by `np.array`.

    Its length is set by assigning another list to the field. Raises IndexError for a number that it does not have, also for
    those below 0.
    """

    _values: Any  # a list or an array

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[T]:
        return iter(self._values)

    def __getitem__(self, index: int) -> T:
        found: T = self._values[self._place(index)]
        return found

    def __setitem__(self, index: int, value: T) -> None:
        self._values[self._place(index)] = self._checked(value)

    def _place(self, index: int) -> int:
        if isinstance(index, bool) or not isinstance(index, int | np.integer):
            raise ArgumentError(f"an element of a {type(self).__name__} has a number, not {quoted(index)}")
        if not 0 <= index < len(self._values):
            raise UnknownIndexError(f"Index out of range: {quoted(index)} is not in 0 to {len(self._values) - 1}")
        return int(index)

    def _checked(self, value: Any) -> Any:
        return value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Iterable) or isinstance(other, str | bytes):
            return NotImplemented
        return list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # its values change

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self)})"


class _Numbers(MjsVec[T]):
    _dtype: type[np.generic]

    def __init__(self, values: Iterable[Any] = ()) -> None:
        self._values = np.array(values, self._dtype)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self._values.astype(dtype or self._dtype)

    def _checked(self, value: Any) -> Any:
        try:
            number = np.asarray(value, self._dtype)
            if isinstance(value, str | bytes) or number.ndim:
                raise TypeError
        except (TypeError, ValueError, OverflowError, RecursionError, MemoryError):
            raise ArgumentError(f"an element of a {type(self).__name__} is a number, not {quoted(value)}") from None
        return number


class MjDoubleVec(_Numbers[float]):
    """A list of numbers in double precision."""

    _dtype = np.float64


class MjFloatVec(_Numbers[float]):
    """A list of numbers in single precision."""

    _dtype = np.float32


class MjIntVec(_Numbers[int]):
    """A list of integers."""

    _dtype = np.int32


class _Texts(MjsVec[str]):
    def __init__(self, values: Iterable[str] = ()) -> None:
        self._values = list(values)


class MjStringVec(_Texts):
    """A list of texts."""

    def _checked(self, value: Any) -> str:
        if not isinstance(value, str):
            raise ArgumentError(f"an element of a MjStringVec is a text, not {quoted(value)}")
        return value


class MjCharVec(_Texts):
    """A list of letters."""

    def _checked(self, value: Any) -> str:
        if not isinstance(value, str) or len(value) != 1:
            raise ArgumentError(f"an element of a MjCharVec is one letter, not {quoted(value)}")
        return value


class MjByteVec(_Numbers[int]):
    """A list of bytes."""

    _dtype = np.uint8


_VECTORS = {"doubles": MjDoubleVec, "floats": MjFloatVec, "ints": MjIntVec, "strings": MjStringVec, "chars": MjCharVec}


def held(kind: str, value: Any) -> Any:
    """A value of a field of a kind, in the form in which elements hold it."""
    return _VECTORS[kind](value) if kind in _VECTORS else value


def plain(value: Any) -> Any:
    """A value that an element holds, as the table's default has it: an array or a list in place of a vector."""
    return value._values if isinstance(value, MjsVec) else value


def copied(value: Any) -> Any:
    """A value that an element holds, for another element."""
    if isinstance(value, _Numbers | _Texts):
        return type(value)(value._values)
    if isinstance(value, list):
        return [list(row) if isinstance(row, list) else row for row in value]
    return value.copy() if isinstance(value, np.ndarray) else value


def refill(value: Any, new: Any) -> bool:
    """Write a new value into the array or vector that a field holds, for all who hold it too; False if it is neither."""
    if isinstance(value, np.ndarray):
        value[...] = new
    elif isinstance(value, MjsVec):
        value._values = new
    else:
        return False
    return True
