"""Islands on several threads: whether that is worth it, how many lanes it takes, and which lane solves which island.

Which lane solves an island makes no difference to the numbers. So islands are taken as lanes become free, those with the
most work first: then all lanes end at about the same time.
"""

from tumble.physics.island.island_overlay import has_dual
from tumble.physics.kernel import kernel
from tumble.physics.parallel.atomic import add, address_of, load
from tumble.physics.parallel.share import MADE
from tumble.physics.state.own import ContactModel

LCP = int(ContactModel.LCP)

# Work is counted in entries of the Jacobian, or of the dual's matrix: a solver goes over them some tens of times, in all
# about 30 ns for each. To call other threads costs the caller some microseconds: what they could do should take it
# several times as long.
WORTHWHILE = 1000
NEXT = 16  # index of the count in island_next, far from other words that are written


@kernel
def island_work(m, d, k):
    """An estimate of the work that island k makes."""
    rows = d.island_nefc[k]
    return rows * max(rows, d.island_nv[k]) if has_dual(m) else rows * d.island_nv[k]


@kernel
def is_shareable(m, d):
    """True if there is enough work besides the largest island for another thread to help."""
    total, most = 0, 0
    for k in range(d.nisland):
        work = island_work(m, d, k)
        total += work
        most = max(most, work)
    return total - most >= WORTHWHILE


@kernel
def plan_lanes(m, d):
    """island_lanes <- lanes besides the first that may help; needlane, if there are not as many as there should be.

    Lanes that the options want no more are given back, by needlane too. The order of islands is made here.
    """
    alone = m.pool == 0 or m.tumble_contact_model == LCP or d.record_stage != 0  # a record is written in order
    wanted = 0 if alone else m.tumble_threads - 1
    d.island_lanes = 0
    if wanted < d.maxlane:
        d.needlane = wanted + 1
    elif wanted > 0 and is_shareable(m, d):
        if d.maxlane < wanted or load(m.pool + MADE) < wanted:
            d.needlane = wanted + 1
        else:
            d.island_lanes = min(wanted, d.nisland - 1)
            order_islands(m, d)


@kernel
def work_class(work):
    """The power of two above an amount of work."""
    c = 0
    while work > 0:
        work >>= 1
        c += 1
    return c


@kernel
def order_islands(m, d):
    """island_order <- the islands by the power of two of their work, the most first."""
    start = d.island_class
    for c in range(start.shape[0]):
        start[c] = 0
    for k in range(d.nisland):
        start[work_class(island_work(m, d, k))] += 1
    at = 0
    for c in range(start.shape[0] - 1, -1, -1):
        count = start[c]
        start[c] = at
        at += count
    for k in range(d.nisland):
        c = work_class(island_work(m, d, k))
        d.island_order[start[c]] = k
        start[c] += 1


@kernel
def usable_lanes(m, d):
    """The lanes besides the first that may help now; starts the count of islands taken."""
    d.island_next[NEXT] = 0
    if m.pool == 0 or d.record_stage != 0:  # options may have changed since the position stage
        return 0
    return min(d.island_lanes, d.maxlane)


@kernel
def take_island(d):
    """The next island to solve, for this lane alone; -1: all are taken."""
    place = add(address_of(d.island_next) + 8 * NEXT, 1)
    if place >= d.nisland:
        return -1
    return d.island_order[place] if d.island_lanes > 0 else place
