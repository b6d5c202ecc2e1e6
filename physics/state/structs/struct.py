"""Base of all structs: they compare, copy, pickle and print by their fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tumble.physics.errors import ArgumentError, LaidOutError, MisfitError, quoted

_WORD = 2**63  # kernels count in words of 64 bits


class Told:
    """Base of objects with fixed attributes, whose errors list them."""

    __slots__ = ()
    _names: ClassVar[tuple[str, ...]] = ()  # of these attributes

    if not TYPE_CHECKING:  # which would take every name for one that is there

        def __getattr__(self, name: str) -> Any:
            raise unknown(self, name, self._names)

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            object.__setattr__(self, name, value)
        except AttributeError:
            if hasattr(type(self), name):
                raise
            raise unknown(self, name, self._names) from None


def unknown(owner: object, name: str, there: Iterable[str]) -> AttributeError:
    """The error of an attribute that an object does not have."""
    return AttributeError(f"{type(owner).__name__!r} object has no attribute {quoted(name)}; there are: {', '.join(there)}")


class StructView(Told):
    """A few named values. Two are equal if they are of one class and all values are; since they change, they have no hash."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(equal(getattr(self, name), getattr(other, name)) for name in self._names)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return described(type(self).__name__, self, self._names)

    def __reduce__(self) -> tuple[Any, ...]:
        """For copy.copy, copy.deepcopy and pickle: a struct of its own, with the same values."""
        return type(self), (), self._values()

    def _values(self) -> dict[str, Any]:
        """Every value by the name of its field."""
        return {name: getattr(self, name) for name in self._names}

    def __setstate__(self, values: dict[str, Any]) -> None:
        for name, value in values.items():
            setattr(self, name, value)


def names(struct: StructView) -> tuple[str, ...]:
    """The names of a struct's fields."""
    return struct._names


def described(title: str, struct: object, shown: Iterable[str]) -> str:
    """A struct in words: a line for each field, by name."""
    lines = [f"  {name}: {_printed(getattr(struct, name))}" for name in sorted(shown)]
    return "\n".join([f"<{title}", *lines, ">"])


def _printed(value: object) -> str:
    """A value in words; a struct within a struct is indented."""
    return repr(value).replace("\n", "\n  ") if isinstance(value, StructView) else repr(value)


def equal(a: Any, b: Any) -> bool:
    """True if two values of a field are equal: numbers, arrays or structs."""
    return np.array_equal(a, b) if isinstance(a, np.ndarray) else bool(a == b)


def real(value: Any) -> float:
    """The value as a number; raises ArgumentError for what is none, as text is, even if it reads like one."""
    if isinstance(value, float):
        return value
    try:
        if isinstance(value, str | bytes) or (isinstance(value, np.ndarray) and value.ndim):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"a number is needed, not {quoted(value)}") from None


def whole(value: Any) -> int:
    """The value as a whole number of 64 bits; raises ArgumentError for what is none, as 0.5, or 2.0."""
    try:
        number = int(value) if isinstance(value, np.bool_) else index(value)
    except TypeError:
        raise ArgumentError(f"a whole number is needed, not {quoted(value)}") from None
    if not -_WORD <= number < _WORD:
        raise ArgumentError("a whole number of 64 bits is needed, not one that is larger")
    return number


_FOLLOWED = "{name} is computed by the engine, which follows it without looking: it can be read only"


def write(target: np.ndarray, value: Any, name: str, require: Callable[..., None] | None = None) -> None:
    """Copy a value into a field's array. Raises MisfitError or ArgumentError, naming the field, for one that does not fit.

    Raises LaidOutError where the array can only be read. require: raises an error for numbers that the
    field does not take, before they are written.
    """
    if not target.flags.writeable:
        raise LaidOutError(_FOLLOWED.format(name=name))
    try:
        if require is not None:
            require(*np.asarray(value, target.dtype).ravel().tolist())
        target[...] = value
    except MisfitError:
        raise
    except (TypeError, ValueError, OverflowError, RecursionError, MemoryError) as error:
        kind = ArgumentError if isinstance(error, TypeError) else MisfitError
        raise kind(f"{name} has shape {target.shape}, the value {_form(value)}: {error}") from None


def _form(value: Any) -> str:
    """Description of the array that a value would become."""
    try:
        return f"has shape {np.shape(value)}"
    except (TypeError, ValueError, OverflowError, RecursionError, MemoryError):
        return f"is {quoted(value)}"


def to_dtype(dtype: str) -> Callable[[Any], float]:
    """Convert a value to a scalar field's type. Raises ArgumentError if it does not fit."""
    return real if dtype.startswith("f") else whole
