"""The broad phase of large scenes: sort along the axis of greatest spread, sweep in strips of another, test spheres.

What is swept are units: geoms, and groups of geoms that do not move against each other (bvh.py). A geom's box is that
of its bounding sphere. Along the second axis space is cut into strips, as wide as all but the largest units: a unit is
compared with those that begin in its strip and in the next. What is wider than a strip, and a plane, is compared with
everything.
"""

from tumble.physics.algebra.vec3 import norm3
from tumble.physics.collision.candidates import HELD, sort_candidates
from tumble.physics.collision.consider import consider, consider_explicit
from tumble.physics.collision.contact import OVERRIDE
from tumble.physics.collision.filter import PLANE
from tumble.physics.collision.middle import fit_trees, geom_among, group_box, groups_meet, reach_of
from tumble.physics.kernel import kernel, stage

MOST_STRIPS = 64
_MORE = 1.0 + 1e-9  # balls are so much larger, that rounding leaves out none: what decides comes later


@kernel
def _is_plane(m, u):
    """True if a unit is a plane."""
    g = m.collide_unit[u]
    return g >= 0 and m.geom_type[g] == PLANE


@kernel
def _centre(m, d, u):
    """The middle of a unit."""
    g = m.collide_unit[u]
    if g >= 0:
        return d.geom_xpos[g, 0], d.geom_xpos[g, 1], d.geom_xpos[g, 2]
    centre, _ = group_box(m, d, -1 - g)
    return centre


@kernel
def _spread_axes(m, d, n):
    """The world axes, that along which the centres of units vary most first."""
    sx, sy, sz = 0.0, 0.0, 0.0
    qx, qy, qz = 0.0, 0.0, 0.0
    for u in range(n):
        x, y, z = _centre(m, d, u)
        sx, sy, sz = sx + x, sy + y, sz + z
        qx, qy, qz = qx + x * x, qy + y * y, qz + z * z
    n = max(n, 1)
    vx, vy, vz = qx - sx * sx / n, qy - sy * sy / n, qz - sz * sz / n
    if vx >= vy and vx >= vz:
        return (0, 1, 2) if vy >= vz else (0, 2, 1)
    if vy >= vz:
        return (1, 0, 2) if vx >= vz else (1, 2, 0)
    return (2, 0, 1) if vx >= vy else (2, 1, 0)


@kernel
def _measure_group(m, d, axes, u, k):
    """The spans of a group on the axes."""
    span = d.collide_span
    centre, half = group_box(m, d, k)
    for c in range(3):
        at, reach = 0.0, 0.0
        for i in range(3):
            if axes[c] == i:
                at, reach = centre[i], half[i]
        span[u, 2 * c], span[u, 2 * c + 1] = at - reach, at + reach


@kernel
def _measure(m, d, axes, n):
    """The spans of all units on the axes."""
    span = d.collide_span
    for u in range(n):
        g = m.collide_unit[u]
        if g < 0:
            _measure_group(m, d, axes, u, -1 - g)
            continue
        reach = reach_of(m, g)
        a, b, c = d.geom_xpos[g, axes[0]], d.geom_xpos[g, axes[1]], d.geom_xpos[g, axes[2]]
        span[u, 0], span[u, 1], span[u, 2], span[u, 3], span[u, 4], span[u, 5] = (
            a - reach, a + reach, b - reach, b + reach, c - reach, c + reach
        )  # fmt: skip


@kernel
def _sort_units(d, axis, n):
    """Order the units by where they begin on the first axis.

    The last step's order makes this nearly linear, unless it was that of another axis, or of other units.
    """
    order, span = d.collide_order, d.collide_span
    gap = 1
    if d.collide_axis != 4 * n + axis:
        for u in range(n):
            order[u] = u
        while gap < n // 9:
            gap = 3 * gap + 1
        d.collide_axis = 4 * n + axis
    while gap > 0:  # Shell's sort; with a gap of one, insertion
        for i in range(gap, n):
            u = order[i]
            at = span[u, 0]
            k = i
            while k >= gap and span[order[k - gap], 0] > at:
                order[k] = order[k - gap]
                k -= gap
            order[k] = u
        gap //= 3


@kernel
def _meet(m, d, u, v):
    """Consider the pairs of geoms of two units whose boxes overlap."""
    g, h = m.collide_unit[u], m.collide_unit[v]
    if g >= 0 and h >= 0:
        consider(m, d, g, h)
    elif g >= 0 or h >= 0:
        geom_among(m, d, max(g, h), -1 - min(g, h))
    else:
        groups_meet(m, d, -1 - g, -1 - h)


@kernel
def _overlap(p, i, q, j):
    """True if two boxes overlap on the second and third axis."""
    return p[i, 2] <= q[j, 3] and q[j, 2] <= p[i, 3] and p[i, 4] <= q[j, 5] and q[j, 4] <= p[i, 5]


@kernel
def _strip(x, low, width):
    """The strip that a place on the second axis is in; what is not a number is in the first."""
    place = (x - low) / width
    if not place > 0.0:
        return 0
    return int(min(place, MOST_STRIPS - 1.0))


@kernel
def _is_wide(m, d, u, width):
    """True if a unit may reach beyond the strip after the one it begins in."""
    return _is_plane(m, u) or d.collide_span[u, 3] - d.collide_span[u, 2] > 0.999 * width


@kernel
def _store_ball(m, d, k, u):
    """Row k of collide_ball: begin and end of a unit on the first axis, centre and radius of the ball about it."""
    span, ball, g = d.collide_span, d.collide_ball, m.collide_unit[u]
    ball[k, 0], ball[k, 1] = span[u, 0], span[u, 1]
    ball[k, 2], ball[k, 3], ball[k, 4] = _centre(m, d, u)
    if g >= 0:
        ball[k, 5] = _MORE * reach_of(m, g)
    else:
        ball[k, 5] = _MORE * 0.5 * norm3((span[u, 1] - span[u, 0], span[u, 3] - span[u, 2], span[u, 5] - span[u, 4]))


@kernel
def _cut_strips(m, d, low, width, n):
    """Deal the units to the strips they begin in, in the order of the first axis: collide_in, collide_ball by strips."""
    adr, span = d.collide_stripadr, d.collide_span
    for s in range(MOST_STRIPS + 2):
        adr[s] = 0
    for k in range(n):
        u = d.collide_order[k]
        if not _is_wide(m, d, u, width):
            adr[_strip(span[u, 2], low, width) + 2] += 1
    for s in range(MOST_STRIPS):
        adr[s + 2] += adr[s + 1]
    for k in range(n):
        u = d.collide_order[k]
        if not _is_wide(m, d, u, width):
            s = _strip(span[u, 2], low, width) + 1
            d.collide_in[adr[s]] = u
            _store_ball(m, d, adr[s], u)
            adr[s] += 1


@kernel
def _sweep_later(m, d, i, first, last):
    """Consider unit i of the strips with those from first on that begin before it ends on the first axis."""
    ball = d.collide_ball
    end, x, y, z, reach = ball[i, 1], ball[i, 2], ball[i, 3], ball[i, 4], ball[i, 5]
    j = first
    while j < last and ball[j, 0] <= end:
        a, b, c, both = ball[j, 2] - x, ball[j, 3] - y, ball[j, 4] - z, ball[j, 5] + reach
        if a * a + b * b + c * c <= both * both:  # one comparison: a processor that guesses six is wrong more often
            _meet(m, d, d.collide_in[i], d.collide_in[j])
        j += 1


@kernel
def _sweep_strips(m, d):
    """Consider the pairs whose boxes overlap: they begin in the same strip, or in two that are next to each other."""
    ball, adr = d.collide_ball, d.collide_stripadr
    for s in range(MOST_STRIPS):
        first, last = adr[s], adr[s + 1]
        for i in range(first, last):
            _sweep_later(m, d, i, i + 1, last)
        if s == MOST_STRIPS - 1:
            continue
        i, j, end = first, last, adr[s + 2]
        while i < last and j < end:
            if ball[i, 0] <= ball[j, 0]:
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
        u = order[i]
        if not _is_wide(m, d, u, width):
            continue
        flat, end = _is_plane(m, u), span[u, 1]
        for j in range(n):
            v = order[j]
            if not flat and span[v, 0] > end:
                break
            if v == u or _is_plane(m, v) or (not flat and v < u and _is_wide(m, d, v, width)):
                continue
            if flat or (span[u, 0] <= span[v, 1] and span[v, 0] <= end and _overlap(span, u, span, v)):
                _meet(m, d, u, v)


@stage
def sweep(m, d):
    """Fill collide_candidate with the sorted keys of the pairs whose bounding spheres meet."""
    d.collide_ncandidate = 0
    consider_explicit(m, d)
    n = m.collide_nunit + 0
    fit_trees(m, d)
    axes = _spread_axes(m, d, n)
    _measure(m, d, axes, n)
    _sort_units(d, axes[0], n)
    low, high = 1e300, -1e300
    for u in range(n):
        if not _is_plane(m, u):
            low, high = min(low, d.collide_span[u, 2]), max(high, d.collide_span[u, 3])
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
