"""One row of the table of fields."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from msgspec import Struct

from tumble.physics.errors import MisfitError


class Field(Struct, frozen=True):
    """One field of the model or the data.

    name: as users and kernels read it.
    dtype: "f8", "f4", "i8", "i4" or "u1"; a scalar is "f8" or "i8".
    shape: () is a scalar; an int is a fixed dimension, a str names a size, perhaps times a factor: "3*nmocap".
    unit, doc: what the numbers mean.
    used: the scalar that counts the rows in use, for fields whose capacity grows; Python sees only those.
    open: of an array of whole numbers of the model: no value leads a kernel out of its memory, so programs may write it at
    any time. The others are addresses, counts, numbers of elements and kinds, which kernels trust: see `laid_out`, and what a
    program writes there is checked.
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


class Valid(Struct, frozen=True):
    """holds: whether a number is one that the option takes; told: what a message says behind `NAME=NUMBER`."""

    holds: Callable[[float], bool]
    told: str


FINITE = Valid(math.isfinite, " is no number to go on with: it should be finite")
NOT_NEGATIVE = Valid(lambda value: value >= 0.0, ": it is 0 or more")


def one_of(kinds: Iterable[int], words: str) -> Valid:
    """The numbers of an enumeration; words: these numbers, each with what it means."""
    known = frozenset(int(kind) for kind in kinds)
    return Valid(lambda value: value in known, f" is unknown; valid are {words}")


def between(low: float, high: float, told: str, *, inside: bool = False) -> Valid:
    """The numbers from low to high; inside: without these two."""
    holds = (lambda value: low < value < high) if inside else (lambda value: low <= value <= high)
    return Valid(holds, f": {told}")
