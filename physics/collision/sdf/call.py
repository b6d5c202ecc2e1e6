"""Calls of signed distance functions from kernels, through their addresses."""

from __future__ import annotations

from typing import Any

from tumble.physics.base.intrinsic import intrinsic
from tumble.physics.kernel import Compiled
from tumble.physics.kernel.function import INT
from tumble.physics.state.memory import f8_at, f8_table_at


@intrinsic
def distance_by(typing: Any, address: Any, d: Any, attributes: Any, x: Any, y: Any, z: Any) -> Any:
    """`distance_by(address, d, attributes, x, y, z)`: signed distance; d, attributes: addresses."""
    from llvmlite import ir
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        function = ir.FunctionType(ir.DoubleType(), [argument.type for argument in arguments[1:]])
        return builder.call(builder.inttoptr(arguments[0], function.as_pointer()), arguments[1:])

    whole, number = types.int64, types.float64
    return number(whole, whole, whole, number, number, number), generate


def _sample(address, attributes, points, count, out):
    """Signed distances of many points: addresses of the function, its attributes, the points (count, 3) and the results."""
    at, values = f8_table_at(points, count, 3), f8_at(out, count)
    for i in range(count):
        values[i] = distance_by(address, 0, attributes, at[i, 0], at[i, 1], at[i, 2])


sample = Compiled(_sample, (INT, INT, INT, INT, INT))
