"""A part of a one-dimensional array, for inner loops: a slice without the cost of one.

Python's rules for slices (negative bounds, bounds beyond the end) take longer than the loops over the dofs of a
tree do. Short loops over a part vectorize like those over a slice.
"""

from __future__ import annotations

import os
from typing import Any

from tumble.physics.base.intrinsic import intrinsic
from tumble.physics.kernel import kernel


@intrinsic
def _view(typing: Any, array: Any, start: Any, count: Any) -> Any:
    from numba import types
    from numba.np import arrayobj

    from tumble.physics.state.view import array_at

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        start, count = (
            context.cast(builder, value, source, types.int64)
            for value, source in zip(arguments[1:], signature.args[1:], strict=True)
        )
        source = arrayobj.make_array(array)(context, builder, arguments[0])
        return array_at(context, builder, array.dtype, builder.gep(source.data, [start]), count)

    return types.Array(array.dtype, 1, "C")(array, start, count), generate


_view.in_python = lambda array, start, count: array.reshape(-1)[start : start + count]


def _part(array, start, count):
    """`count` elements of a contiguous array from `start` on; the caller guarantees that they exist."""
    return _view(array, start, count)


def _checked_part(array, start, count):
    """The same as a slice, which stays within the array: then a wrong index is found."""
    return array[start : start + count]


part: Any = kernel(_checked_part if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else _part)
