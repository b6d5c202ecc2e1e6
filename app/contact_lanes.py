"""The contacts of every pair along time: what app/docks/contact_events.py draws, finds and saves. No Qt here.

The numbers of a piece are those of physics/step/touch.py: a time in which a pair stayed in contact and in one mode. The newest
pieces are kept, in a ring; with the oldest pieces of a pair its lane goes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.contact_table import MODE_WORDS
from physics import ContactMode
from physics.step.touch import (
    BEGIN,
    BROKE,
    CUT,
    END,
    ENDED,
    GEOM1,
    GEOM2,
    GOES_ON,
    IMPULSE,
    JUMP,
    MADE,
    MODE,
    PEAK,
    PEAK_TIME,
    PIECE,
    Touches,
)

Array = NDArray[Any]
Pair = tuple[int, int]

KEPT = 1 << 18  # pieces: 23 MB; a minute of 22 figures that fall over each other, hours of one that walks
LATEST, STRONGEST, BY_GEOM = ORDERS = ("latest", "strongest", "geom")
FEW = 64  # lanes that there is room for at first
MANY = 1 << 14  # lanes beyond which those without pieces are given up


@dataclass(frozen=True, slots=True)
class Touch:
    """One contact of a pair, from make to break. begin, end, peak_time [s]; peak [N]; impulse [N s].

    made, broke: whether that is seen: else it was there before, or goes on, or time jumped. slipping: share of its time.
    modes: ((beginning, mode), ...) of each piece whose mode is another than that of the one before.
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
        """How long it has lasted [s]."""
        return self.end - self.begin


class Lanes:
    """Pieces of all pairs, a lane for each pair, in memory that does not grow.

    time: the newest moment [s]; lost: pieces that came too fast to be kept; missed: contacts, one in each step, of pairs too
    many to be followed; dropped: pieces that were the oldest when there was no room.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self._rows = np.zeros((kept, PIECE), order="F")  # times are searched through at every picture
        self._lane = np.full(kept, -1, np.int64)
        self._jumps = self._missed_before = 0
        self._many = MANY
        self._open = np.zeros((0, PIECE))
        self.clear()

    def clear(self) -> None:
        """Forget all pieces; what is in contact now comes back with the next ones."""
        self._lane[:] = -1
        self._at = self._held = 0
        self.time = 0.0
        self.lost = self.missed = self.dropped = 0
        self._resets: int | None = None
        self._forget_lanes()
        self._open = np.zeros((0, PIECE))
        self._open_lane = np.zeros(0, np.int64)

    def _forget_lanes(self) -> None:
        self.pairs: list[Pair] = []
        self._index: dict[Pair, int] = {}
        self._latest, self._peak = np.zeros(FEW), np.zeros(FEW)
        self._count = np.zeros(FEW, np.int64)

    def __len__(self) -> int:
        """Pieces kept that have ended."""
        return self._held

    @property
    def touching(self) -> int:
        """Pairs in contact at the newest moment."""
        return len(self._open)

    # ---- what comes

    def take(self, touches: Touches) -> None:
        """Take what a ContactTap has seen since the last time."""
        rows = touches.rows
        if touches.count == touches.lost + len(rows):  # the first of this tap: of those open before nobody saw the end
            self._jumps = self._missed_before = 0
            self._open[:, ENDED] = CUT
            self._add(self._open)
        jumps = np.flatnonzero(rows[:, MODE] == JUMP)
        if touches.jumps != self._jumps + len(jumps):
            self.clear()  # where time jumped is lost: nobody knows any more which pieces are of the same time
        self._jumps = touches.jumps
        self.lost += touches.lost
        self.missed += touches.missed - self._missed_before
        self._missed_before = touches.missed
        first = 0
        for at in jumps:
            self._add(rows[first:at])
            self._jump(float(rows[at, BEGIN]), int(rows[at, GEOM1]))
            first = int(at) + 1
        self._add(rows[first:])
        self.time = touches.time
        self._open = touches.open
        self._open_lane = self._lanes_of(touches.open)

    def _add(self, rows: Array) -> None:
        rows = rows[-len(self._rows) :]
        if len(rows) == 0:
            return
        lane = self._lanes_of(rows)
        at = (self._at + np.arange(len(rows))) % len(self._rows)
        old = self._lane[at]
        np.subtract.at(self._count, old[old >= 0], 1)
        self.dropped += int((old >= 0).sum())
        np.add.at(self._count, lane, 1)
        self._rows[at], self._lane[at] = rows, lane
        self._at = int((self._at + len(rows)) % len(self._rows))
        self._held = min(len(self._rows), self._held + len(rows))

    def _lanes_of(self, rows: Array) -> Array:
        """The lanes (n,) of pieces, made where there are none yet; their latest moment and largest force follow."""
        if len(rows) == 0:
            return np.zeros(0, np.int64)
        if len(self.pairs) > self._many:
            self._give_up_empty()
        geoms = rows[:, GEOM1 : GEOM2 + 1].astype(np.int64)
        _, first, inverse = np.unique(geoms[:, 0] << 32 | geoms[:, 1], return_index=True, return_inverse=True)
        known = []
        for a, b in geoms[first].tolist():
            if (a, b) not in self._index:
                self._index[a, b] = len(self.pairs)
                self.pairs.append((a, b))
            known.append(self._index[a, b])
        while len(self._latest) < len(self.pairs):
            self._latest, self._peak = (np.concatenate([x, np.zeros(len(x))]) for x in (self._latest, self._peak))
            self._count = np.concatenate([self._count, np.zeros(len(self._count), np.int64)])
        lane: Array = np.array(known, np.int64)[inverse]
        np.maximum.at(self._latest, lane, rows[:, END])
        np.maximum.at(self._peak, lane, rows[:, PEAK])
        return lane

    def _give_up_empty(self) -> None:
        """Make the lanes anew, of what is kept."""
        self._forget_lanes()
        kept = self._lane >= 0
        self._lane[kept] = self._lanes_of(self._rows[kept])
        self._open_lane = self._lanes_of(self._open)
        np.add.at(self._count, self._lane[kept], 1)
        self._many = max(MANY, 2 * len(self.pairs))

    def _jump(self, start: float, resets: int) -> None:
        """Time goes on from `start`: after a reset nothing stays; else what is later than that goes."""
        if self._resets is not None and resets != self._resets:
            lost, missed = self.lost, self.missed
            self.clear()
            self.lost, self.missed = lost, missed
        self._resets = resets
        kept = (self._lane >= 0) & (self._rows[:, BEGIN] < start)
        if self._held and (not kept.all() or self._rows[kept, END].max(initial=-np.inf) > start):
            self._cut(kept, start)

    def _cut(self, kept: Array, end: float) -> None:
        """Keep these pieces only, and of them what is before `end`."""
        order = np.arange(self._at, self._at + len(self._rows)) % len(self._rows)  # from the oldest
        order = order[kept[order]]
        rows = self._rows[order].copy()
        late = rows[:, END] > end
        share = (end - rows[late, BEGIN]) / (rows[late, END] - rows[late, BEGIN])
        rows[late, IMPULSE] *= share
        rows[late, PEAK_TIME] = np.minimum(rows[late, PEAK_TIME], end)
        rows[late, END], rows[late, ENDED] = end, CUT
        resets, dropped = self._resets, self.dropped
        lost, missed = self.lost, self.missed
        self.clear()
        self._resets, self.lost, self.missed = resets, lost, missed
        self._add(rows)
        self.dropped = dropped

    # ---- what is there

    def present(self, chosen: Array | None = None, order: str = LATEST) -> Array:
        """The lanes that have pieces, in one of the ORDERS; chosen (lanes,): which of all."""
        n = len(self.pairs)
        there = self._count[:n] > 0
        there[self._open_lane] = True
        if chosen is not None:
            there &= chosen
        lanes = np.flatnonzero(there)
        geoms = np.array(self.pairs, np.int64).reshape(-1, 2)[lanes].T
        key = np.zeros(len(lanes))
        if order == STRONGEST:
            key = -self._peak[lanes]
        elif order == LATEST:
            key = -self._latest[lanes]
            key[np.isin(lanes, self._open_lane)] = -np.inf  # among those in contact now the order stays
        return lanes[np.lexsort([geoms[1], geoms[0], key])]

    def between(self, start: float, end: float, lanes: Array) -> tuple[Array, Array]:
        """Pieces (n, PIECE) of some lanes that reach into a stretch of time, and which of those lanes (n,) each is of."""
        place = np.full(max(1, len(self.pairs)), -1)
        place[lanes] = np.arange(len(lanes))
        rows, slots = [], []
        for table, lane in ((self._rows, self._lane), (self._open, self._open_lane)):
            seen = np.flatnonzero((lane >= 0) & (table[:, BEGIN] <= end) & (table[:, END] >= start))
            seen = seen[place[lane[seen]] >= 0]
            rows.append(table[seen])
            slots.append(place[lane[seen]])
        return np.vstack(rows), np.concatenate(slots)

    def lane_of(self, pair: Pair) -> int:
        """The lane of a pair; -1: there is none."""
        return self._index.get(pair, -1)

    def touches(self, lane: int) -> list[Touch]:
        """All contacts of a lane that are kept, the oldest first."""
        rows, _ = self.between(-np.inf, np.inf, np.array([lane]))
        return [_touch(part) for part in split(rows)]

    def touch_at(self, lane: int, time: float) -> Touch | None:
        """The contact of a lane at a time, or the nearest one; None: it has none."""
        found = self.touches(lane)
        return min(found, key=lambda t: max(t.begin - time, time - t.end, 0.0), default=None)

    def all_touches(self) -> Iterator[Touch]:
        """All contacts that are kept, lane by lane."""
        for lane in self.present():
            yield from self.touches(int(lane))


def split(rows: Array) -> list[Array]:
    """Pieces of one lane, in order and by contacts."""
    rows = rows[np.argsort(rows[:, BEGIN], kind="stable")]
    starts = np.flatnonzero(_starts(rows))
    return np.split(rows, starts[1:]) if len(rows) else []


def _starts(rows: Array) -> Array:
    """Which of the pieces of one lane, in order, are the first of their contact: the one before ended with it."""
    starts: Array = np.ones(len(rows), bool)
    starts[1:] = (rows[1:, MADE] == 1) | (rows[:-1, ENDED] != GOES_ON)
    return starts


def _touch(rows: Array) -> Touch:
    top, long = int(np.argmax(rows[:, PEAK])), rows[:, END] - rows[:, BEGIN]
    changes = np.flatnonzero(np.diff(rows[:, MODE], prepend=-9))
    total = float(long.sum())
    return Touch(
        pair=(int(rows[0, GEOM1]), int(rows[0, GEOM2])),
        begin=float(rows[0, BEGIN]),
        end=float(rows[-1, END]),
        made=bool(rows[0, MADE]),
        broke=bool(rows[-1, ENDED] == BROKE),
        peak=float(rows[top, PEAK]),
        peak_time=float(rows[top, PEAK_TIME]),
        impulse=float(rows[:, IMPULSE].sum()),
        slipping=float(long[rows[:, MODE] == ContactMode.SLIP].sum()) / total if total > 0 else 0.0,
        modes=tuple((float(rows[k, BEGIN]), ContactMode(int(rows[k, MODE]))) for k in changes),
    )


def events(touches: Sequence[Touch], names: Sequence[str]) -> list[list[str]]:
    """Rows of a table of events in the order of time, after its headings: make, break, changes of mode and peaks."""
    rows: list[tuple[float, Touch, str, tuple[float | None, ...]]] = []
    for t in touches:
        if t.made:
            rows.append((t.begin, t, "make", ()))
        rows.extend((time, t, MODE_WORDS[mode], ()) for time, mode in t.modes)
        rows.append((t.peak_time, t, "peak", (t.peak,)))
        if t.broke:
            rows.append((t.end, t, "break", (None, t.duration, t.impulse, t.slipping)))
    rows.sort(key=lambda row: row[0])
    table = [["time [s]", "event", "geom1", "geom2", "force [N]", "duration [s]", "impulse [N s]", "share of time slipping"]]
    for time, t, event, numbers in rows:
        texts = ["" if x is None else repr(x) for x in (*numbers, *[None] * (4 - len(numbers)))]
        table.append([repr(time), event, *(names[g] if g >= 0 else "flex" for g in t.pair), *texts])
    return table
