"""Two elements of flexes."""

from tumble.physics.collision.convex.element import FIRST, SECOND
from tumble.physics.collision.flex.apart import are_apart
from tumble.physics.collision.flex.contact import add_flex_contacts, set_side
from tumble.physics.collision.flex.element import load_element, shares_body
from tumble.physics.collision.flex.table import PAIRS, SEGMENTS
from tumble.physics.kernel import kernel, run


@kernel
def collide_elements(m, d, f1, e1, f2, e2, margin):
    """Contacts of element e1 of flex f1 and element e2 of flex f2, if they have no body in common.

    The first is already loaded as FIRST.
    """
    if shares_body(m, f1, e1, f2, e2):
        return
    load_element(m, d, SECOND, f2, e2)
    dim1, dim2 = m.flex_dim[f1], m.flex_dim[f2]
    address = m.collide_fn[SEGMENTS if dim1 == 1 and dim2 == 1 else PAIRS]
    if address == 0:
        d.needcollide = 1
        return
    if dim1 + dim2 > 2 and are_apart(d, dim1 == 2 and dim2 == 2, margin):
        return
    d.hit_geom1, d.hit_geom2, d.hit_margin, d.hit_num = FIRST, SECOND, margin, 0
    run(address, m, d)
    if d.hit_num > 0:
        set_side(d, 0, -1, f1, e1, -1)
        set_side(d, 1, -1, f2, e2, -1)
        add_flex_contacts(m, d, margin)
