"""Callbacks that no stage calls: a clock that timers read, and a function that is told warnings.

Kernels ask the user's clock as they ask the system's clock_gettime. Warnings of the engine are otherwise logged only.
"""

from __future__ import annotations

import ctypes
import logging
from collections.abc import Callable
from itertools import count
from math import floor, isfinite
from typing import Any
from weakref import WeakValueDictionary

from tumble.physics.base import clock
from tumble.physics.callback.table import RAISED, as_number, not_callable
from tumble.physics.state.block import BY_ADDRESS
from tumble.physics.state.data import Data

_FIRST = 1 << 16  # beyond all numbers of the system's clocks
_numbers = count(_FIRST)
_readers: WeakValueDictionary[int, Data] = WeakValueDictionary()  # by the number in their field clock_id
_installed: list[Callable[[], object]] = []


class _Spec(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_int64), ("nano", ctypes.c_int64)]


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.POINTER(_Spec))
def _tell(number: int, spec: ctypes._Pointer[_Spec]) -> int:
    """Clock for kernels: whole seconds and nanoseconds; 0 once a callback has raised."""
    d, value = _readers.get(number), 0.0
    try:
        if _installed and (d is None or d.raised is None):
            value = as_number("time", _installed[0]())
    except BaseException as error:
        if d is None:
            raise  # data that are just being told of the clock: ctypes reports it
        d.raised, d.failed = error, RAISED
    whole = floor(value) if isfinite(value) and abs(value) < 2**62 else 0
    spec[0].seconds, spec[0].nano = whole, round(1e9 * (value - whole)) if isfinite(value) else 0
    return 0


_ADDRESS = ctypes.cast(_tell, ctypes.c_void_p).value or 0


def _source(reader: object) -> tuple[int, int]:
    assert isinstance(reader, Data)
    if _readers.get(reader.clock_id) is reader:
        return _ADDRESS, reader.clock_id
    number = next(_numbers)
    _readers[number] = reader
    return _ADDRESS, number


def install_clock(what: object) -> None:
    """Have the timers of all data read a function without arguments; None: the system's clock. Raises TypeError."""
    if what is not None and not callable(what):
        raise not_callable("set_mjcb_time takes a function, or None", what)
    _installed[:] = [] if what is None else [what]
    clock.replace(None if what is None else _source)
    for block in list(BY_ADDRESS.values()):
        if isinstance(block, Data):
            address, number = clock.source(block)
            if what is None:  # in this order: another thread that steps these data meets no number that its clock does not know
                block.inner.clock_id = number
                block.inner.clock = address
            else:
                block.inner.clock = address
                block.inner.clock_id = number


def installed_clock() -> object:
    """The clock that is installed, or None."""
    return _installed[0] if _installed else None


_LOGGER = logging.getLogger("tumble.physics")
_Pointer: Any = ctypes.CFUNCTYPE(None).__mro__[1]  # what every function pointer of ctypes is
_ABOUT_KERNELS = "tumble.physics.kernel"  # what compiling says is not about a model


class _WarningTeller(logging.Handler):
    """Gives the text of each warning to a function; what that raises reaches the caller of what warned."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        super().__init__(logging.WARNING)
        self.function = function
        self.addFilter(lambda record: not record.name.startswith(_ABOUT_KERNELS))

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        self.function(text.encode() if isinstance(self.function, _Pointer) else text)  # one of C takes a char*


def _tellers() -> list[_WarningTeller]:
    return [handler for handler in _LOGGER.handlers if isinstance(handler, _WarningTeller)]


def install_warning(what: object) -> None:
    """Have a function told every warning, None: none. Raises TypeError for what cannot be called."""
    if what is not None and not callable(what):
        raise not_callable("set_mju_user_warning takes a function, or None", what)
    for teller in _tellers():
        _LOGGER.removeHandler(teller)
    if what is not None:
        _LOGGER.addHandler(_WarningTeller(what))


def installed_warning() -> object:
    """The function that is told, or None."""
    return next((teller.function for teller in _tellers()), None)
