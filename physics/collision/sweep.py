"""The broad phase of large scenes: sort along the axis of greatest spread, sweep, test spheres.

The candidates are sorted by bodies, then geoms, the order in which the pairs of a small scene are
listed: the order of contacts does not tell which of the two found them, nor where the sweep began.
"""

from physics.collision.contact import OVERRIDE, pair_margin
from physics.collision.filter import FILTERPARENT, PLANE, masks_meet, pair_stirs, spheres_meet
from physics.kernel import kernel, stage

# The key of a candidate is two numbers. The first sorts by body1 (bits 32-), body2 (1-31) and explicit pairs first (0),
# the second by pair, or by the geoms as the contact names them: whether the first is of body2 (62), the first (31-61),
# the other (0-30). Geoms are numbered by bodies, so their numbers sort as their places in their bodies do.
_HELD = 8  # candidates in a row of collide_candidate
_GEOM = (1 << 31) - 1
_UNSIGNED = (1 << 32) - 1  # signatures of bodies beyond 32767 are stored as negative numbers


@kernel
def _push(d, bodies, geoms):
    """Store a candidate if it fits; count it anyway."""
    n = d.collide_ncandidate
    if n < _HELD * d.collide_candidate.shape[0]:
        d.collide_candidate[n >> 3, 2 * (n & 7)] = bodies
        d.collide_candidate[n >> 3, 2 * (n & 7) + 1] = geoms
    d.collide_ncandidate = n + 1


@kernel
def _first_at(signatures, wanted):
    """The place of the first signature of two bodies that is not below the wanted one; they are sorted."""
    low, high = 0, signatures.shape[0]
    while low < high:
        middle = (low + high) // 2
        if signatures[middle] & _UNSIGNED < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _is_named(m, b1, b2, g1, g2):
    """Whether exclude names the bodies, or a pair names the geoms (it is then tested on its own)."""
    signature = (b1 << 16) + b2
    k = _first_at(m.exclude_signature, signature)
    if k < m.nexclude and m.exclude_signature[k] & _UNSIGNED == signature:
        return True
    k = _first_at(m.pair_signature, signature)
    while k < m.npair and m.pair_signature[k] & _UNSIGNED == signature:
        p1, p2 = m.pair_geom1[k], m.pair_geom2[k]
        if (p1 == g1 and p2 == g2) or (p1 == g2 and p2 == g1):
            return True
        k += 1
    return False


@kernel
def _consider(m, d, i, j):
    """Push a pair of geoms if masks, structure, types and spheres let them collide."""
    g1, g2 = min(i, j), max(i, j)
    if not masks_meet(m, g1, g2) or (d.ntree_awake < m.ntree and not pair_stirs(m, d, g1, g2)):
        return
    b1, b2 = m.geom_bodyid[g1], m.geom_bodyid[g2]
    w1, w2 = m.body_weldid[b1], m.body_weldid[b2]
    if w1 == w2:
        return
    family = w1 == m.body_weldid[m.body_parentid[w2]] or w2 == m.body_weldid[m.body_parentid[w1]]
    if family and w1 != 0 and w2 != 0 and m.opt_disableflags & FILTERPARENT == 0:
        return
    t1, t2 = m.geom_type[g1], m.geom_type[g2]
    if m.collide_fn[9 * min(t1, t2) + max(t1, t2)] < 0:
        return
    s1, s2 = (g1, g2) if t1 <= t2 else (g2, g1)
    if spheres_meet(m, d, s1, s2, pair_margin(m, g1, g2, -1)) and not _is_named(m, b1, b2, g1, g2):
        _push(d, (b1 << 32) + (b2 << 1) + 1, (g1 << 31) + g2 if t1 <= t2 else (1 << 62) + (g2 << 31) + g1)


@kernel
def _push_explicit(m, d):
    """The pairs named in the model: no mask, structure or exclusion keeps them apart."""
    for k in range(m.npair):
        g1, g2 = m.pair_geom1[k], m.pair_geom2[k]
        if m.geom_type[g1] > m.geom_type[g2]:
            g1, g2 = g2, g1
        fn = m.collide_fn[9 * m.geom_type[g1] + m.geom_type[g2]]
        if d.ntree_awake < m.ntree and not pair_stirs(m, d, g1, g2):
            continue
        if fn >= 0 and spheres_meet(m, d, g1, g2, pair_margin(m, g1, g2, k)):
            b1, b2 = m.geom_bodyid[g1], m.geom_bodyid[g2]
            _push(d, (min(b1, b2) << 32) + (max(b1, b2) << 1), k)


@kernel
def _spread_axis(m, d):
    """The world axis along which the centres of geoms vary most."""
    best, axis = -1.0, 0
    for k in range(3):
        total, squares = 0.0, 0.0
        for g in range(m.ngeom):
            x = d.geom_xpos[g, k]
            total += x
            squares += x * x
        variance = squares - total * total / m.ngeom
        if variance > best:
            best, axis = variance, k
    return axis


@kernel
def _sort_geoms(m, d, axis):
    """Order of geoms by where they begin on the axis; the last step's order makes this nearly linear."""
    order, low, high = d.collide_order, d.collide_low, d.collide_high
    n = m.ngeom
    gap = 1
    if n > 1 and order[0] == 0 and order[1] == 0:
        for g in range(n):
            order[g] = g
        while gap < n // 9:
            gap = 3 * gap + 1
    overall = 0.5 * m.opt_o_margin if m.opt_enableflags & OVERRIDE else 0.0
    for g in range(n):
        margin = overall if m.opt_enableflags & OVERRIDE else m.geom_margin[g]
        reach = m.geom_rbound[g] + margin
        low[g] = d.geom_xpos[g, axis] - reach
        high[g] = d.geom_xpos[g, axis] + reach
    while gap > 0:  # Shell's sort; with a gap of one, insertion
        for i in range(gap, n):
            g = order[i]
            at = low[g]
            k = i
            while k >= gap and low[order[k - gap]] > at:
                order[k] = order[k - gap]
                k -= gap
            order[k] = g
        gap //= 3


@kernel
def _get(d, k):
    return d.collide_candidate[k >> 3, 2 * (k & 7)], d.collide_candidate[k >> 3, 2 * (k & 7) + 1]


@kernel
def _swap(d, i, j):
    a = d.collide_candidate
    for k in range(2):
        p, q = 2 * (i & 7) + k, 2 * (j & 7) + k
        a[i >> 3, p], a[j >> 3, q] = a[j >> 3, q], a[i >> 3, p]


@kernel
def _sift(d, root, n):
    """Restore the heap below a place."""
    while 2 * root + 1 < n:
        child = 2 * root + 1
        if child + 1 < n and _get(d, child) < _get(d, child + 1):
            child += 1
        if _get(d, root) >= _get(d, child):
            return
        _swap(d, root, child)
        root = child


@kernel
def _sort_candidates(d, n):
    """Heap sort: in place, and never slow."""
    for k in range(n // 2 - 1, -1, -1):
        _sift(d, k, n)
    for k in range(n - 1, 0, -1):
        _swap(d, 0, k)
        _sift(d, 0, k)


@stage
def sweep(m, d):
    """Fill collide_candidate with the sorted keys of the pairs whose bounding spheres meet."""
    d.collide_ncandidate = 0
    _push_explicit(m, d)
    _sort_geoms(m, d, _spread_axis(m, d))
    order, low, high = d.collide_order, d.collide_low, d.collide_high
    n = m.ngeom
    for i in range(n):
        g = order[i]
        if m.geom_type[g] == PLANE:
            for h in range(n):
                if m.geom_type[h] != PLANE:
                    _consider(m, d, g, h)
            continue
        for j in range(i + 1, n):
            h = order[j]
            if low[h] > high[g]:
                break
            if m.geom_type[h] != PLANE:
                _consider(m, d, g, h)
    if d.collide_ncandidate <= _HELD * d.collide_candidate.shape[0]:
        _sort_candidates(d, d.collide_ncandidate)


@kernel
def unpack(m, d, k):
    """The geoms of candidate k, as the contact names them, and its explicit pair or -1."""
    bodies, geoms = _get(d, k)
    if bodies & 1:
        return (geoms >> 31) & _GEOM, geoms & _GEOM, -1
    g1, g2 = m.pair_geom1[geoms] + 0, m.pair_geom2[geoms] + 0
    if m.geom_type[g1] > m.geom_type[g2]:
        return g2, g1, geoms
    return g1, g2, geoms
