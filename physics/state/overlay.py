"""Overlays: a second block of slots, the same as a model's or data's but for some fields that lie elsewhere.

A kernel that is given an overlay works on a part of the whole (an island: its dofs, its rows) without
knowing that there is more. Copying the slots is 8 bytes a field; no array is copied.
Kernels take addresses and sizes for constant (view.py), so code that writes an overlay must not read
through it in the same stage: pass it on with `run`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tumble.physics.base.intrinsic import intrinsic
from tumble.physics.state.layout import DATA_LAYOUT, Layout


@intrinsic
def slots(typing: Any, struct: Any) -> Any:
    """The slots of a model or data, as an array of integers."""
    from llvmlite import ir
    from numba import types

    from tumble.physics.state.view import array_at

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = builder.bitcast(arguments[0], ir.IntType(64).as_pointer())
        return array_at(context, builder, types.int64, data, ir.IntType(64)(struct.nslot))

    return types.Array(types.int64, 1, "C")(struct), generate


def _cast(name: str) -> Any:
    """name: of the numba type in view.py."""

    def build(typing: Any, array: Any) -> Any:
        from llvmlite import ir
        from numba.np import arrayobj

        from tumble.physics.state import view

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = arrayobj.make_array(array)(context, builder, arguments[0]).data
            return builder.bitcast(data, ir.IntType(8).as_pointer())

        return getattr(view, name)(array), generate

    return intrinsic(build)


as_model = _cast("ModelType")  # as_model(words): the model whose slots these are
as_data = _cast("DataType")

WHOLE, BY_DOF, BY_ROW, BY_TREE = 0, 1, 2, 3


def rules(target: Layout, fields: dict[str, tuple[str, int]]) -> np.ndarray:
    """Slots of an overlay to redirect: rows of target slot, slot in the data, WHOLE or BY_..., bytes a row.

    fields: by the name in the overlay, the name of the data's field that takes its place, and how its part is found.
    """
    table = []
    for name, (source, kind) in fields.items():
        f = DATA_LAYOUT.fields[source]
        inner = [n for n in f.shape if not isinstance(n, str)]
        table.append((target.slot[name], DATA_LAYOUT.slot[source], kind, np.dtype(f.dtype).itemsize * int(np.prod(inner))))
    return np.array(table, np.int64)


def lane_rules(fields: dict[str, str]) -> np.ndarray:
    """Slots of the data's overlay that a lane replaces: rows of slot, slot of the lanes' field, bytes, 1 if by capacity.

    fields: by the name in the overlay, the name of the field that holds one such array for each lane. The bytes of a
    lane's array are those given, times its capacity if it has one.
    """
    table = []
    for name, source in fields.items():
        f, own = DATA_LAYOUT.fields[source], DATA_LAYOUT.fields[name]
        inner, grows = [n for n in f.shape if not isinstance(n, str)], isinstance(f.shape[1], str)
        if f.shape[1:] != own.shape or f.dtype != own.dtype:
            raise ValueError(f"{source} should hold arrays like {name}")
        size = np.dtype(f.dtype).itemsize * int(np.prod(inner))
        table.append((DATA_LAYOUT.slot[name], DATA_LAYOUT.slot[source], size, int(grows)))
    return np.array(table, np.int64)
