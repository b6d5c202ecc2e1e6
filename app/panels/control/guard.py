"""Runs user code in the simulation thread so that another thread can measure and interrupt it."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from time import monotonic

_raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
_raise_in.argtypes = (ctypes.c_ulong, ctypes.py_object)
_NOTHING = ctypes.py_object()  # cancels the pending exception


class Interrupted(BaseException):
    """Raised inside code of the user that does not return; no Exception, so that `except Exception` lets it through."""


class CallGuard:
    """Calls functions; `since` and `interrupt` are for other threads.

    An interruption is raised between two bytecodes. A call into compiled code that does not return, such as time.sleep, is
    interrupted when it does.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread = 0  # in which a call is under way; 0: none is
        self._since = 0.0

    @property
    def busy(self) -> float:
        """Duration of the current call [s]; 0 without one."""
        return monotonic() - self._since if self._thread else 0.0

    def call(self, function: Callable[[], object]) -> None:
        """Call a function; raises its exceptions, and Interrupted: call `leave` again after that."""
        self._since = monotonic()
        self._thread = threading.get_ident()
        try:
            function()
        finally:
            self.leave()

    def leave(self) -> None:
        """End of the interruptible call; an interruption that arrives too late is cancelled or swallowed."""
        while True:
            try:
                with self._lock:
                    if self._thread:
                        _raise_in(self._thread, _NOTHING)
                    self._thread = 0
                return
            except Interrupted:
                continue

    def interrupt(self) -> None:
        """Raise Interrupted in the call that is under way, if one is."""
        with self._lock:
            if self._thread:
                _raise_in(self._thread, Interrupted)
