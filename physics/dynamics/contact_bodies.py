"""Bodies that carry a side of a contact: that of its geom, or those of a flex, with weights (flex/soft_side.py)."""

from tumble.physics.callback.call import integer3
from tumble.physics.kernel import kernel
from tumble.physics.state.stages import Entry

SOFT_SIDE = int(Entry.SOFT_SIDE)


@kernel
def is_soft(d, c):
    """True if a flex is on a side of contact c."""
    return d.contact_flex[c, 0] >= 0 or d.contact_flex[c, 1] >= 0


@kernel
def contact_bodies(m, d, c, side, n):
    """side_body, side_weight from place n on <- what carries a side, 0 or 1, of contact c; returns the place after them."""
    g = d.contact_geom[c, side] + 0
    if g >= 0:
        return put_body(d, n, m.geom_bodyid[g] + 0, 1.0)
    if d.contact_flex[c, side] < 0:
        return n
    return integer3(m.stage[SOFT_SIDE], m, d, c, side, n)


@kernel
def put_body(d, n, body, weight):
    """Store a body and its weight, if they fit; returns the place after them."""
    if n < d.side_weight.shape[0]:
        d.side_body[n], d.side_weight[n] = body, weight
        return n + 1
    return n
