"""The contacts of every pair of geoms from make to break, at every step: a tap that writes what a pair did, piece by piece.

A *piece* is a time in which a pair of geoms stayed in contact and its state, the mode, stayed the same: it sticks, slips, is
open, smooth or asleep. A pair that slips in any of its contacts slips; one that sticks in any other sticks; its force is the sum
of their normal forces. A step's contacts count from the beginning of the step, whose positions they belong to, to its end.
A piece that lasts is divided, at most every SLICE of time, where the force has left its mean: so the pieces draw the force,
and a contact at rest is a single one for hours.

Contacts among sleepers are not computed: a pair that is gone while its bodies sleep has not broken, it is asleep.

Memory is made beforehand: a table of pairs in contact with a hash over it, and the ring. Pairs beyond the table are counted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from physics.dynamics.asleep import ASLEEP as BODY_ASLEEP
from physics.dynamics.asleep import AWAKE as BODY_AWAKE
from physics.dynamics.contact_force import contact_force
from physics.dynamics.contact_mode import ContactMode, cone_share, contact_mode
from physics.errors import ModelError
from physics.kernel import kernel
from physics.observe.tap import Tap, tapping
from physics.state.data import Data
from physics.state.enums import mjtConstraint
from physics.state.memory import f8_table_at, i8_at
from physics.step.tap import HEAD, STEPS, next_row

# Numbers of a piece, in the ring and at the beginning of a pair in the table: time of its beginning and end [s]; the geoms, or
# -1 - flex; mode; largest force [N], and the beginning of the step that had it [s]; impulse [N s]; 1: the contact was made at
# its beginning; how it ended.
BEGIN, END, GEOM1, GEOM2, MODE, PEAK, PEAK_TIME, IMPULSE, MADE, ENDED, PIECE = range(11)
# ... and what else the table knows of a pair: force and mode in this step, and the step in which it was seen last.
FORCE, NOW, SEEN, PAIR = PIECE, PIECE + 1, PIECE + 2, PIECE + 3

GOES_ON, BROKE, CUT = 0, 1, 2  # how a piece ended: another follows; the contact broke; time jumped, or the tap was removed
# In place of a mode: not a piece, but the beginning of a time that does not follow the one before; GEOM1: the resets so far.
JUMP = -1
UNKNOWN = -2  # a pair that is new in this step

# Words of the table: pairs in contact; pairs there is room for; contacts, one in each step, of pairs there was no room
# for; jumps so far; resets at the last step; addresses of pairs and hash; chains of the hash, a power of two.
PAIRS, ROOM, MISSED, JUMPS, RESETS, PLACE, HASH, CHAINS, SIZE = range(HEAD, HEAD + 9)

SLICE = 0.02  # a piece may be divided for its force when it is this long [s]: a pixel of a window of 20 s
SPREAD = 0.2  # ... and the force has left its mean by this share

OPEN, STICK, SLIP, SLEEPS = int(ContactMode.OPEN), int(ContactMode.STICK), int(ContactMode.SLIP), int(ContactMode.ASLEEP)
PYRAMIDAL = int(mjtConstraint.mjCNSTR_CONTACT_PYRAMIDAL)
# Which of two modes a pair has whose contacts have both.
_RANK = {ContactMode.OPEN: 0, ContactMode.SMOOTH: 1, ContactMode.STICK: 2, ContactMode.SLIP: 3, ContactMode.ASLEEP: 4}
RANK = np.array([_RANK[mode] for mode in ContactMode])  # a tuple would raise if it has no such index


@kernel
def stronger(a, b):
    """The mode of a pair that has contacts in modes a and b."""
    return a if RANK[a] >= RANK[b] else b


@kernel
def mode_in_step(m, d, c):
    """Normal force [N] and mode of contact c."""
    (f0, f1, f2), (f3, f4, f5) = contact_force(d, c)
    r = d.contact_efc_address[c]
    elliptic = r >= 0 and d.efc_type[r] != PYRAMIDAL
    share = cone_share((f0, f1, f2, f3, f4, f5), d.contact_friction[c], elliptic)
    return f0, int(contact_mode(f0, share, d.contact_dim[c]))


@kernel
def chain_of(head, a, b):
    """The chain of the hash that a pair belongs to."""
    return (a * 73856093 ^ b * 19349663) & (head[CHAINS] - 1)


@kernel
def find(head, pairs, links, a, b):
    """Where a pair is in the table; -1: nowhere."""
    k = links[chain_of(head, a, b)]
    while k >= 0:
        if pairs[k, GEOM1] == a and pairs[k, GEOM2] == b:
            return k
        k = links[head[CHAINS] + k]
    return -1


@kernel
def link(head, pairs, links, k):
    """Make the pair at k known to the hash."""
    chain = chain_of(head, int(pairs[k, GEOM1]), int(pairs[k, GEOM2]))
    links[head[CHAINS] + k] = links[chain]
    links[chain] = k


@kernel
def unlink(head, pairs, links, k):
    """Make the hash forget the pair at k."""
    at = chain_of(head, int(pairs[k, GEOM1]), int(pairs[k, GEOM2]))
    while links[at] != k:
        at = head[CHAINS] + links[at]
    links[at] = links[head[CHAINS] + k]


@kernel
def remove(head, pairs, links, k):
    """Take the pair at k out of the table; the last one comes in its place."""
    last = head[PAIRS] - 1
    unlink(head, pairs, links, k)
    if k != last:
        unlink(head, pairs, links, last)
        for i in range(PAIR):
            pairs[k, i] = pairs[last, i]
        link(head, pairs, links, k)
    head[PAIRS] = last


@kernel
def write(table, pair, end, ended):
    """The piece of a pair into the ring."""
    row = next_row(table)
    for i in range(PIECE):
        row[i] = pair[i]
    row[END] = end
    row[ENDED] = ended


@kernel
def begin_piece(pair, start, made):
    """A pair's next piece, in the mode that it has now."""
    pair[BEGIN] = start
    pair[MODE] = pair[NOW]
    pair[PEAK], pair[PEAK_TIME] = pair[FORCE], start
    pair[IMPULSE] = 0.0
    pair[MADE] = made


@kernel
def side(d, c, k):
    """What contact c is of, on side k: a geom; of a flex -1 - its number."""
    g = int(d.contact_geom[c, k])
    return g if g >= 0 else -1 - int(d.contact_flex[c, k])


@kernel
def gather(m, d, head, pairs, links, went_on):
    """Force and mode of every pair that is in contact in this step; new ones are added."""
    for c in range(d.ncon):
        a, b = side(d, c, 0), side(d, c, 1)
        force, mode = mode_in_step(m, d, c)
        k = find(head, pairs, links, a, b)
        if k < 0:
            if head[PAIRS] == head[ROOM]:
                head[MISSED] += 1
                continue
            k = head[PAIRS]
            head[PAIRS] += 1
            pairs[k, GEOM1], pairs[k, GEOM2] = a, b
            pairs[k, MODE], pairs[k, MADE], pairs[k, SEEN] = UNKNOWN, (1.0 if went_on else 0.0), -1.0
            link(head, pairs, links, k)
        if pairs[k, SEEN] != head[STEPS]:
            pairs[k, SEEN], pairs[k, FORCE], pairs[k, NOW] = head[STEPS], 0.0, OPEN
        pairs[k, FORCE] += force
        pairs[k, NOW] = stronger(int(pairs[k, NOW]), mode)


@kernel
def sleeps(m, d, pair):
    """Whether neither geom of a pair is awake, and one sleeps."""
    some = False
    for i in range(GEOM1, GEOM2 + 1):
        g = int(pair[i])
        if g < 0 or d.body_awake[m.geom_bodyid[g]] == BODY_AWAKE:
            return False
        some = some or d.body_awake[m.geom_bodyid[g]] == BODY_ASLEEP
    return some


@kernel
def add_step(table, pair, start, h):
    """Adds a step that begins at `start` to a pair's piece, or ends that and begins another."""
    force, age = pair[FORCE], start - pair[BEGIN]
    if pair[MODE] == UNKNOWN:
        begin_piece(pair, start, pair[MADE])
    elif pair[MODE] != pair[NOW] or (age >= SLICE and abs(force * age - pair[IMPULSE]) > SPREAD * pair[IMPULSE]):
        write(table, pair, start, GOES_ON)
        begin_piece(pair, start, 0.0)
    if force > pair[PEAK]:
        pair[PEAK], pair[PEAK_TIME] = force, start
    pair[IMPULSE] += force * h


@kernel
def jump(table, head, pairs, links, last, start, resets):
    """Time did not go on from `last`: ends all that is open, and says where it goes on."""
    for k in range(head[PAIRS]):
        write(table, pairs[k], last, CUT)
    head[PAIRS] = 0
    for i in range(head[CHAINS]):
        links[i] = -1
    row = next_row(table)
    for i in range(PIECE):
        row[i] = 0.0
    row[BEGIN], row[GEOM1], row[MODE] = start, resets, JUMP
    head[JUMPS] += 1
    head[RESETS] = resets


@tapping
def follow_contacts(m, d, table):
    """Writes the pieces that ended at this step, and keeps those that go on."""
    head = i8_at(table, SIZE)
    pairs = f8_table_at(head[PLACE], head[ROOM] + 1, PAIR)
    links = i8_at(head[HASH], head[CHAINS] + head[ROOM])
    h, last = m.opt_timestep, pairs[head[ROOM], END]  # behind the pairs: the time at the last step
    went_on = head[STEPS] > 0 and head[RESETS] == d.resets and abs(d.time - h - last) < 0.5 * h
    start = last if went_on else d.time - h
    if not went_on:
        jump(table, head, pairs, links, last, start, d.resets)
    gather(m, d, head, pairs, links, went_on)
    k = 0
    while k < head[PAIRS]:
        pair = pairs[k]
        if pair[SEEN] != head[STEPS]:
            if not sleeps(m, d, pair):
                write(table, pair, start, BROKE)
                remove(head, pairs, links, k)
                continue
            pair[FORCE], pair[NOW] = 0.0, SLEEPS
        add_step(table, pair, start, h)
        k += 1
    pairs[head[ROOM], END] = d.time


@dataclass(frozen=True, slots=True)
class Touches:
    """What pairs of geoms did in contact.

    rows (n, PIECE): pieces that have ended, and jumps, in the order in which they ended; open (k, PIECE): those that continue,
    until `time` [s].
    count: rows written so far in all; lost: how many of those asked for the ring had no room for; missed: contacts so far, one
    in each step, of pairs that there was no room for; jumps: so far.
    """

    count: int
    lost: int
    missed: int
    jumps: int
    time: float
    rows: np.ndarray
    open: np.ndarray


class ContactTap(Tap):
    """The contacts of every pair of geoms from make to break."""

    def __init__(self, data: Data, rows: int = 1 << 16, room: int = 1 << 12) -> None:
        """rows: pieces and jumps that the ring keeps; room: pairs in contact at the same time that can be followed."""
        if room < 1:
            raise ModelError(f"there must be room for at least one pair, not {room}")
        chains = 1 << (2 * room - 1).bit_length()
        self._pairs = np.zeros((room + 1, PAIR))
        self._links = np.full(chains + room, -1, np.int64)
        words = [0, room, 0, 0, 0, self._pairs.ctypes.data, self._links.ctypes.data, chains]
        super().__init__(data, follow_contacts, words, rows, PIECE)

    def since(self, count: int) -> Touches:
        """Copies of the rows after the first `count`, as far as the ring still holds them, and of what is open."""
        words, room, rows = self._table, len(self._pairs) - 1, self.rows(count)
        time = float(self._pairs[room, END])
        present = self._pairs[: words[PAIRS], :PIECE].copy()
        present[:, END] = time
        lost = self.count - count - len(rows)
        return Touches(self.count, lost, int(words[MISSED]), int(words[JUMPS]), time, rows, present)
