"""One row of the table of fields."""

from __future__ import annotations

from dataclasses import dataclass

from tumble.physics.errors import MisfitError
from tumble.physics.state.fields.valid import Valid


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the model or the data.

    name: as users and kernels read it.
    dtype: "f8", "f4", "i8", "i4" or "u1"; a scalar is "f8" or "i8".
    shape: () is a scalar; an int is a fixed dimension, a str names a size, perhaps times a factor: "3*nmocap".
    unit, doc: what the numbers mean.
    used: the scalar that counts the rows in use, for fields whose capacity grows; Python sees only those.
    open: of an array of whole numbers of the model: no value leads a kernel out of its memory, so programs may write it at
    any time. The others are addresses, counts, numbers of elements and kinds, which kernels trust: see `laid_out`.
    valid: of an option, which numbers it takes; None: any.
    """

    name: str
    dtype: str
    shape: tuple[int | str, ...]
    unit: str
    doc: str
    used: str = ""
    open: bool = False
    valid: Valid | None = None

    def require(self, *values: float) -> None:
        """Raise MisfitError for a number that the option does not take, naming those that it does."""
        valid = self.valid
        for value in values:
            if valid is not None and not valid.holds(value):
                group, _, name = self.name.partition("_")
                raise MisfitError(f"{'option' if group == 'opt' else group} {name}={value:g}{valid.told}")

    @property
    def laid_out(self) -> bool:
        """Of a field of the model: whether the compiler lays it out, and kernels follow it without looking."""
        return self.shape != () and not self.dtype.startswith("f") and not self.open

    @property
    def slots(self) -> int:
        """8-byte slots in the struct: the value of a scalar, else a data pointer and the open dimensions."""
        return 1 if self.shape == () else 1 + sum(isinstance(n, str) for n in self.shape)
