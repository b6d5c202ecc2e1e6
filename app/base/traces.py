"""Signals over time in bounded memory: the newest samples as they are, the older ones as minimum and maximum of buckets.

A day at 10,000 steps per second is 864 million samples. Each level keeps as many buckets as the next, each eight times
as long; a drawing takes the finest level that reaches back far enough, so that no peak is ever lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

KEPT = 1 << 17  # samples in full resolution: 13 s at 10,000 steps per second, 4 minutes at 500
BUCKETS = 1 << 14  # of each level
BUCKET_SIZES = tuple(8**k for k in range(2, 7))  # samples: the last level reaches back 4.3 billion of them


class _Level:
    """Minimum and maximum of each signal in buckets of so many samples, in a ring."""

    def __init__(self, size: int, buckets: int, signals: int) -> None:
        self.size = size
        self.low, self.high = np.full((2, buckets, signals), np.nan)
        self.start, self.end = np.zeros((2, buckets))  # time of the first and last sample of each bucket [s]

    def feed(self, first: int, time: Array, values: Array) -> None:
        """Add samples, the first of which is number `first`."""
        rows = len(self.start)
        bucket = (first + np.arange(len(time))) // self.size
        starts = np.flatnonzero(np.diff(bucket, prepend=bucket[0] - 1))
        at = bucket[starts] % rows
        low, high = np.fmin.reduceat(values, starts, axis=0), np.fmax.reduceat(values, starts, axis=0)
        begin = time[starts]
        if first % self.size:  # the first bucket has samples already
            low[0] = np.fmin(low[0], self.low[at[0]])
            high[0] = np.fmax(high[0], self.high[at[0]])
            begin[0] = self.start[at[0]]
        self.low[at], self.high[at] = low, high
        self.start[at] = begin
        self.end[at] = time[np.append(starts[1:], len(time)) - 1]

    def order(self, count: int) -> Array:
        """The rows of the ring from the oldest to the newest, after `count` samples in all."""
        last = -(-count // self.size)
        return np.arange(max(0, last - len(self.start)), last) % len(self.start)


class Run:
    """One run of the simulation, from a reset to the next: times [s], rising, and the values of each signal."""

    def __init__(self, signals: int, kept: int = KEPT, buckets: int = BUCKETS) -> None:
        self.count = 0
        self.time = np.zeros(kept)
        self.values = np.full((kept, signals), np.nan)
        self.levels = [_Level(size, buckets, signals) for size in BUCKET_SIZES]

    @property
    def nbytes(self) -> int:
        """Bytes of its memory, which do not grow."""
        arrays = [self.time, self.values, *(a for v in self.levels for a in (v.low, v.high, v.start, v.end))]
        return sum(a.nbytes for a in arrays)

    @property
    def span(self) -> tuple[float, float]:
        """Time of the oldest and of the newest sample that is still represented [s]."""
        if self.count == 0:
            return 0.0, 0.0
        coarse = self.levels[-1]
        return float(coarse.start[coarse.order(self.count)[0]]), float(self.time[(self.count - 1) % len(self.time)])

    def feed(self, time: Array, values: Array) -> None:
        """Add samples: time (n,), values (n, signals)."""
        for at in range(0, len(time), len(self.time)):
            t, v = time[at : at + len(self.time)], values[at : at + len(self.time)]
            place = (self.count + np.arange(len(t))) % len(self.time)
            self.time[place], self.values[place] = t, v
            for level in self.levels:
                level.feed(self.count, t, v)
            self.count += len(t)

    def samples(self) -> tuple[Array, Array]:
        """All samples in full resolution: time (n,), values (n, signals)."""
        n = len(self.time)
        order = np.arange(max(0, self.count - n), self.count) % n
        return self.time[order], self.values[order]

    def curve(self, signal: int, start: float, end: float, most: int) -> tuple[Array, Array]:
        """A line through a signal between two times, of about `most` points in which every peak shows.

        Beyond full resolution each bucket gives two points: its minimum and its maximum.
        """
        if self.count == 0:
            return np.empty(0), np.empty(0)
        time, values = self.samples()
        if self.count <= len(self.time) or start >= time[0]:
            part = _within(time, time, start, end)
            if part.stop - part.start <= most:
                return time[part], values[part, signal]
            chosen = time[part], time[part], values[part, signal], values[part, signal]
        else:
            chosen = None
        for level in self.levels:
            order = level.order(self.count)
            last = level is self.levels[-1]
            if not last and self.count > level.size * len(order) and level.start[order[0]] > start:
                continue  # it does not reach back so far
            rows = order[_within(level.start[order], level.end[order], start, end)]
            if chosen is not None and 2 * len(rows) < most:
                break  # coarser than can be drawn
            chosen = level.start[rows], level.end[rows], level.low[rows, signal], level.high[rows, signal]
        assert chosen is not None  # the last level reaches back to the beginning, or is all there is
        return _zigzag(*chosen, most)

    def at(self, signal: int, time: float) -> float:
        """The value at a time: that of the newest sample not after it; nan before and after the samples in full resolution."""
        if time > self.span[1]:
            return float("nan")
        kept, values = self.samples()
        i = int(np.searchsorted(kept, time, side="right")) - 1
        return float(values[i, signal]) if i >= 0 else float("nan")


def _within(start: Array, end: Array, first: float, last: float) -> slice:
    """The samples between two times, with one more on each side, so that the line leaves the picture."""
    a, b = int(np.searchsorted(end, first)), int(np.searchsorted(start, last, side="right"))
    return slice(max(0, a - 1), min(len(start), b + 1))


def _zigzag(start: Array, end: Array, low: Array, high: Array, most: int) -> tuple[Array, Array]:
    """Two points per bucket; buckets are merged to stay within `most` points."""
    together = max(1, -(-2 * len(start) // max(2, most)))
    if together > 1:
        first = np.arange(0, len(start), together)
        low, high = np.fmin.reduceat(low, first), np.fmax.reduceat(high, first)
        start, end = start[first], end[np.minimum(first + together, len(end)) - 1]
    x, y = np.empty(2 * len(start)), np.empty(2 * len(start))
    x[::2], x[1::2] = start, (start + end) / 2
    y[::2], y[1::2] = low, high
    return x, y


class Traces:
    """The signals of the present run, and those of the run before it, to compare with."""

    def __init__(self, names: Sequence[str] = (), kept: int = KEPT, buckets: int = BUCKETS) -> None:
        self.names = list(names)
        self._kept, self._buckets = kept, buckets
        self.now = self._empty()
        self.before: Run | None = None
        self._resets: int | None = None

    def _empty(self) -> Run:
        return Run(len(self.names), self._kept, self._buckets)

    @property
    def nbytes(self) -> int:
        """Bytes of all samples."""
        return self.now.nbytes + (self.before.nbytes if self.before is not None else 0)

    def feed(self, time: Array, resets: Array, values: Array) -> None:
        """Take samples: time (n,) [s]; resets (n,), which changes where another run begins; values (n, signals).

        A time that is not after the one before it begins another run too: the state was reverted.
        """
        if len(time) == 0:
            return
        last = self.now.span[1] if self.now.count else -np.inf
        changed = np.diff(resets, prepend=self._resets if self._resets is not None else resets[0]) != 0
        changed |= np.diff(time, prepend=last) <= 0
        cuts = [0, *(int(i) for i in np.flatnonzero(changed) if i > 0), len(time)]
        for k, (a, b) in enumerate(pairwise(cuts)):
            if (k > 0 or changed[0]) and self.now.count:
                self.before, self.now = self.now, self._empty()
            self.now.feed(time[a:b], values[a:b])
        self._resets = int(resets[-1])

    def choose(self, names: Sequence[str]) -> None:
        """Change the signals: those that stay keep their samples, new ones start empty."""
        old = {name: i for i, name in enumerate(self.names)}
        self.names = list(names)
        source = [old.get(name, -1) for name in names]
        for run in (self.now, self.before):
            if run is not None:
                run.values = _columns(run.values, source)
                for level in run.levels:
                    level.low, level.high = _columns(level.low, source), _columns(level.high, source)

    def clear(self) -> None:
        """Discard all samples."""
        self.now, self.before, self._resets = self._empty(), None, None

    def table(self) -> tuple[list[str], Array]:
        """All samples of the present run in full resolution: headings, and rows of time and values."""
        time, values = self.now.samples()
        return ["time", *self.names], np.column_stack([time, values])


def _columns(array: Array, source: list[int]) -> Array:
    result = np.full((len(array), len(source)), np.nan)
    for k, i in enumerate(source):
        if i >= 0:
            result[:, k] = array[:, i]
    return result
