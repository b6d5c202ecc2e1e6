"""The contacts of every pair of geoms from make to break, at every step: a tap that writes what a pair did, piece by piece.

A *piece* is a time in which a pair of geoms stayed in contact and its state, the mode, stayed the same: it sticks, slips, is
open, smooth or asleep. A pair that slips in any of its contacts slips; one that sticks in any other sticks; its force is the sum
of their normal forces. A step's contacts count from the beginning of the step, whose positions they belong to, to its end.
A piece that lasts is divided, at most every SLICE of time, where the force has left its mean: so the pieces draw the force,
and a contact at rest is a single one for hours.

At rest, contacts flicker: a ball beside a box appears and disappears with forces of 1e-8 N, a corner passes from stick to slip
and back. So a change counts only if the bodies move or it lasts (`settle`), and is then dated to when it began:

- a contact breaks when it has been missing for FEW steps and the bodies have moved apart by REACH;
- it opens, still within its margin, under the same condition;
- it slips when the bodies have slid by REACH; times of sticking shorter than HOLD in between count as slipping;
- it sticks again when it has stuck for HOLD.

How the bodies move is the integral of their relative velocity at the contact, from when the change began: along the normal to
part, or FAR times as much in any direction. The surface of a flex has no single velocity: there, what lasts for FLEX_HOLD counts.

Contacts among sleepers are not computed: a pair that is gone while its bodies sleep has not broken, it is asleep.

Memory is made beforehand: a table of pairs in contact with a hash over it, and the ring. Pairs beyond the table are counted.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from tumble.physics.dynamics.asleep import ASLEEP as BODY_ASLEEP
from tumble.physics.dynamics.asleep import AWAKE as BODY_AWAKE
from tumble.physics.dynamics.contact_force import ContactMode, cone_share, contact_force, contact_mode
from tumble.physics.errors import ModelError
from tumble.physics.kernel import kernel
from tumble.physics.observe.tap import Tap, tapping
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtConstraint
from tumble.physics.state.memory import f8_table_at, i8_at
from tumble.physics.step.tap import HEAD, STEPS, next_row

# Numbers of a piece, in the ring and at the beginning of a pair in the table: time of its beginning and end [s]; the geoms, or
# -1 - flex; mode; largest force [N], and the beginning of the step that had it [s]; impulse [N s]; 1: the contact was made at
# its beginning; how it ended.
BEGIN, END, GEOM1, GEOM2, MODE, PEAK, PEAK_TIME, IMPULSE, MADE, ENDED, PIECE = range(11)
# ... and what else the table holds for a pair: force and mode in this step; the step in which it was last in contact, and
# where (3) [m] and its normal (3); the motion that counts [m]; the mode of the newest steps, since when [s], and how many.
FORCE, NOW, SEEN, POINT, NORMAL, REACH, RUN, RUN_BEGIN, RUN_STEPS = (PIECE + i for i in (0, 1, 2, 3, 6, 9, 10, 11, 12))
# A change that may be coming: 1: there is one; since when [s]; peak [N], its time [s] and impulse [N s] since then; how far the
# bodies have moved (3) [m].
COMING, SINCE, SINCE_PEAK, SINCE_PEAK_TIME, SINCE_IMPULSE, MOVED, PAIR = (PIECE + i for i in (13, 14, 15, 16, 17, 18, 21))

GOES_ON, BROKE, CUT = 0, 1, 2  # how a piece ended: another follows; the contact broke; time jumped, or the tap was removed
# In place of a mode: not a piece, but the beginning of a time that does not follow the one before; GEOM1: the resets so far.
JUMP = -1
UNKNOWN = -2  # a pair that is new in this step
AWAY = -3  # a pair that is not in contact in this step

# Words of the table: pairs in contact; pairs there is room for; contacts, one in each step, of pairs there was no room
# for; jumps so far; resets at the last step; addresses of pairs and hash; chains of the hash, a power of two.
PAIRS, ROOM, MISSED, JUMPS, RESETS, PLACE, HASH, CHAINS, SIZE = range(HEAD, HEAD + 9)

SLICE = 0.02  # a piece may be divided for its force when it is this long [s]: a pixel of a window of 20 s
SPREAD = 0.2  # ... and the force has left its mean by this share
FEW = 3  # steps
HOLD, FLEX_HOLD = 0.02, 0.1  # [s]
REACH_SHARE = 1e-3  # of the bounding radius of the smaller geom
FAR = 30.0

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
    """Index of a pair in the table; -1 if missing."""
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
def begin_piece(pair, start, mode, made):
    """Begin a pair's next piece."""
    pair[BEGIN] = start
    pair[MODE] = mode
    pair[PEAK], pair[PEAK_TIME] = -1.0, start
    pair[IMPULSE] = 0.0
    pair[MADE] = made


@kernel
def merge(pair):
    """Make what happened since a change was coming a part of the piece."""
    if pair[SINCE_PEAK] > pair[PEAK]:
        pair[PEAK], pair[PEAK_TIME] = pair[SINCE_PEAK], pair[SINCE_PEAK_TIME]
    pair[IMPULSE] += pair[SINCE_IMPULSE]
    pair[SINCE_PEAK], pair[SINCE_IMPULSE] = -1.0, 0.0


@kernel
def change(table, pair, mode):
    """End a pair's piece where the change began, and begin one in its new mode."""
    since = pair[SINCE]
    if since > pair[BEGIN]:
        write(table, pair, since, GOES_ON)
        begin_piece(pair, since, mode, 0.0)
    pair[MODE] = mode
    merge(pair)
    pair[COMING] = 0.0


@kernel
def side(d, c, k):
    """Side k of contact c: geom id, or -1 - flex id."""
    g = int(d.contact_geom[c, k])
    return g if g >= 0 else -1 - int(d.contact_flex[c, k])


@kernel
def reach_of(m, a, b):
    """Motion [m] that counts between two sides of a contact."""
    if a < 0 or b < 0:
        return 0.0
    r, s = m.geom_rbound[a], m.geom_rbound[b]  # of a plane 0
    return REACH_SHARE * (max(r, s) if min(r, s) <= 0 else min(r, s))


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
            pairs[k, GEOM1], pairs[k, GEOM2], pairs[k, REACH] = a, b, reach_of(m, a, b)
            pairs[k, MODE], pairs[k, MADE], pairs[k, SEEN] = UNKNOWN, (1.0 if went_on else 0.0), -1.0
            link(head, pairs, links, k)
        if pairs[k, SEEN] != head[STEPS]:
            pairs[k, SEEN], pairs[k, FORCE], pairs[k, NOW] = head[STEPS], 0.0, OPEN
            for i in range(3):
                pairs[k, POINT + i], pairs[k, NORMAL + i] = d.contact_pos[c, i], d.contact_frame[c, i]
        pairs[k, FORCE] += force
        pairs[k, NOW] = stronger(int(pairs[k, NOW]), mode)


@kernel
def sleeps(m, d, pair):
    """True if neither geom of a pair is awake, and one sleeps."""
    some = False
    for i in range(GEOM1, GEOM2 + 1):
        g = int(pair[i])
        if g < 0 or d.body_awake[m.geom_bodyid[g]] == BODY_AWAKE:
            return False
        some = some or d.body_awake[m.geom_bodyid[g]] == BODY_ASLEEP
    return some


@kernel
def velocity(m, d, b, point, i):
    """Component i of the velocity of body b at a point [m/s]."""
    j, k = (i + 1) % 3, (i + 2) % 3
    com = d.subtree_com[m.body_rootid[b]]
    return d.cvel[b, 3 + i] + d.cvel[b, j] * (point[k] - com[k]) - d.cvel[b, k] * (point[j] - com[j])


@kernel
def move(m, d, pair, h):
    """Add a step to how far the bodies of a pair have moved since a change was coming."""
    a, b = int(pair[GEOM1]), int(pair[GEOM2])
    if a < 0 or b < 0:
        return
    point = pair[POINT : POINT + 3]
    for i in range(3):
        speed = velocity(m, d, m.geom_bodyid[b], point, i) - velocity(m, d, m.geom_bodyid[a], point, i)
        pair[MOVED + i] += h * speed


@kernel
def has_moved(pair, parting, end):
    """True if the bodies of a pair have moved far enough for a change to count; parting: or slid; end: of the step [s]."""
    if pair[GEOM1] < 0 or pair[GEOM2] < 0:
        return end - pair[SINCE] >= FLEX_HOLD
    square, along = 0.0, 0.0
    for i in range(3):
        square += pair[MOVED + i] ** 2
        along += pair[MOVED + i] * pair[NORMAL + i]
    if parting and along > pair[REACH]:
        return True
    return square**0.5 > (FAR if parting else 1.0) * pair[REACH]


@kernel
def await_change(pair, start, now):
    """Keep count of how long a pair has been in its mode of this step, and since when that has not been the mode of its piece."""
    if pair[RUN] != now:
        pair[RUN], pair[RUN_BEGIN], pair[RUN_STEPS] = now, start, 0.0
    pair[RUN_STEPS] += 1.0
    if now == pair[MODE]:
        # Short times of sticking do not interrupt slipping that is coming.
        if pair[COMING] and (now != STICK or start - pair[RUN_BEGIN] >= HOLD):
            merge(pair)
            pair[COMING] = 0.0
    elif not pair[COMING]:
        pair[COMING], pair[SINCE] = 1.0, start
        for i in range(3):
            pair[MOVED + i] = 0.0


@kernel
def settle(table, pair, now, end):
    """End a pair's piece if its mode has changed; end: of this step [s]. Returns whether the contact has broken."""
    mode, steps = int(pair[MODE]), pair[RUN_STEPS]
    if now == AWAY:
        if steps < FEW or not has_moved(pair, True, end):
            return False
        merge(pair)
        write(table, pair, max(pair[RUN_BEGIN], pair[BEGIN]), BROKE)
        return True
    if mode == SLIP and now == STICK:
        changed = steps >= FEW and end - pair[RUN_BEGIN] >= HOLD
    elif now == OPEN:
        changed = steps >= FEW and has_moved(pair, True, end)
    elif mode == STICK and now == SLIP:
        changed = has_moved(pair, False, end)
    else:  # it closes, falls asleep, wakes, or its friction was edited
        changed = True
    if changed:
        change(table, pair, now)
    return False


@kernel
def divide(table, pair, start, now):
    """Divide a pair's piece if its force has left the mean; start [s]: of the step."""
    away = now == AWAY
    if away and start - pair[RUN_BEGIN] < SLICE:
        return  # it may be breaking
    at = pair[RUN_BEGIN] if away else start
    age, impulse = at - pair[BEGIN], pair[IMPULSE] + pair[SINCE_IMPULSE]
    if age >= SLICE and abs(pair[FORCE] * age - impulse) > SPREAD * impulse:
        merge(pair)
        write(table, pair, at, GOES_ON)
        begin_piece(pair, at, pair[MODE], 0.0)
        pair[SINCE] = at


@kernel
def add_step(m, d, table, pair, now, start, h):
    """Add a step that begins at `start` to a pair's piece, or end that; returns whether the contact has broken."""
    force = pair[FORCE]
    if pair[MODE] == UNKNOWN:
        begin_piece(pair, start, now, pair[MADE])
        pair[RUN], pair[COMING], pair[SINCE_PEAK], pair[SINCE_IMPULSE] = UNKNOWN, 0.0, -1.0, 0.0
    await_change(pair, start, now)
    divide(table, pair, start, now)
    at = SINCE_PEAK if pair[COMING] else PEAK
    if force > pair[at]:
        pair[at], pair[at + 1] = force, start
    pair[at + 2] += force * h
    if pair[COMING]:
        move(m, d, pair, h)
        if now != pair[MODE]:
            return settle(table, pair, now, start + h)
    return False


@kernel
def jump(table, head, pairs, links, last, start, resets):
    """Time did not go on from `last`: ends all that is open, and says where it goes on."""
    for k in range(head[PAIRS]):
        merge(pairs[k])
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
            pair[FORCE], pair[NOW] = 0.0, SLEEPS if sleeps(m, d, pair) else AWAY
        if add_step(m, d, table, pair, int(pair[NOW]), start, h):
            remove(head, pairs, links, k)
        else:
            k += 1
    pairs[head[ROOM], END] = d.time


class Touches(Struct, frozen=True):
    """Contact history of pairs of geoms.

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
        pairs = self._pairs[: words[PAIRS]]
        present = pairs[:, :PIECE].copy()
        present[:, END] = time
        present[:, IMPULSE] += pairs[:, SINCE_IMPULSE]
        higher = pairs[:, SINCE_PEAK] > pairs[:, PEAK]
        present[higher, PEAK : PEAK_TIME + 1] = pairs[higher, SINCE_PEAK : SINCE_PEAK_TIME + 1]
        lost = self.count - count - len(rows)
        return Touches(self.count, lost, int(words[MISSED]), int(words[JUMPS]), time, rows, present)
