"""The function that is told warnings of the engine, which are otherwise logged only."""

from __future__ import annotations

import ctypes
import logging
from collections.abc import Callable
from typing import Any

from tumble.physics.callback.table import not_callable

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


def install(what: object) -> None:
    """Have a function told every warning, None: none. Raises TypeError for what cannot be called."""
    if what is not None and not callable(what):
        raise not_callable("set_mju_user_warning takes a function, or None", what)
    for teller in _tellers():
        _LOGGER.removeHandler(teller)
    if what is not None:
        _LOGGER.addHandler(_WarningTeller(what))


def installed() -> object:
    """The function that is told, or None."""
    return next((teller.function for teller in _tellers()), None)
