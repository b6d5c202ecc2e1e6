"""Object code to addresses, by LLVM's loader: for what no library holds. numba is not needed for that."""

from __future__ import annotations

import ctypes
import threading
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from physics.kernel.target import EXCEPTION

_lock = threading.Lock()


@ctypes.CFUNCTYPE(None)
def _tell() -> None:
    """Python hands what a callback raises to sys.unraisablehook, and the kernel's caller continues."""
    raise IndexError("a kernel with bounds checks was about to leave an array")


@cache
def _engine() -> Any:
    """The one engine whose memory holds all that is loaded; it lives as long as the process."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.add_symbol(EXCEPTION, ctypes.cast(_tell, ctypes.c_void_p).value)
    machine = llvm.Target.from_default_triple().create_target_machine()
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


def load(code: bytes, symbol: str) -> int:
    """The address of a function in object code. Raises RuntimeError if the code has no such function."""
    with _lock:
        engine = _engine()
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        address = engine.get_function_address(symbol)
    if not address:
        raise RuntimeError(f"no {symbol} in its object code")
    return int(address)
