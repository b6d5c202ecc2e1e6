"""Atomic words that several threads read and change, and calls through addresses, for kernels.

Words are 8 bytes, given by their address. All is sequentially consistent: what a thread wrote before it changed a word is
seen by every thread that has read the change, and all threads see all changes in one order.
"""

from __future__ import annotations

from typing import Any

from tumble.physics.base.intrinsic import intrinsic
from tumble.physics.kernel.target import RELAX

_ORDER = "seq_cst"


def _pointer(builder: Any, address: Any) -> Any:
    from llvmlite import ir

    return builder.inttoptr(address, ir.IntType(64).as_pointer())


@intrinsic
def load(typing: Any, address: Any) -> Any:
    """`load(address)`: the word there."""
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(_pointer(builder, arguments[0]), _ORDER, 8)

    return types.int64(types.int64), generate


@intrinsic
def store(typing: Any, address: Any, value: Any) -> Any:
    """`store(address, value)`: write a word."""
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store_atomic(arguments[1], _pointer(builder, arguments[0]), _ORDER, 8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@intrinsic
def add(typing: Any, address: Any, value: Any) -> Any:
    """`add(address, value)`: add to a word; returns what it was before."""
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.atomic_rmw("add", _pointer(builder, arguments[0]), arguments[1], _ORDER)

    return types.int64(types.int64, types.int64), generate


@intrinsic
def swap(typing: Any, address: Any, old: Any, new: Any) -> Any:
    """`swap(address, old, new)`: make a word `new` if it is `old`; whether it was."""
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(builder, arguments[0])
        return builder.extract_value(builder.cmpxchg(pointer, arguments[1], arguments[2], _ORDER, _ORDER), 1)

    return types.boolean(types.int64, types.int64, types.int64), generate


@intrinsic
def relax(typing: Any) -> Any:
    """`relax()`: tell the processor, where it knows the word, that this thread only waits: its twin on the core gets on."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.call(cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.VoidType(), []), RELAX), [])
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def address_of(typing: Any, thing: Any) -> Any:
    """`address_of(thing)`: where an array's first number lies, or the slots of a model or data."""
    from llvmlite import ir
    from numba import types
    from numba.np import arrayobj

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = arguments[0]
        if isinstance(thing, types.Array):
            data = arrayobj.make_array(thing)(context, builder, data).data
        return builder.ptrtoint(data, ir.IntType(64))

    return types.int64(thing), generate


@intrinsic
def run_lane(typing: Any, address: Any, m: Any, d: Any, lane: Any) -> Any:
    """`run_lane(address, m, d, lane)`: call a compiled function of these; m and d are addresses too."""
    from llvmlite import ir
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(64)] * 3)
        builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), arguments[1:])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64, types.int64), generate


@intrinsic
def ask_system(typing: Any, address: Any, handle: Any, value: Any) -> Any:
    """`ask_system(address, handle, value)`: call a function of the system's library; returns its result, an int of C.

    It gets a third argument, zero. One that takes fewer does not look at those that follow: on all processors and
    systems that numba knows they travel in registers, which the caller clears.
    """
    from llvmlite import ir
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), [ir.IntType(64)] * 3)
        result = builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), [*arguments[1:], ir.IntType(64)(0)])
        return builder.sext(result, ir.IntType(64))

    return types.int64(types.int64, types.int64, types.int64), generate
