"""Calls of callbacks from kernels: through addresses in the stage table, with model, data and arguments.

So they call our own functions too that few models need, and that are compiled for these alone.

Those that take (m, d) only are stages of the table like others, and are run by `run`.
"""

from __future__ import annotations

from typing import Any

from tumble.physics.base.intrinsic import intrinsic


@intrinsic
def tell(typing: Any, address: Any, m: Any, d: Any, i: Any) -> Any:
    """`tell(address, m, d, i)` in a kernel: call a function that returns nothing."""
    return _build("void", (m, d, i))


@intrinsic
def number(typing: Any, address: Any, m: Any, d: Any, i: Any) -> Any:
    """`number(address, m, d, i)` in a kernel: the number that a callback returns."""
    return _build("float64", (m, d, i))


@intrinsic
def integer(typing: Any, address: Any, m: Any, d: Any, i: Any, j: Any) -> Any:
    """`integer(address, m, d, i, j)` in a kernel: the integer that a callback returns."""
    return _build("int64", (m, d, i, j))


@intrinsic
def integer3(typing: Any, address: Any, m: Any, d: Any, i: Any, j: Any, k: Any) -> Any:
    """`integer3(address, m, d, i, j, k)` in a kernel: the integer that a function of three integers returns."""
    return _build("int64", (m, d, i, j, k))


def _build(result: str, kinds: tuple[Any, ...]) -> Any:
    """Signature and code of a call; result: numba's name of its type; kinds: the types of m, d and the integers."""
    from llvmlite import ir
    from numba import types

    returned = getattr(types, result)
    taken = [*kinds[:2], *[types.int64] * len(kinds[2:])]

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        nothing = returned == types.void
        value = ir.VoidType() if nothing else context.get_value_type(returned)
        function = ir.FunctionType(value, [argument.type for argument in arguments[1:]])
        called = builder.call(builder.inttoptr(arguments[0], function.as_pointer()), arguments[1:])
        return context.get_dummy_value() if nothing else called

    return returned(types.int64, *taken), generate
