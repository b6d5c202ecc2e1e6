"""The stage `collision`: broad phase, narrow phase, contacts."""

from tumble.physics.base.clock import now
from tumble.physics.callback.call import integer
from tumble.physics.callback.table import NO_SHAPE
from tumble.physics.collision.candidates import HELD, unpack
from tumble.physics.collision.contact import add_contact, pair_margin
from tumble.physics.collision.filter import (
    CYLINDER,
    HFIELD,
    MESH,
    TYPES,
    boxes_meet,
    has_shape,
    list_is_stale,
    nothing_stirs,
    pair_stirs,
    place,
    spheres_meet,
)  # fmt: skip
from tumble.physics.collision.flex.flex_table import FLEXES, GEOMS
from tumble.physics.kernel import kernel, run, stage
from tumble.physics.state.enums import mjtDisableBit, mjtTimer
from tumble.physics.state.stages import Entry

FILTER = int(Entry.CONTACT_FILTER)
DISABLED = int(mjtDisableBit.mjDSBL_CONTACT) | int(mjtDisableBit.mjDSBL_CONSTRAINT)
T_BROAD, T_NARROW = int(mjtTimer.mjTIMER_COL_BROAD), int(mjtTimer.mjTIMER_COL_NARROW)
REFILTER, SWEEP = TYPES * TYPES, TYPES * TYPES + 1  # places in collide_fn after the narrow phases


@kernel
def _lap(d, timer, start):
    """Adds the time since `start` to a timer; returns the time now."""
    t = now(d.clock, d.clock_id)
    d.timer_duration[timer] += t - start
    d.timer_number[timer] += 1
    return t


@kernel
def is_filtered(m, d, g1, g2, pair):
    """True if the user's callback discards a pair of geoms that no other filter has. pair: the explicit pair, or -1."""
    if d.failed == 0 and pair < 0 and m.stage[FILTER] != 0 and integer(m.stage[FILTER], m, d, g1, g2) != 0:
        return True
    return d.failed != 0  # here, or in a collider of the user's: then the arrays may have moved: nothing more may be stored


@kernel
def is_worth_testing(m, d, g1, g2, pair):
    """True if the spheres of two geoms meet, and the boxes of two that are not round. pair: the explicit pair, or -1."""
    margin = pair_margin(m, g1, g2, pair)
    if not spheres_meet(m, d, g1, g2, margin):
        return False
    # What has corners is long as often as round, and its colliders cost far more than a look at two boxes.
    angular = m.geom_type[g1] > HFIELD and CYLINDER <= m.geom_type[g2] <= MESH
    return not angular or boxes_meet(m, d, g1, g2, margin)


@kernel
def _narrow(m, d, g1, g2, pair, found):
    """Points of one pair, made contacts; returns how many were found so far, stored or not."""
    if not is_worth_testing(m, d, g1, g2, pair) or is_filtered(m, d, g1, g2, pair):
        return found
    if not has_shape(m, g1) or not has_shape(m, g2):
        d.hit_geom1, d.failed = g2 if has_shape(m, g1) else g1, NO_SHAPE
        return found
    margin = pair_margin(m, g1, g2, pair)
    address = m.collide_fn[place(m.geom_type[g1], m.geom_type[g2])]
    if address <= 0:
        if address == 0:
            d.needcollide = 1
        return found
    d.hit_geom1, d.hit_geom2, d.hit_margin, d.hit_num = g1, g2, margin, 0
    run(address, m, d)
    for k in range(d.hit_num):
        if found < d.maxcon:
            add_contact(m, d, found, k, g1, g2, pair, margin)
        found += 1
    return found


@kernel
def _soft(m, d, found, end):
    """Contacts of flexes with the geoms of bodies before `end`; returns how many contacts were found so far, stored or not."""
    if m.collide_fn[GEOMS] == 0:
        d.needcollide = 1
        return found
    d.hit_found, d.hit_bodyend = found, end
    run(m.collide_fn[GEOMS], m, d)
    return d.hit_found + 0


@kernel
def _softer(m, d, found):
    """The same with the geoms of all bodies that are left, then of flexes with each other and themselves."""
    found = _soft(m, d, found, m.nbody)
    if m.collide_fn[FLEXES] == 0:
        d.needcollide = 1
        return found
    d.hit_found = found
    run(m.collide_fn[FLEXES], m, d)
    return d.hit_found + 0


@kernel
def _with_soft(m, d, g1, g2, found):
    """Flex contacts follow the order of bodies too: before those of two geoms, those of lower bodies."""
    b = min(m.geom_bodyid[g1], m.geom_bodyid[g2])
    return _soft(m, d, found, b) if b > d.hit_body else found


@stage
def collision(m, d):
    """Contacts of the current poses.

    Reads geom_xpos, geom_xmat, xpos, xmat, flexvert_xpos, flexelem_aabb, bvh_aabb_dyn; writes contact_..., ncon, and, when
    something lacks, needcon or needcollide.
    """
    d.ncon = 0
    d.needcon = 0
    d.needcollide = 0
    skip, soft = d.ntree_awake < m.ntree, m.nflex > 0
    if m.opt_disableflags & DISABLED or (m.ngeom < 2 and not soft) or (skip and nothing_stirs(m, d)):
        return
    if m.collide_fn[REFILTER] == 0:
        d.needcollide = 1
        return
    if list_is_stale(m):
        run(m.collide_fn[REFILTER], m, d)
    found, start = 0, now(d.clock, d.clock_id)
    d.hit_body = 0
    if m.collide_nactive >= 0:
        for k in range(m.collide_nactive):
            g1, g2 = m.collide_active[k, 0], m.collide_active[k, 1]
            if soft:
                found = _with_soft(m, d, g1, g2, found)
            if not skip or pair_stirs(m, d, g1, g2):
                found = _narrow(m, d, g1, g2, m.collide_active[k, 2], found)
    elif m.collide_fn[SWEEP] == 0:
        d.needcollide = 1
    else:
        run(m.collide_fn[SWEEP], m, d)
        start = _lap(d, T_BROAD, start)
        n = d.collide_ncandidate
        if n > HELD * d.maxcon:
            d.needcon = n // HELD + 1
            return
        for k in range(n):
            g1, g2, pair = unpack(m, d, k)
            if soft:
                found = _with_soft(m, d, g1, g2, found)
            found = _narrow(m, d, g1, g2, pair, found)
    if soft:
        found = _softer(m, d, found)
    _lap(d, T_NARROW, start)
    d.ncon = min(found, d.maxcon)
    if found > d.maxcon:
        d.needcon = found
    d.maxuse_con = max(d.maxuse_con, d.ncon)
