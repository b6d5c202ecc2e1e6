"""Pieces grouped into contacts, from make to break, and their events. No Qt here.

The numbers of a piece are those of physics/observe/touch.py. All contacts are dealt with at once: there may be 100,000.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.describe.contacts import MODE_WORDS
from tumble.physics import ContactMode
from tumble.physics.observe.touch import BEGIN, BROKE, END, ENDED, GEOM1, GEOM2, GOES_ON, IMPULSE, MADE, MODE, PEAK, PEAK_TIME

Array = NDArray[Any]
Pair = tuple[int, int]

HEADINGS = ["time [s]", "event", "geom1", "geom2", "force [N]", "duration [s]", "impulse [N s]", "share of time slipping"]


class Touch(Struct, frozen=True):
    """One contact of a pair, from make to break. begin, end, peak_time [s]; peak [N]; impulse [N s].

    made, broke: whether it was seen: else the contact was there before, or lasts, or time jumped. slipping: share of its time.
    modes: ((beginning, mode), ...) of each piece whose mode differs from the one before.
    """

    pair: Pair
    begin: float
    end: float
    made: bool
    broke: bool
    peak: float
    peak_time: float
    impulse: float
    slipping: float
    modes: tuple[tuple[float, ContactMode], ...]

    @property
    def duration(self) -> float:
        """Duration [s]."""
        return self.end - self.begin


class ContactGroups:
    """The contacts that pieces are of. rows (n, PIECE): the pieces by lane and time; order (n,): where each was before.

    first, last, top: (k,) of each contact the pieces that it begins and ends with, and the one with its peak.
    """

    def __init__(self, rows: Array, slots: Array) -> None:
        """rows: pieces (n, PIECE) in any order; slots (n,): of which lane each is."""
        self.order = np.lexsort([rows[:, BEGIN], slots])
        self.rows = rows[self.order]
        starts = np.ones(len(rows), bool)
        before, after = self.rows[:-1], self.rows[1:]
        starts[1:] = (np.diff(slots[self.order]) != 0) | (after[:, MADE] == 1) | (before[:, ENDED] != GOES_ON)
        self.first = np.flatnonzero(starts)
        self.last = np.append(self.first[1:], len(rows))[: len(self.first)] - 1
        by_force = np.lexsort([-np.arange(len(rows)), self.rows[:, PEAK], np.cumsum(starts)])  # of equal ones the first
        self.top = by_force[self.last]
        self._changes = starts
        self._changes[1:] |= before[:, MODE] != after[:, MODE]

    def __len__(self) -> int:
        return len(self.first)

    def nearest(self, time: float) -> int:
        """The contact at a time, or the nearest one; there must be one."""
        begin, end = self.rows[self.first, BEGIN], self.rows[self.last, END]
        return int(np.argmin(np.maximum(np.maximum(begin - time, time - end), 0.0)))

    def touch(self, k: int) -> Touch:
        """Contact k."""
        first, last = int(self.first[k]), int(self.last[k])
        rows, top = self.rows[first : last + 1], self.rows[self.top[k]]
        long = rows[:, END] - rows[:, BEGIN]
        total, slipping = float(long.sum()), float(long[rows[:, MODE] == ContactMode.SLIP].sum())
        return Touch(
            pair=(int(rows[0, GEOM1]), int(rows[0, GEOM2])),
            begin=float(rows[0, BEGIN]),
            end=float(rows[-1, END]),
            made=bool(rows[0, MADE]),
            broke=bool(rows[-1, ENDED] == BROKE),
            peak=float(top[PEAK]),
            peak_time=float(top[PEAK_TIME]),
            impulse=float(rows[:, IMPULSE].sum()),
            slipping=slipping / total if total > 0 else 0.0,
            modes=tuple((float(r[BEGIN]), ContactMode(int(r[MODE]))) for r in rows[self._changes[first : last + 1]]),
        )

    def events(self, names: Sequence[str]) -> Iterator[list[str]]:
        """A table in the order of time, after its headings: makes, changes of mode, peaks and breaks; names: Names.sides."""
        yield HEADINGS
        rows, broken = self.rows, np.flatnonzero(self.rows[self.last, ENDED] == BROKE)
        made, changed = self.first[rows[self.first, MADE] == 1], np.flatnonzero(self._changes)
        pieces = np.concatenate([made, changed, self.top, self.last[broken]])
        times = np.concatenate([rows[made, BEGIN], rows[changed, BEGIN], rows[self.top, PEAK_TIME], rows[self.last[broken], END]])
        kinds = np.repeat(np.arange(4), [len(made), len(changed), len(self), len(broken)])
        ends = iter(self._sums()[broken[np.argsort(rows[self.last[broken], END], kind="stable")]].tolist())
        for e in np.argsort(times, kind="stable").tolist():
            row, kind = rows[pieces[e]].tolist(), int(kinds[e])
            word = ("make", MODE_WORDS[ContactMode(int(row[MODE]))], "peak", "break")[kind]
            geoms = [names[int(g)] for g in (row[GEOM1], row[GEOM2])]
            end = map(repr, next(ends)) if word == "break" else ("", "", "")
            yield [repr(float(times[e])), word, *geoms, repr(row[PEAK]) if word == "peak" else "", *end]

    def _sums(self) -> Array:
        """Duration [s], impulse [N s] and share of time slipping (k, 3) of each contact."""
        rows, first = self.rows, self.first
        if not len(first):
            return np.zeros((0, 3))
        long = rows[:, END] - rows[:, BEGIN]
        total = np.add.reduceat(long, first)
        slips = np.add.reduceat(np.where(rows[:, MODE] == ContactMode.SLIP, long, 0.0), first)
        share = np.divide(slips, total, out=np.zeros(len(first)), where=total > 0)
        return np.column_stack([rows[self.last, END] - rows[first, BEGIN], np.add.reduceat(rows[:, IMPULSE], first), share])
