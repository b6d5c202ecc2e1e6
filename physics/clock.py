"""A clock that kernels can read."""

import ctypes
import time
from collections.abc import Callable

from tumble.physics.intrinsic import intrinsic

_LIBC = ctypes.CDLL(None)
ADDRESS: int = ctypes.cast(_LIBC.clock_gettime, ctypes.c_void_p).value or 0  # differs from process to process: data, not code
MONOTONIC: int = time.CLOCK_MONOTONIC

_other: Callable[[object], tuple[int, int]] | None = None


def source(reader: object) -> tuple[int, int]:
    """The function that tells `reader` the time, as its address, and which clock to ask it for."""
    return (ADDRESS, MONOTONIC) if _other is None else _other(reader)


def replace(other: Callable[[object], tuple[int, int]] | None) -> None:
    """Have `source` answer as `other` does; None: the system's clock again."""
    global _other
    _other = other


@intrinsic
def now(typing, address, clock):
    """`now(address, clock)` in a kernel: seconds since some fixed moment, read from clock_gettime at that address."""
    from llvmlite import ir
    from numba import types

    def generate(context, builder, signature, arguments):
        i32, i64, f64 = ir.IntType(32), ir.IntType(64), ir.DoubleType()
        spec = builder.alloca(ir.ArrayType(i64, 2))
        function = ir.FunctionType(i32, [i32, spec.type])
        builder.call(builder.inttoptr(arguments[0], function.as_pointer()), [builder.trunc(arguments[1], i32), spec])
        seconds, nano = (builder.load(builder.gep(spec, [i32(0), i32(k)])) for k in (0, 1))
        return builder.fadd(builder.sitofp(seconds, f64), builder.fmul(builder.sitofp(nano, f64), f64(1e-9)))

    return types.float64(types.int64, types.int64), generate
