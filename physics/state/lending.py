"""Arrays of a model that programs write and kernels follow without looking: docs/decisions/safety.md says why they are two."""

from __future__ import annotations

import sys

import numpy as np
from msgspec import Struct

from tumble.physics.state.guard import Lock

_OURS = 2  # references to a copy that nobody has: its entry's, and that of the call which counts them


class Lent(Struct):
    """An array that kernels read, and the copy of it that programs have, with its memory. known: what both were last."""

    array: np.ndarray
    memory: bytearray
    copy: np.ndarray
    known: bytearray

    def is_written(self) -> bool:
        """True if a program has written to the copy; what the engine has written to the array is then in the copy, else."""
        if self.memory != self.known:
            return True
        if self.known != self.array.data:
            self.renew()
        return False

    def renew(self) -> None:
        """Give the copy the numbers that kernels have."""
        self.memory[:] = self.known[:] = self.array.data.cast("B")


class Lender(Lock):
    """Write protection of a model: programs are lent copies, and what they wrote is checked before the next call.

    changing: a block of `unlocked` has not ended. due: that is so, or copies were lent: the next call has to look.
    out: the copies that may have been written.
    """

    __slots__ = ("_lent", "changing", "due", "out")

    def __init__(self) -> None:
        super().__init__()
        self.changing = self.due = False
        self._lent: dict[str, Lent] = {}
        self.out: dict[str, Lent] = {}

    def guarded(self, name: str, array: np.ndarray) -> np.ndarray:
        """A program's copy of the array of a field, always the same; the array itself, while the model is made."""
        if not self.closed or not array.size:
            return array
        lent = self._lent.get(name)
        if lent is None or lent.array is not array:
            memory = bytearray(array.data.cast("B"))  # not an array: parts of the copy then refer to the copy
            lent = self._lent[name] = Lent(array, memory, np.ndarray(array.shape, array.dtype, memory), bytearray(memory))
        else:
            lent.is_written()
        self.out[name] = lent
        self.due = True
        return lent.copy

    def changes(self) -> dict[str, bytes]:
        """Contents of copies that programs have written to, by field. Unused copies are not looked at again."""
        self.due = False
        found = {}
        for name, lent in list(self.out.items()):
            self.out.pop(name, None)  # first: who is lent it meanwhile, in another thread, puts it back
            in_use = sys.getrefcount(lent.copy) > _OURS
            if lent.is_written():
                found[name] = bytes(lent.memory)
            if in_use:
                self.out[name] = lent
        if self.out:
            self.due = True
        return found

    def replace(self, name: str, array: np.ndarray) -> None:
        """Lend the same copy for the array that takes the place of another, which has what was written."""
        lent = self._lent[name]
        lent.array, lent.known = array, bytearray(lent.memory)

    def take_back(self) -> None:
        """Give all copies the numbers that kernels have."""
        for lent in self._lent.values():
            lent.renew()
