"""Values that may be assigned to the fields of a spec, by the kinds of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from tumble.physics.errors import ArgumentError, MisfitError, quoted
from tumble.physics.spec.grammar import LISTS, NUMBERS, SpecField
from tumble.physics.spec.vectors import MjCharVec

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
    if isinstance(value, str | bytes) or not (isinstance(value, Iterable) or hasattr(value, "__array__")):
        raise ArgumentError(f"{field.name} should be a list/array of numbers, not {quoted(value)}")
    try:
        values = np.asarray(value if hasattr(value, "__array__") else list(value))
    except _NO_ARRAY:
        raise ArgumentError(f"{field.name} should be a list/array of numbers, not {quoted(value)}") from None
    if values.size and values.dtype.kind not in "biuf":
        raise ArgumentError(f"{field.name} should be a list/array of numbers, not {quoted(value)}")
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
