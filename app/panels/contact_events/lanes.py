"""Contacts of every pair along time, for drawing, search and export, and their words. No Qt here.

The numbers of a piece are those of physics/observe/touch.py: a time in which a pair stayed in contact and in one mode. The newest
pieces are kept, in a ring; with the oldest pieces of a pair its lane goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tumble.app.describe.contacts import MODE_WORDS, Names
from tumble.app.describe.numbers import duration, fixed, moment, short
from tumble.app.panels.contact_events.groups import ContactGroups, Pair, Touch
from tumble.physics import ContactMode
from tumble.physics.observe.touch import BEGIN, CUT, END, ENDED, GEOM1, GEOM2, IMPULSE, JUMP, MODE, PEAK, PEAK_TIME, PIECE

if TYPE_CHECKING:
    from tumble.physics.observe.touch import Touches

Array = NDArray[Any]

KEPT = 1 << 18  # pieces: 23 MB; a minute of 22 figures that fall over each other, hours of one that walks
LATEST, STRONGEST, BY_GEOM = "latest", "strongest", "geom"  # the orders that lanes may have
FEW = 64  # lanes that there is room for at first
MANY = 1 << 14  # lanes beyond which those without pieces are given up


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
        """Discard all pieces; present contacts come back with the next ones."""
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
        """Pieces that have ended."""
        return self._held

    @property
    def touching(self) -> int:
        """Pairs in contact at the newest moment."""
        return len(self._open)

    # ---- new data

    def take(self, touches: Touches) -> None:
        """Add the contacts that a ContactTap recorded since the last call."""
        rows = touches.rows
        if touches.count == touches.lost + len(rows):  # the first of this tap: the ends of pieces open before were not seen
            self._jumps = self._missed_before = 0
            self._open[:, ENDED] = CUT
            self._add(self._open)
        jumps = np.flatnonzero(rows[:, MODE] == JUMP)
        if touches.jumps != self._jumps + len(jumps):
            self.clear()  # the jump in time is lost: which pieces belong to the same time is unknown
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
        """The lanes (n,) of pieces, created if missing; their latest moment and largest force are updated."""
        if len(rows) == 0:
            return np.zeros(0, np.int64)
        if len(self.pairs) > self._many:
            self._give_up_empty()
        geoms = rows[:, GEOM1 : GEOM2 + 1].astype(np.int64)
        codes = geoms[:, 0] * (1 << 32) + geoms[:, 1]  # flexes are negative numbers
        _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
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
        """Rebuild the lanes from the remaining pieces."""
        self._forget_lanes()
        kept = self._lane >= 0
        self._lane[kept] = self._lanes_of(self._rows[kept])
        self._open_lane = self._lanes_of(self._open)
        np.add.at(self._count, self._lane[kept], 1)
        self._many = max(MANY, 2 * len(self.pairs))

    def _jump(self, start: float, resets: int) -> None:
        """Continue at `start`: a reset discards everything, else later pieces go."""
        if self._resets is not None and resets != self._resets:
            lost, missed = self.lost, self.missed
            self.clear()
            self.lost, self.missed = lost, missed
        self._resets = resets
        kept = (self._lane >= 0) & (self._rows[:, BEGIN] < start)
        if self._held and (not kept.all() or self._rows[kept, END].max(initial=-np.inf) > start):
            self._cut(kept, start)

    def _cut(self, kept: Array, end: float) -> None:
        """Keep only these pieces, up to `end`."""
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

    # ---- queries

    def present(self, chosen: Array | None = None, order: str = LATEST) -> Array:
        """The lanes that have pieces, in one of the orders above; chosen (lanes,): which of all."""
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
        """The lane of a pair; -1 without one."""
        return self._index.get(pair, -1)

    def contacts(self, lanes: Array) -> ContactGroups:
        """All contacts of some lanes that are kept."""
        return ContactGroups(*self.between(-np.inf, np.inf, lanes))

    def touches(self, lane: int) -> list[Touch]:
        """The contacts of a lane, the oldest first."""
        contacts = self.contacts(np.array([lane]))
        return [contacts.touch(k) for k in range(len(contacts))]

    def touch_at(self, lane: int, time: float) -> Touch | None:
        """The contact of a lane at a time, or the nearest one; None: it has none."""
        contacts = self.contacts(np.array([lane]))
        return contacts.touch(contacts.nearest(time)) if len(contacts) else None


def find_pairs(text: str, pairs: Sequence[Pair], names: Names) -> Array:
    """Mask (n,) of pairs that have all words, each in a name of geom or body."""
    geoms = np.array(pairs, np.int64).reshape(-1, 2)
    result: Array = np.ones(len(geoms), bool)
    for word in text.lower().split():
        result &= names.with_word(word, geoms)
    return result


def touch_words(touch: Touch, name: str, newest: float) -> str:
    """One contact in a line of rich text; newest: the last moment seen [s]."""
    begin = f"made {moment(touch.begin, 4)}" if touch.made else f"before {moment(touch.begin, 4)}"
    last = moment(touch.end, 4)
    end = f"broke {last}" if touch.broke else "continues" if touch.end == newest else f"seen until {last}"
    parts = [
        f"<b>{name}</b>", f"{begin}, {end}", f"lasts {duration(touch.duration)}",
        f"peak {fixed(touch.peak, 2)} N at {moment(touch.peak_time, 4)}", f"impulse {short(touch.impulse)} N s",
    ]  # fmt: skip
    if touch.slipping:
        parts.append(f"slips {100 * touch.slipping:.0f} % of it")
    return " &nbsp; ".join(parts)


def piece_words(row: Array, name: str) -> str:
    """A piece, the numbers of physics/observe/touch.py, in three lines."""
    return (
        f"{name}\n{MODE_WORDS[ContactMode(int(row[MODE]))]} {moment(row[BEGIN], 4)} to {moment(row[END], 4)}\n"
        f"peak {fixed(row[PEAK], 2)} N at {moment(row[PEAK_TIME], 4)}, impulse {short(row[IMPULSE])} N s"
    )


def pair_of(row: Array) -> Pair:
    """The geoms of a piece."""
    return int(row[GEOM1]), int(row[GEOM2])


def summary(lanes: Lanes, count: int) -> str:
    """Amount of pieces, and those there was no room for; count: lanes that the filter leaves."""
    parts = [f"{count} pair{'' if count == 1 else 's'}, {lanes.touching} in contact, {len(lanes)} pieces kept"]
    if lanes.dropped:
        parts.append(f"{lanes.dropped} older ones dropped")
    if lanes.lost:
        parts.append(f"{lanes.lost} came too fast and are lost")
    if lanes.missed:
        parts.append(f"{lanes.missed} contacts missed: more pairs than can be followed")
    return "; ".join(parts)
