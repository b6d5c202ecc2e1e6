"""Semaphores that kernels can wait for and post: those of the system's own library, by the addresses of its functions.

Every system calls them otherwise, but with the same kind of arguments: a handle, then a number. So a kernel needs to know
two addresses and nothing of the system. A wait that returns anything but zero has been interrupted, and is to be repeated.

Linux: sem_wait(semaphore), sem_post(semaphore). macOS, whose unnamed POSIX semaphores do not work:
dispatch_semaphore_wait(semaphore, timeout), dispatch_semaphore_signal(semaphore). Windows: WaitForSingleObject(handle,
milliseconds), ReleaseSemaphore(handle, count, previous count or null). A timeout of -1 is forever on both.
Only Linux has been run.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

FOREVER = -1
ONE = 1
_MOST = 0x7FFFFFFF  # posts that a semaphore of Windows may hold


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


if sys.platform == "win32":
    _SYSTEM = ctypes.WinDLL("kernel32", use_last_error=True)
    WAIT, POST = _address(_SYSTEM.WaitForSingleObject), _address(_SYSTEM.ReleaseSemaphore)
elif sys.platform == "darwin":
    _SYSTEM = ctypes.CDLL(None)
    WAIT, POST = _address(_SYSTEM.dispatch_semaphore_wait), _address(_SYSTEM.dispatch_semaphore_signal)
else:
    _SYSTEM = ctypes.CDLL(None, use_errno=True)
    WAIT, POST = _address(_SYSTEM.sem_wait), _address(_SYSTEM.sem_post)


class Semaphore:
    """A semaphore of this process, at zero; `handle` is what its functions want. It lives as long as the process.

    Raises OSError if the system has none left.
    """

    def __init__(self) -> None:
        self._memory = ctypes.create_string_buffer(64)  # a sem_t has 16 to 32 bytes
        self.handle = self._make()

    def _make(self) -> int:
        if sys.platform == "win32":
            create = _SYSTEM.CreateSemaphoreW
            create.restype, create.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_long, ctypes.c_long, ctypes.c_wchar_p]
            handle = create(None, 0, _MOST, None)
            if not handle:
                raise ctypes.WinError(ctypes.get_last_error())
            return int(handle)
        if sys.platform == "darwin":
            create = _SYSTEM.dispatch_semaphore_create
            create.restype, create.argtypes = ctypes.c_void_p, [ctypes.c_long]
            handle = create(0)
            if not handle:
                raise OSError("the system made no semaphore")
            return int(handle)
        if _SYSTEM.sem_init(self._memory, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "the system made no semaphore")
        return ctypes.addressof(self._memory)
