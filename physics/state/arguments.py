"""Validation of public functions' arguments: one error, before anything is read or written."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from os import PathLike
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np

from tumble.physics.errors import ArgumentError, quoted
from tumble.physics.state.data import Data, not_a_pair
from tumble.physics.state.model import Model
from tumble.physics.state.structs import struct

_PAIR = ["Model", "Data"]
F = TypeVar("F", bound=Callable[..., Any])


def checked(function: F) -> F:
    """The function, that raises ArgumentError for arguments which are not of the kinds that it declares.

    Models, data, numbers and text are looked at, that data have the sizes of the model before them, and that lists can be arrays;
    shapes of arrays, and what can be several things, are left to the function.
    """
    code = cast(FunctionType, function).__code__
    kinds = [function.__annotations__.get(name) for name in code.co_varnames[: code.co_argcount]]
    pair = kinds[: len(_PAIR)] == _PAIR
    found = [(name, _CHECKS.get(str(kind))) for name, kind in zip(code.co_varnames, kinds, strict=False)]
    by_place = [(k, name, check, _SURE.get(check)) for k, (name, check) in enumerate(found) if check][len(_PAIR) if pair else 0 :]
    by_name = {name: check for name, check in found if check}

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        if pair and len(given) > 1:
            m, d = given[0], given[1]
            if not (isinstance(m, Model) and isinstance(d, Data)):
                raise not_a_pair(m, d)
            d.require(m)
        elif pair and given:
            by_name[code.co_varnames[0]](given[0], code.co_varnames[0])
        count = len(given)
        for place, name, check, sure in by_place:
            if place < count and type(given[place]) is not sure:
                check(given[place], name)
        if named:
            for name, value in named.items():
                if name in by_name:
                    by_name[name](value, name)
        return function(*given, **named)

    return cast(F, call)


def whole(value: object, name: str) -> int:
    """The value as a whole number of 64 bits. Raises ArgumentError for what is none, as 2.0 or text is."""
    try:
        return struct.whole(value)
    except ArgumentError as error:
        raise ArgumentError(f"{name}: {error}") from None


def real(value: object, name: str) -> float:
    """The value as a number. Raises ArgumentError for what is none, as text is, even if it reads like one."""
    try:
        return struct.real(value)
    except ArgumentError as error:
        raise ArgumentError(f"{name}: {error}") from None


def require_kind(value: object, kind: type | tuple[type, ...], name: str, wanted: str) -> None:
    """Raise ArgumentError for a value of another kind; wanted: the kind in words."""
    if not isinstance(value, kind):
        raise _unfit(name, wanted, value)


def _is(kind: type | tuple[type, ...], wanted: str) -> Callable[[object, str], None]:
    return lambda value, name: require_kind(value, kind, name, wanted)


def _model(value: object, name: str) -> None:
    if not isinstance(value, Model):
        raise _unfit(name, "an MjModel", value)
    if value.lock.due:
        value.settle()


def _flag(value: object, name: str) -> None:
    """Anything goes that is one thing, not many."""
    if isinstance(value, np.ndarray) and value.size != 1:
        raise _unfit(name, "true or false", value)


def _array(value: object, name: str) -> None:
    """Convert array-likes (rows of one length, not nested too deeply); other values are returned unchanged."""
    if isinstance(value, list | tuple):
        try:
            np.asarray(value)
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            raise ArgumentError(f"{name} should be an array of numbers: {error}") from None


def _unfit(name: str, wanted: str, value: object) -> ArgumentError:
    return ArgumentError(f"{name} should be {wanted}, not {quoted(value)} ({type(value).__name__})")


# By what a parameter is declared to be.
_CHECKS: dict[str, Callable[[Any, str], Any]] = {
    "Model": _model,
    "Data": _is(Data, "an MjData"),
    "int": whole,
    "float": real,
    "bool": _flag,
    **{f"{kind}{none}": _array for kind in ("Array", "NDArray[np.int32]", "NDArray[np.uint8]") for none in ("", " | None")},
    "str": _is(str, "a text"),
    "str | bytes": _is((str, bytes), "a text"),
    "str | PathLike[str]": _is((str, PathLike), "a path"),
    "str | os.PathLike[str]": _is((str, PathLike), "a path"),
}

# What a check always lets pass, which need not be looked at.
_SURE: dict[Callable[[Any, str], Any], type] = {_array: np.ndarray, real: float, _flag: bool}
