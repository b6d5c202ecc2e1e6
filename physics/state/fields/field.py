"""What one row of the table of fields says."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the model or the data.

    name: as users and kernels read it.
    dtype: "f8", "f4", "i8", "i4" or "u1"; a scalar is "f8" or "i8".
    shape: () is a scalar; an int is a fixed dimension, a str names a size, perhaps times a factor: "3*nmocap".
    unit, doc: what the numbers mean.
    used: the scalar that counts the rows in use, for fields whose capacity grows; Python sees only those.
    """

    name: str
    dtype: str
    shape: tuple[int | str, ...]
    unit: str
    doc: str
    used: str = ""

    @property
    def slots(self) -> int:
        """8-byte slots in the struct: the value of a scalar, else a data pointer and the open dimensions."""
        return 1 if self.shape == () else 1 + sum(isinstance(n, str) for n in self.shape)
