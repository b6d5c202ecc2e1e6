"""Kernels read `m.body_pos[i]`, `d.qpos[j]`, `d.ncon` by name, at no cost.

The table of fields makes a numba type whose value is a bare pointer to a block of 8-byte slots: a
scalar field is a slot, an array field is a data pointer followed by its open dimensions. Reading
`d.qpos` in a kernel is two loads; there is no reference counting, and fixed inner dimensions are
compile-time constants. Addresses and sizes do not change while a kernel runs (arrays grow only
between calls, in Python), so their loads are marked invariant and leave the loops.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, lower_getattr_generic, lower_setattr_generic, models, register_model
from numba.np import arrayobj

from physics.state.fields import DATA, MODEL, Field

_BYTE_POINTER, _I64, _F64 = ir.IntType(8).as_pointer(), ir.IntType(64), ir.DoubleType()
_NUMBA: dict[str, Any] = {"f8": types.float64, "f4": types.float32, "i4": types.int32, "i8": types.int64, "u1": types.uint8}


class StructType(types.Type):
    """The numba type of a block of fields; its name carries a digest of the table, which is its identity."""

    def __init__(self, name: str, fields: Sequence[Field]) -> None:
        layout = ";".join(f"{f.name}:{f.dtype}{f.shape}" for f in fields)
        super().__init__(name=f"{name}-{hashlib.sha256(layout.encode()).hexdigest()[:12]}")
        self.fields = {f.name: f for f in fields}
        if len(self.fields) != len(fields):
            twice = sorted({f.name for f in fields if sum(f.name == g.name for g in fields) > 1})
            raise ValueError(f"fields declared twice: {', '.join(twice)}")
        self.slot: dict[str, int] = {}
        at = 0
        for f in fields:
            self.slot[f.name] = at
            at += f.slots
        self.nslot = at

    def member(self, f: Field) -> Any:
        """The numba type a kernel sees when it reads the field."""
        if f.shape == ():
            return types.float64 if f.dtype == "f8" else types.int64
        return types.Array(_NUMBA[f.dtype], len(f.shape), "C")


register_model(StructType)(models.OpaqueModel)

ModelType = StructType("Model", MODEL)
DataType = StructType("Data", DATA)


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
