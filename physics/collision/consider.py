"""Filters of pairs from the broad and middle phase: masks, structure, types, exclusions, bounding spheres."""

from tumble.physics.collision.candidates import push_explicit, push_pair
from tumble.physics.collision.contact import pair_margin
from tumble.physics.collision.filter import (
    FILTERPARENT,
    HFIELD,
    MESH,
    ball_meets_box,
    masks_meet,
    pair_stirs,
    place,
    spheres_meet,
)
from tumble.physics.kernel import kernel

_MUCH = 2.0  # times as large as another is a sphere that a look at the box in it is worth
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
    """True if exclude names the bodies, or a pair names the geoms (it is then tested on its own)."""
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
def bodies_meet(m, b1, b2):
    """True if the structure lets two bodies collide: they are not one rigid body, nor parent and child."""
    w1, w2 = m.body_weldid[b1], m.body_weldid[b2]
    if w1 == w2:
        return False
    family = w1 == m.body_weldid[m.body_parentid[w2]] or w2 == m.body_weldid[m.body_parentid[w1]]
    return not family or w1 == 0 or w2 == 0 or m.opt_disableflags & FILTERPARENT != 0


@kernel
def consider(m, d, i, j):
    """Push a pair of geoms if masks, structure, types and spheres let them collide."""
    g1, g2 = min(i, j), max(i, j)
    if not masks_meet(m, g1, g2) or (d.ntree_awake < m.ntree and not pair_stirs(m, d, g1, g2)):
        return
    b1, b2 = m.geom_bodyid[g1], m.geom_bodyid[g2]
    if not bodies_meet(m, b1, b2):
        return
    t1, t2 = m.geom_type[g1], m.geom_type[g2]
    if m.collide_fn[place(min(t1, t2), max(t1, t2))] < 0:
        return
    s1, s2 = (g1, g2) if t1 <= t2 else (g2, g1)
    margin = pair_margin(m, g1, g2, -1)
    if not spheres_meet(m, d, s1, s2, margin):
        return
    large, small = (s1, s2) if m.geom_rbound[s1] > m.geom_rbound[s2] else (s2, s1)
    loose = min(t1, t2) > HFIELD and max(t1, t2) <= MESH and m.geom_rbound[large] > _MUCH * m.geom_rbound[small]
    # walls, tables and floors have spheres as large as rooms
    if (not loose or ball_meets_box(m, d, small, large, margin)) and not _is_named(m, b1, b2, g1, g2):
        push_pair(m, d, b1, b2, g1, g2)


@kernel
def consider_explicit(m, d):
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
