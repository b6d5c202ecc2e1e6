"""Candidate pairs of the broad phase: kept as sortable numbers, sorted by bodies, then geoms.

That is the order in which the pairs of a small scene are listed: the order of contacts does not tell
which of the two found them, nor where the sweep began.
"""

from tumble.physics.kernel import kernel
from tumble.physics.state.enums import mjtDisableBit

MIDPHASE = int(mjtDisableBit.mjDSBL_MIDPHASE)

# The key of a candidate is two numbers. The first sorts by body1 (bits 32-), body2 (1-31) and explicit pairs first (0),
# the second by pair, or by the geoms as the contact names them: whether the first is of body2 (62), the first (31-61),
# the other (0-30). Geoms are numbered by bodies, so their numbers sort as their places in their bodies do.
# With the flag midphase disabled it is by the geoms as they are numbered, as in the reference.
HELD = 8  # candidates in a row of collide_candidate
_GEOM = (1 << 31) - 1
_FEW = 16  # candidates that insertion sorts faster than a heap


@kernel
def push(d, bodies, geoms):
    """Store a candidate if it fits; count it anyway."""
    n = d.collide_ncandidate
    if n < HELD * d.collide_candidate.shape[0]:
        d.collide_candidate[n >> 3, 2 * (n & 7)] = bodies
        d.collide_candidate[n >> 3, 2 * (n & 7) + 1] = geoms
    d.collide_ncandidate = n + 1


@kernel
def push_pair(m, d, b1, b2, g1, g2):
    """Push geoms g1 < g2 of bodies b1 <= b2."""
    named = m.geom_type[g1] <= m.geom_type[g2] or m.opt_disableflags & MIDPHASE != 0
    push(d, (b1 << 32) + (b2 << 1) + 1, (g1 << 31) + g2 if named else (1 << 62) + (g2 << 31) + g1)


@kernel
def push_explicit(d, b1, b2, pair):
    """Push a pair that the model names."""
    push(d, (min(b1, b2) << 32) + (max(b1, b2) << 1), pair)


@kernel
def _get(a, k):
    return a[k >> 3, 2 * (k & 7)], a[k >> 3, 2 * (k & 7) + 1]


@kernel
def _set(a, k, key):
    a[k >> 3, 2 * (k & 7)], a[k >> 3, 2 * (k & 7) + 1] = key


@kernel
def _sift(a, first, root, n):
    """Restore the heap of the n candidates from first on below a place in it."""
    key = _get(a, first + root)
    while 2 * root + 1 < n:
        child = 2 * root + 1
        if child + 1 < n and _get(a, first + child) < _get(a, first + child + 1):
            child += 1
        if key >= _get(a, first + child):
            break
        _set(a, first + root, _get(a, first + child))
        root = child
    _set(a, first + root, key)


@kernel
def _sort_run(a, first, n):
    """Sort the n candidates from first on: few by insertion, many by a heap, which is in place and never slow."""
    if n <= _FEW:
        for i in range(first + 1, first + n):
            key = _get(a, i)
            k = i
            while k > first and _get(a, k - 1) > key:
                _set(a, k, _get(a, k - 1))
                k -= 1
            _set(a, k, key)
        return
    for k in range(n // 2 - 1, -1, -1):
        _sift(a, first, k, n)
    for k in range(n - 1, 0, -1):
        top, last = _get(a, first), _get(a, first + k)
        _set(a, first, last)
        _set(a, first + k, top)
        _sift(a, first, 0, k)


@kernel
def _deal(source, target, count, n, shift, mask):
    """Copy candidates in the order of one of their bodies, the others' order kept: one pass of a radix sort."""
    for b in range(count.shape[0]):
        count[b] = 0
    for k in range(n):
        bodies, _ = _get(source, k)
        count[(bodies >> shift) & mask] += 1
    place = 0
    for b in range(count.shape[0]):
        place, count[b] = place + count[b], place
    for k in range(n):
        key = _get(source, k)
        b = (key[0] >> shift) & mask
        _set(target, count[b], key)
        count[b] += 1


@kernel
def sort_candidates(d):
    """By body2, then by body1, then within each pair of bodies."""
    n = d.collide_ncandidate
    a = d.collide_candidate
    _deal(a, d.collide_dealt, d.collide_count, n, 1, _GEOM)
    _deal(d.collide_dealt, a, d.collide_count, n, 32, _GEOM)
    first = 0
    while first < n:
        bodies = _get(a, first)[0] >> 1
        last = first + 1
        while last < n and _get(a, last)[0] >> 1 == bodies:
            last += 1
        if last - first > 1:
            _sort_run(a, first, last - first)
        first = last


@kernel
def unpack(m, d, k):
    """The geoms of candidate k, as the contact names them, and its explicit pair or -1."""
    bodies, geoms = _get(d.collide_candidate, k)
    pair = -1 if bodies & 1 else geoms
    if pair < 0:
        g1, g2 = (geoms >> 31) & _GEOM, geoms & _GEOM
    else:
        g1, g2 = m.pair_geom1[pair] + 0, m.pair_geom2[pair] + 0
    if m.geom_type[g1] > m.geom_type[g2]:
        return g2, g1, pair
    return g1, g2, pair
