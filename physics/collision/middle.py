"""The middle phase: of bodies with many geoms, only those geoms are swept that come near to another body.

Each body has a box about the boxes of its geoms. Where two of these meet, only the geoms that reach into what they have
in common can touch. A geom that is left out overlaps no geom of another body: contacts and their order stay the same.
"""

from physics.collision.filter import PLANE
from physics.kernel import kernel

_MANY = 8  # geoms that a body has on average, from which on it pays
_EVERYWHERE = 1e300


@kernel
def _clear(boxes, n):
    """Make boxes empty."""
    for b in range(n):
        for k in (0, 2, 4):
            boxes[b, k], boxes[b, k + 1] = _EVERYWHERE, -_EVERYWHERE


@kernel
def _bound_bodies(m, d):
    """The boxes about the geoms of each body; one with a plane has no end. What is not a number counts for nothing."""
    boxes, span = d.collide_body, d.collide_span
    _clear(boxes, m.nbody)
    for g in range(m.ngeom):
        b, plane = m.geom_bodyid[g], m.geom_type[g] == PLANE
        for k in (0, 2, 4):
            low, high = (-_EVERYWHERE, _EVERYWHERE) if plane else (span[g, k], span[g, k + 1])
            if low < boxes[b, k]:
                boxes[b, k] = low
            if high > boxes[b, k + 1]:
                boxes[b, k + 1] = high


@kernel
def _bound_meetings(m, d):
    """A box about what each body has in common with those that are not welded to it; empty: nothing comes near to it."""
    boxes, meets = d.collide_body, d.collide_meet
    _clear(meets, m.nbody)
    for b in range(m.nbody):
        for c in range(m.nbody):
            if m.body_weldid[b] == m.body_weldid[c]:
                continue
            apart = False
            for k in (0, 2, 4):
                apart |= not (boxes[b, k] <= boxes[c, k + 1] and boxes[c, k] <= boxes[b, k + 1])
            if apart:
                continue
            for k in (0, 2, 4):
                meets[b, k] = min(meets[b, k], max(boxes[b, k], boxes[c, k]))
                meets[b, k + 1] = max(meets[b, k + 1], min(boxes[b, k + 1], boxes[c, k + 1]))


@kernel
def _comes_near(m, d, g):
    """Whether a geom reaches into what its body has in common with others."""
    meets, span, b = d.collide_meet, d.collide_span, m.geom_bodyid[g]
    if m.geom_type[g] == PLANE:
        return meets[b, 0] <= meets[b, 1]
    return (
        span[g, 0] <= meets[b, 1] and meets[b, 0] <= span[g, 1] and span[g, 2] <= meets[b, 3]
        and meets[b, 2] <= span[g, 3] and span[g, 4] <= meets[b, 5] and meets[b, 4] <= span[g, 5]
    )  # fmt: skip


@kernel
def _can_touch(m, g):
    """Whether a geom can touch any other, but for explicit pairs, which are looked at on their own."""
    return m.geom_contype[g] != 0 or m.geom_conaffinity[g] != 0


@kernel
def near_geoms(m, d):
    """List in collide_in the geoms that may touch another body; returns how many. All of them: there is no list.

    Reads collide_span. If it would take longer than it spares, it is all of them: a part would be sorted from the
    beginning at every step. Robots show about as many geoms that touch nothing as they have that collide.
    """
    bodies = m.ngeom >= _MANY * m.nbody and m.nbody * m.nbody <= m.ngeom
    if bodies:
        _bound_bodies(m, d)
        _bound_meetings(m, d)
    n = 0
    for g in range(m.ngeom):
        if _can_touch(m, g) and (not bodies or _comes_near(m, d, g)):
            d.collide_in[n] = g
            n += 1
    return n if 4 * n <= 3 * m.ngeom else m.ngeom + 0
