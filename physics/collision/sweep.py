"""The broad phase of large scenes: sort along the axis of greatest spread, sweep in strips of another, test spheres.

A geom's box is that of its bounding sphere. Along the second axis space is cut into strips, as wide as
all but the largest geoms: a geom is compared with those that begin in its strip and in the next. What
is wider than a strip, and a plane, is compared with everything.
"""

from physics.collision.candidates import HELD, push_explicit, push_pair, sort_candidates
from physics.collision.contact import OVERRIDE, pair_margin
from physics.collision.filter import FILTERPARENT, PLANE, masks_meet, pair_stirs, place, spheres_meet
from physics.collision.middle import near_geoms
from physics.kernel import kernel, stage

MOST_STRIPS = 64
_UNSIGNED = (1 << 32) - 1  # signatures of bodies beyond 32767 are stored as negative numbers


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
    if m.collide_fn[place(min(t1, t2), max(t1, t2))] < 0:
        return
    s1, s2 = (g1, g2) if t1 <= t2 else (g2, g1)
    if spheres_meet(m, d, s1, s2, pair_margin(m, g1, g2, -1)) and not _is_named(m, b1, b2, g1, g2):
        push_pair(m, d, b1, b2, g1, g2)


@kernel
def _consider_explicit(m, d):
    """The pairs named in the model: no mask, structure or exclusion keeps them apart."""
    for k in range(m.npair):
        g1, g2 = m.pair_geom1[k], m.pair_geom2[k]
        if m.geom_type[g1] > m.geom_type[g2]:
            g1, g2 = g2, g1
        fn = m.collide_fn[place(m.geom_type[g1], m.geom_type[g2])]
        if d.ntree_awake < m.ntree and not pair_stirs(m, d, g1, g2):
            continue
        if fn >= 0 and spheres_meet(m, d, g1, g2, pair_margin(m, g1, g2, k)):
            push_explicit(d, m.geom_bodyid[g1], m.geom_bodyid[g2], k)


@kernel
def _spread_axes(m, d):
    """The world axes, that along which the centres of geoms vary most first."""
    sx, sy, sz = 0.0, 0.0, 0.0
    qx, qy, qz = 0.0, 0.0, 0.0
    for g in range(m.ngeom):
        x, y, z = d.geom_xpos[g, 0], d.geom_xpos[g, 1], d.geom_xpos[g, 2]
        sx, sy, sz = sx + x, sy + y, sz + z
        qx, qy, qz = qx + x * x, qy + y * y, qz + z * z
    n = m.ngeom
    vx, vy, vz = qx - sx * sx / n, qy - sy * sy / n, qz - sz * sz / n
    if vx >= vy and vx >= vz:
        return (0, 1, 2) if vy >= vz else (0, 2, 1)
    if vy >= vz:
        return (1, 0, 2) if vx >= vz else (1, 2, 0)
    return (2, 0, 1) if vx >= vy else (2, 1, 0)


@kernel
def _measure(m, d, axes):
    """The spans of all geoms on the axes."""
    span = d.collide_span
    overall = 0.5 * m.opt_o_margin if m.opt_enableflags & OVERRIDE else 0.0
    for g in range(m.ngeom):
        margin = overall if m.opt_enableflags & OVERRIDE else m.geom_margin[g]
        reach = m.geom_rbound[g] + margin
        a, b, c = d.geom_xpos[g, axes[0]], d.geom_xpos[g, axes[1]], d.geom_xpos[g, axes[2]]
        span[g, 0], span[g, 1], span[g, 2], span[g, 3], span[g, 4], span[g, 5] = (
            a - reach, a + reach, b - reach, b + reach, c - reach, c + reach
        )  # fmt: skip


@kernel
def _sort_geoms(m, d, axis, n):
    """Order the n geoms that are near to others by where they begin on the first axis.

    Where it is all of them, the last step's order makes this nearly linear, unless it was that of another axis.
    """
    order, span = d.collide_order, d.collide_span
    gap = 1
    if n < m.ngeom or d.collide_axis != axis + 1:  # 0: never sorted
        for g in range(n):
            order[g] = d.collide_in[g] if n < m.ngeom else g
        while gap < n // 9:
            gap = 3 * gap + 1
        d.collide_axis = axis + 1 if n == m.ngeom else 0
    while gap > 0:  # Shell's sort; with a gap of one, insertion
        for i in range(gap, n):
            g = order[i]
            at = span[g, 0]
            k = i
            while k >= gap and span[order[k - gap], 0] > at:
                order[k] = order[k - gap]
                k -= gap
            order[k] = g
        gap //= 3


@kernel
def _overlap(p, i, q, j):
    """Whether two boxes overlap on the second and third axis."""
    return p[i, 2] <= q[j, 3] and q[j, 2] <= p[i, 3] and p[i, 4] <= q[j, 5] and q[j, 4] <= p[i, 5]


@kernel
def _strip(x, low, width):
    """The strip that a place on the second axis is in; what is not a number is in the first."""
    place = (x - low) / width
    if not place > 0.0:
        return 0
    return int(min(place, MOST_STRIPS - 1.0))


@kernel
def _is_wide(m, d, g, width):
    """Whether a geom may reach beyond the strip after the one it begins in."""
    return m.geom_type[g] == PLANE or d.collide_span[g, 3] - d.collide_span[g, 2] > 0.999 * width


@kernel
def _cut_strips(m, d, low, width, n):
    """Deal the geoms to the strips they begin in, in the order of the first axis: collide_in, collide_box by strips."""
    adr, span = d.collide_stripadr, d.collide_span
    for s in range(MOST_STRIPS + 2):
        adr[s] = 0
    for k in range(n):
        g = d.collide_order[k]
        if not _is_wide(m, d, g, width):
            adr[_strip(span[g, 2], low, width) + 2] += 1
    for s in range(MOST_STRIPS):
        adr[s + 2] += adr[s + 1]
    for k in range(n):
        g = d.collide_order[k]
        if not _is_wide(m, d, g, width):
            s = _strip(span[g, 2], low, width) + 1
            d.collide_in[adr[s]] = g
            for c in range(6):
                d.collide_box[adr[s], c] = span[g, c]
            adr[s] += 1


@kernel
def _sweep_later(m, d, i, first, last):
    """Consider geom i of the strips with those from first on that begin before it ends on the first axis."""
    box = d.collide_box
    end = box[i, 1]
    j = first
    while j < last and box[j, 0] <= end:
        if _overlap(box, i, box, j):
            _consider(m, d, d.collide_in[i], d.collide_in[j])
        j += 1


@kernel
def _sweep_strips(m, d):
    """Consider the pairs whose boxes overlap: they begin in the same strip, or in two that are next to each other."""
    box, adr = d.collide_box, d.collide_stripadr
    for s in range(MOST_STRIPS):
        first, last = adr[s], adr[s + 1]
        for i in range(first, last):
            _sweep_later(m, d, i, i + 1, last)
        if s == MOST_STRIPS - 1:
            continue
        i, j, end = first, last, adr[s + 2]
        while i < last and j < end:
            if box[i, 0] <= box[j, 0]:
                _sweep_later(m, d, i, j, end)
                i += 1
            else:
                _sweep_later(m, d, j, i, last)
                j += 1


@kernel
def _sweep_wide(m, d, width, n):
    """Consider the pairs of which at least one is wider than a strip, or a plane."""
    span, order = d.collide_span, d.collide_order
    for i in range(n):
        g = order[i]
        if not _is_wide(m, d, g, width):
            continue
        flat = m.geom_type[g] == PLANE
        for j in range(n):
            h = order[j]
            if m.geom_type[h] == PLANE or h == g or (not flat and h < g and _is_wide(m, d, h, width)):
                continue
            if flat or (span[g, 0] <= span[h, 1] and span[h, 0] <= span[g, 1] and _overlap(span, g, span, h)):
                _consider(m, d, g, h)


@stage
def sweep(m, d):
    """Fill collide_candidate with the sorted keys of the pairs whose bounding spheres meet."""
    d.collide_ncandidate = 0
    _consider_explicit(m, d)
    axes = _spread_axes(m, d)
    _measure(m, d, axes)
    n = near_geoms(m, d)
    _sort_geoms(m, d, axes[0], n)
    low, high = 1e300, -1e300
    for k in range(n):
        g = d.collide_order[k]
        if m.geom_type[g] != PLANE:
            low, high = min(low, d.collide_span[g, 2]), max(high, d.collide_span[g, 3])
    extent = max(high - low, 1e-9)
    if not extent < 1e300:  # a place that is not a number, or at infinity: nothing to divide by, all in one strip
        extent = 1e300
    margin = m.opt_o_margin if m.opt_enableflags & OVERRIDE else 0.0
    width = max(m.collide_width + margin, extent / MOST_STRIPS)
    _cut_strips(m, d, low, width, n)
    _sweep_strips(m, d)
    _sweep_wide(m, d, width, n)
    if d.collide_ncandidate <= HELD * d.collide_candidate.shape[0]:
        sort_candidates(d)
