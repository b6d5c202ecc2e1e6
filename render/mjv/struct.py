"""Structures with C's fields: numbers, texts and arrays of a fixed size, which Python reads and writes in place."""

from __future__ import annotations

from operator import index
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

S = TypeVar("S", bound="VisualStruct")


class StructField:
    """A field of a structure: its layout in memory (numpy's kind and shape), and its initial value."""

    def __init__(self, kind: str, shape: tuple[int, ...] = (), default: Any = 0) -> None:  # noqa: ANN401  # number, text or array
        self.kind, self.shape, self.default = np.dtype(kind), shape, default
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name


class WholeField(StructField):
    """An integer; other values raise TypeError."""

    def __init__(self, default: int = 0, kind: str = "i4") -> None:
        super().__init__(kind, (), default)

    def __get__(self, struct: VisualStruct, owner: type) -> int:
        return int(struct.row[self.name])

    def __set__(self, struct: VisualStruct, value: int) -> None:
        where = f"{type(struct).__name__}.{self.name}"
        try:
            struct.row[self.name] = index(value)
        except TypeError:
            raise TypeError(f"{where} is a whole number, got {value!r}") from None
        except OverflowError:
            raise TypeError(f"{where} is a number of {self.kind.itemsize} bytes, got {value}") from None


class RealField(StructField):
    """A real number."""

    def __init__(self, default: float = 0.0, kind: str = "f4") -> None:
        super().__init__(kind, (), default)

    def __get__(self, struct: VisualStruct, owner: type) -> float:
        return float(struct.row[self.name])

    def __set__(self, struct: VisualStruct, value: float) -> None:
        struct.row[self.name] = float(value)


class TextField(StructField):
    """A text of fewer than `size` bytes; longer ones raise ValueError, other values TypeError."""

    def __init__(self, size: int, default: bytes = b"") -> None:
        super().__init__(f"S{size}", (), default)

    def __get__(self, struct: VisualStruct, owner: type) -> str:
        value: bytes = struct.row[self.name].item()
        return value.decode("utf-8", "replace")

    def __set__(self, struct: VisualStruct, value: str) -> None:
        if not isinstance(value, str):
            raise TypeError(f"{type(struct).__name__}.{self.name} is a text, got {value!r}")
        data = value.encode()
        if len(data) >= self.kind.itemsize:
            raise ValueError(f"len({self.name}) cannot exceed {self.kind.itemsize - 1}: got length {len(data)}")
        struct.row[self.name] = data


class ArrayField(StructField):
    """An array, which is written in place; values of another shape raise ValueError."""

    def __init__(self, kind: str, *shape: int, default: ArrayLike = 0) -> None:
        super().__init__(kind, shape, default)

    def __get__(self, struct: VisualStruct, owner: type) -> NDArray[Any]:
        value: NDArray[Any] = struct.row[self.name]
        return value

    def __set__(self, struct: VisualStruct, value: ArrayLike) -> None:
        struct.row[self.name][...] = value


class VisualStruct:
    """A structure of such fields, in one record of numpy's; arrays are views, so that writing them writes the structure."""

    __slots__ = ("row",)
    RECORD: ClassVar[np.dtype[Any]] = np.dtype([])
    BLANK: ClassVar[NDArray[Any]] = np.zeros((), RECORD)
    __hash__ = None  # type: ignore[assignment]  # it changes

    def __init_subclass__(cls) -> None:
        fields = [field for field in vars(cls).values() if isinstance(field, StructField)]
        if fields:
            cls.RECORD = np.dtype([(field.name, field.kind, field.shape) for field in fields])
            cls.BLANK = np.zeros((), cls.RECORD)
            for field in fields:
                cls.BLANK[field.name] = field.default

    def __init__(self) -> None:
        self.row: NDArray[Any] = self.BLANK.copy()

    @classmethod
    def viewing(cls: type[S], row: NDArray[Any]) -> S:
        """The structure in a record (shape ()) of an array."""
        view = cls.__new__(cls)
        view.row = row
        return view

    def reset(self) -> None:
        """Reset every field to its initial value."""
        self.row[...] = self.BLANK

    def fill(self, **fields: ArrayLike) -> None:
        """Set fields to values, and the others to their initial values."""
        self.reset()
        for name, value in fields.items():
            self.row[name] = value

    def __copy__(self: S) -> S:
        return type(self).viewing(self.row.copy())

    def __deepcopy__(self: S, _: dict[int, Any]) -> S:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.row.tobytes())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VisualStruct) or self.RECORD != other.RECORD:
            return NotImplemented
        return all(np.array_equal(self.row[name], other.row[name]) for name in self.RECORD.names or ())

    def __repr__(self) -> str:
        lines = (f"  {name}: {getattr(self, name)!r}\n" for name in sorted(self.RECORD.names or ()))
        return f"<{type(self).__name__}\n{''.join(lines)}>"


def _restored(kind: type[S], data: bytes) -> S:
    return kind.viewing(np.frombuffer(bytearray(data), kind.RECORD)[0:1].reshape(()))
