"""Kernels read `m.body_pos[i]`, `d.qpos[j]`, `d.ncon` by name, at no cost.

A layout (layout.py) makes a numba type whose value is a bare pointer to its block of slots. Reading
`d.qpos` in a kernel is two loads; there is no reference counting, and fixed inner dimensions are
compile-time constants. Addresses and sizes do not change while a kernel runs (arrays grow only
between calls, in Python), so their loads are marked invariant and leave the loops.

Only where kernels are compiled is this imported: it brings numba with it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, lower_getattr_generic, lower_setattr_generic, models, register_model
from numba.np import arrayobj

from tumble.physics.state.fields import Field
from tumble.physics.state.layout import DATA_LAYOUT, MODEL_LAYOUT, Layout

_BYTE_POINTER, _I64, _F64 = ir.IntType(8).as_pointer(), ir.IntType(64), ir.DoubleType()
_NUMBA: dict[str, Any] = {"f8": types.float64, "f4": types.float32, "i4": types.int32, "i8": types.int64, "u1": types.uint8}


class StructType(types.Type):
    """The numba type of a block of fields, named as its layout is."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(name=layout.name)
        self.fields, self.slot, self.nslot = layout.fields, layout.slot, layout.nslot

    def member(self, f: Field) -> Any:
        """The numba type a kernel sees when it reads the field."""
        if f.shape == ():
            return types.float64 if f.dtype == "f8" else types.int64
        return types.Array(_NUMBA[f.dtype], len(f.shape), "C")


register_model(StructType)(models.OpaqueModel)

ModelType = StructType(MODEL_LAYOUT)
DataType = StructType(DATA_LAYOUT)


@infer_getattr
class _Attributes(AttributeTemplate):
    key = StructType

    def generic_resolve(self, struct: Any, name: str) -> Any:  # type: ignore[override]
        f = struct.fields.get(name)
        return None if f is None else struct.member(f)


def _slot(builder: Any, base: Any, index: int, kind: Any) -> Any:
    address = builder.gep(builder.bitcast(base, _BYTE_POINTER), [_I64(8 * index)])
    return builder.bitcast(address, kind.as_pointer())


@lower_getattr_generic(StructType)
def _get(context: Any, builder: Any, struct: StructType, base: Any, name: str) -> Any:
    f, index = struct.fields[name], struct.slot[name]
    if f.shape == ():
        return builder.load(_slot(builder, base, index, _F64 if f.dtype == "f8" else _I64))

    def invariant(index: int, kind: Any) -> Any:
        value = builder.load(_slot(builder, base, index, kind))
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
        return value

    array = struct.member(f)
    data = invariant(index, context.get_data_type(array.dtype).as_pointer())
    dims = []
    for n in f.shape:
        index += isinstance(n, str)
        dims.append(invariant(index, _I64) if isinstance(n, str) else _I64(n))
    itemsize = _I64(np.dtype(f.dtype).itemsize)
    strides: list[Any] = []
    stride = itemsize
    for n in reversed(dims):
        strides.insert(0, stride)
        stride = builder.mul(stride, n)
    view = arrayobj.make_array(array)(context, builder)
    arrayobj.populate_array(view, data=data, shape=dims, strides=strides, itemsize=itemsize, meminfo=None)
    return view._getvalue()


@lower_setattr_generic(StructType)
def _set(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
    """Scalars only: `d.ncon = n`. Arrays are written through their elements."""
    struct, value = sig.args
    f = struct.fields[name]
    if f.shape != ():
        raise TypeError(f"{name} is an array: write its elements")
    converted = context.cast(builder, args[1], value, struct.member(f))
    builder.store(converted, _slot(builder, args[0], struct.slot[name], _F64 if f.dtype == "f8" else _I64))


def array_at(context: Any, builder: Any, element: Any, data: Any, *shape: Any) -> Any:
    """A contiguous array of elements of a numba type that lie at the pointer `data`, of one or two extents, without ownership."""
    view = arrayobj.make_array(types.Array(element, len(shape), "C"))(context, builder)
    size = _I64(context.get_abi_sizeof(context.get_data_type(element)))
    strides = [size] if len(shape) == 1 else [builder.mul(size, shape[1]), size]
    arrayobj.populate_array(view, data=data, shape=list(shape), strides=strides, itemsize=size, meminfo=None)
    return view._getvalue()
