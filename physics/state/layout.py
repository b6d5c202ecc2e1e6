"""Layout of the fields of model and data in their blocks of 8-byte slots.

A scalar field is a slot, an array field a data pointer followed by its open dimensions: Python and kernels see the same
memory. The numba types that let kernels read it by name are in view.py, which is needed only to compile.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from tumble.physics.state.fields import DATA, MODEL, Field


class Layout:
    """The slots of one block; its name carries a digest of the table, which is its identity."""

    def __init__(self, name: str, fields: Sequence[Field]) -> None:
        self.fields = {f.name: f for f in fields}
        if len(self.fields) != len(fields):
            twice = sorted({f.name for f in fields if sum(f.name == g.name for g in fields) > 1})
            raise ValueError(f"fields declared twice: {', '.join(twice)}")
        text = ";".join(f"{f.name}:{f.dtype}{f.shape}" for f in fields)
        self.name = f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
        self.slot: dict[str, int] = {}
        at = 0
        for f in fields:
            self.slot[f.name] = at
            at += f.slots
        self.nslot = at


MODEL_LAYOUT = Layout("Model", MODEL)
DATA_LAYOUT = Layout("Data", DATA)
