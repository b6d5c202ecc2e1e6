"""Taps: what looks at every step, at no cost while there is none.

The step loop runs in one kernel call, so nothing else sees every step. A tap is a compiled function of (m, d, table) and
a table of words of its own (physics/step/simulate.py); they are called in the order in which they were attached.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from tumble.physics.errors import ModelError
from tumble.physics.kernel import Compiled
from tumble.physics.kernel.function import INT, D, M
from tumble.physics.kernel.prepare import ready
from tumble.physics.kernel.processes import compile_beside
from tumble.physics.state.data import Data
from tumble.physics.step.tap import COUNT, HEAD, NEXT, STEPS


def tapping(function: Callable[..., Any]) -> Compiled:
    """A function of (m, d, table), compiled on its own: what a tap does after a step. It may write to its own memory only."""
    return Compiled(function, (M, D, INT))


class Tap:
    """Looks at every mj_step of one data, from `attach` to `detach`; several may at the same time."""

    def __init__(self, data: Data, function: Compiled, words: Sequence[int], rows: int, width: int) -> None:
        """words: what the table holds beyond its head; rows: how many of `width` numbers the ring keeps."""
        if rows < 1:
            raise ModelError(f"a tap keeps at least one row, not {rows}")
        if not ready([function]):  # in another process: compiling holds Python's lock, and with it a window, for seconds
            compile_beside([function], lambda part: None)
        self._data, self._function = data, function
        self._ring = np.zeros((rows, width))
        self._table = np.zeros(HEAD + len(words), np.int64)
        self._table[:HEAD] = 0, function.address, 0, 0, rows, self._ring.ctypes.data, width
        self._table[HEAD:] = words

    def attach(self) -> None:
        """Look from the next step on."""
        if not self.attached:
            _link(self._data, [*_taps(self._data), self])

    def detach(self) -> None:
        """Look no more."""
        _link(self._data, [tap for tap in _taps(self._data) if tap is not self])

    def look(self) -> None:
        """Look at the present state, as after a step."""
        call = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
        call(self._function.address)(self._data.model.address, self._data.address, self._table.ctypes.data)
        self._table[STEPS] += 1

    @property
    def attached(self) -> bool:
        """True if it looks."""
        return any(tap is self for tap in _taps(self._data))

    @property
    def steps(self) -> int:
        """Steps looked at so far."""
        return int(self._table[STEPS])

    @property
    def count(self) -> int:
        """Rows written so far."""
        return int(self._table[COUNT])

    def rows(self, count: int) -> np.ndarray:
        """Copies of the rows after the first `count`, as far as the ring still holds them."""
        now, kept = self.count, len(self._ring)
        return self._ring[np.arange(max(count, now - kept), now) % kept]


def see(data: Data) -> None:
    """Have the taps of data look at its present state, to which no step of ours has led."""
    for tap in _taps(data):
        tap.look()


def _taps(data: Data) -> list[Tap]:
    """The taps of data, which keep them: kernels know addresses only, and the memory must live as long."""
    taps: list[Tap] = data.__dict__.get("_taps", [])
    return taps


def _link(data: Data, taps: list[Tap]) -> None:
    for tap, following in pairwise(taps):
        tap._table[NEXT] = following._table.ctypes.data
    if taps:
        taps[-1]._table[NEXT] = 0
    data.inner.tap = taps[0]._table.ctypes.data if taps else 0
    data._taps = taps
