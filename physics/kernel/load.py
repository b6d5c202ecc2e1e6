"""Object code to addresses, by LLVM's linker in memory: for what no library holds. numba is not needed for that.

Parts of object code (instructions, constants, jumps to the system's functions) refer to each other by distances of 32 bits.
So each object is given one piece of memory for all its parts (JITLink). LLVM's older loader maps every part
on its own: where big arrays lie between two of them, the distance does not fit, and the process is aborted. JITLink does not
know Windows: the older loader is taken there, for code that holds whole addresses and no distances.
"""

from __future__ import annotations

import ctypes
import itertools
import sys
import threading
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from tumble.physics.kernel.target import EXCEPTION

_lock = threading.Lock()
_numbers = itertools.count()  # one for each object: LLVM wants names of their own


@ctypes.CFUNCTYPE(None)
def _tell() -> None:
    """Python hands what a callback raises to sys.unraisablehook, and the kernel's caller continues."""
    raise IndexError("a kernel with bounds checks was about to leave an array")


@cache
def _linker() -> Any:
    """The one linker; it lives as long as the process."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.create_lljit_compiler(use_jit_link=sys.platform != "win32")


def load(code: bytes, symbol: str) -> int:
    """The address of a function in object code, for good. Raises RuntimeError if the code has no such function."""
    builder = llvm.JITLibraryBuilder().add_object_img(code).add_current_process().export_symbol(symbol)
    builder.import_symbol(EXCEPTION, ctypes.cast(_tell, ctypes.c_void_p).value)
    with _lock:
        loaded = builder.link(_linker(), f"{symbol}-{next(_numbers)}")
    loaded.detach()  # else the code would go with this object
    return int(loaded[symbol])
