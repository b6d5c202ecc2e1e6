"""Arrays at an address: what a kernel is given as a number, it reads and writes as numbers."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np import arrayobj

_I64 = ir.IntType(64)


def _at(element: Any, itemsize: int) -> Any:
    kind = types.Array(element, 1, "C")

    def build(typing: Any, address: Any, count: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            view = arrayobj.make_array(kind)(context, builder)
            pointer = context.get_data_type(element).as_pointer()
            arrayobj.populate_array(
                view, data=builder.inttoptr(arguments[0], pointer), shape=[arguments[1]], strides=[_I64(itemsize)],
                itemsize=_I64(itemsize), meminfo=None,
            )  # fmt: skip
            return view._getvalue()

        return kind(types.int64, types.int64), generate

    return intrinsic(build)


# f8_at(address, count): `count` numbers that lie there; whoever calls answers for both.
f8_at, f4_at = _at(types.float64, 8), _at(types.float32, 4)
i8_at, i4_at, u1_at = _at(types.int64, 8), _at(types.int32, 4), _at(types.uint8, 1)
