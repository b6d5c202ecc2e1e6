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
    return cast(F, wraps(function)(_with_checks(cast(FunctionType, function))))


def _with_checks(function: FunctionType) -> Callable[..., Any]:
    """A function of the same parameters that checks and then calls it.

    It is written out for each: a loop over arguments takes longer than what most functions do.
    """
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    keyword_only = code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount]
    kinds = {name: str(function.__annotations__.get(name)) for name in (*names, *keyword_only)}
    space: dict[str, Any] = {"_is": isinstance, "_kind": type, "_Model": Model, "_Data": Data, "_ndarray": np.ndarray}
    space |= {"_function": function, "_not_a_pair": not_a_pair}
    lines = []
    if [*kinds.values()][: len(_PAIR)] == _PAIR:
        m, d, *_ = names
        lines += [f"if not (_is({m}, _Model) and _is({d}, _Data)):", f" raise _not_a_pair({m}, {d})"]
        lines.append(f"{d}.require({m})")
        del kinds[m], kinds[d]
    for name, kind in kinds.items():
        if check := _CHECKS.get(kind):
            space[f"_check_{name}"] = check
            lines += [f"if {_DOUBTFUL.get(check, 'True').format(name)}:", f" _check_{name}({name}, {name!r})"]
    defaults = dict(zip(names[::-1], (function.__defaults__ or ())[::-1], strict=False)) | (function.__kwdefaults__ or {})
    space |= {f"_default_{name}": value for name, value in defaults.items()}
    parameters = [f"{name}=_default_{name}" if name in defaults else name for name in (*names, *keyword_only)]
    if keyword_only:
        parameters.insert(len(names), "*")
    lines.append(f"return _function({', '.join((*names, *(f'{name}={name}' for name in keyword_only)))})")
    text = f"def {function.__name__}({', '.join(parameters)}):\n" + "\n".join(f" {line}" for line in lines)
    exec(compile(text, f"<checks of {function.__name__}>", "exec"), space)  # as a traceback names it
    return cast(Callable[..., Any], space[function.__name__])


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

# Of checks that most arguments need not be put to: when they are.
_DOUBTFUL: dict[Callable[[Any, str], Any], str] = {
    _array: "_kind({0}) is not _ndarray",
    real: "_kind({0}) is not float",
    _flag: "_kind({0}) is not bool",
    whole: f"_kind({{0}}) is not int or not {-(2**63)} <= {{0}} < {2**63}",
}
