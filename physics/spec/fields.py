"""Values of a spec's fields: checked when they are assigned, and lists that keep what is written into them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

import numpy as np

from tumble.physics.errors import ArgumentError, MisfitError, UnknownIndexError, quoted
from tumble.physics.spec.grammar import LISTS, NUMBERS, SpecField

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


_SIZES = "size"  # of a geom or site: its shape says how many of the three count
# What numpy raises for what is no array of numbers.
_NO_ARRAY = (TypeError, ValueError, OverflowError, RecursionError, MemoryError)


def _real(field: SpecField, value: Any) -> float:
    try:
        if isinstance(value, str | bytes) or (np.ndim(value) > 0 and np.size(value) != 1):
            raise TypeError
        number = float(np.asarray(value, float).reshape(()))
    except _NO_ARRAY:
        raise ArgumentError(f"{field.name} should be a number, not {quoted(value)}") from None
    return float(np.float32(number)) if field.kind == "float" else number


def _integer(field: SpecField, value: Any) -> int:
    number = _number(value)
    if number is None:
        raise ArgumentError(f"{field.name} should be an integer, not {quoted(value)}")
    if not -(2**63) <= int(number) < 2**63 or (field.name != "memory" and not -(2**31) <= int(number) < 2**31):
        raise MisfitError(f"{field.name} should be an integer of 32 bits, not {quoted(value)}")
    return int(number)


def _number(value: Any) -> np.ndarray | None:
    """A whole number; None if it is none, or one of more than 64 bits."""
    try:
        number = np.asarray(value)
    except _NO_ARRAY:
        return None
    return None if number.ndim or number.dtype.kind not in "biu" else number


def _numbers(field: SpecField, value: Any) -> Any:
    if not field.size:
        return _integer(field, value) if field.kind in ("int", "byte") else _real(field, value)
    values = _array(field, value)
    if field.name == _SIZES and field.size == 3 and values.ndim == 1:
        if not 1 <= len(values) <= 3:
            raise MisfitError("size should be a list/array of size 1, 2, or 3.")
        values = np.concatenate([values, np.zeros(3 - len(values))])
    if values.size != field.size or values.ndim > 2:
        raise MisfitError(f"{field.name} should be a list/array of size {field.size}.")
    if field.name in ("intprm", "data") and field.kind == "int":
        values = values.astype(np.int64)
    return values.reshape(-1).astype(NUMBERS[field.kind])


def _array(field: SpecField, value: Any) -> np.ndarray:
    """The numbers of a list, of any kind."""
    try:
        if isinstance(value, str | bytes):
            raise TypeError
        values = np.asarray(value if hasattr(value, "__array__") else list(value))
        if values.size and values.dtype.kind not in "biuf":
            raise TypeError
    except _NO_ARRAY:
        raise ArgumentError(f"{field.name} should be a list/array of numbers, not {quoted(value)}") from None
    return values.astype(float) if not values.size else values


def _list(field: SpecField, value: Any) -> np.ndarray:
    values = _array(field, value).reshape(-1)
    if LISTS[field.kind] is np.int32 and values.dtype.kind == "f" and values.size:
        raise ArgumentError(f"{field.name} should be a list of integers")
    return np.array(values, LISTS[field.kind])


def _member(field: SpecField, value: Any) -> Any:
    assert field.enum is not None
    number = _number(value)
    if number is None:
        raise ArgumentError(f"{field.name} should be a member of {field.enum.__name__}, not {quoted(value)}")
    try:
        return field.enum(int(number))
    except ValueError:
        known = ", ".join(f"{member.name} {int(member)}" for member in field.enum)
        raise MisfitError(f"{field.name} is {int(number)}, which is not in {field.enum.__name__}: {known}") from None


def text_of(value: Any, name: str) -> str:
    """A text that a model can hold. Raises ArgumentError for what is none, MisfitError for a character that none can have."""
    if not isinstance(value, str):
        raise ArgumentError(f"{name} should be a text, not {quoted(value)}")
    if "\0" in value:
        raise MisfitError(f"{name} cannot have a zero byte")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise MisfitError(f"{name} {quoted(value)} has half of a character (a surrogate)")
    return value


def _text(field: SpecField, value: Any) -> str:
    return text_of(value, field.name)


def _texts(field: SpecField, value: Any) -> list[str]:
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise ArgumentError(f"{field.name} should be a list of texts, not {quoted(value)}")
    texts = [_text(field, one) for one in value]
    if field.size and len(texts) != field.size:
        raise MisfitError(f"{field.name} must have exactly {field.size} elements, got {len(texts)}")
    return texts


def _letters(field: SpecField, value: Any) -> list[str]:
    if isinstance(value, bytes) or not isinstance(value, Sequence | MjCharVec):
        raise ArgumentError(f"{field.name} should be a text or a list of letters, not {quoted(value)}")
    letters = [_text(field, one) for one in value]
    if len(letters) != field.size:
        raise MisfitError(f"{field.name} should have length {field.size}, has {len(letters)}")
    if any(len(letter) != 1 for letter in letters):
        raise MisfitError(f"{field.name}: list elements must be single characters")
    return letters


def _lists(field: SpecField, value: Any) -> list[list[float]]:
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise ArgumentError(f"{field.name} should be a list of lists of numbers, not {quoted(value)}")
    return [_array(field, row).reshape(-1).tolist() for row in value]


def _buffer(field: SpecField, value: Any) -> bytes:
    if isinstance(value, str):
        raise ArgumentError(f"{field.name} should be bytes, not a text")
    try:
        return bytes(value)
    except _NO_ARRAY:
        raise ArgumentError(f"{field.name} should be bytes, or a list of integers from 0 to 255, not {quoted(value)}") from None


CHECKS: dict[str, Callable[[SpecField, Any], Any]] = {
    **dict.fromkeys(NUMBERS, _numbers), **dict.fromkeys(LISTS, _list), "enum": _member, "string": _text, "strings": _texts,
    "chars": _letters, "lists": _lists, "bytes": _buffer,
}  # fmt: skip


def list_of(values: Any, name: str) -> list[float]:
    """A number, or several, as a list. Raises ArgumentError for what is neither."""
    try:
        return [float(v) for v in np.atleast_1d(np.asarray(values, float))]
    except (TypeError, ValueError, OverflowError, RecursionError):
        raise ArgumentError(f"{name} should be a number or a list of numbers, not {quoted(values)}") from None
