"""A tap: chosen numbers of model or data, written into a ring after every step, at no cost while there is none.

The step loop runs in one kernel call, so nobody else sees every step. Arrays of fields that grow move when
they do; a number is therefore found anew in each step, through its field's slot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from physics.errors import ModelError
from physics.kernel import kernel
from physics.state.data import Data
from physics.state.memory import f4_at, f8_at, i4_at, i8_at, u1_at
from physics.state.overlay import slots
from physics.state.view import DataType, ModelType, StructType

# The table that d.tap points to: samples so far, rows of the ring, address of the ring, signals; then what each is.
COUNT, ROWS, RING, SIGNALS, HEAD = 0, 1, 2, 3, 4
# Each signal: 1 in the data, 0 in the model; slot; how to read it; which number of the field; its row, and the slot
# that holds how many rows there are (-1: as many as ever).
WIDTH = 6
F8, F4, I8, I4, U1, SCALAR_F8, SCALAR_I8 = range(7)
_ARRAY = {"f8": F8, "f4": F4, "i8": I8, "i4": I4, "u1": U1}
TIME, RESETS, FIRST = 0, 1, 2  # columns of the ring


@kernel
def read_signal(words, table, at):
    """The present value of a signal whose entry in the table starts at `at`; words: the slots of its block."""
    slot, kind, offset, row, limit = table[at + 1], table[at + 2], table[at + 3], table[at + 4], table[at + 5]
    if limit >= 0 and row >= words[limit]:
        return np.nan
    address = words[slot]
    if kind == F8:
        return f8_at(address, offset + 1)[offset]
    if kind == F4:
        return np.float64(f4_at(address, offset + 1)[offset])
    if kind == I8:
        return np.float64(i8_at(address, offset + 1)[offset])
    if kind == I4:
        return np.float64(i4_at(address, offset + 1)[offset])
    if kind == U1:
        return np.float64(u1_at(address, offset + 1)[offset])
    if kind == SCALAR_I8:
        return np.float64(address)
    return words[slot : slot + 1].view(np.float64)[0]


@kernel
def take_sample(m, d):
    """Writes a row of the ring: the time, the resets so far, and the signals."""
    head = i8_at(d.tap, HEAD)
    number = head[SIGNALS]
    table = i8_at(d.tap, HEAD + WIDTH * number)
    width = FIRST + number
    ring = f8_at(head[RING], head[ROWS] * width)
    at = (head[COUNT] % head[ROWS]) * width
    ring[at + TIME] = d.time
    ring[at + RESETS] = d.resets
    model, data = slots(m), slots(d)
    for k in range(number):
        entry = HEAD + WIDTH * k
        if table[entry] == 1:
            ring[at + FIRST + k] = read_signal(data, table, entry)
        else:
            ring[at + FIRST + k] = read_signal(model, table, entry)
    head[COUNT] += 1


@dataclass(frozen=True, slots=True)
class Samples:
    """What a tap has seen: count, samples so far in all; lost: how many of those asked for the ring had no room for.

    time (n,) [s] and resets (n,): the time after each step, and how often the data had been reset, which tells
    runs apart; values (n, signals), nan where the field had no such row.
    """

    count: int
    lost: int
    time: np.ndarray
    resets: np.ndarray
    values: np.ndarray


class Tap:
    """Signals that are sampled after every mj_step of one data, from `attach` to `detach`.

    A signal is a field of the data or model and which of its numbers, counted through the whole array.
    """

    def __init__(self, data: Data, signals: Sequence[tuple[str, int]], rows: int = 1 << 16) -> None:
        """rows: steps that the ring keeps. Raises ModelError for a field or number that there is not."""
        if rows < 1:
            raise ModelError(f"a tap keeps at least one step, not {rows}")
        self._data = data
        self._ring = np.zeros((rows, FIRST + len(signals)))
        table = np.zeros(HEAD + WIDTH * len(signals), np.int64)
        table[:HEAD] = 0, rows, self._ring.ctypes.data, len(signals)
        table[HEAD:] = [word for name, offset in signals for word in _entry(data, name, offset)]
        self._table = table

    def attach(self) -> None:
        """Sample from the next step on; takes the place of another tap."""
        self._data._tap = self  # the kernel holds an address only: the memory must live as long
        self._data.tap = self._table.ctypes.data

    def detach(self) -> None:
        """Sample no more."""
        if self.attached:
            self._data.tap = 0
            self._data._tap = None

    @property
    def attached(self) -> bool:
        """Whether it samples."""
        return bool(self._data.tap == self._table.ctypes.data)

    @property
    def count(self) -> int:
        """Samples taken so far."""
        return int(self._table[COUNT])

    def since(self, count: int) -> Samples:
        """Copies of the samples after the first `count`, as far as the ring still holds them."""
        now, rows = self.count, len(self._ring)
        first = max(count, now - rows)
        part = self._ring[np.arange(first, now) % rows]
        return Samples(now, first - count, part[:, TIME], part[:, RESETS].astype(np.int64), part[:, FIRST:])


def _entry(data: Data, name: str, offset: int) -> tuple[int, ...]:
    struct: StructType = DataType if name in DataType.fields else ModelType
    f = struct.fields.get(name)
    if f is None:
        raise ModelError(f"no field {name!r} in model or data")
    slot, own = struct.slot[name], int(struct is DataType)
    if f.shape == ():
        if offset != 0:
            raise ModelError(f"{name} is one number; there is no number {offset} of it")
        return own, slot, SCALAR_F8 if f.dtype == "f8" else SCALAR_I8, 0, 0, -1
    array = (data if own else data.model)._arrays[name]
    size = int(np.prod(array.shape[1:], dtype=np.int64))  # numbers in a row
    grows = bool(f.used) or (isinstance(f.shape[0], str) and f.shape[0].startswith("max"))
    if offset < 0 or size == 0 or (offset >= array.size and not grows):
        raise ModelError(f"{name} has {array.size} numbers; there is no number {offset} of it")
    limit = struct.slot[f.used] if f.used else slot + 1 if grows else -1
    return own, slot, _ARRAY[f.dtype], offset, offset // size, limit
