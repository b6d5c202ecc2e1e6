"""A clock that kernels can read.

clock_gettime(clock, time) takes the number of a clock. On Windows it is QueryPerformanceCounter(count), whose "number" is how
often it counts a second, made negative: one system compiles kernels for another, and the sign tells them which clock they have.
"""

import ctypes
import sys
import time
from collections.abc import Callable

from tumble.physics.base.intrinsic import intrinsic

if sys.platform == "win32":
    _KERNEL = ctypes.WinDLL("kernel32")
    _FREQUENCY = ctypes.c_int64()
    _KERNEL.QueryPerformanceFrequency(ctypes.byref(_FREQUENCY))
    _FUNCTION = _KERNEL.QueryPerformanceCounter
    MONOTONIC: int = -_FREQUENCY.value
else:
    _FUNCTION = ctypes.CDLL(None).clock_gettime
    MONOTONIC: int = time.CLOCK_MONOTONIC
ADDRESS: int = ctypes.cast(_FUNCTION, ctypes.c_void_p).value or 0  # differs from process to process: data, not code

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
    """`now(address, clock)` in a kernel: seconds since some fixed moment, from the function at that address."""
    from llvmlite import ir
    from numba import types

    def generate(context, builder, signature, arguments):
        address, clock = arguments
        i32, i64, f64 = ir.IntType(32), ir.IntType(64), ir.DoubleType()
        spec, result = builder.alloca(ir.ArrayType(i64, 2)), builder.alloca(f64)
        first, second = (builder.gep(spec, [i32(0), i32(k)]) for k in (0, 1))

        def call(*given):
            function = ir.FunctionType(i32, [value.type for value in given])
            builder.call(builder.inttoptr(address, function.as_pointer()), given)

        with builder.if_else(builder.icmp_signed("<", clock, i64(0))) as (counts, tells):
            with counts:
                call(first)
                rate = builder.sitofp(builder.neg(clock), f64)
                builder.store(builder.fdiv(builder.sitofp(builder.load(first), f64), rate), result)
            with tells:
                call(builder.trunc(clock, i32), spec)
                seconds, nano = (builder.sitofp(builder.load(place), f64) for place in (first, second))
                builder.store(builder.fadd(seconds, builder.fmul(nano, f64(1e-9))), result)
        return builder.load(result)

    return types.float64(types.int64, types.int64), generate
