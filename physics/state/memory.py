"""Arrays at an address: what a kernel is given as a number, it reads and writes as numbers."""

from __future__ import annotations

from typing import Any

from tumble.physics.base.intrinsic import intrinsic


def _at(name: str) -> Any:
    """name: of the elements' type, as numba calls it."""

    def build(typing: Any, address: Any, count: Any) -> Any:
        from numba import types

        from tumble.physics.state.view import array_at

        element = getattr(types, name)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointer = context.get_data_type(element).as_pointer()
            return array_at(context, builder, element, builder.inttoptr(arguments[0], pointer), arguments[1])

        return types.Array(element, 1, "C")(types.int64, types.int64), generate

    return intrinsic(build)


def _table_at(name: str) -> Any:
    """The same for arrays in rows."""

    def build(typing: Any, address: Any, rows: Any, width: Any) -> Any:
        from numba import types

        from tumble.physics.state.view import array_at

        element = getattr(types, name)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointer = context.get_data_type(element).as_pointer()
            return array_at(context, builder, element, builder.inttoptr(arguments[0], pointer), *arguments[1:])

        return types.Array(element, 2, "C")(types.int64, types.int64, types.int64), generate

    return intrinsic(build)


@intrinsic
def words_of(typing: Any, array: Any) -> Any:
    """`words_of(array)`: an array of numbers of 8 bytes, of any shape, as the words that they are, in a row."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.np import arrayobj

    from tumble.physics.state.view import array_at

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = arrayobj.make_array(array)(context, builder, arguments[0])
        count = ir.IntType(64)(1)
        for extent in cgutils.unpack_tuple(builder, view.shape, array.ndim):
            count = builder.mul(count, extent)
        return array_at(context, builder, types.int64, builder.bitcast(view.data, ir.IntType(64).as_pointer()), count)

    return types.Array(types.int64, 1, "C")(array), generate


# f8_at(address, count): `count` numbers at an address; the caller is responsible for both.
f8_at, f4_at = _at("float64"), _at("float32")
i8_at, i4_at, u1_at = _at("int64"), _at("int32"), _at("uint8")

# f8_table_at(address, rows, width): the same, in rows of `width` numbers.
f8_table_at, i8_table_at = _table_at("float64"), _table_at("int64")
