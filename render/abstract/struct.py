"""Structures with C's fields: numbers, texts and arrays of a fixed size, which Python reads and writes in place."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

S = TypeVar("S", bound="VisualStruct")


class VisualStruct:
    """A structure whose fields are those of its numpy record; arrays are views, so that writing them writes the structure.

    A whole number that is given anything else raises TypeError, as does a text; an array of another shape raises ValueError.
    """

    __slots__ = ("_row",)
    RECORD: ClassVar[np.dtype[Any]]
    DEFAULTS: ClassVar[dict[str, Any]] = {}  # of the fields that do not begin at 0
    __hash__ = None  # type: ignore[assignment]  # it changes

    def __init_subclass__(cls) -> None:
        if "RECORD" in cls.__dict__:
            for name in cls.RECORD.names or ():
                setattr(cls, name, _field(name, cls.RECORD[name]))

    def __init__(self) -> None:
        self._row: NDArray[Any] = np.zeros((), self.RECORD)
        self.reset()

    @classmethod
    def viewing(cls: type[S], row: NDArray[Any]) -> S:
        """The structure that lies in a record (shape ()) of an array."""
        made = cls.__new__(cls)
        made._row = row
        return made

    def reset(self) -> None:
        """Every field as in a new structure."""
        self._row[...] = np.zeros((), self.RECORD)
        for name, value in self.DEFAULTS.items():
            self._row[name] = value

    def fill(self, **fields: Any) -> None:  # noqa: ANN401  # numbers and arrays
        """Give fields values, and those that are not named what they have in a new structure."""
        self.reset()
        for name, value in fields.items():
            self._row[name] = value

    def assign(self, other: VisualStruct) -> None:
        """Every field as in another structure of the kind."""
        self._row[...] = other._row

    def __copy__(self: S) -> S:
        made = type(self).__new__(type(self))
        made._row = self._row.copy()
        return made

    def __deepcopy__(self: S, _: dict[int, Any]) -> S:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._row.tobytes())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VisualStruct) or self.RECORD != other.RECORD:
            return NotImplemented
        return all(np.array_equal(self._row[name], other._row[name]) for name in self.RECORD.names or ())

    def __repr__(self) -> str:
        lines = (f"  {name}: {getattr(self, name)!r}\n" for name in sorted(self.RECORD.names or ()))
        return f"<{type(self).__name__}\n{''.join(lines)}>"


def _restored(kind: type[S], data: bytes) -> S:
    return kind.viewing(np.frombuffer(bytearray(data), kind.RECORD)[0:1].reshape(()))


def _field(name: str, kind: np.dtype[Any]) -> property:
    """How a field is read and written, by its kind: an array, a text, a whole number or another."""
    if kind.shape:
        return property(lambda self: self._row[name], _array_writer(name))
    if kind.kind == "S":
        return property(lambda self: self._row[name].item().decode("utf-8", "replace"), _text_writer(name, kind.itemsize))
    if kind.kind in "iu":
        return property(lambda self: int(self._row[name]), _whole_writer(name))
    return property(lambda self: float(self._row[name]), lambda self, value: self._row.__setitem__(name, float(value)))


def _array_writer(name: str) -> Callable[[VisualStruct, Any], None]:
    def write(self: VisualStruct, value: Any) -> None:  # noqa: ANN401  # whatever numpy makes an array of
        self._row[name][...] = value

    return write


def _text_writer(name: str, size: int) -> Callable[[VisualStruct, str], None]:
    def write(self: VisualStruct, value: str) -> None:
        if not isinstance(value, str):
            raise TypeError(f"{type(self).__name__}.{name} is a text, got {value!r}")
        data = value.encode()
        if len(data) >= size:
            raise ValueError(f"len({name}) cannot exceed {size - 1}: got length {len(data)}")
        self._row[name] = data

    return write


def _whole_writer(name: str) -> Callable[[VisualStruct, int], None]:
    def write(self: VisualStruct, value: int) -> None:
        try:
            number = index(value)
        except TypeError:
            raise TypeError(f"{type(self).__name__}.{name} is a whole number, got {value!r}") from None
        try:
            self._row[name] = number
        except OverflowError:
            raise TypeError(f"{type(self).__name__}.{name} is a number of {self.RECORD[name].itemsize} bytes, got {number}") from None

    return write
