"""A function that the user installs and that is then told of warnings, in place of the log."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics.callback.table import not_callable
from physics.state.data import Data

_Pointer: Any = ctypes.CFUNCTYPE(None).__mro__[1]  # what every function pointer of ctypes is
_installed: list[Callable[[str | bytes], object]] = []


def install(callback: object) -> None:
    """Have a function be told of warnings, or with None the log. Raises TypeError for what cannot be called."""
    if callback is not None and not callable(callback):
        raise not_callable("set_mju_user_warning takes a function, a function pointer of ctypes, or None", callback)
    _installed[:] = [] if callback is None else [callback]


def installed() -> object:
    """The function that is told, or None."""
    return _installed[0] if _installed else None


def counts(d: Data) -> NDArray[np.int32] | None:
    """How often each kind of warning was raised so far; None if nobody is told."""
    return d.warning_number.copy() if _installed else None


def tell(d: Data, before: NDArray[np.int32], in_words: Callable[[int, int], str]) -> None:
    """Tell the function that is installed of the kinds that are counted now and were not before.

    in_words: a kind and its detail as a text. Raises what the function raises.
    """
    for kind in np.flatnonzero((before == 0) & (d.warning_number != 0)):
        for listener in _installed:
            text = f"{in_words(int(kind), int(d.warning_lastinfo[kind]))}. Time = {d.time:.4f}."
            listener(text.encode() if isinstance(listener, _Pointer) else text)  # one of C takes a char*
